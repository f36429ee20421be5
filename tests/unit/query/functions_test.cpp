// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/unit/query/answers.h"

namespace rankscope {
namespace {

using query::Database;
using test::answerOf;
using test::numberOf;
using testing::HasSubstr;

class QueryFunctions : public testing::Test {
  protected:
    static void SetUpTestSuite() { run = new AnalysedRun(test::loadAndAnalyseAll(test::corpusRuns().front()).front()); }
    static void TearDownTestSuite() { delete std::exchange(run, nullptr); }

    std::vector<std::vector<std::string>> rowsOf(const std::string& sql) {
        const test::Answer answer = answerOf(database, sql);
        EXPECT_EQ(answer.error, "") << sql;
        return answer.rows;
    }
    std::string errorOf(const std::string& sql) { return answerOf(database, sql).error; }
    /// A slice with others inside it, at several depths.
    std::string deepSlice() {
        return rowsOf(
                   "SELECT g.parent FROM slice s JOIN slice p ON p.id = s.parent JOIN slice g ON g.id = p.parent "
                   "WHERE g.parent IS NOT NULL GROUP BY g.parent ORDER BY count(*) DESC LIMIT 1")
            .at(0)
            .at(0);
    }

    static inline AnalysedRun* run = nullptr;
    Database database{{run}};
};

TEST_F(QueryFunctions, DescendantsAreAllThatAreInsideASlice) {
    const std::string slice = deepSlice();
    const auto told = rowsOf("SELECT id FROM descendants(" + slice + ")");
    EXPECT_EQ(told, rowsOf("WITH RECURSIVE below(id) AS (SELECT id FROM slice WHERE +parent = " + slice +
                           " UNION ALL SELECT s.id FROM below b JOIN slice s ON +s.parent = b.id) SELECT id FROM below "
                           "ORDER BY id"));
    EXPECT_GT(told.size(), 2U);
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM descendants(" + slice + ") d JOIN slice s ON s.id = " + slice +
                                     " WHERE d.start_ns < s.start_ns OR d.end_ns > s.end_ns OR d.track <> s.track OR "
                                     "d.name IS NOT (SELECT name FROM slice WHERE id = d.id)"),
              0);
    EXPECT_TRUE(rowsOf("SELECT * FROM descendants(-1)").empty());
    EXPECT_TRUE(rowsOf("SELECT * FROM descendants(1000000000000)").empty());
    EXPECT_TRUE(rowsOf("SELECT * FROM descendants(NULL)").empty());
}

TEST_F(QueryFunctions, AncestorsGoFromTheInnermostSliceToTheOutermost) {
    const std::string leaf = rowsOf("SELECT id FROM slice ORDER BY depth DESC, id LIMIT 1").at(0).at(0);
    const auto told = rowsOf("SELECT id FROM ancestors(" + leaf + ")");
    EXPECT_EQ(told, rowsOf("WITH RECURSIVE up(id, level) AS (SELECT parent, 1 FROM slice WHERE id = " + leaf +
                           " UNION ALL SELECT s.parent, level + 1 FROM up JOIN slice s ON s.id = up.id) SELECT id FROM "
                           "up WHERE id IS NOT NULL ORDER BY level"));
    EXPECT_GT(told.size(), 1U);
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM slice s JOIN ancestors(s.id) a WHERE s.id NOT IN (SELECT id FROM "
                       "descendants(a.id))"),
              0)
        << "the two are the reverse of one another";
    EXPECT_TRUE(rowsOf("SELECT * FROM ancestors(-5)").empty());
}

TEST_F(QueryFunctions, InStepGivesTheSlicesOfAStep) {
    const auto steps = rowsOf("SELECT DISTINCT step FROM steps");
    ASSERT_FALSE(steps.empty());
    for (const std::vector<std::string>& step : steps) {
        EXPECT_EQ(rowsOf("SELECT id, name FROM in_step(" + step[0] + ") ORDER BY id"),
                  rowsOf("SELECT id, name FROM slice WHERE +step = " + step[0] + " ORDER BY id"));
    }
    EXPECT_THAT(errorOf("SELECT * FROM in_step('first')"), HasSubstr("needs a whole number"));
}

TEST_F(QueryFunctions, HaveTheirArgumentsAsHiddenColumns) {
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM args(5) WHERE of = 5"),
              numberOf(database, "SELECT count(*) FROM args(5)"));
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM args(5) WHERE of = 6"), 0);
}

TEST_F(QueryFunctions, OverlapIsTheTimeThatTwoSlicesShare) {
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM (SELECT * FROM slice LIMIT 60) a JOIN (SELECT * FROM slice LIMIT "
                       "60 OFFSET 9) b WHERE overlap(a.id, b.id) <> max(0, min(a.end_ns, b.end_ns) - "
                       "max(a.start_ns, b.start_ns))"),
              0);
    EXPECT_EQ(numberOf(database, "SELECT overlap(7, 7) - dur_ns FROM slice WHERE id = 7"), 0);
    EXPECT_EQ(numberOf(database, "SELECT overlap(0, 10, 4, 20)"), 6);
    EXPECT_EQ(numberOf(database, "SELECT overlap(0, 10, 10, 20)"), 0);
    EXPECT_FALSE(errorOf("SELECT overlap(9223372036854775807, -9223372036854775808, 0, 1)").empty());
    EXPECT_EQ(rowsOf("SELECT overlap(1, NULL), overlap(1, -1), overlap(1, 1e15), overlap(0, 1, NULL, 2)"),
              (std::vector<std::vector<std::string>>{{"-", "-", "-", "-"}}));
    const AnalysedRun other = test::loadAndAnalyseAll(test::corpusRuns().front()).front();
    Database two({run, &other});
    EXPECT_EQ(answerOf(two, "SELECT overlap(min(id), max(id)) FROM slice").rows.at(0).at(0), "-");
}

