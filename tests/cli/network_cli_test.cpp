// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logs of NCCL, given to the real program.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "tests/cli/flight_dump.h"
#include "tests/cli/run_cli.h"
#include "tests/support/memory_snapshot.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/nccl_log.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::test {
namespace {

/// The log of a rank of two, whose GPUs exchange data over this path.
std::string ncclLog(int rank, const std::string& path) {
    const std::string head = fmt::format("host:{0}:{0} [{1}] NCCL INFO ", 100 + rank, rank);
    const std::string comm = fmt::format(
        "ncclCommInitRank comm 0x10 rank {0} nranks 2 cudaDev {0} nvmlDev {0} busId {0}000 commId 0xaa", rank);
    return "a print of the job\n" + head + "NCCL version 2.28.9\n" + head + comm + " - Init START\n" + head +
           "Channel 00/08 : 0 1\n" + head +
           "8 coll channels, 8 collnet channels, 0 nvls channels, 8 p2p channels, 2 p2p channels per peer\n" + head +
           comm + " - Init COMPLETE\n" + head +
           fmt::format("Channel 00/0 : {0}[{0}] -> {1}[{1}] via {2}\n", rank, 1 - rank, path) + head +
           "AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm 0x10 [nranks=2] stream "
           "0x3\n";
}

/// A folder with the logs of both ranks.
std::string logFolder(const TempFolder& folder, const std::string& path) {
    folder.write("logs/rank0.log", ncclLog(0, path));
    folder.write("logs/rank1.log.gz", gzip(ncclLog(1, path)));
    return (folder.path() / "logs").string();
}

TEST(NcclLogs, AloneAreShownWithFindingsAndTheirLines) {
    const TempFolder folder;
    const std::string json = (folder.path() / "network.json").string();
    const ProcessResult result = cli({"analyze", logFolder(folder, "SHM/direct/direct"), "--json", json});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("host memory"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("rank0.log:7"), std::string::npos) << result.out;
    const auto report = nlohmann::json::parse(contentOf(json));
    EXPECT_EQ(report["report"], "network");
    EXPECT_EQ(report["jobs"][0]["findings"][0]["id"], "nccl-no-peer-access");
    EXPECT_EQ(report["jobs"][0]["findings"][0]["evidence"][0]["line"], 7);
}

TEST(NcclLogs, AreCheckedTopicByTopic) {
    const TempFolder folder;
    const std::string logs = logFolder(folder, "P2P/CUMEM");
    const ProcessResult fine = cli({"check", logs});
    EXPECT_EQ(fine.code, kDone) << fine.err;
    EXPECT_NE(fine.out.find("ok           Peer access"), std::string::npos) << fine.out;
    EXPECT_NE(fine.out.find("cannot tell  Start-up"), std::string::npos) << fine.out;
    EXPECT_EQ(cli({"check", logs, "--fail-on", "look"}).code, kDone);
    EXPECT_EQ(cli({"check", logs, "--fail-on", "cannot-tell"}).code, kFindingAtLevel);
}

TEST(NcclLogs, InAFolderAreFoundAmongOtherOutputOfTheJob) {
    const TempFolder folder;
    folder.write("logs/job.err.gz", gzip("a warning\n"));
    const ProcessResult result = cli({"analyze", logFolder(folder, "P2P/CUMEM")});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_EQ(result.err, "");
}

TEST(NcclLogs, FailOnASeverity) {
    const TempFolder folder;
    EXPECT_EQ(cli({"analyze", logFolder(folder, "SHM/direct/direct"), "--fail-on", "high"}).code, kFindingAtLevel);
    EXPECT_EQ(cli({"analyze", logFolder(folder, "P2P/CUMEM"), "--fail-on", "low"}).code, kDone);
}

TEST(NcclLogs, AreNamedByInfo) {
    const TempFolder folder;
    const ProcessResult result = cli({"info", logFolder(folder, "P2P/CUMEM")});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("NCCL log"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("rank 1: host, pid 101, NCCL 2.28.9"), std::string::npos) << result.out;
}

TEST(NcclLogs, BesideAFileThatIsNoneAreShownAllTheSame) {
    const TempFolder folder;
    const ProcessResult result =
        cli({"analyze", logFolder(folder, "P2P/CUMEM"), folder.write("job.err", "a warning\n")});
    EXPECT_EQ(result.code, kSomeUnreadable);
    EXPECT_NE(result.out.find("NCCL LOG"), std::string::npos) << result.out;
    EXPECT_NE(result.err.find("job.err"), std::string::npos) << result.err;
}

/// A folder with the traces of a simulated job of two ranks, and the log of the job.
struct TracedJob {
    explicit TracedJob(const std::string& path) {
        const tracegen::RunResult result = tracegen::simulate(tracegen::configOf(2, 3));
        for (int rank = 0; rank < 2; ++rank) {
            folder.write("job/" + tracegen::fileName(rank, false), tracegen::kinetoText(result, rank));
        }
        tracegen::JobLog job_log = tracegen::JobLog::of(result);
        job_log.path = path;
        log = folder.write("logs/job.out", "a print of the job\n" + job_log.text());
        traces = (folder.path() / "job").string();
    }

