// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is late, where ranks wait in groups of their own: told beside those that do the same.

#include "core/analysis/run_facts.h"
#include "tests/support/analysed.h"
#include "tests/support/mixed_run.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using testing::Each;
using testing::Field;

constexpr std::int32_t kMicro = 4;
/// A pass of each micro-batch forward, and one of twice the length backward.
constexpr DurationNs kPasses = 3 * kMicro;
/// A late rank is taken to do all of its device work in the time of the others: long passes keep a little, short ones
/// lose it.
constexpr double kOfScaling = 0.03;

std::vector<RankPosition> ranks(std::vector<std::uint32_t> positions) {
    return {positions.begin(), positions.end()};
}

StragglerFacts stragglersOf(const MixedRun& run) {
    MixedRun longer = run;
    longer.steps = 5;
    const auto played = longer.play();
    auto facts = analyseFacts(*played, {.threads = 1}, {}, {});
    EXPECT_TRUE(facts.ok());
    return std::move(facts.value().facts.stragglers);
}

/// How late a rank was in the last step.
DurationNs lateIn(const StragglerFacts& facts, std::size_t rank) {
    return facts.ranks[rank].steps.back().late_ns;
}

TEST(Peers, AreTheTensorGroupsWhereNoCollectiveHasAllRanks) {
    std::vector<double> us(8, 100);
    us[1] = 200;
    const StragglerFacts facts = stragglersOf(gridRun(2, 1, 4, kMicro, us));
    EXPECT_THAT(facts.peers, ElementsAre(ranks({0, 1, 2, 3}), ranks({4, 5, 6, 7})));
    for (std::size_t r = 0; r < 8; ++r) {
        EXPECT_EQ(lateIn(facts, r), r == 1 ? kPasses * 100 * kUs : 0) << r;
        EXPECT_EQ(facts.ranks[r].saving_ns, r == 1 ? kPasses * 100 * kUs : 0) << r;
    }
    // The other group waits for nobody in it.
    EXPECT_FALSE(facts.ranks[5].z_score.has_value());
    EXPECT_DOUBLE_EQ(facts.ranks[5].over_mean, 1.0);
}

TEST(Peers, AreTheReplicasOfAStageInAPipeline) {
    // The second stage takes three times as long as the first, which makes nobody late; one of its replicas does.
    const StragglerFacts even = stragglersOf(gridRun(2, 2, 1, kMicro, {100, 300, 100, 300}));
    EXPECT_THAT(even.peers, ElementsAre(ranks({0, 2}), ranks({1, 3})));
    EXPECT_THAT(even.ranks, Each(Field(&RankLateness::saving_ns, 0)));
    const StragglerFacts facts = stragglersOf(gridRun(2, 2, 1, kMicro, {100, 300, 100, 400}));
    for (std::size_t r = 0; r < 4; ++r) {
        EXPECT_EQ(lateIn(facts, r), r == 3 ? kPasses * 100 * kUs : 0) << r;
    }
}

TEST(Peers, AreAllRanksWhereTheseShareBlockingCollectives) {
    const StragglerFacts facts = stragglersOf(gridRun(4, 1, 1, kMicro, {100, 100, 150, 100}));
    EXPECT_THAT(facts.peers, ElementsAre(ranks({0, 1, 2, 3})));
    EXPECT_EQ(lateIn(facts, 2), kPasses * 50 * kUs);
}

TEST(Peers, ThereAreNoneInABarePipeline) {
    const StragglerFacts facts = stragglersOf(gridRun(1, 3, 1, kMicro, {100, 300, 100}));
    EXPECT_THAT(facts.peers, IsEmpty());
    EXPECT_THAT(facts.segments, IsEmpty());
}

/// The finding of a late rank, of two tensor groups of four whose ranks take so long in a pass: it saves 100 us a pass.
void expectLateRanks(const std::vector<double>& us, const std::vector<RankPosition>& late) {
    MixedRun slow = gridRun(2, 1, 4, kMicro, us);
    slow.steps = 5;
    const AnalysedRun run = analyse(slow.play());
    const Finding& finding = findingIn(run, "straggler-rank");
    EXPECT_EQ(finding.ranks, late);
    const DurationNs saved_ns = kPasses * 100 * kUs;
    EXPECT_NEAR(static_cast<double>(finding.saving_ns), static_cast<double>(saved_ns),
                kOfScaling * static_cast<double>(saved_ns));
}

TEST(Peers, ALateRankOfOneTensorGroupIsAFindingThatIsPricedByTheReplayOfAll) {
    // Without it the step is that of a run in which all take the same: the groups meet at the end of each step.
    expectLateRanks({100, 200, 100, 100, 100, 100, 100, 100}, {RankPosition(1)});
}

TEST(Peers, ALateRankInEachOfTwoGroupsIsOnlyWorthWhatBothAreWorthTogether) {
    // Each group has one that takes 100 us more in a pass: the run saves that once, not twice.
    expectLateRanks({100, 200, 100, 100, 100, 100, 200, 100}, {RankPosition(1), RankPosition(6)});
}

}  // namespace
}  // namespace rankscope::test
