// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is read from lines of NCCL's logs, also from broken ones.
#include <algorithm>
#include <chrono>
#include <stop_token>

#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/network/log_text.h"

namespace rankscope::test {
namespace {

NcclLogs read(const std::string& text) {
    MemoryStream stream(text);
    return readNcclLog(stream, "job.log");
}

constexpr const char* kCall =
    "AllReduce: opCount 1a sendbuff 0x1 recvbuff 0x2 count 687 datatype 7 op 0 root 0 comm 0x10 [nranks=8] stream 0x3";

TEST(NcclLine, IsFoundBehindATimeALabelAndAWarningsPlace) {
    const NcclLogs logs = read(
        "[2026-11-28 10:00:00] a:1:2 [0] NCCL INFO cudaDriverVersion 13020\n"
        "3: b:4:5 [7] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
        "[rank2]:c:6:7 [-1] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]\n"
        "nothing of NCCL\n");
    ASSERT_EQ(logs.processes.size(), 3);
    EXPECT_EQ(logs.processes[0].driver, 13020);
    EXPECT_EQ(logs.processes[1].version, "NCCL 2.28.9+cuda13.0");
    EXPECT_EQ(logs.processes[1].pid, 4);
    EXPECT_EQ(logs.processes[2].host, "c");
    EXPECT_EQ(logs.processes[2].warning_count, 1);
    EXPECT_EQ(logs.files[0].lines, 4);
    EXPECT_EQ(logs.files[0].matched, 3);
}

TEST(NcclLine, OfAnotherProcessEndsTheLineThatItCuts) {
    const NcclLogs logs = read(
        "a:1:1 [0] NCCL INFO NCCL versb:2:2 [1] NCCL INFO cudaDriverVersion 12080\n"
        "loss 1.5a:1:1 [0] NCCL INFO cudaDriverVersion 12080\n");
    EXPECT_EQ(logs.files[0].cut, 1);
    const auto b = std::ranges::find(logs.processes, std::int64_t{2}, &NcclProcess::pid);
    ASSERT_NE(b, logs.processes.end());
    EXPECT_EQ(b->driver, 12080);
}

TEST(NcclLine, BehindOtherOutputBelongsToTheProcessWhoseNameItEndsWith) {
    const NcclLogs logs = read(
        "a:1:1 [0] NCCL INFO cudaDriverVersion 12080\n"
        "loss 1.5a:1:1 [0] NCCL INFO NCCL version 2.25.1\n");
    ASSERT_EQ(logs.processes.size(), 1);
    EXPECT_EQ(logs.processes[0].version, "NCCL 2.25.1");
}

TEST(NcclLine, WithTheVersionMayComeTwice) {
    const NcclLogs logs = LogText(1).line(0, "NCCL version 2.28.9+cuda13.0").line(0, "NCCL version 2.25.1").logs();
    EXPECT_EQ(logs.processes.at(0).version, "NCCL 2.28.9+cuda13.0");
}

TEST(NcclLine, WithOnlyAVersionIsOfTheFirstProcessOfItsFile) {
    const NcclLogs logs = read(
        "RCCL version : 2.22.3-HEAD:9fe1b4b\n"
        "a:1:1 [0] NCCL INFO ROCr version 1.14\n"
        "a:2:2 [1] NCCL INFO ROCr version 1.14\n");
    ASSERT_EQ(logs.processes.size(), 2);
    EXPECT_EQ(logs.processes[0].version, "RCCL 2.22.3-HEAD:9fe1b4b");
    EXPECT_EQ(logs.processes[0].version_line.number, 1);
    EXPECT_EQ(logs.processes[1].version, "");
    EXPECT_EQ(read("a:1:1 [0] NCCL INFO x\n[1,0]<stdout>:NCCL version 2.12.12+cuda11.4\n").processes.at(0).version,
              "NCCL 2.12.12+cuda11.4");
    EXPECT_EQ(read("the NCCL version is 2.12\na:1:1 [0] NCCL INFO x\n").processes.at(0).version, "");
}

/// A communicator of two hosts as NCCL 2.12 writes it under mpirun: its first line that names it is the last.
std::string textOfOldVersion(int ranks, int first_pid = 20) {
    std::string text;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string front = fmt::format("[1,{0}]<stdout>:w-{0}:{1}:{1} [0] NCCL INFO ", rank, first_pid + rank);
        const auto add = [&](const std::string& line) { text += front + line + '\n'; };
        if (rank == 0) {
            add("Channel 00/02 :    0   1");
        }
        add(fmt::format("Trees [0] {}", rank == 0 ? "1/-1/-1->0->-1" : "-1/-1/-1->1->0"));
        for (const int from : {1, 0}) {
            const bool sends = from == rank;
            add(fmt::format("Channel 00/0 : {}[{}5000] -> {}[{}5000] [{}] via NET/AWS Libfabric/0", from, 3 + from,
                            1 - from, 4 - from, sends ? "send" : "receive"));
        }
        add("2 coll channels, 2 p2p channels, 1 p2p channels per peer");
        add(fmt::format("comm 0x7f3214000f70 rank {} nranks 2 cudaDev 0 busId {}5000 - Init COMPLETE", rank, 3 + rank));
    }
    return text;
}

TEST(OldVersionsOfNccl, NameACommunicatorBehindItsConnections) {
    const NcclLogs logs = read(textOfOldVersion(2));
    ASSERT_EQ(logs.members.size(), 2);
    EXPECT_EQ(logs.members[0].rings.size(), 1);
    EXPECT_EQ(logs.members[0].channels, 2);
    EXPECT_EQ(logs.members[1].trees.at(0).parent, 0);
    ASSERT_EQ(logs.edges.size(), 4);
    EXPECT_THAT(logs.edges, testing::Each(testing::Field(&NcclEdge::member, testing::Ne(std::nullopt))));
}

TEST(OldVersionsOfNccl, HaveOneCommunicatorWhereAllItsRanksAreLogged) {
    const NcclLogs logs = read(textOfOldVersion(2));
    const std::vector<network::Job> jobs = network::analyseNetwork(logs).jobs;
    ASSERT_EQ(jobs.size(), 1);
    ASSERT_EQ(jobs[0].communicators.size(), 1);
    EXPECT_EQ(jobs[0].communicators[0].hostCount(), 2);
    EXPECT_THAT(jobs[0].connections, testing::Each(testing::Field(&network::Connection::from_host, testing::Ne(""))));
    // Two communicators of two ranks look alike: nothing says which ranks belong together.
    const NcclLogs two = read(textOfOldVersion(2) + textOfOldVersion(2, 70));
    EXPECT_EQ(network::analyseNetwork(two).jobs.at(0).communicators.size(), 4);
    const NcclLogs half = read(textOfOldVersion(1));
    EXPECT_EQ(network::analyseNetwork(half).jobs.at(0).communicators.at(0).hostCount(), 0);
}

TEST(NcclLine, IsFoundBehindAnyLengthOfOtherOutput) {
    const NcclLogs logs = read(LogText(1).line(0, "cudaDriverVersion 12080").text() + std::string(100'000, '.') +
                               LogText(1).line(0, "NCCL version 2.25.1").text());
    ASSERT_EQ(logs.processes.size(), 1);
    EXPECT_EQ(logs.processes[0].version, "NCCL 2.25.1");
}

TEST(NcclLine, ThatNamesNcclOverAndOverIsReadInLinearTime) {
    std::string line;
    while (line.size() < 260'000) {
        line += " NCCL INFO";
    }
    const auto start = std::chrono::steady_clock::now();
    const NcclLogs logs = read(line + "\n" + line + "\n" + line + "\n" + line + "\n");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
    EXPECT_EQ(logs.files[0].matched, 0);
}

TEST(NcclLine, OfRcclTellsItsVersionAndTheCommunicatorOfAConnection) {
    const NcclLogs logs = read(
        "a:1:1 [0] NCCL INFO RCCL version : 2.21.5-HEAD:abc\n"
        "a:1:1 [0] NCCL INFO ncclCommInitRank comm 0x10 rank 0 nranks 2 cudaDev 0 busId c000 commId 0x1 - Init START\n"
        "a:1:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC comm 0x10 nRanks 02\n");
    EXPECT_EQ(logs.processes[0].version, "RCCL 2.21.5-HEAD:abc");
    ASSERT_EQ(logs.edges.size(), 1);
    EXPECT_EQ(logs.edges[0].path, "P2P/IPC");
    EXPECT_EQ(logs.edges[0].member, 0);
}

TEST(NcclCall, HasAHexadecimalNumberAndBytesOfItsType) {
    const NcclLogs logs = LogText(8).start().line(0, kCall).logs();
    const NcclMember& member = logs.members[0];
    EXPECT_EQ(logs.files[0].cut, 0) << "1a is a number";
    EXPECT_EQ(member.kinds.at("AllReduce").calls, 1);
    EXPECT_EQ(member.kinds.at("AllReduce").bytes, 687 * 4);
}

TEST(NcclCall, WithoutItsEndIsCountedAsCutAndNotAsACall) {
    const std::string whole = LogText(8).line(0, kCall).text();
    const NcclLogs logs = read(whole.substr(0, whole.find(" root")));
    EXPECT_EQ(logs.files[0].cut, 1);
    EXPECT_TRUE(logs.members.empty());
}

TEST(NcclCall, OfACommunicatorThatTheLogDoesNotNameStillCounts) {
    const NcclLogs logs = LogText(8).line(0, kCall).logs();
    ASSERT_EQ(logs.members.size(), 1);
    EXPECT_EQ(logs.members[0].ranks, 8);
    EXPECT_TRUE(logs.members[0].id.empty());
}

TEST(NcclCall, WithHugeNumbersOverflowsNothing) {
    const NcclLogs logs = read(
        "a:1:1 [0] NCCL INFO AllReduce: opCount ffffffffffffffff sendbuff 0x1 recvbuff 0x2 count "
        "18446744073709551615 datatype 8 op 0 root 0 comm 0x10 [nranks=2147483647] stream 0x3\n"
        "a:1:1 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 99999999999999999999999 datatype "
        "8 op 0 root 0 comm 0x10 [nranks=8] stream 0x3\n"
        "a:99999999999999999999:1 [0] NCCL INFO cudaDriverVersion 1\n");
    ASSERT_EQ(logs.members.size(), 1);
    EXPECT_EQ(logs.members[0].kinds.at("AllReduce").untyped, 1);
    EXPECT_EQ(logs.members[0].kinds.at("AllReduce").bytes, 0);
    EXPECT_EQ(logs.files[0].cut, 1);
    EXPECT_EQ(logs.processes.size(), 1);
}

TEST(NcclCommunicator, IsAnotherOneWhenItsPointerIsUsedAgain) {
    const NcclLogs logs = LogText(1)
                              .start("0xaa")
                              .call(0, "AllReduce", 1)
                              .line(0, "comm 0x10 rank 0 nranks 1 cudaDev 0 busId 1000 - Destroy COMPLETE")
                              .start("0xbb")
                              .call(0, "AllReduce", 1)
                              .call(0, "AllReduce", 1)
                              .logs();
    ASSERT_EQ(logs.members.size(), 2);
    EXPECT_TRUE(logs.members[0].is_ended);
    EXPECT_EQ(logs.members[0].kinds.at("AllReduce").calls, 1);
    EXPECT_EQ(logs.members[1].kinds.at("AllReduce").calls, 2);
}

TEST(NcclCommunicator, TakesItsStartUpTimeExactly) {
    const NcclLogs logs = LogText(2)
                              .start()
                              .line(1,
                                    "Init timings - ncclCommInitRank: rank 1 nranks 2 total 0.36 (kernels 0.25, alloc "
                                    "0.04, rest 0.07)")
                              .logs();
    EXPECT_FALSE(logs.members[0].init_ns);
    EXPECT_EQ(logs.members[1].init_ns, 360'000'000);
    ASSERT_EQ(logs.members[1].init_parts.size(), 3);
    EXPECT_EQ(logs.members[1].init_parts[0], std::pair(std::string("kernels"), DurationNs{250'000'000}));
}

TEST(NcclCommunicator, KeepsRingsAndTrees) {
    const NcclLogs logs = read(
        "a:1:1 [0] NCCL INFO ncclCommInitRank comm 0x10 rank 0 nranks 8 cudaDev 0 busId 1 commId 0x1 - Init START\n"
        "a:1:1 [0] NCCL INFO Channel 01/02 : 0 3 2 1 5 6 7 4\n"
        "a:1:1 [0] NCCL INFO Trees [0] 3/4/-1->0->-1 [1] 2/-1/-1->0->1\n");
    EXPECT_EQ(logs.members[0].rings.at(1), (std::vector<std::int32_t>{0, 3, 2, 1, 5, 6, 7, 4}));
    EXPECT_EQ(logs.members[0].trees.at(0).children, (std::vector<std::int32_t>{3, 4}));
    EXPECT_EQ(logs.members[0].trees.at(1).parent, 1);
}

TEST(NcclConnection, CountsItsLinesAndForgetsTheDevicesNumber) {
    const NcclLogs logs = LogText(2)
                              .start()
                              .edge(0, "NET/IB/0(4)/GDRDMA/Shared", " [send]")
                              .edge(0, "NET/IB/1/GDRDMA", " [send]")
                              .edge(0, "NET/IB/1", " [receive]")
                              .logs();
    ASSERT_EQ(logs.edges.size(), 2);
    EXPECT_EQ(logs.edges[0].path, "NET/IB/GDRDMA");
    EXPECT_EQ(logs.edges[0].lines, 2);
    EXPECT_EQ(logs.edges[1].end, NcclEnd::Receive);
}

TEST(NcclLog, ThatIsHostileIsReadToItsEnd) {
    std::string text("a:1:1 [0] NCCL INFO \0\0\0\n", 23);
    text += "a:1:1 [0] NCCL INFO Channel 00/02 : " + std::string(1 << 20, '9') + "\n";
    text += "a:1:1 [0] NCCL INFO Trees [\n::: [0] NCCL INFO x\n [] NCCL INFO\n:1:1 [0] NCCL INFO y\n";
    text += "a:1:1 [0] NCCL INFO Channel : -> via \na:1:1 [0] NCCL INFO Init timings - \n";
    text += "a:1:1 [0] NCCL INFO comm x - Init START\n NCCL  NCCL INFO\n: opCount \n";
    text += "a:1:1 [0] NCCL INFO cudaDriverVersion 12080";
    const NcclLogs logs = read(text);
    ASSERT_EQ(logs.processes.size(), 1);
    EXPECT_EQ(logs.processes[0].driver, 12080);
    EXPECT_GT(logs.files[0].cut, 3);
}

TEST(NcclLog, IsTheSameWhereverTheStreamCutsIt) {
    // Lines that cross the pieces in which the file is read.
    LogText log(2);
    log.start();
    for (int i = 0; i < 20'000; ++i) {
        log.call(i % 2, "AllReduce", i / 2);
    }
    const NcclLogs logs = log.logs();
    EXPECT_EQ(logs.members[0].kinds.at("AllReduce").calls, 10'000);
    EXPECT_EQ(logs.members[1].kinds.at("AllReduce").calls, 10'000);
    EXPECT_EQ(logs.files[0].cut, 0);
}

TEST(NcclLog, IsRecognisedByContentAlsoPackedAndBehindMuchOutput) {
    const TempFolder folder;
    const std::string lines = LogText(1).start().text();
    const std::string before(1'000'000, '.');
    EXPECT_TRUE(isNcclLog(folder.write("a.json", lines)));
    EXPECT_TRUE(isNcclLog(folder.write("b.gz", gzip(lines))));
    EXPECT_TRUE(isNcclLog(folder.write("c.out", before + "\n[rank0]: x\n" + lines)));
    EXPECT_FALSE(isNcclLog(folder.write("d.log", "NCCL INFO is set\n")));
    EXPECT_FALSE(isNcclLog(folder.write("e.log", "{\"a\": \"\n" + lines + "\"}")));
    EXPECT_FALSE(isNcclLog(folder.write("f.log", "")));
    EXPECT_FALSE(isNcclLog((folder.path() / "nowhere").string()));
}

TEST(NcclLog, NamedTwiceIsReadOnce) {
    const TempFolder folder;
    const std::string path = folder.write("a.log", LogText(1).start().text());
    const LoadedNcclLogs loaded = loadNcclLogs({path, path, folder.write("empty.log", "x")});
    EXPECT_EQ(loaded.logs.files.size(), 2);
    ASSERT_EQ(loaded.unreadable.size(), 1);
    EXPECT_NE(loaded.unreadable[0].text().find("has no line of NCCL's log"), std::string::npos);
}

TEST(NcclLog, TellsHowFarItsFilesAreReadAndStopsWhereItIsAsked) {
    const TempFolder folder;
    const std::string first = folder.write("a.log", LogText(8).start().text());
    std::string long_text = LogText(8).start("0xbb").text();
    while (long_text.size() < 3'000'000) {
        long_text += "a line of another program\n";
    }
    const std::string second = folder.write("b.log", long_text);
    std::vector<std::pair<std::size_t, std::uint64_t>> told;
    const auto tell = [&told](std::size_t file, std::uint64_t done) { told.emplace_back(file, done); };
    const LoadedNcclLogs all = loadNcclLogs({first, second}, {{}, tell});
    EXPECT_EQ(all.logs.files.size(), 2);
    ASSERT_GT(told.size(), 3U) << "more than once for the long one";
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.back(), (std::pair<std::size_t, std::uint64_t>(1, long_text.size())));
    std::stop_source stop;
    told.clear();
    const auto tell_and_stop = [&](std::size_t file, std::uint64_t done) {
        tell(file, done);
        stop.request_stop();
    };
    const LoadedNcclLogs ended = loadNcclLogs({second, first}, {stop.get_token(), tell_and_stop});
    EXPECT_EQ(ended.logs.files.size(), 1) << "no other file is begun";
    EXPECT_LT(ended.logs.files[0].bytes, long_text.size());
}

}  // namespace
}  // namespace rankscope::test