    TempFolder folder;
    std::string traces;
    std::string log;
};

TEST(NcclLogs, NextToTracesOfTheirJobAreJoinedWithTheRun) {
    const TracedJob job("SHM/direct/direct");
    const std::string json = (job.folder.path() / "report.json").string();
    const ProcessResult result = cli({"analyze", job.traces, job.log, "--json", json});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("NCCL LOGS  1 of 1 process group joined"), std::string::npos) << result.out;
    const auto logs = nlohmann::json::parse(contentOf(json))["nccl_logs"];
    ASSERT_EQ(logs.size(), 1);
    EXPECT_EQ(logs[0]["groups"][0]["state"], "joined");
    EXPECT_EQ(logs[0]["groups"][0]["by_sequence"], true);
    EXPECT_EQ(logs[0]["collectives"].size(), logs[0]["groups"][0]["collectives"]);
    ASSERT_EQ(logs[0]["findings"].size(), 1);
    EXPECT_EQ(logs[0]["findings"][0]["id"], "nccl-no-peer-access");
    EXPECT_GT(logs[0]["findings"][0]["exposed_ns"], 0);
    const ProcessResult valid = runProcess({"python3", (sourceFolder() / "tests/support/validate_report.py").string(),
                                            (sourceFolder() / "resources/report.schema.json").string(), json});
    EXPECT_TRUE(valid.code == 0 || valid.code == 77) << valid.out << valid.err;
}

TEST(NcclLogs, NextToTracesAreInEveryReportForPeople) {
    const TracedJob job("SHM/direct/direct");
    const std::string html = (job.folder.path() / "report.html").string();
    const std::string markdown = (job.folder.path() / "report.md").string();
    const ProcessResult full = cli({"analyze", job.traces, job.log, "--full", "--html", html, "--markdown", markdown});
    EXPECT_EQ(full.code, kDone) << full.err;
    for (const std::string& text : {full.out, contentOf(html), contentOf(markdown)}) {
        EXPECT_NE(text.find("GPUs of a host exchange data through host memory"), std::string::npos);
        EXPECT_NE(text.find("sequence"), std::string::npos);
    }
}

TEST(NcclLogs, NextToTracesOfAnotherJobAreNotJoined) {
    const TempFolder folder;
    const std::string trace = corpusRuns().front().string();
    const ProcessResult alone = cli({"analyze", trace});
    const ProcessResult result = cli({"analyze", trace, logFolder(folder, "P2P/CUMEM")});
    EXPECT_EQ(result.code, alone.code) << result.err;
    EXPECT_NE(result.out.find("NCCL LOGS  "), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find("exact bytes"), std::string::npos) << result.out;
}

TEST(NcclLogs, NextToTracesFailOnASeverityByWhatTheyCost) {
    const TracedJob fine("P2P/CUMEM");
    const TracedJob slow("SHM/direct/direct");
    const int alone = cli({"analyze", fine.traces, "--fail-on", "high"}).code;
    EXPECT_EQ(cli({"analyze", fine.traces, fine.log, "--fail-on", "high"}).code, alone);
    const auto report = nlohmann::json::parse(cli({"analyze", slow.traces, slow.log, "--json", "-"}).out);
    const std::string severity = report["nccl_logs"][0]["findings"][0]["severity"];
    EXPECT_EQ(cli({"analyze", slow.traces, slow.log, "--fail-on", severity}).code, kFindingAtLevel);
}

