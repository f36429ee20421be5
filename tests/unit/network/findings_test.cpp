// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is found in logs, and what is not.
#include <sstream>

#include "core/report/network.h"
#include "tests/support/testing.h"
#include "tests/unit/network/log_text.h"

namespace rankscope::test {
namespace {

using network::Judgement;
using network::Level;
using network::Network;
using network::Topic;

/// Logs with what is found in them.
struct Analysed {
    explicit Analysed(const LogText& text) : Analysed(text.logs()) {}
    explicit Analysed(NcclLogs read) : logs(std::move(read)), network(network::analyseNetwork(logs)) {}

    [[nodiscard]] const network::Finding* finding(Topic topic) const {
        for (const network::Finding& one : network.jobs.at(0).findings) {
            if (one.topic == topic) {
                return &one;
            }
        }
        return nullptr;
    }
    [[nodiscard]] Judgement judgement(Topic topic) const {
        return network.jobs.at(0).judgements.at(static_cast<std::size_t>(topic));
    }
    [[nodiscard]] std::string text(Topic topic) const {
        return report::networkCheckText(logs, network.jobs.at(0), topic);
    }

    NcclLogs logs;
    Network network;
};

LogText onOneHost(std::string_view path) {
    LogText log(4);
    log.start();
    for (int rank = 0; rank < 4; ++rank) {
        log.edge(rank, path);
    }
    return log;
}

LogText onTwoHosts(std::string_view path) {
    LogText log(4, 2);
    log.start();
    for (int rank = 0; rank < 4; ++rank) {
        if (rank % 2 == 0) {
            log.edge(rank, "P2P/CUMEM");
        } else {
            log.edge(rank, path, " [send]").edge(rank, path, " [receive]");
        }
    }
    return log;
}

TEST(Network, WithFastPathsHasNoFindings) {
    const Analysed one_host(onOneHost("P2P/CUMEM/read"));
    EXPECT_TRUE(one_host.network.jobs.at(0).findings.empty());
    EXPECT_EQ(one_host.judgement(Topic::NoPeerAccess), Judgement::Fine);
    EXPECT_EQ(one_host.judgement(Topic::SocketFallback), Judgement::Fine);
    const Analysed two_hosts(onTwoHosts("NET/IB/0/GDRDMA"));
    EXPECT_TRUE(two_hosts.network.jobs.at(0).findings.empty());
    EXPECT_EQ(two_hosts.judgement(Topic::NoRdma), Judgement::Fine);
}

TEST(Network, WithoutInfiniBandOnOneHostIsFine) {
    const Analysed run(onOneHost("P2P/CUMEM").all("NET/IB : No device found.").all("Using network Socket"));
    EXPECT_EQ(run.judgement(Topic::SocketFallback), Judgement::Fine);
    EXPECT_TRUE(run.network.jobs.at(0).findings.empty());
}

TEST(Network, OverSocketsIsFoundWithTheReason) {
    const Analysed plain(onTwoHosts("NET/Socket/0"));
    ASSERT_NE(plain.finding(Topic::SocketFallback), nullptr);
    EXPECT_EQ(plain.finding(Topic::SocketFallback)->level, Level::Medium);
    EXPECT_EQ(plain.finding(Topic::SocketFallback)->part, 4);
    EXPECT_EQ(plain.finding(Topic::SocketFallback)->hosts, (std::vector<std::string>{"host0", "host1"}));
    const Analysed failed(
        onTwoHosts("NET/Socket/0").all("NET/Plugin: /lib/libnl-route-3.so.200: undefined symbol: nla_nest_end"));
    ASSERT_NE(failed.finding(Topic::SocketFallback), nullptr);
    EXPECT_EQ(failed.finding(Topic::SocketFallback)->level, Level::High);
    EXPECT_NE(failed.text(Topic::SocketFallback).find("plugin does not load"), std::string::npos);
    EXPECT_GE(failed.finding(Topic::SocketFallback)->evidence.size(), 2);
    EXPECT_NE(failed.finding(Topic::SocketFallback)->evidence[0].text.find("NET/Socket"), std::string::npos);
}

TEST(Network, OverSocketsIsFoundFromTheNetworkAloneIfNoConnectionIsWritten) {
    const Analysed run(LogText(4, 2).start().all("Using network Socket"));
    ASSERT_NE(run.finding(Topic::SocketFallback), nullptr);
    EXPECT_EQ(run.finding(Topic::SocketFallback)->processes.size(), 4);
    EXPECT_EQ(Analysed(LogText(4, 2).start()).judgement(Topic::SocketFallback), Judgement::CannotTell);
}

/// The log of the first host alone, in a version that does not count hosts.
NcclLogs ofFirstHost(const LogText& log) {
    std::string kept;
    std::istringstream lines(log.text());
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("host0:") && line.find("nNodes") == std::string::npos) {
            kept += line + "\n";
        }
    }
    return LogText(4, 2).raw(kept).logs();
}

