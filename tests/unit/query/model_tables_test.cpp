// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/report/tables/run_tables.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/unit/query/answers.h"

namespace rankscope {
namespace {

using query::Database;
using test::Answer;
using test::answerOf;
using test::numberOf;

class ModelTables : public testing::Test {
  protected:
    static void SetUpTestSuite() { runs = new std::vector<AnalysedRun>(test::someRuns()); }
    static void TearDownTestSuite() { delete std::exchange(runs, nullptr); }

    static inline std::vector<AnalysedRun>* runs = nullptr;
    static Database allOfThem() { return Database(test::pointersTo(*runs)); }
};

TEST_F(ModelTables, HaveEverySliceOfEveryRankWithItsTimes) {
    for (const AnalysedRun& run : *runs) {
        Database database({&run});
        long long slices = 0;
        DurationNs length_ns = 0;
        for (const auto& rank : run.run->ranks) {
            for (const Track& track : rank->tracks) {
                slices += static_cast<long long>(track.slices.size());
                for (SliceIndex i = 0; i < track.slices.size(); ++i) {
                    length_ns += track.slices.end_ns[i] - track.slices.start_ns[i];
                }
            }
        }
        EXPECT_EQ(numberOf(database, "SELECT count(*) FROM slice"), slices) << run.run->name;
        EXPECT_EQ(numberOf(database, "SELECT coalesce(sum(dur_ns), 0) FROM slice"), length_ns) << run.run->name;
        EXPECT_EQ(numberOf(database, "SELECT count(*) FROM slice WHERE end_ns <> start_ns + dur_ns"), 0);
        EXPECT_EQ(numberOf(database, "SELECT coalesce(sum(slices), 0) FROM track"), slices);
    }
}

TEST_F(ModelTables, ParentsAreAboveTheirChildrenAndStartNoLater) {
    for (const AnalysedRun& run : *runs) {
        Database database({&run});
        EXPECT_EQ(numberOf(database,
                           "SELECT count(*) FROM slice c JOIN slice p ON p.id = c.parent WHERE p.track <> c.track OR "
                           "p.start_ns > c.start_ns OR p.depth >= c.depth"),
                  0)
            << run.run->name;
    }
}

TEST_F(ModelTables, GapsAddUpToTheIdleTimeOfTheirSteps) {
    for (const AnalysedRun& run : *runs) {
        Database database({&run});
        EXPECT_EQ(numberOf(database, "SELECT coalesce(sum(dur_ns), 0) FROM gap"),
                  numberOf(database, "SELECT coalesce(sum(idle_ns), 0) FROM steps"))
            << run.run->name;
        EXPECT_EQ(
            numberOf(
                database,
                "SELECT count(*) FROM gap g WHERE dur_ns IS NOT (SELECT sum(dur_ns) FROM gap_cause WHERE gap = g.id)"),
            0)
            << run.run->name;
    }
}

TEST_F(ModelTables, LaunchesGoFromACallToTheWorkThatItLaunched) {
    for (const AnalysedRun& run : *runs) {
        Database database({&run});
        EXPECT_EQ(
            numberOf(database,
                     "SELECT count(*) FROM launch l JOIN slice h ON h.id = l.host JOIN slice d ON d.id = l.device "
                     "JOIN track t ON t.id = d.track WHERE t.kind NOT LIKE 'stream%' OR d.step IS NOT h.step"),
            0)
            << run.run->name;
    }
}

TEST_F(ModelTables, OfSeveralRunsHaveConsecutiveIds) {
    Database database = allOfThem();
    EXPECT_EQ(numberOf(database, "SELECT count(DISTINCT id) FROM slice"),
              numberOf(database, "SELECT count(*) FROM slice"));
    EXPECT_EQ(numberOf(database, "SELECT max(id) + 1 FROM slice"), numberOf(database, "SELECT sum(slices) FROM run"));
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM run"), static_cast<long long>(runs->size()));
}

// A plus before a column keeps SQLite from using it to find rows: then all are looked at.
TEST_F(ModelTables, RowsThatAreSoughtAreThoseThatALookAtAllFinds) {
    Database database = allOfThem();
    const std::string name =
        answerOf(database, "SELECT name FROM slice GROUP BY name ORDER BY count(*) DESC LIMIT 1").rows.at(0).at(0);
    const std::vector<std::string> wheres = {"name = '" + name + "'",
                                             "name = 'nothing has this name'",
                                             "rank = 1",
                                             "rank = 1.0",
                                             "rank IS NULL",
                                             "track = 3",
                                             "track = -1",
                                             "rank = 1.5",
                                             "id = 77",
                                             "id = 1e18",
                                             "id IS NULL",
                                             "name = 7",
                                             "start_ns = 0",
                                             "start_ns >= 1000000",
                                             "start_ns < 0",
                                             "start_ns BETWEEN 1000 AND 2000000",
                                             "start_ns > 'text'",
                                             "start_ns > 1.5",
                                             "name IN ('" + name + "', 'x')",
                                             "name = upper('" + name + "') COLLATE NOCASE",
                                             "rank = NULL",
                                             "step = 1",
                                             "step = 10",
                                             "step = 999",
                                             "step IS NULL",
                                             "step = 1.5",
                                             "parent = 3",
                                             "parent = 0",
                                             "parent = -1",
                                             "parent IS NULL",
                                             "start_ns > NULL"};
    for (const std::string& where : wheres) {
        const std::string sum = "SELECT count(*) || ' ' || coalesce(sum(id), 0) FROM slice WHERE ";
        std::string looked = where;
        for (const char* column : {"name", "rank", "track", "id", "start_ns", "step", "parent"}) {
            if (looked.starts_with(column)) {
                looked.insert(0, "+");
                break;
            }
        }
        EXPECT_EQ(answerOf(database, sum + where).rows, answerOf(database, sum + looked).rows) << where;
    }
}

TEST_F(ModelTables, RowsOfATrackARankOrAParentAreSoughtByTheirStartsToo) {
    Database database = allOfThem();
    const long long some = numberOf(database,
                                    "SELECT parent FROM slice GROUP BY parent ORDER BY count(*) DESC LIMIT 1 "
                                    "OFFSET 1");
    const long long middle = numberOf(database, "SELECT start_ns FROM slice WHERE track = 1 LIMIT 1 OFFSET 7");
    for (const std::string& of :
         {std::string("track = 1"), std::string("rank = 1"), "parent = " + std::to_string(some)}) {
        for (const std::string& range :
             {"start_ns >= " + std::to_string(middle), "start_ns < " + std::to_string(middle),
              "start_ns BETWEEN 1000 AND " + std::to_string(middle), std::string("start_ns > 5 AND start_ns < 2"),
              std::string("start_ns > 'text'"), std::string("start_ns < 1.5"), std::string("start_ns < NULL")}) {
            const std::string sum = "SELECT count(*) || ' ' || coalesce(sum(id), 0) FROM slice WHERE ";
            EXPECT_EQ(answerOf(database, fmt::format("{}{} AND {}", sum, of, range)).rows,
                      answerOf(database, fmt::format("{}+{} AND +{}", sum, of, range)).rows)
                << of << " AND " << range;
        }
        const std::string all = "SELECT start_ns FROM slice WHERE " + of + " ORDER BY ";
        EXPECT_EQ(answerOf(database, all + "start_ns").rows, answerOf(database, all + "+start_ns").rows) << of;
        const std::string named = "SELECT name FROM slice WHERE " + of + " AND start_ns > 5 ORDER BY ";
        EXPECT_EQ(answerOf(database, named + "name").rows, answerOf(database, named + "+name").rows) << of;
    }
}

TEST_F(ModelTables, AreJoinedByOrderAndNotByNestedLoops) {
    Database database = allOfThem();
    const auto plan_of = [&](const std::string& sql) {
        std::string plan;
        for (const std::vector<std::string>& row : answerOf(database, "EXPLAIN QUERY PLAN " + sql).rows) {
            plan += row.at(3) + "; ";
        }
        return plan;
    };
    using testing::HasSubstr;
    using testing::Not;
    const std::string by_parent =
        plan_of("SELECT p.name, sum(c.dur_ns) FROM slice c JOIN slice p ON p.id = c.parent GROUP BY p.name");
    EXPECT_THAT(by_parent, HasSubstr(":parent="));
    EXPECT_THAT(by_parent, Not(HasSubstr("TEMP B-TREE"))) << "the parents come in the order of their names";
    EXPECT_THAT(plan_of("SELECT count(*) FROM slice o JOIN slice i ON i.track = o.track AND i.start_ns >= o.start_ns "
                        "AND i.start_ns < o.end_ns WHERE o.name = 'x'"),
                HasSubstr(":track=, range of start_ns"));
    EXPECT_THAT(plan_of("SELECT count(*) FROM launch l JOIN slice d ON d.id = l.device"), HasSubstr(":id="));
    EXPECT_THAT(plan_of("SELECT count(*) FROM slice s JOIN launch l ON l.device = s.id WHERE s.name = 'x'"),
                HasSubstr(":device="));
    EXPECT_THAT(plan_of("SELECT * FROM slice WHERE track = 2 ORDER BY start_ns"), Not(HasSubstr("TEMP B-TREE")));
    EXPECT_THAT(plan_of("SELECT * FROM slice WHERE step = 2"), HasSubstr(":step="));
}

TEST_F(ModelTables, AreSoughtByATextThatIsANumberToo) {
    Database database = allOfThem();
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM slice WHERE rank = '1'"),
              numberOf(database, "SELECT count(*) FROM slice WHERE rank = 1"));
}

TEST_F(ModelTables, AreInTheOrderThatIsAskedFor) {
    Database database = allOfThem();
    for (const char* column : {"name", "start_ns", "id"}) {
        const Answer asked = answerOf(database, std::string("SELECT ") + column + " FROM slice ORDER BY " + column);
        const Answer sorted = answerOf(database, std::string("SELECT ") + column + " FROM slice ORDER BY +" + column);
        EXPECT_EQ(asked.rows, sorted.rows) << column;
        EXPECT_FALSE(asked.rows.empty());
    }
    EXPECT_EQ(answerOf(database, "SELECT name, count(*) FROM slice GROUP BY name").rows,
              answerOf(database, "SELECT name, count(*) FROM slice GROUP BY +name").rows);
}

TEST_F(ModelTables, OfFactsHaveTheColumnsAndRowsOfTheTablesOfReports) {
    for (const AnalysedRun& run : *runs) {
        Database database({&run});
        for (const report::RunTable& listed : report::runTableList()) {
            const report::DataTable table = listed.make(run);
            const Answer answer = answerOf(database, "SELECT * FROM \"" + table.name + "\"");
            ASSERT_EQ(answer.error, "") << table.name;
            ASSERT_EQ(answer.columns.size(), table.columns.size()) << table.name;
            for (std::size_t i = 0; i < table.columns.size(); ++i) {
                EXPECT_EQ(answer.columns[i], table.columns[i].key) << table.name;
            }
            EXPECT_EQ(answer.rows.size(), table.rows.size()) << table.name << " of " << run.run->name;
        }
    }
}

TEST_F(ModelTables, HaveNamesThatDifferAndAColumnOfEachNameOnce) {
    const Database database({});
    std::set<std::string> names;
    for (const tables::Table& table : database.tables()) {
        EXPECT_TRUE(names.insert(table.name).second) << table.name;
        EXPECT_FALSE(table.meaning.empty()) << table.name;
        std::set<std::string> columns;
        for (const tables::Column& column : table.columns) {
            EXPECT_TRUE(columns.insert(column.name).second) << table.name << '.' << column.name;
            EXPECT_FALSE(column.meaning.empty()) << table.name << '.' << column.name;
        }
    }
}

}  // namespace
}  // namespace rankscope
