// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dumps of the flight recorder, given to the real program.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "tests/cli/flight_dump.h"
#include "tests/cli/run_cli.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::test {
namespace {

TEST(HangCommand, NamesTheRankThatStoppedAndWritesItAsJson) {
    const TempFolder folder;
    folder.write("dumps/rank_0.json", flightDump(2));
    folder.write("dumps/rank_1.json", flightDump(1));
    const std::string json = (folder.path() / "hang.json").string();
    const ProcessResult result = cli({"hang", (folder.path() / "dumps").string(), "--json", json});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("Rank 1 stopped"), std::string::npos) << result.out;
    EXPECT_EQ(nlohmann::json::parse(contentOf(json))["culprits"][0]["rank"], 1);
}

TEST(HangCommand, SaysThatNothingHangsWithTheSameExitCode) {
    const TempFolder folder;
    const ProcessResult result =
        cli({"hang", folder.write("rank_0.json", flightDump(1)), folder.write("rank_1.json", flightDump(1))});
    EXPECT_EQ(result.code, kDone);
    EXPECT_NE(result.out.find("Nothing hangs"), std::string::npos) << result.out;
}

TEST(HangCommand, SaysWhichDumpsCouldNotBeRead) {
    const TempFolder folder;
    const std::string good = folder.write("rank_0.json", flightDump(1));
    const ProcessResult some = cli({"hang", good, folder.write("rank_1.json", "{")});
    EXPECT_EQ(some.code, kSomeUnreadable);
    EXPECT_NE(some.err.find("rank_1.json"), std::string::npos) << some.err;
    const ProcessResult none = cli({"hang", (folder.path() / "nowhere").string()});
    EXPECT_EQ(none.code, kNothingReadable);
    EXPECT_NE(none.err.find("nowhere"), std::string::npos) << none.err;
}

TEST(HangCommand, ReplacesNoDumpWithItsReport) {
    const TempFolder folder;
    const std::string dump = folder.write("rank_0.json", flightDump(1));
    const ProcessResult result = cli({"hang", dump, "--json", dump});
    EXPECT_EQ(result.code, kWrongUsage);
    EXPECT_EQ(contentOf(dump), flightDump(1));
    const std::string older = folder.write("older/rank_0.json", flightDump(1));
    const std::string newer = folder.write("newer/rank_0.json", flightDump(2));
    EXPECT_EQ(cli({"hang", older, newer, "--json", older}).code, kWrongUsage);
    EXPECT_EQ(contentOf(older), flightDump(1)) << "a second dump of a rank is one too";
}

TEST(HangCommand, WritesJsonThatItsSchemaDescribes) {
    std::vector<std::string> paths;
    const TempFolder folder;
    folder.write("dumps/rank_0.json", flightDump(2));
    folder.write("dumps/rank_1.json", flightDump(1));
    paths.push_back((folder.path() / "dumps").string());
    for (const char* real : {"lock_gil", "gpu_error"}) {
        const auto dumps = realTraces() / "inputs/flight_recorder" / real;
        if (std::filesystem::exists(dumps)) {
            paths.push_back(dumps.string());
        }
    }
    for (const std::string& path : paths) {
        const std::string json = (folder.path() / "hang.json").string();
        ASSERT_EQ(cli({"hang", path, "--json", json}).code, kDone);
        const ProcessResult held =
            runProcess({"python3", (sourceFolder() / "tests/support/validate_report.py").string(),
                        (sourceFolder() / "resources/hang.schema.json").string(), json});
        if (held.code == 77) {
            GTEST_SKIP() << "skipped: " << held.out;
        }
        EXPECT_EQ(held.code, 0) << held.out << held.err;
    }
}