TEST(Network, OfOneLoggedHostIsNotTakenForAJobOnOneHost) {
    const Analysed sockets(ofFirstHost(onTwoHosts("NET/Socket/0")));
    ASSERT_NE(sockets.finding(Topic::SocketFallback), nullptr);
    EXPECT_NE(sockets.text(Topic::SocketFallback).find("2 of 2 channel lines between host0 and unknown hosts"),
              std::string::npos)
        << sockets.text(Topic::SocketFallback);
    EXPECT_EQ(sockets.finding(Topic::NoPeerAccess), nullptr) << "the network is not inside the host";
    const Analysed silent(ofFirstHost(LogText(4, 2).start()));
    EXPECT_EQ(silent.judgement(Topic::SocketFallback), Judgement::CannotTell);
    EXPECT_EQ(silent.judgement(Topic::NoRdma), Judgement::CannotTell);
}

TEST(Network, OfCallsAloneDoesNotSayWhichNetworkIsUsed) {
    const Analysed run(LogText(2, 1).call(0, "AllReduce", 5).call(1, "AllReduce", 5));
    EXPECT_EQ(run.judgement(Topic::SocketFallback), Judgement::CannotTell);
    EXPECT_EQ(run.judgement(Topic::NoRdma), Judgement::CannotTell);
    EXPECT_EQ(run.judgement(Topic::NoPeerAccess), Judgement::CannotTell);
}

TEST(Network, ThroughHostMemoryIsFoundWithTheSetting) {
    const Analysed run(onOneHost("SHM/direct/direct").all("NCCL_P2P_DISABLE set by environment to 1."));
    const network::Finding* finding = run.finding(Topic::NoPeerAccess);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->level, Level::High);
    EXPECT_EQ(finding->part, 4);
    EXPECT_EQ(finding->whole, 4);
    ASSERT_EQ(finding->settings.size(), 1);
    EXPECT_EQ(finding->settings[0].value, "1");
    EXPECT_NE(run.text(Topic::NoPeerAccess).find("4 of 4 channel lines"), std::string::npos);
}

TEST(Network, ThroughHostMemoryBetweenSomeGpusIsOfLowSeverity) {
    LogText log(4);
    log.start().edge(0, "P2P/CUMEM").edge(1, "SHM/direct/direct").edge(2, "P2P/CUMEM").edge(3, "SHM/direct/direct");
    const Analysed run(log);
    ASSERT_NE(run.finding(Topic::NoPeerAccess), nullptr);
    EXPECT_EQ(run.finding(Topic::NoPeerAccess)->level, Level::Low);
    EXPECT_EQ(run.finding(Topic::PathDiffers), nullptr) << "a ring that crosses CPU sockets is normal";
}

