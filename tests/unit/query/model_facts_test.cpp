// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of the model beside slices: each has the rows and the numbers of the facts that it shows.
#include <gtest/gtest.h>

#include <regex>

#include "tests/unit/query/answers.h"

namespace rankscope {
namespace {

using query::Database;
using test::answerOf;
using test::numberOf;

class TablesOfFacts : public testing::Test {
  protected:
    static void SetUpTestSuite() { runs = new std::vector<AnalysedRun>(test::someRuns()); }
    static void TearDownTestSuite() { delete std::exchange(runs, nullptr); }

    /// The sum over all runs.
    template <class Of>
    static long long sumOf(const Of& of) {
        long long sum = 0;
        for (const AnalysedRun& run : *runs) {
            sum += static_cast<long long>(of(run));
        }
        return sum;
    }

    static inline std::vector<AnalysedRun>* runs = nullptr;
    Database database{test::pointersTo(*runs)};
};

TEST_F(TablesOfFacts, HaveKeysOfRowsThatExist) {
    const std::regex key("^(\\w+)\\.id\\b.*");
    int keys = 0;
    for (const tables::Table& table : database.tables()) {
        for (const tables::Column& column : table.columns) {
            std::smatch match;
            if (std::regex_match(column.meaning, match, key)) {
                const std::string other = match[1];
                EXPECT_EQ(
                    numberOf(database, "SELECT count(*) FROM " + table.name + " t LEFT JOIN " + other +
                                           " o ON o.id "
                                           "= t." +
                                           column.name + " WHERE t." + column.name + " IS NOT NULL AND o.id IS NULL"),
                    0)
                    << table.name << '.' << column.name;
                ++keys;
            }
        }
    }
    EXPECT_GE(keys, 15);
}

TEST_F(TablesOfFacts, HaveIdsOnce) {
    for (const char* table : {"track", "slice", "step", "gap", "process_group", "collective", "finding"}) {
        EXPECT_EQ(numberOf(database, std::string("SELECT count(*) - count(DISTINCT id) FROM ") + table), 0) << table;
    }
}

TEST_F(TablesOfFacts, HaveTheStepsOfEachRank) {
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM step"), numberOf(database, "SELECT count(*) FROM steps"));
    EXPECT_EQ(numberOf(database, "SELECT sum(dur_ns) FROM step"),
              numberOf(database, "SELECT sum(duration_ns) FROM steps"));
    EXPECT_EQ(numberOf(database, "SELECT sum(start_ns) FROM step"),
              numberOf(database, "SELECT sum(start_ns) FROM steps"));
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM step s JOIN slice m ON m.id = s.mark WHERE m.start_ns <> "
                       "s.host_start_ns OR m.dur_ns <> s.host_dur_ns OR m.rank IS NOT s.rank"),
              0);
}

TEST_F(TablesOfFacts, HaveEachCollectiveWithItsMembersAndItsGroup) {
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM collective"),
              sumOf([](const AnalysedRun& run) { return run.facts.collectives.collectives.size(); }));
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM process_group"),
              sumOf([](const AnalysedRun& run) { return run.facts.collectives.groups.size(); }));
    EXPECT_GT(numberOf(database, "SELECT count(*) FROM collective"), 0);
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM collective c WHERE members <> (SELECT count(*) FROM "
                       "collective_member WHERE collective = c.id) OR start_ns <> (SELECT min(start_ns) FROM "
                       "collective_member WHERE collective = c.id)"),
              0);
    for (const char* sum : {"sum(wait_ns)", "sum(clocked_wait_ns)", "sum(ready_ns)", "sum(start_ns)"}) {
        EXPECT_EQ(answerOf(database, std::string("SELECT ") + sum + " FROM collective_member").rows,
                  answerOf(database, std::string("SELECT ") + sum + " FROM collectives").rows)
            << sum;
    }
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM collective_member m JOIN slice s ON s.id = m.slice WHERE "
                       "s.start_ns <> m.start_ns OR s.rank IS NOT m.rank"),
              0);
}

TEST_F(TablesOfFacts, HaveTheFindingsWithTheSlicesThatProveThem) {
    EXPECT_EQ(
        answerOf(database, "SELECT run, number, name, saving_ns, likely_saving_ns, title FROM finding").rows,
        answerOf(database, "SELECT run, finding, finding_id, saving_ns, likely_saving_ns, title FROM findings").rows);
    EXPECT_EQ(answerOf(database,
                       "SELECT e.note, s.name, s.start_ns FROM finding_evidence e LEFT JOIN slice s ON s.id = "
                       "e.slice")
                  .rows,
              answerOf(database, "SELECT note, slice, start_ns FROM evidence").rows);
}

TEST_F(TablesOfFacts, HaveEachEventOfTheAllocator) {
    const auto events = [](const AnalysedRun& run) {
        std::size_t count = 0;
        for (const auto& rank : run.run->ranks) {
            count += rank->memory.size();
        }
        return count;
    };
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM memory_event"), sumOf(events));
    EXPECT_GT(sumOf(events), 0);
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM memory_peaks p WHERE allocated_bytes > coalesce((SELECT "
                       "max(allocated_bytes) FROM memory_event m WHERE m.run = p.run AND m.rank IS p.rank AND "
                       "m.device IS p.device), allocated_bytes)"),
              0);
}

TEST_F(TablesOfFacts, HaveCountersAndEachReadingOfASensor) {
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM counter WHERE name = 'Kernels in flight' AND value < 0"), 0);
    EXPECT_GT(numberOf(database, "SELECT max(value) FROM counter WHERE name = 'Kernels in flight'"), 0);
    const auto readings = [](const AnalysedRun& run) {
        std::size_t count = 0;
        for (const auto& rank : run.run->ranks) {
            count += rank->sensors.size();
        }
        return count;
    };
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM counter WHERE name LIKE 'GPU %'"), sumOf(readings));
}

TEST_F(TablesOfFacts, HaveTheArgumentsThatTheFilesHave) {
    const std::string both =
        " FROM (SELECT * FROM arg GROUP BY run, rank, key, text, number) a JOIN args(a.slice) f ON "
        "f.key = a.key";
    EXPECT_GT(numberOf(database, "SELECT count(*)" + both), 20);
    EXPECT_EQ(answerOf(database, "SELECT a.key, a.text, a.number, f.value" + both +
                                     " WHERE coalesce(a.text, a.number) <> f.value LIMIT 5")
                  .rows,
              std::vector<std::vector<std::string>>());
}

}  // namespace
}  // namespace rankscope
