// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/peer_links.h"

#include "core/analysis/collectives/collectives.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(PeerLinks, AreToldByTheDevicesName) {
    const PeerLinks links = PeerLinks::builtIn();
    ASSERT_NE(links.of("NVIDIA A100-SXM4-80GB"), nullptr);
    EXPECT_EQ(links.of("NVIDIA A100-SXM4-80GB")->gb_per_s, 300);
    EXPECT_EQ(links.of("NVIDIA H100 80GB HBM3")->gb_per_s, 450);
    EXPECT_EQ(links.of("NVIDIA H100 PCIe")->gb_per_s, 63);
    EXPECT_EQ(links.of("Tesla V100-SXM2-16GB")->gb_per_s, 150);
    EXPECT_EQ(links.of("AMD Instinct MI300X")->gb_per_s, 448);
    EXPECT_EQ(links.of("a device that nobody knows"), nullptr);
    EXPECT_FALSE(links.of("Tesla V100-SXM2-16GB")->source.empty());
}

TEST(PeerLinks, ABadTableIsRefused) {
    EXPECT_TRUE(PeerLinks::fromJson("{", "a.json").failed());
    EXPECT_TRUE(PeerLinks::fromJson(R"({"devices": []})", "a.json").failed());
    EXPECT_TRUE(PeerLinks::fromJson(R"({"peers": [{"name": "X", "gb_per_s": 0, "link": "", "source": ""}]})", "a.json")
                    .failed());
}

std::shared_ptr<const RankTrace> rankOn(int rank, const char* host) {
    auto trace = std::make_shared<RankTrace>();
    trace->rank = RankNumber(rank);
    trace->host = host;
    return trace;
}

TEST(Link, IsInsideAHostWhereAllMembersNameTheSame) {
    rankscope::Run run;
    run.ranks = {rankOn(0, "a"), rankOn(1, "a"), rankOn(2, "b"), rankOn(3, "")};
    CollectiveGroup group;
    group.ranks = {RankNumber(0), RankNumber(1)};
    EXPECT_EQ(linkOf(run, group), Link::InsideHost);
    group.ranks = {RankNumber(0), RankNumber(2)};
    EXPECT_EQ(linkOf(run, group), Link::AcrossHosts);
    group.ranks = {RankNumber(0), RankNumber(3)};
    EXPECT_EQ(linkOf(run, group), Link::Unknown) << "a file without a host";
    group.ranks = {RankNumber(0), RankNumber(7)};
    EXPECT_EQ(linkOf(run, group), Link::Unknown) << "a rank that no file is of";
    group.ranks.clear();
    EXPECT_EQ(linkOf(run, group), Link::Unknown);
}

}  // namespace
}  // namespace rankscope::test