TEST(Network, NamesTheRankThatBothItsNeighboursReachOnASlowerPath) {
    LogText log(8);
    log.start();
    for (int rank = 0; rank < 8; ++rank) {
        log.edge(rank, rank == 4 || rank == 5 ? "SHM/direct/direct" : "P2P/CUMEM");
    }
    const Analysed run(log);
    const network::Finding* finding = run.finding(Topic::PathDiffers);
    ASSERT_NE(finding, nullptr);
    ASSERT_EQ(finding->processes.size(), 1);
    EXPECT_EQ(run.network.jobs[0].processes[finding->processes[0]].rank, 5);
}

TEST(Network, ShowsThePathThatIsSlowerAndNotThatBetweenHosts) {
    // Two rings, so that each rank has two neighbours inside its host; rank 3 is also connected to the other host.
    std::string start = LogText(8, 4).start().text();
    const std::string ring = "Channel 01/08 : 0 1 2 3 4 5 6 7";
    start.replace(start.find(ring), ring.size(), "Channel 01/08 : 1 2 3 0 5 6 7 4");
    LogText log(8, 4);
    log.raw(start);
    for (const int rank : {0, 1, 2, 4, 5, 6}) {
        log.edge(rank, rank == 2 ? "SHM/direct/direct" : "P2P/CUMEM");
    }
    log.line(3, "Channel 01/0 : 3[3] -> 0[0] via SHM/direct/direct")
        .line(7, "Channel 01/0 : 7[3] -> 4[0] via P2P/CUMEM");
    for (const int rank : {3, 7}) {
        log.edge(rank, "NET/IB/0/GDRDMA", " [send]").edge(rank, "NET/IB/0/GDRDMA", " [receive]");
    }
    const Analysed run(log);
    const network::Finding* finding = run.finding(Topic::PathDiffers);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(run.text(Topic::PathDiffers).find("1 of 8 ranks (rank 3) use SHM/direct/direct"), 0)
        << run.text(Topic::PathDiffers);
    ASSERT_EQ(finding->evidence.size(), 1);
    EXPECT_NE(finding->evidence[0].text.find("via SHM"), std::string::npos);
}

TEST(Network, NamesTheRanksThatUseAnotherNetwork) {
    const Analysed run(
        LogText(3, 1).start().line(0, "Using network IB").line(1, "Using network IB").line(2, "Using network Socket"));
    const network::Finding* finding = run.finding(Topic::PathDiffers);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->level, Level::High);
    EXPECT_EQ(finding->variants.back().value, "Socket");
}

TEST(Network, WithoutRdmaIsFoundAtTheReceiverOnly) {
    const Analysed both(onTwoHosts("NET/IB/0"));
    ASSERT_NE(both.finding(Topic::NoRdma), nullptr);
    EXPECT_EQ(both.finding(Topic::NoRdma)->level, Level::High);
    EXPECT_EQ(both.finding(Topic::NoRdma)->whole, 2);
    LogText log(2, 1);
    log.start().edge(0, "NET/IB/0", " [send]").edge(0, "NET/IB/0/GDRDMA", " [receive]");
    EXPECT_EQ(Analysed(log).judgement(Topic::NoRdma), Judgement::Fine) << "NCCL may choose to send from host memory";
}

TEST(Network, WithFewChannelsIsFoundOnOneHostOrUnderALimit) {
    EXPECT_EQ(Analysed(LogText(4).start("0xaa", 8)).finding(Topic::FewChannels), nullptr);
    const Analysed few(LogText(4).start("0xaa", 2));
    ASSERT_NE(few.finding(Topic::FewChannels), nullptr);
    EXPECT_EQ(few.finding(Topic::FewChannels)->level, Level::Low);
    EXPECT_EQ(Analysed(LogText(4, 1).start("0xaa", 2)).finding(Topic::FewChannels), nullptr)
        << "two channels are normal for one rank a host";
    const Analysed limited(LogText(4).all("NCCL_MAX_NCHANNELS set by environment to 4.").start("0xaa", 4));
    ASSERT_NE(limited.finding(Topic::FewChannels), nullptr);
    EXPECT_EQ(limited.finding(Topic::FewChannels)->level, Level::Medium);
}