TEST_F(QueryFunctions, ThatIntersectSetsOfIntervalsAnswerAsTheFactsDo) {
    const RankFacts& facts = run->facts.ranks.front();
    const std::string of =
        " FROM slice s JOIN track t ON t.id = s.track JOIN rank r ON r.rank IS s.rank WHERE r.id = 0 "
        "AND t.device = " +
        std::to_string(facts.device);
    EXPECT_EQ(numberOf(database, "SELECT intersect_ns(s.start_ns, s.end_ns, s.class)" + of +
                                     " AND s.class IN ('compute', 'communication')"),
              facts.overlap.length());
    const std::string sets = "((SELECT spans(s.start_ns, s.end_ns)" + of +
                             " AND s.class = 'communication'), (SELECT spans(s.start_ns, s.end_ns)" + of +
                             " AND s.class = 'compute'))";
    EXPECT_EQ(numberOf(database, "SELECT coalesce(sum(dur_ns), 0) FROM intersect_spans" + sets),
              facts.overlap.length());
    EXPECT_EQ(numberOf(database, "SELECT coalesce(sum(dur_ns), 0) FROM except_spans" + sets),
              facts.exposed_communication.length());
}

TEST_F(QueryFunctions, OfSpansTakeAndGiveTextsThatPeopleCanRead) {
    EXPECT_EQ(
        rowsOf("WITH t(x, y) AS (VALUES (5, 9), (0, 6), (20, 30), (40, 40), (NULL, 3)) SELECT spans(x, y) FROM t"),
        (std::vector<std::vector<std::string>>{{"[[0,9],[20,30]]"}}));
    EXPECT_EQ(rowsOf("SELECT * FROM intersect_spans('[[0,9],[20,30]]', '[[8,25]]')"),
              (std::vector<std::vector<std::string>>{{"8", "1", "9"}, {"20", "5", "25"}}));
    EXPECT_EQ(rowsOf("SELECT * FROM except_spans('[[0,9],[20,30]]', '[[8,25]]')"),
              (std::vector<std::vector<std::string>>{{"0", "8", "8"}, {"25", "5", "30"}}));
    EXPECT_TRUE(rowsOf("SELECT * FROM intersect_spans('[]', '[[8,25]]')").empty());
    for (const char* wrong : {"5", "'x'", "'[[1]]'", "'[[1,2.5]]'", "'[[0,9223372036854775807]]'", "'{\"a\":1}'"}) {
        EXPECT_THAT(errorOf(std::string("SELECT * FROM intersect_spans('[]', ") + wrong + ")"),
                    HasSubstr("needs two answers of spans(start, end)"))
            << wrong;
    }
    EXPECT_EQ(numberOf(database,
                       "WITH t(x, y, s) AS (VALUES (0, 10, 'a'), (5, 20, 'b'), (8, 9, 'c')) SELECT "
                       "intersect_ns(x, y, s) FROM t"),
              1);
    EXPECT_EQ(numberOf(database,
                       "WITH t(x, y, s) AS (VALUES (0, 10, 'a'), (5, 20, NULL)) SELECT intersect_ns(x, y, s) "
                       "FROM t"),
              0)
        << "one set shares its time with no other";
}

TEST_F(QueryFunctions, ArgsAreThoseOfTheFile) {
    const auto streams = rowsOf(
        "SELECT t.lane, a.value FROM slice s JOIN track t ON t.id = s.track JOIN args(s.id) a "
        "WHERE s.category = 'kernel' AND a.key = 'stream'");
    ASSERT_FALSE(streams.empty());
    for (const std::vector<std::string>& row : streams) {
        EXPECT_EQ(row[0], row[1]);
    }
    EXPECT_TRUE(rowsOf("SELECT * FROM args(-1)").empty());
}

TEST_F(QueryFunctions, SayWhatTheyNeed) {
    EXPECT_THAT(errorOf("SELECT * FROM descendants"), HasSubstr("descendants(slice) needs all of its arguments"));
    EXPECT_THAT(errorOf("SELECT * FROM intersect_spans('[]')"), HasSubstr("needs all of its arguments"));
    EXPECT_NE(errorOf("SELECT * FROM descendants(1, 2)"), "");
    EXPECT_THAT(errorOf("SELECT * FROM decendants(1)"), HasSubstr("did you mean descendants?"));
    EXPECT_NE(errorOf("SELECT intersect_ns(1, 2) FROM slice"), "");
}

TEST_F(QueryFunctions, AreEachDeclaredWithAMeaning) {
    for (const query::FunctionWords& function : Database::functions()) {
        EXPECT_THAT(function.call, HasSubstr("(")) << function.call;
        EXPECT_FALSE(function.meaning.empty()) << function.call;
        EXPECT_FALSE(function.name().empty());
    }
}

}  // namespace
}  // namespace rankscope
