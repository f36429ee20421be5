// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/product_tables.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace rankscope {
namespace {

// The identity of a row.
auto keyOf(const ProductRow& row) {
    return std::tuple(row.name, row.shapes, row.type, row.recomputed);
}
auto keyOf(const ProductKernel& row) {
    return std::tuple(row.name, row.type);
}
auto keyOf(const UncountedKernel& row) {
    return row.name;
}

void add(ProductSums& to, const ProductSums& from) {
    to.calls += from.calls;
    to.addWork(from.flops, from.bytes);
    to.time_ns += from.time_ns;
    to.tensor_cores = from.tensor_cores;
}

void add(ProductRow& to, const ProductRow& from) {
    add(static_cast<ProductSums&>(to), from);
    to.peak_ns += from.peak_ns;
    if (from.over_memory_ns) {
        to.over_memory_ns = to.over_memory_ns.value_or(0) + *from.over_memory_ns;
    }
    to.priced.flops += from.priced.flops;
    to.priced.bytes += from.priced.bytes;
    to.priced.time_ns += from.priced.time_ns;
    if (from.priced.longest.ns > to.priced.longest.ns) {
        to.priced.longest = from.priced.longest;
    }
}

void add(UncountedKernel& to, const UncountedKernel& from) {
    to.calls += from.calls;
    to.time_ns += from.time_ns;
}

template <class Row>
void sortTable(std::vector<Row>& rows) {
    std::ranges::sort(rows, [](const Row& a, const Row& b) {
        return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : keyOf(a) < keyOf(b);
    });
}

template <class Row>
std::vector<Row> rowsOfAll(std::span<const ProductTables> ranks, std::vector<Row> ProductTables::*table) {
    std::map<decltype(keyOf(std::declval<Row>())), std::size_t> places;
    std::vector<Row> rows;
    for (const ProductTables& rank : ranks) {
        for (const Row& row : rank.*table) {
            const auto [place, is_new] = places.try_emplace(keyOf(row), rows.size());
            if (is_new) {
                rows.push_back(row);
                continue;
            }
            Row& all = rows[place->second];
            add(all, row);
            if (row.longest.ns > all.longest.ns) {
                all.longest = row.longest;
            }
        }
    }
    return rows;
}

}  // namespace

void sortRows(ProductTables& tables) {
    sortTable(tables.products);
    sortTable(tables.kernels);
    sortTable(tables.uncounted);
}

ProductTables tablesOfAll(std::span<const ProductTables> ranks) {
    ProductTables all{.products = rowsOfAll(ranks, &ProductTables::products),
                      .kernels = rowsOfAll(ranks, &ProductTables::kernels),
                      .uncounted = rowsOfAll(ranks, &ProductTables::uncounted)};
    sortRows(all);
    return all;
}

}  // namespace rankscope
