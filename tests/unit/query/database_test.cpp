// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <semaphore>
#include <thread>

#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/unit/query/answers.h"

namespace rankscope {
namespace {

using query::Database;
using test::answerOf;
using test::numberOf;

class Questions : public testing::Test {
  protected:
    static void SetUpTestSuite() { run = new AnalysedRun(test::loadAndAnalyseAll(test::corpusRuns().front()).front()); }
    static void TearDownTestSuite() { delete std::exchange(run, nullptr); }

    std::string errorOf(const std::string& sql, const query::Limits& limits = {}) {
        return answerOf(database, sql, limits).error;
    }

    static inline AnalysedRun* run = nullptr;
    Database database{{run}};
};

TEST_F(Questions, WithAWrongNameGetASuggestion) {
    EXPECT_EQ(errorOf("SELECT dur FROM slice"), "query, byte 7: there is no column dur; did you mean dur_ns?");
    EXPECT_EQ(errorOf("SELECT duration FROM slice"),
              "query, byte 7: there is no column duration; did you mean dur_ns?");
    EXPECT_EQ(errorOf("SELECT s.nmae FROM slice s"), "query, byte 7: there is no column s.nmae; did you mean name?");
    EXPECT_EQ(errorOf("SELECT * FROM slices"), "query: there is no table slices; did you mean slice?");
    EXPECT_EQ(errorOf("SELECT medain(dur_ns) FROM slice"),
              "query, byte 7: there is no function medain; did you mean median?");
    EXPECT_EQ(errorOf("SELECT * FRM slice"), "query, byte 9: near \"FRM\": syntax error");
}

TEST_F(Questions, MayOnlyRead) {
    for (const char* sql :
         {"DROP TABLE slice", "DELETE FROM slice", "UPDATE slice SET name = 'x'", "INSERT INTO run VALUES (1)",
          "CREATE TABLE t(x)", "CREATE TEMP TABLE t AS SELECT 1", "CREATE VIEW v AS SELECT 1", "ATTACH 'file' AS f",
          "DETACH main", "PRAGMA writable_schema = 1", "PRAGMA temp_store_directory = '/'", "VACUUM INTO '/tmp/out'",
          "SELECT load_extension('x')", "BEGIN", "ANALYZE", "SAVEPOINT s", "SELECT * FROM pragma_database_list",
          "CREATE VIRTUAL TABLE t USING fts5(x)"}) {
        EXPECT_NE(errorOf(sql), "") << sql;
    }
    EXPECT_GT(numberOf(database, "SELECT count(*) FROM slice"), 0) << "nothing of it did any harm";
}

TEST_F(Questions, AreAskedOneAtATime) {
    EXPECT_NE(errorOf("SELECT 1; SELECT 2"), "");
    EXPECT_EQ(errorOf("SELECT 1; -- that is all\n /* really */ ;"), "");
    EXPECT_NE(errorOf(""), "");
    EXPECT_NE(errorOf(" -- nothing"), "");
    EXPECT_NE(errorOf(std::string("SELECT 1\0, 2", 12)), "") << "a byte that ends texts";
}

TEST_F(Questions, EndAtTheirLimitOfTime) {
    query::Limits limits;
    limits.time = std::chrono::milliseconds(50);
    EXPECT_EQ(errorOf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", limits),
              "query: took longer than 50 ms");
    EXPECT_EQ(numberOf(database, "SELECT 1"), 1) << "the next one is answered";
}

TEST_F(Questions, EndAtTheirLimitOfMemory) {
    query::Limits limits;
    limits.memory_bytes = 8'000'000;
    EXPECT_EQ(errorOf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT "
                      "group_concat(i || 'some text', ',') FROM n",
                      limits),
              "query: needs more memory than it may take");
    EXPECT_NE(errorOf("SELECT length(randomblob(2000000000))"), "") << "no text of a question's own is that long";
    EXPECT_EQ(numberOf(database, "SELECT 1"), 1);
}

TEST_F(Questions, ThatFindNoMemoryForTheirTablesSaySoAndTheNextMakesThem) {
    Database fresh{{run}};
    EXPECT_EQ(answerOf(fresh, "SELECT 1", {{}, 1}).error, "query: needs more memory than it may take");
    EXPECT_GT(numberOf(fresh, "SELECT count(*) FROM slice"), 0);
}

/// Goes on when another question is as far as it has to be.
class WaitsAtItsStart : public query::RowSink {
  public:
    WaitsAtItsStart(std::binary_semaphore& begun, std::binary_semaphore& go) : begun_(begun), go_(go) {}
    void begin(const std::vector<std::string>& /*columns*/) override {
        begun_.release();
        go_.acquire();
    }
    bool row(std::span<const tables::Value> /*cells*/) override { return true; }

