// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/rank_groups.h"

#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {
namespace {

constexpr DurationNs kStep = 100'000'000;

/// A run whose ranks compute for `compute_ns` of each step and are idle for the rest.
AnalysedRun ranksThatCompute(const std::vector<DurationNs>& compute_ns) {
    AnalysedRun out;
    auto run = std::make_shared<rankscope::Run>();
    for (const DurationNs compute : compute_ns) {
        run->ranks.push_back(std::make_shared<RankTrace>());
        RankFacts& rank = out.facts.ranks.emplace_back();
        RankStep& step = rank.steps.emplace_back();
        step.span = {0, kStep};
        step.partition.emplace();
        step.partition->compute_ns = compute;
        step.partition->idle_ns = kStep - compute;
    }
    out.run = std::move(run);
    out.facts.median_step_ns = kStep;
    return out;
}

Finding findingOn(std::vector<RankPosition> ranks, DurationNs saving_ns) {
    Finding finding;
    finding.ranks = std::move(ranks);
    finding.saving_ns = saving_ns;
    return finding;
}

TEST(AlikeRanks, AreThoseWhoseStepsDivideAlike) {
    const AnalysedRun run = ranksThatCompute({90'000'000, 91'000'000, 60'000'000, 89'500'000, 90'500'000});
    EXPECT_THAT(alikeRanks(run),
                ElementsAre(AlikeRanks{RankPosition(0), {RankPosition(1), RankPosition(3), RankPosition(4)}}));
}

TEST(AlikeRanks, DifferByLessThanWhatMakesAStraggler) {
    EXPECT_THAT(alikeRanks(ranksThatCompute({90'000'000, 92'999'999, 90'000'000})),
                ElementsAre(AlikeRanks{RankPosition(0), {RankPosition(1), RankPosition(2)}}));
    EXPECT_TRUE(alikeRanks(ranksThatCompute({90'000'000, 93'000'000, 90'000'000})).empty());
}

TEST(AlikeRanks, FormOneGroupForEachKind) {
    const AnalysedRun run =
        ranksThatCompute({90'000'000, 50'000'000, 90'000'000, 50'000'000, 90'000'000, 50'000'000, 90'000'000});
    EXPECT_THAT(alikeRanks(run),
                ElementsAre(AlikeRanks{RankPosition(0), {RankPosition(2), RankPosition(4), RankPosition(6)}},
                            AlikeRanks{RankPosition(1), {RankPosition(3), RankPosition(5)}}));
}

TEST(AlikeRanks, NeverHideOneThatAFindingNames) {
    AnalysedRun run = ranksThatCompute(std::vector<DurationNs>(6, 90'000'000));
    run.diagnosis.findings.push_back(findingOn({RankPosition(2)}, 5'000'000));
    Finding late = findingOn({}, 5'000'000);
    late.late.push_back({RankPosition(4), 0, {0, kStep}});
    run.diagnosis.findings.push_back(late);
    EXPECT_THAT(alikeRanks(run),
                ElementsAre(AlikeRanks{RankPosition(0), {RankPosition(1), RankPosition(3), RankPosition(5)}}));
}

TEST(AlikeRanks, AreNotToldApartByAFindingThatNamesAll) {
    AnalysedRun run = ranksThatCompute(std::vector<DurationNs>(4, 90'000'000));
    run.diagnosis.findings.push_back(
        findingOn({RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3)}, 5'000'000));
    EXPECT_THAT(alikeRanks(run),
                ElementsAre(AlikeRanks{RankPosition(0), {RankPosition(1), RankPosition(2), RankPosition(3)}}));
}

TEST(AlikeRanks, DoNotHoldOneOfWhichNothingIsKnown) {
    AnalysedRun run = ranksThatCompute(std::vector<DurationNs>(5, 90'000'000));
    run.facts.ranks[1].steps[0].complete = false;
    run.facts.ranks[2].steps[0].partition.reset();
    EXPECT_THAT(alikeRanks(run), ElementsAre(AlikeRanks{RankPosition(0), {RankPosition(3), RankPosition(4)}}));
}

TEST(AlikeRanks, AreNoneWhileRanksAreStillLoading) {
    AnalysedRun run = ranksThatCompute(std::vector<DurationNs>(5, 90'000'000));
    run.facts.ranks.pop_back();
    EXPECT_TRUE(alikeRanks(run).empty());
}

TEST(OrderedRanks, StandByNumberByLatenessAndByWhatTheirFindingsCost) {
    AnalysedRun run = ranksThatCompute(std::vector<DurationNs>(4, 90'000'000));
    run.diagnosis.findings = {findingOn({RankPosition(3)}, 4'000'000),
                              findingOn({RankPosition(1), RankPosition(3)}, 3'000'000),
                              findingOn({RankPosition(2)}, 5'000'000)};
    RunStep step;
    step.by_rank.assign(4, RankStepPosition());
    run.facts.steps.push_back(step);
    for (RankPosition r{0}; r < 4; ++r) {
        RankLateness& rank = run.facts.stragglers.ranks.emplace_back();
        rank.rank = RankPosition(r);
        rank.steps.emplace_back();
        rank.steps.back().late_ns = r == 2 ? 7'000 : r == 0 ? 9'000 : 0;
    }
    EXPECT_THAT(orderedRanks(run, RankOrder::Number), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(orderedRanks(run, RankOrder::Lateness), ElementsAre(0, 2, 1, 3));
    EXPECT_THAT(orderedRanks(run, RankOrder::Cost), ElementsAre(3, 2, 1, 0));
}

TEST(AlikeRanks, OfASimulatedRunAreAllButThePlantedStraggler) {
    const tracegen::Config config = tracegen::configOf(8, 8, {"slow-kernels:ranks=5"});
    const AnalysedRun run = analyse(accuracy::loadSimulated(tracegen::simulate(config)));
    const std::vector<AlikeRanks> groups = alikeRanks(run);
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups[0].hidden.size(), 6U);
    EXPECT_THAT(groups[0].hidden, testing::Not(testing::Contains(5U)));
    EXPECT_NE(groups[0].shown, 5U);
    EXPECT_EQ(orderedRanks(run, RankOrder::Lateness).front(), 5U);
    EXPECT_EQ(orderedRanks(run, RankOrder::Cost).front(), 5U);
}

}  // namespace
}  // namespace rankscope::test
