// SPDX-License-Identifier: GPL-3.0-or-later
//
// NCCL's logs and dumps of the flight recorder as tables next to those of their runs.
#include "core/report/companions/companion_tables.h"
#include "core/companions/read_companions.h"
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/nccl_log.h"
#include "tests/tracegen/write_run.h"
#include "tests/unit/hang/dump_json.h"
#include "tests/unit/query/answers.h"

namespace rankscope::test {
namespace {

using query::Database;

/// A job of four ranks: its traces, analysed, and its log and dumps.
struct WholeJob {
    WholeJob() {
        const tracegen::RunResult result = tracegen::simulate(tracegen::configOf(4, 3));
        for (int rank = 0; rank < 4; ++rank) {
            folder.write("run/" + tracegen::fileName(rank, false), tracegen::kinetoText(result, rank));
        }
        run = loadAndAnalyse(folder.path() / "run");
        tracegen::JobLog log = tracegen::JobLog::of(result);
        log.path = "SHM/direct/direct";
        companions.logs = readLogs({folder.write("job.log", log.text())});
        companions.dumps = readDumps({folder.write("dumps/rank_0.json", dumpJson(2).dump()),
                                      folder.write("dumps/rank_1.json", dumpJson(1).dump())});
    }

    TempFolder folder;
    AnalysedRun run;
    JobCompanions companions;
};

const WholeJob& job() {
    static const WholeJob one;
    return one;
}

long long collectives() {
    return static_cast<long long>(job().run.facts.collectives.collectives.size());
}

TEST(CompanionTables, AreEmptyWithoutCompanions) {
    Database database({&job().run});
    for (const tables::Table& table : report::companionTables({})) {
        EXPECT_EQ(numberOf(database, "SELECT count(*) FROM " + table.name), 0) << table.name;
    }
}

TEST(CompanionTables, NameTheCollectiveThatACallOfTheLogIs) {
    Database database({&job().run}, job().companions);
    const long long logged = numberOf(database, "SELECT count(*) FROM nccl_call");
    EXPECT_GT(logged, 4 * collectives()) << "the log has more steps than the trace";
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM nccl_call WHERE collective IS NOT NULL"), 4 * collectives());
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM nccl_call n JOIN collective c ON c.id = n.collective "
                       "JOIN collective_member m ON m.collective = c.id AND m.rank = n.rank "
                       "WHERE n.kind = c.kind AND n.run = c.run"),
              4 * collectives());
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM nccl_call n JOIN collective c ON c.id = n.collective "
                       "WHERE n.kind = 'all-reduce' AND n.bytes != c.bytes"),
              0);
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM nccl_call a JOIN nccl_call b ON b.collective = a.collective "
                       "WHERE a.seq != b.seq"),
              0)
        << "a collective is the same call on all ranks";
}

TEST(CompanionTables, SayWhatBecameOfEachProcessGroup) {
    Database database({&job().run}, job().companions);
    const Answer join = answerOf(database,
                                 "SELECT g.name, j.state, j.communicator, j.ranks, j.collectives, j.by_sequence "
                                 "FROM nccl_join j JOIN process_group g ON g.id = j.process_group");
    ASSERT_EQ(join.rows.size(), 1) << join.error;
    EXPECT_EQ(join.rows[0][1], "joined");
    EXPECT_EQ(join.rows[0][2], "0");
    EXPECT_EQ(join.rows[0][3], "4");
    EXPECT_EQ(join.rows[0][4], std::to_string(collectives()));
    EXPECT_EQ(numberOf(database, "SELECT count(*) FROM nccl_communicator WHERE ranks = 4 AND logged = 4"), 1);
    const Answer finding = answerOf(database, "SELECT run, name, exposed_ns > 0, evidence, line FROM nccl_finding");
    ASSERT_EQ(finding.rows.size(), 1) << finding.error;
    EXPECT_EQ(finding.rows[0][0], job().run.run->name);
    EXPECT_EQ(finding.rows[0][1], "nccl-no-peer-access");
    EXPECT_EQ(finding.rows[0][2], "1");
    EXPECT_NE(finding.rows[0][3].find("SHM/direct/direct"), std::string::npos);
    EXPECT_GT(std::stoi(finding.rows[0][4]), 0);
}

TEST(CompanionTables, NumberCollectivesOverAllRuns) {
    const AnalysedRun other = loadAndAnalyse(test::sample("ZeroWorkers"));
    Database database({&other, &job().run}, job().companions);
    EXPECT_EQ(numberOf(database,
                       "SELECT count(*) FROM nccl_call n JOIN collective c ON c.id = n.collective AND c.run = n.run "
                       "JOIN nccl_join j ON j.run = n.run AND j.process_group = c.process_group "
                       "WHERE j.state = 'joined'"),
              4 * collectives());
}

TEST(CompanionTables, HaveRanksAndCallsOfDumps) {
    Database database({&job().run}, job().companions);
    const Answer ranks = answerOf(database, "SELECT rank, state, why, seq, waits_for, calls FROM hang_rank");
    ASSERT_EQ(ranks.rows.size(), 2) << ranks.error;
    EXPECT_EQ(ranks.rows[0], (std::vector<std::string>{"0", "waits", "-", "2", "1", "2"}));
    EXPECT_EQ(ranks.rows[1], (std::vector<std::string>{"1", "stops", "not-entered", "2", "-", "1"}));
    const Answer calls =
        answerOf(database,
                 "SELECT rank, seq, kind, state, input_sizes, dtypes, created_unix_ns, source, p2p_seq "
                 "FROM flight_record ORDER BY rank, record");
    ASSERT_EQ(calls.rows.size(), 3) << calls.error;
    EXPECT_EQ(calls.rows[1], (std::vector<std::string>{"0", "2", "all_reduce", "scheduled", "4x8", "Float",
                                                       "1700000000000000002", "train.py:12 step", "-"}));
}

TEST(CompanionTables, AreFilesOfTheCsvReportOnlyWithCompanions) {
    ReportInput input;
    input.runs = {&job().run};
    const auto has_calls = [&input] {
        return std::ranges::any_of(csvReport(input), [](const CsvFile& file) { return file.name == "nccl_call.csv"; });
    };
    EXPECT_FALSE(has_calls());
    input.companions = &job().companions;
    EXPECT_TRUE(has_calls());
    const auto files = csvReport(input);
    const auto at = std::ranges::find(files, "hang_rank.csv", &CsvFile::name);
    ASSERT_NE(at, files.end());
    EXPECT_NE(at->text.find("1,stops,not-entered,default_pg,2,"), std::string::npos) << at->text;
}

}  // namespace
}  // namespace rankscope::test