  private:
    std::binary_semaphore& begun_;
    std::binary_semaphore& go_;
};

TEST_F(Questions, ThatOverlapAreLimitedUntilTheLastOfThemEnds) {
    constexpr std::uint64_t kMost = 30'000'000;
    const std::string large =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) "
        "SELECT length(group_concat(i || 'of forty megabytes', ',')) FROM n";
    std::binary_semaphore first_begun(0);
    std::binary_semaphore first_goes(0);
    std::binary_semaphore second_begun(0);
    std::binary_semaphore second_goes(0);
    const auto ask = [](Database& in, const std::string& sql, std::binary_semaphore& begun, std::binary_semaphore& go) {
        WaitsAtItsStart sink(begun, go);
        const Result<std::uint64_t> rows = in.ask(sql, sink, {{}, kMost});
        return rows.failed() ? rows.error().text() : std::string();
    };
    Database other{{run}};
    std::string first_error;
    std::string second_error;
    std::jthread first([&] { first_error = ask(database, "SELECT 1", first_begun, first_goes); });
    first_begun.acquire();
    std::jthread second([&] { second_error = ask(other, large, second_begun, second_goes); });
    second_begun.acquire();
    first_goes.release();
    first.join();
    second_goes.release();
    second.join();
    EXPECT_EQ(first_error, "");
    EXPECT_EQ(second_error, "query: needs more memory than it may take") << "the end of the first frees no memory";
    EXPECT_EQ(errorOf(large), "") << "and no limit stays behind";
}

TEST_F(Questions, AreCancelledSoonAfterTheyAreAskedTo) {
    std::stop_source stop;
    class Nobody : public query::RowSink {
        void begin(const std::vector<std::string>& /*columns*/) override {}
        bool row(std::span<const tables::Value> /*cells*/) override { return true; }
    } nobody;
    const std::jthread asker([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    const auto answer =
        database.ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", nobody, {},
                     stop.get_token());
    EXPECT_TRUE(answer.cancelled());
}

TEST_F(Questions, HaveMediansPercentilesSpreadsAndUnions) {
    const auto of = [this](const std::string& what, const std::string& values) {
        return answerOf(database, "WITH t(x, y) AS (VALUES " + values + ") SELECT " + what + " FROM t")
            .rows.at(0)
            .at(0);
    };
    EXPECT_EQ(of("median(x)", "(1, 0), (9, 0), (2, 0)"), "2");
    EXPECT_EQ(of("median(x)", "(1, 0), (9, 0), (2, 0), (4, 0)"), "3");
    EXPECT_EQ(of("median(x)", "(NULL, 0)"), "-");
    EXPECT_EQ(of("percentile(x, 25)", "(0, 0), (10, 0), (20, 0)"), "5");
    EXPECT_EQ(of("percentile(x, 100)", "(0, 0), (10, 0), (20, 0)"), "20");
    EXPECT_EQ(of("stddev(x)", "(2, 0), (4, 0), (4, 0), (4, 0), (5, 0), (5, 0), (7, 0), (9, 0)"), "2.138089935299395");
    EXPECT_EQ(of("stddev(x)", "(2, 0)"), "-");
    EXPECT_EQ(of("union_ns(x, y)", "(0, 10), (5, 20), (30, 31), (40, 35), (NULL, 9)"), "21");
    EXPECT_EQ(of("union_ns(x, y)", "(NULL, NULL)"), "0");
    EXPECT_NE(errorOf("SELECT percentile(dur_ns, 200) FROM slice"), "");
    EXPECT_NE(errorOf("WITH t(x, y) AS (VALUES (-9223372036854775807, 9223372036854775807)) SELECT union_ns(x, y) FROM "
                      "t"),
              "");
}

TEST_F(Questions, OfTheUnionOfComputeAreAnsweredAsTheFactsHaveIt) {
    const long long device = run->facts.ranks.front().device;
    ASSERT_GE(device, 0);
    EXPECT_EQ(numberOf(database,
                       "SELECT union_ns(s.start_ns, s.end_ns) FROM slice s JOIN track t ON t.id = s.track JOIN "
                       "rank r ON r.rank IS s.rank WHERE s.class = 'compute' AND r.id = 0 AND t.device = " +
                           std::to_string(device)),
              run->facts.ranks.front().compute.length());
}

}  // namespace
}  // namespace rankscope