TEST(Network, WithFewChannelsNamesTheLargestCommunicator) {
    const Analysed run(LogText(2).start("0xbb", 2, "0x20").raw(LogText(4).start("0xaa", 2).text()));
    EXPECT_EQ(run.text(Topic::FewChannels)
                  .find("2 channels for collectives in 2 communicators; the largest of these has "
                        "4 ranks on host0"),
              0)
        << run.text(Topic::FewChannels);
}

TEST(Network, ComparesSettingsButNotThoseThatMayDiffer) {
    LogText log(2, 1);
    log.start()
        .line(0, "NCCL_ALGO set by environment to Ring")
        .line(1, "NCCL_ALGO set by environment to Tree")
        .line(0, "NCCL_SOCKET_IFNAME set by environment to eth0")
        .line(1, "NCCL_SOCKET_IFNAME set by environment to eth1")
        .line(0, "NCCL_DEBUG_FILE set by environment to /a")
        .line(1, "NCCL_DEBUG_FILE set by environment to /b")
        .line(0, "NCCL_IB_TC set by environment to 106");
    const Analysed run(log);
    std::map<std::string, Level> levels;
    for (const network::Finding& finding : run.network.jobs[0].findings) {
        if (finding.topic == Topic::SettingsDiffer) {
            levels[finding.name] = finding.level;
        }
    }
    EXPECT_EQ(levels, (std::map<std::string, Level>{{"NCCL_ALGO", Level::Medium}, {"NCCL_IB_TC", Level::Low}}));
}

TEST(Network, ComparesVersions) {
    const Analysed run(LogText(2).start().line(0, "NCCL version 2.25.1").line(1, "NCCL version 2.28.9"));
    ASSERT_NE(run.finding(Topic::VersionsDiffer), nullptr);
    EXPECT_EQ(run.finding(Topic::VersionsDiffer)->level, Level::High);
    EXPECT_EQ(run.finding(Topic::VersionsDiffer)->evidence.size(), 2);
}

/// Two ranks that make the same calls, whatever follows.
LogText calling() {
    LogText log(3);
    log.start();
    for (int rank = 0; rank < 3; ++rank) {
        log.call(rank, "AllGather", 100, 9).call(rank, "AllReduce", 5);
    }
    return log;
}

TEST(Network, ComparesCallsOfRanksInTheirOrder) {
    EXPECT_EQ(Analysed(calling()).judgement(Topic::CallsDiffer), Judgement::Fine);
    LogText log = calling();
    log.call(0, "AllReduce", 7).call(1, "AllReduce", 7).call(2, "AllReduce", 8);
    const Analysed run(log);
    const network::Finding* finding = run.finding(Topic::CallsDiffer);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->level, Level::High);
    EXPECT_EQ(finding->part, 2);
    EXPECT_EQ(finding->variants.back().processes, (std::vector<std::size_t>{2}));
    EXPECT_NE(run.text(Topic::CallsDiffer).find("rank 2: all-reduce of 8 float32"), std::string::npos)
        << run.text(Topic::CallsDiffer);
}

TEST(Network, SaysWhichRankStopsEarlierWithLessSeverity) {
    LogText log = calling();
    log.call(0, "AllReduce", 7).call(1, "AllReduce", 7);
    const Analysed run(log);
    ASSERT_NE(run.finding(Topic::CallsDiffer), nullptr);
    EXPECT_EQ(run.finding(Topic::CallsDiffer)->level, Level::Medium);
    EXPECT_NE(run.text(Topic::CallsDiffer).find("rank 2: no further call"), std::string::npos);
}

