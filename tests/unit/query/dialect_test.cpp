// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers who writes a question: examples, words, and where the columns of an answer come from.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/query/dialect.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/unit/query/answers.h"

namespace rankscope {
namespace {

using query::Database;
using query::Example;

TEST(Dialect, HasTheExamplesOfItsPageWithTheirTitles) {
    const std::vector<Example> all = query::examples();
    ASSERT_GE(all.size(), 20U);
    EXPECT_EQ(all[0].title, "The most expensive kernels of a step, by rank");
    EXPECT_EQ(all[15].title, "Time by nn.Module, where Python was recorded") << "without the marks of code";
    EXPECT_EQ(all[12].sql,
              "SELECT unit, operation, count, exposed_ns FROM shard_units ORDER BY exposed_ns DESC LIMIT 20");
    Database none({});
    for (const Example& example : all) {
        EXPECT_FALSE(example.title.empty()) << example.sql;
        EXPECT_EQ(test::answerOf(none, example.sql).error, "") << example.title;
    }
}

TEST(Dialect, HasTheKeywordsAndFunctionsThatSqliteKnows) {
    const query::Vocabulary words = query::vocabulary();
    for (const char* keyword : {"SELECT", "WITH", "GROUP", "PARTITION"}) {
        EXPECT_TRUE(std::ranges::binary_search(words.keywords, std::string(keyword))) << keyword;
    }
    for (const char* function : {"median", "percentile", "stddev", "union_ns", "sum", "coalesce"}) {
        EXPECT_TRUE(std::ranges::binary_search(words.functions, std::string(function))) << function;
    }
    for (const std::string& function : words.functions) {
        EXPECT_NE(function, "load_extension");
        EXPECT_FALSE(function.starts_with("sqlite_")) << function;
    }
}

class KeepOrigins : public query::RowSink {
  public:
    void origins(const std::vector<query::Origin>& of) override { all = of; }
    void begin(const std::vector<std::string>& /*columns*/) override {}
    bool row(std::span<const tables::Value> /*cells*/) override { return false; }
    std::vector<query::Origin> all;
};

TEST(Dialect, SaysWhereTheColumnsOfAnAnswerComeFrom) {
    const AnalysedRun run = test::loadAndAnalyseAll(test::corpusRuns().front()).front();
    Database database({&run});
    KeepOrigins origins;
    const auto rows = database.ask(
        "WITH own AS (SELECT id AS it, parent FROM slice) SELECT o.it AS a, o.parent, t.name, 1 + o.it "
        "FROM own o JOIN track t LIMIT 1",
        origins);
    ASSERT_TRUE(rows.ok());
    ASSERT_EQ(origins.all.size(), 4U);
    EXPECT_EQ(origins.all[0].table + "." + origins.all[0].column, "slice.id");
    EXPECT_EQ(origins.all[1].table + "." + origins.all[1].column, "slice.parent");
    EXPECT_EQ(origins.all[2].table + "." + origins.all[2].column, "track.name");
    EXPECT_EQ(origins.all[3].table + origins.all[3].column, "") << "it is computed";
}

}  // namespace
}  // namespace rankscope