TEST(FolderOfAJob, OpensAsOneRunWithItsLogDumpsAndSnapshot) {
    const TracedJob job("SHM/direct/direct");
    job.folder.write("dumps/rank_0.json", flightDump(2));
    job.folder.write("dumps/rank_1.json", flightDump(1));
    job.folder.write("checkpoints/model.pkl", std::string("\x80\x02}q\x00.", 6));
    const std::string snapshot = writeSnapshot(job.folder, "memory/rank0.pickle");
    const std::string folder = job.folder.path().string();
    const ProcessResult result = cli({"analyze", folder});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("2 ranks, 3 steps"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("NCCL LOGS  1 of 1"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("FLIGHT RECORDER  2 dumps: Rank 1 stopped"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("Memory snapshot rank0.pickle"), std::string::npos) << result.out;
    const ProcessResult info = cli({"info", folder});
    EXPECT_EQ(info.code, kDone) << info.err;
    for (const char* words :
         {"rank0.pt.trace.json", "logs/job.out", "rank 1: node0, pid", "Memory snapshot rank0.pickle",
          "rank_1.json: dump of the flight recorder, rank 1, 1 call"}) {
        EXPECT_NE(info.out.find(words), std::string::npos) << words << "\n" << info.out;
    }
    // No report replaces a companion.
    const std::string dump = (job.folder.path() / "dumps/rank_0.json").string();
    for (const std::string& file : {dump, snapshot, job.log}) {
        EXPECT_EQ(cli({"analyze", folder, "--json", file}).code, kWrongUsage) << file;
    }
    EXPECT_EQ(contentOf(dump), flightDump(2));
}

TEST(FolderOfAJob, MayBeNamedFileByFile) {
    const TracedJob job("P2P/CUMEM");
    const std::string dump = job.folder.write("rank_0.json", flightDump(1));
    const ProcessResult result = cli({"analyze", job.traces, job.log, dump});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("FLIGHT RECORDER  1 dump:"), std::string::npos) << result.out;
    EXPECT_EQ(cli({"check", job.traces}).code, kDone) << "it checks traces only";
}

TEST(NcclLogs, NextToTracesAreTablesOfQuestionsAndOfCsv) {
    const TracedJob job("SHM/direct/direct");
    const char* const sql =
        "SELECT count(*) FROM nccl_call n JOIN collective c ON c.id = n.collective WHERE n.rank = 1";
    const ProcessResult joined = cli({"query", job.traces, job.log, "--format", "csv", sql});
    EXPECT_EQ(joined.code, kDone) << joined.err;
    const ProcessResult all = cli({"query", job.traces, "--format", "csv", "SELECT count(*) FROM collective"});
    EXPECT_EQ(all.out.find("\n0"), std::string::npos) << all.out;
    EXPECT_EQ(joined.out, all.out) << "each collective is a call of rank 1";
    const std::string csv = (job.folder.path() / "csv").string();
    EXPECT_EQ(cli({"analyze", job.folder.path().string(), "--csv", csv}).code, kDone);
    EXPECT_NE(contentOf(csv + "/nccl_join.csv").find("joined"), std::string::npos);
}

TEST(FolderOfAJob, MayBeAnArchive) {
    const TracedJob job("P2P/CUMEM");
    std::vector<std::pair<std::string, std::string>> members = {
        {"job/logs/job.out", contentOf(job.log)},
        {"job/dumps/rank_0.json", flightDump(2)},
        {"job/dumps/rank_1.json", flightDump(1)},
        {"job/rank0.pickle", contentOf(writeSnapshot(job.folder, "memory.pickle"))}};
    for (int rank = 0; rank < 2; ++rank) {
        const std::string name = tracegen::fileName(rank, false);
        members.emplace_back("job/traces/" + name, contentOf(job.traces + "/" + name));
    }
    const std::string archive = job.folder.write("job.tar.gz", gzip(tar(members)));
    const ProcessResult result = cli({"analyze", archive});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_NE(result.out.find("NCCL LOGS  1 of 1"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("FLIGHT RECORDER  2 dumps: Rank 1 stopped"), std::string::npos) << result.out;
    const ProcessResult info = cli({"info", archive});
    for (const char* words : {"job.tar.gz:job/logs/job.out", "rank0.pickle",
                              "job.tar.gz:job/dumps/rank_1.json: dump of the flight recorder, rank 1"}) {
        EXPECT_NE(info.out.find(words), std::string::npos) << words << "\n" << info.out;
    }
    EXPECT_EQ(cli({"hang", archive}).code, kDone);
    EXPECT_EQ(cli({"analyze", archive, "--json", archive}).code, kWrongUsage) << "no report replaces the archive";
}

TEST(NcclLogs, RefuseOptionsOfTracesAndAreNotReplaced) {
    const TempFolder folder;
    const std::string log = folder.write("rank0.log", ncclLog(0, "P2P/CUMEM"));
    EXPECT_EQ(cli({"analyze", log, "--html", (folder.path() / "a.html").string()}).code, kWrongUsage);
    EXPECT_EQ(cli({"analyze", log, "--json", log}).code, kWrongUsage);
    EXPECT_EQ(contentOf(log), ncclLog(0, "P2P/CUMEM"));
    const std::string traces = sourceFolder() / "resources/samples/ZeroWorkers";
    for (const char* option : {"--json", "--markdown", "--html"}) {
        const ProcessResult beside = cli({"analyze", traces, log, option, log});
        EXPECT_EQ(beside.code, kWrongUsage) << option;
        EXPECT_NE(beside.err.find("is a log to read"), std::string::npos) << beside.err;
        EXPECT_EQ(contentOf(log), ncclLog(0, "P2P/CUMEM"));
    }
}

TEST(NcclLogs, WriteJsonThatItsSchemaDescribes) {
    const TempFolder folder;
    std::vector<std::string> paths = {logFolder(folder, "SHM/direct/direct")};
    for (const char* real : {"fsdp8_p2p_disabled", "megatron_2nodes_socket"}) {
        const auto logs = realTraces() / "inputs/nccl_logs" / real;
        if (std::filesystem::exists(logs)) {
            paths.push_back(logs.string());
        }
    }
    for (const std::string& path : paths) {
        const std::string json = (folder.path() / "network.json").string();
        ASSERT_EQ(cli({"analyze", path, "--json", json}).code, kDone);
        const ProcessResult held =
            runProcess({"python3", (sourceFolder() / "tests/support/validate_report.py").string(),
                        (sourceFolder() / "resources/network.schema.json").string(), json});
        if (held.code == 77) {
            GTEST_SKIP() << "skipped: " << held.out;
        }
        EXPECT_EQ(held.code, 0) << held.out << held.err;
    }
}

}  // namespace
}  // namespace rankscope::test