TEST(Network, SaysWhichRootAndOperatorDiffer) {
    const auto call = [](int op, int root) {
        return fmt::format(
            "Broadcast: opCount 0 sendbuff 0x1 recvbuff 0x2 count 5 datatype 7 op {} root {} comm 0x10 [nranks=2] "
            "stream 0x3",
            op, root);
    };
    const Analysed roots(LogText(2).start().line(0, call(0, 0)).line(1, call(0, 1)));
    const std::string text = roots.text(Topic::CallsDiffer);
    EXPECT_NE(text.find("rank 0: broadcast of 5 float32, root 0;"), std::string::npos) << text;
    EXPECT_NE(text.find("rank 1: broadcast of 5 float32, root 1."), std::string::npos) << text;
    const Analysed operators(LogText(2).start().line(0, call(0, 0)).line(1, call(2, 0)));
    EXPECT_NE(operators.text(Topic::CallsDiffer).find("rank 1: broadcast of 5 float32, operator 2."),
              std::string::npos);
    EXPECT_NE(jsonNetwork({roots.logs, roots.network, {}}).find(R"("value": "broadcast of 5 float32, root 1")"),
              std::string::npos);
}

TEST(Network, CannotTellIfCallsDifferWhereALoggedRankHasNone) {
    const Analysed run(LogText(3).start().call(0, "AllReduce", 5).call(1, "AllReduce", 5));
    EXPECT_EQ(run.judgement(Topic::CallsDiffer), Judgement::CannotTell);
    EXPECT_NE(run.text(Topic::CallsDiffer).find("COLL"), std::string::npos);
}

TEST(Network, CannotTellIfCallsDifferWhereLinesAreCut) {
    LogText log = calling();
    log.call(0, "AllReduce", 7).call(1, "AllReduce", 7);
    log.raw("host0:102:102 [2] NCCL INFO AllReduce: opCount 2 sendb\n");
    const Analysed run(log);
    EXPECT_EQ(run.judgement(Topic::CallsDiffer), Judgement::CannotTell);
    EXPECT_EQ(run.finding(Topic::CallsDiffer), nullptr);
}

TEST(Network, SumsCallsByKindSizeAndType) {
    LogText log = calling();
    log.call(0, "AllReduce", 5);
    const Analysed run(log);
    const std::vector<network::CallSum>& calls = run.network.jobs[0].calls;
    ASSERT_EQ(calls.size(), 2);
    EXPECT_EQ(calls[0].kind, "AllGather");
    EXPECT_EQ(calls[0].bytes, 200);
    EXPECT_EQ(calls[1].fewest, 1);
    EXPECT_EQ(calls[1].most, 2);
}

TEST(Network, NamesAPluginThatDoesNotStartAsTheReasonForSockets) {
    LogText log(2, 1);
    log.start().all("NET/OFI No eligible providers were found").all("Using network Socket");
    log.line(0, "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0");
    const Analysed run(log);
    ASSERT_NE(run.finding(Topic::SocketFallback), nullptr);
    EXPECT_EQ(run.finding(Topic::SocketFallback)->level, Level::High);
    EXPECT_EQ(run.finding(Topic::SocketFallback)->remarks, std::vector{NcclRemarkKind::PluginFailed});
}

