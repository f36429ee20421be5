// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logs that real jobs wrote; the figures were counted with other tools.
#include "core/report/network.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/network/log_text.h"

namespace rankscope::test {
namespace {

using network::Level;
using network::Topic;

struct RealLogs : testing::Test {
    /// Reads a folder of logs. False if it is not there.
    bool read(const char* name) {
        const std::filesystem::path folder = realTraces() / "inputs/nccl_logs" / name;
        if (!std::filesystem::exists(folder)) {
            return false;
        }
        std::vector<std::string> files = filesBelow(folder.string());
        std::erase_if(files, [](const std::string& path) { return !isNcclLog(path); });
        loaded = loadNcclLogs(files);
        network = network::analyseNetwork(loaded.logs);
        return true;
    }
    [[nodiscard]] std::uint64_t lines(std::string_view path) const {
        std::uint64_t sum = 0;
        for (const network::PathSum& one : network.jobs.at(0).paths) {
            sum += one.path == path ? one.lines : 0;
        }
        return sum;
    }
    [[nodiscard]] std::vector<std::pair<Topic, Level>> findings() const {
        std::vector<std::pair<Topic, Level>> out;
        for (const network::Finding& finding : network.jobs.at(0).findings) {
            out.emplace_back(finding.topic, finding.level);
        }
        return out;
    }

    LoadedNcclLogs loaded;
    network::Network network;
};

TEST_F(RealLogs, WithoutPeerAccessShowHostMemoryAndWhatRanksCalled) {
    if (!read("fsdp8_p2p_disabled")) {
        GTEST_SKIP() << "skipped: no logs of NCCL beside the checkout";
    }
    ASSERT_EQ(network.jobs.size(), 1);
    const network::Job& job = network.jobs[0];
    EXPECT_EQ(job.processes.size(), 8);
    EXPECT_EQ(findings(), (std::vector<std::pair<Topic, Level>>{{Topic::NoPeerAccess, Level::High},
                                                                {Topic::FewChannels, Level::Low}}));
    // 2 channels of 8 ring connections, and 4 of sends to a neighbour.
    EXPECT_EQ(job.findings[0].part, 20);
    EXPECT_EQ(job.findings[0].whole, 20);
    EXPECT_EQ(job.communicators.at(0).channels, 2);
    std::map<std::string, std::uint64_t> calls;
    for (const network::CallSum& sum : job.calls) {
        const bool is_exchange = sum.kind == "Send" || sum.kind == "Recv";
        EXPECT_TRUE(is_exchange || sum.fewest == sum.most) << sum.kind << " " << sum.count;
        calls[sum.kind] += sum.most;
        calls[sum.kind + " large"] += sum.count > 100'000 ? sum.most : 0;
        calls[sum.kind + " small"] += sum.count == 1314 ? sum.most : 0;
    }
    EXPECT_EQ(calls["AllGather large"], 1700);
    EXPECT_EQ(calls["ReduceScatter large"], 900);
    EXPECT_EQ(calls["AllGather small"], 50);
    EXPECT_EQ(calls["ReduceScatter small"], 50);
    EXPECT_EQ(calls["AllReduce"], 251);
    EXPECT_EQ(job.judgements.at(static_cast<std::size_t>(Topic::CallsDiffer)), network::Judgement::Fine);
}

TEST_F(RealLogs, OfTwoHostsShowSocketsBecauseThePluginDoesNotLoad) {
    if (!read("megatron_2nodes_socket")) {
        GTEST_SKIP() << "skipped: no logs of NCCL beside the checkout";
    }
    ASSERT_EQ(network.jobs.size(), 1);
    const network::Job& job = network.jobs[0];
    EXPECT_EQ(job.hosts, (std::vector<std::string>{"node0", "node1"}));
    EXPECT_EQ(job.communicators.size(), 13);
    EXPECT_EQ(lines("NET/Socket"), 120);
    EXPECT_EQ(lines("P2P/CUMEM/read"), 504);
    EXPECT_EQ(job.connections_open, 0);
    ASSERT_FALSE(job.findings.empty());
    EXPECT_EQ(job.findings[0].topic, Topic::SocketFallback);
    EXPECT_EQ(job.findings[0].level, Level::High);
    EXPECT_EQ(job.findings[0].remarks,
              (std::vector<NcclRemarkKind>{NcclRemarkKind::PluginFailed, NcclRemarkKind::VerbsMissing,
                                           NcclRemarkKind::Interfaces}));
    EXPECT_EQ(job.judgements.at(static_cast<std::size_t>(Topic::CallsDiffer)), network::Judgement::CannotTell);
}

}  // namespace
}  // namespace rankscope::test
