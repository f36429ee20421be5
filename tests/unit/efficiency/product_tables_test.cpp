// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of ranks as those of a run.
#include "core/analysis/efficiency/product_tables.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

ProductRow product(std::string_view name, std::string_view shapes, DurationNs time_ns, RankPosition rank) {
    ProductRow row;
    row.name = name;
    row.shapes = shapes;
    row.calls = 1;
    row.flops = 10;
    row.time_ns = time_ns;
    row.longest = {rank, {}, time_ns};
    return row;
}

TEST(ProductTables, OfAllRanksHaveEachCallOnceAndTheLongestOfAllRanks) {
    ProductTables first;
    first.products = {product("mm", "[2]", 10, RankPosition(0)), product("mm", "[3]", 30, RankPosition(0))};
    first.uncounted = {{.name = "relu", .calls = 2, .time_ns = 7, .multiplies = false, .longest = {}}};
    ProductTables second;
    second.products = {product("mm", "[2]", 25, RankPosition(1)), product("bmm", "[2]", 35, RankPosition(1))};
    second.uncounted = {{.name = "relu", .calls = 3, .time_ns = 5, .multiplies = false, .longest = {}}};
    const ProductTables all = tablesOfAll(std::vector{first, second});
    ASSERT_EQ(all.products.size(), 3U);
    EXPECT_EQ(all.products[1].name, "mm");
    EXPECT_EQ(all.products[1].shapes, "[2]");
    EXPECT_EQ(all.products[1].time_ns, 35);
    EXPECT_EQ(all.products[1].calls, 2U);
    EXPECT_EQ(all.products[1].longest.rank, RankPosition(1));
    EXPECT_EQ(all.products[1].longest.ns, 25);
    ASSERT_EQ(all.uncounted.size(), 1U);
    EXPECT_EQ(all.uncounted[0].calls, 5U);
    EXPECT_EQ(all.uncounted[0].time_ns, 12);
}

TEST(ProductTables, AreSortedByTimeThenByName) {
    ProductTables tables;
    tables.products = {product("mm", "[9]", 5, RankPosition(0)), product("addmm", "[2]", 5, RankPosition(0)),
                       product("mm", "[1]", 5, RankPosition(0)), product("bmm", "[1]", 6, RankPosition(0))};
    sortRows(tables);
    std::vector<std::string> names;
    for (const ProductRow& row : tables.products) {
        names.push_back(std::string(row.name) + std::string(row.shapes));
    }
    EXPECT_THAT(names, ElementsAre("bmm[1]", "addmm[2]", "mm[1]", "mm[9]"));
}

}  // namespace
}  // namespace rankscope::test