TEST(Network, FindsASlowStart) {
    const auto starting = [](const char* seconds) {
        return Analysed(
            LogText(2).start().line(1, std::string("Init timings - ncclCommInitRank: rank 1 nranks 2 total ") +
                                           seconds + " (kernels 1.00, bootstrap 8.50, rest 0.1)"));
    };
    EXPECT_EQ(starting("9.99").judgement(Topic::SlowStart), Judgement::Fine);
    const Analysed slow = starting("10.00");
    ASSERT_NE(slow.finding(Topic::SlowStart), nullptr);
    EXPECT_EQ(slow.finding(Topic::SlowStart)->level, Level::Low);
    EXPECT_EQ(slow.finding(Topic::SlowStart)->name, "bootstrap");
    EXPECT_EQ(starting("61").finding(Topic::SlowStart)->level, Level::Medium);
    const Analysed waiting(
        LogText(2)
            .start()
            .line(1, "Bootstrap timings total 58.5 (create 0.1, send 0.1, recv 58.3, ring 0, delay 0)")
            .line(1, "Init timings - ncclCommInitRank: rank 1 nranks 2 total 59.9 (bootstrap 58.5)"));
    EXPECT_EQ(waiting.finding(Topic::SlowStart)->name, kNcclWaiting);
    EXPECT_THAT(report::networkCheckText(waiting.logs, waiting.network.jobs[0], Topic::SlowStart),
                HasSubstr("takes 59.9 s to set up 1 communicator, most of it waiting for other ranks to start."));
    EXPECT_EQ(Analysed(LogText(2).start()).judgement(Topic::SlowStart), Judgement::CannotTell);
}