TEST(HangCommand, SaysWhereTheLastCallOfACulpritIsInTraces) {
    const TempFolder folder;
    const tracegen::RunResult job = tracegen::simulate(tracegen::configOf(2, 3));
    std::map<std::uint64_t, tracegen::CollectiveKind> calls;
    for (const tracegen::Event& event : job.events.at(0)) {
        if (event.kind == tracegen::EventKind::Kernel && event.collective.valid()) {
            calls.emplace(event.collective.sequence, event.collective.kind);
        }
    }
    for (int rank = 0; rank < 2; ++rank) {
        folder.write("run/" + tracegen::fileName(rank, false), tracegen::kinetoText(job, rank));
    }
    const std::string traces = (folder.path() / "run").string();
    const auto first = std::ranges::adjacent_find(calls, [](const auto& a, const auto& b) {
        return a.second == tracegen::CollectiveKind::AllReduce && b.second == tracegen::CollectiveKind::AllReduce;
    });
    ASSERT_NE(first, calls.end());
    const int number = static_cast<int>(first->first);
    const std::string dumps = (folder.path() / "dumps").string();
    folder.write("dumps/rank_0.json", flightDump(2, number));
    folder.write("dumps/rank_1.json", flightDump(1, number));
    const std::string json = (folder.path() / "hang.json").string();
    const ProcessResult result = cli({"hang", dumps, "--trace", traces, "--json", json});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("1 of 1 process group of run run linked"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("Its last call in the trace: rank 1 at"), std::string::npos) << result.out;
    EXPECT_TRUE(nlohmann::json::parse(contentOf(json))["culprits"][0]["last_call"]["trace"]["slice"].is_number());
    const ProcessResult held = runProcess({"python3", (sourceFolder() / "tests/support/validate_report.py").string(),
                                           (sourceFolder() / "resources/hang.schema.json").string(), json});
    EXPECT_TRUE(held.code == 0 || held.code == 77) << held.out << held.err;
    const ProcessResult beside = cli({"analyze", traces, dumps});
    EXPECT_NE(beside.out.find("linked with the dumps: 2 collectives"), std::string::npos) << beside.out;
    const std::string trace = traces + "/" + tracegen::fileName(0, false);
    EXPECT_EQ(cli({"hang", dumps, "--trace", traces, "--json", trace}).code, kWrongUsage) << "it would be replaced";
    EXPECT_EQ(contentOf(trace), tracegen::kinetoText(job, 0));
}

/// Dumps of a job that hangs, in a folder.
std::string hangingJob(const TempFolder& folder) {
    folder.write("dumps/rank_0.json", flightDump(2));
    folder.write("dumps/rank_1.json", flightDump(1));
    return (folder.path() / "dumps").string();
}

TEST(HangCommand, IsTheAnswerWhereSomeoneAnalysesDumpsAlone) {
    const TempFolder folder;
    const std::string dumps = hangingJob(folder);
    const ProcessResult asked = cli({"hang", dumps});
    for (const auto& arguments : {std::vector<std::string>{"analyze", dumps},
                                  {"check", dumps},
                                  {dumps},
                                  {"analyze", dumps + "/rank_0.json", dumps + "/rank_1.json"}}) {
        const ProcessResult result = cli(arguments);
        EXPECT_EQ(result.code, kDone) << result.err;
        EXPECT_EQ(result.out, asked.out);
    }
    EXPECT_EQ(cli({"analyze", dumps, "--fail-on", "high"}).code, kFindingAtLevel);
    EXPECT_EQ(cli({"check", dumps, "--fail-on", "look"}).code, kFindingAtLevel);
    const std::string json = (folder.path() / "hang.json").string();
    EXPECT_EQ(cli({"analyze", dumps, "--json", json}).code, kDone);
    EXPECT_EQ(nlohmann::json::parse(contentOf(json))["culprits"][0]["rank"], 1);
    const ProcessResult html = cli({"analyze", dumps, "--html", (folder.path() / "x.html").string()});
    EXPECT_EQ(html.code, kWrongUsage);
    EXPECT_NE(html.err.find("--html: cannot be used with flight recorder dumps alone"), std::string::npos) << html.err;
}

TEST(HangCommand, InfoSaysWhatEachDumpIsAlsoWithoutTraces) {
    const TempFolder folder;
    const ProcessResult result = cli({"info", hangingJob(folder)});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("rank_0.json: dump of the flight recorder, rank 0, 2 calls"), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("rank_1.json: dump of the flight recorder, rank 1, 1 call"), std::string::npos)
        << result.out;
}

TEST(HangCommand, LogsAndDumpsWithoutTracesAreBothAnswered) {
    const TempFolder folder;
    const std::string dumps = hangingJob(folder);
    folder.write("dumps/rank0.log",
                 "host0:100:100 [0] NCCL INFO NCCL_DEBUG set by environment to INFO\n"
                 "host0:100:100 [0] NCCL INFO NCCL version 2.28.9\n");
    const ProcessResult result = cli({"analyze", dumps});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("Rank 1 stopped"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("2.28.9"), std::string::npos) << result.out;
    EXPECT_EQ(cli({"analyze", dumps, "--json", (folder.path() / "x.json").string()}).code, kWrongUsage);
}

}  // namespace
}  // namespace rankscope::test