TEST(SlowStart, TakesTheWaitingOfTheThreadThatSetsUpTheCommunicator) {
    // Two threads of a process set up a communicator each, and their lines are interleaved.
    const auto line = [](int thread, const std::string& text) {
        return fmt::format("host0:100:{} [0] NCCL INFO {}\n", thread, text);
    };
    std::string text;
    for (const auto& [thread, pointer] : {std::pair(1, "0x10"), std::pair(2, "0x20")}) {
        const std::string comm =
            fmt::format("ncclCommInitRank comm {} rank 0 nranks {} cudaDev 0 nvmlDev 0 busId 1000 commId 0xa{}",
                        pointer, thread + 1, thread);
        text += line(thread, comm + " - Init START") + line(thread, comm + " - Init COMPLETE");
    }
    text += line(1, "Bootstrap timings total 20.0 (create 0.1, send 0.1, recv 3.0, ring 0, delay 0)");
    text += line(2, "Bootstrap timings total 20.0 (create 0.1, send 0.1, recv 7.0, ring 0, delay 0)");
    text += line(1, "Init timings - ncclCommInitRank: rank 0 nranks 2 total 21.0 (bootstrap 20.0)");
    text += line(2, "Init timings - ncclCommInitRank: rank 0 nranks 3 total 21.0 (bootstrap 20.0)");
    MemoryStream stream(text);
    const NcclLogs logs = readNcclLog(stream, "job.log");
    ASSERT_EQ(logs.members.size(), 2);
    for (std::size_t member = 0; member < 2; ++member) {
        const auto& parts = logs.members[member].init_parts;
        const auto waiting =
            std::ranges::find(parts, kNcclWaiting, [](const auto& part) { return std::string_view(part.first); });
        ASSERT_NE(waiting, parts.end());
        EXPECT_EQ(waiting->second, DurationNs{member == 0 ? 3 : 7} * 1'000'000'000);
    }
}

TEST(Network, OfTwoJobsInOneFileIsTwoJobs) {
    LogText log(2);
    log.start("0xaa");
    std::string other = LogText(2).start("0xbb").text();
    for (std::size_t at = other.find("host0"); at != std::string::npos; at = other.find("host0", at + 1)) {
        other.replace(at, 5, "other");
    }
    const Analysed run(log.raw(other));
    ASSERT_EQ(run.network.jobs.size(), 2);
    EXPECT_EQ(run.network.jobs[0].processes.size(), 2);
    EXPECT_EQ(run.network.jobs[1].hosts, (std::vector<std::string>{"other"}));
    EXPECT_NE(networkScreen({run.logs, run.network, {}}, {}, false).find("2 jobs"), std::string::npos);
}

TEST(Network, JoinsSplitCommunicatorsByTheirParentAndColor) {
    LogText log(4);
    log.start();
    for (int rank = 0; rank < 4; ++rank) {
        const int color = rank / 2;
        log.line(rank,
                 fmt::format("ncclCommSplit comm 0x20 rank {} nranks 2 cudaDev {} nvmlDev {} busId {}000 parent 0x10 "
                             "splitCount 1 color {} key 0 - Init START",
                             rank % 2, rank, rank, rank + 1, color));
    }
    const Analysed run(log);
    ASSERT_EQ(run.network.jobs.size(), 1);
    ASSERT_EQ(run.network.jobs[0].communicators.size(), 3);
    EXPECT_EQ(run.network.jobs[0].communicators[2].members.size(), 2);
}

TEST(Network, NamesALongChainOfSplitsInLittleMemory) {
    constexpr int kSplits = 2000;
    LogText log(2);
    log.start();
    for (int at = 0; at < kSplits; ++at) {
        for (int rank = 0; rank < 2; ++rank) {
            log.line(rank, fmt::format("ncclCommSplit comm {:#x} rank {} nranks 2 cudaDev 0 busId 1000 parent {:#x} "
                                       "splitCount 1 color 7 key 0 - Init START",
                                       0x10 + at + 1, rank, 0x10 + at));
        }
    }
    const Analysed run(log);
    ASSERT_EQ(run.network.jobs.at(0).communicators.size(), kSplits + 1);
    for (const network::Communicator& communicator : run.network.jobs[0].communicators) {
        EXPECT_EQ(communicator.members.size(), 2);
        EXPECT_LT(communicator.id.size(), 200);
    }
}

TEST(Network, JoinsCommunicatorsWhoseIdIsWrittenWhenTheyAreComplete) {
    LogText log(2);
    for (int rank = 0; rank < 2; ++rank) {
        const std::string comm =
            fmt::format("ncclCommSplit comm 0x20 rank {} nranks 2 cudaDev {} busId 1000", rank, rank);
        log.line(rank, comm + " parent 0x77 splitCount 1 color 0 key 0 - Init START");
        log.line(rank, comm + " commId 0xcc - Init COMPLETE");
    }
    const Analysed run(log);
    ASSERT_EQ(run.network.jobs.at(0).communicators.size(), 1);
    EXPECT_EQ(run.network.jobs[0].communicators[0].id, "0xcc");
    EXPECT_EQ(run.network.jobs[0].communicators[0].members.size(), 2);
}

TEST(Network, MissesNoRanksOfAProcessWithSeveralGpus) {
    const auto start = [](int rank) {
        return fmt::format(
            "ncclCommInitRank comm 0x{0}0 rank {1} nranks 3 cudaDev {1} busId 1000 commId 0xaa - Init START", rank + 1,
            rank);
    };
    LogText log(3);
    log.line(0, start(0)).line(0, start(1));
    const Analysed two(log);
    EXPECT_EQ(report::networkJobWords(two.logs, two.network.jobs.at(0)), "2 of 3 ranks on 1 host, 1 communicator");
    const Analysed all(log.line(0, start(2)));
    EXPECT_EQ(report::networkJobWords(all.logs, all.network.jobs.at(0)), "3 ranks on 1 host, 1 communicator");
    EXPECT_EQ(report::networkNotes(all.logs, all.network.jobs.at(0)).size(), 1) << "only that calls are missing";
}

TEST(Network, DoesNotGuessTheCommunicatorOfAConnection) {
    // Both communicators have a rank 0 and a rank 1 on the same devices; later lines name neither.
    LogText log(2);
    log.start("0xaa", 8, "0x10").start("0xbb", 8, "0x20");
    log.raw("host0:100:999 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n");
    const Analysed run(log);
    ASSERT_EQ(run.network.jobs[0].connections.size(), 1);
    EXPECT_FALSE(run.network.jobs[0].connections[0].communicator);
    EXPECT_TRUE(run.network.jobs[0].connections[0].is_inside_host) << "both are inside the host";
}

}  // namespace
}  // namespace rankscope::test
