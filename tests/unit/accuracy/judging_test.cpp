// SPDX-License-Identifier: GPL-3.0-or-later
// The judge itself: what it loads, what it demands, and that it can say no.

#include "tests/accuracy/simulated_run.h"
#include "tests/accuracy/tables.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::accuracy {
namespace {

FaultScore found(DurationNs truth_ns, DurationNs ours_ns) {
    FaultScore score;
    score.fault = "host-sync";
    score.finding = "host-sync";
    score.step_ns = 10'000'000;
    score.saving_ns = truth_ns;
    score.demanded = true;
    score.found_saving_ns = ours_ns;
    score.ranks = score.found_ranks = {0, 1};
    return score;
}

CaseScore caseWith(const FaultScore& fault) {
    CaseScore score;
    score.name = "host-sync/1/cuda/2";
    score.faults = {fault};
    return score;
}

TEST(Judging, TreatsAPriceThatIsTooHighAsAnEstimateWhereTheFindingSaysSo) {
    FaultScore fault = found(1'000'000, 1'500'000);
    EXPECT_FALSE(fault.estimated());
    EXPECT_FALSE(tallyOf({caseWith(fault)}).holds());
    fault.confidence = Confidence::Low;
    EXPECT_TRUE(fault.estimated());
    EXPECT_EQ(tallyOf({caseWith(fault)}).findings["host-sync"].estimates, 1U);
    EXPECT_TRUE(failuresOf(caseWith(fault)).empty());
    fault = found(1'500'000, 1'000'000);
    fault.confidence = Confidence::Low;
    EXPECT_FALSE(fault.estimated()) << "what it saves at most is not less than the truth";
}

TEST(Judging, TreatsLaunchesAsAnEstimateIfHostCodeLimitsTheRun) {
    const CaseScore score = judge(filtered(matrix(), {"pair/host-code+tiny-kernels/cuda/4"}).front());
    ASSERT_EQ(score.faults.size(), 2U);
    EXPECT_FALSE(score.faults[0].estimated()) << "the host code has its price";
    EXPECT_TRUE(score.faults[1].estimated());
}

TEST(Matrix, HasEveryFaultAtThreeStrengthsOnAllFilesAndNoNameTwice) {
    std::vector<std::string> names;
    for (const Case& one : matrix()) {
        names.push_back(one.name);
        EXPECT_NO_THROW(tracegen::validate(one.config)) << one.name;
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
    for (const tracegen::FaultTraits& traits : tracegen::allFaultTraits()) {
        const auto planted = std::ranges::count_if(matrix(), [&](const Case& one) {
            return one.config.faults.size() == 1 && one.config.faults.front().kind == traits.kind;
        });
        // A GPU that is throttled has its price in the mean step: ./dev accuracy --hard plants it.
        const bool is_hard = traits.kind == tracegen::FaultKind::Throttling;
        EXPECT_GE(planted, is_hard ? 0 : 3 * 3 * 2 + 1) << traits.name;
    }
    EXPECT_EQ(filtered(matrix(), {"healthy/"}).size(), 100U);
}

TEST(Matrix, PlantsClocksUpToFiveMillisecondsAndTwentyPpm) {
    for (const Case& one : filtered(matrix(), {"host-sync/2/"})) {
        ASSERT_EQ(one.config.clocks.size(), static_cast<std::size_t>(one.config.ranks));
        for (const tracegen::RankClock& clock : one.config.clocks) {
            EXPECT_LE(std::abs(clock.offset_ns), 5'000'000);
            EXPECT_LE(std::abs(clock.drift_ppm), 20.0);
        }
    }
}

TEST(SimulatedRun, IsWhatTheLoaderMakesOfTheFiles) {
    for (const tracegen::Dialect dialect : {tracegen::Dialect::Modern, tracegen::Dialect::Old}) {
        tracegen::Config config = tracegen::configOf(2, 2);
        config.dialect = dialect;
        config.clocks = {{0, 0}, {1'000'000, 0}};
        const auto run = loadSimulated(tracegen::simulate(config));
        ASSERT_EQ(run->ranks.size(), 2U);
        EXPECT_EQ(run->ranks[1]->rank, RankNumber(1));
        EXPECT_EQ(run->ranks[1]->world_size, 2);
        EXPECT_EQ(run->ranks[0]->host.empty(), dialect == tracegen::Dialect::Old);
        const DurationNs apart = run->ranks[1]->window.start_ns - run->ranks[0]->window.start_ns;
        EXPECT_NEAR(static_cast<double>(apart), 1e6, 5e5);
        EXPECT_EQ(run->ranks[0]->health.skipped, 0U);
    }
}

TEST(Judge, APriceIsRightWithinFivePercentOrHalfAPercentOfTheStep) {
    EXPECT_TRUE(found(2'000'000, 2'099'000).priceRight());
    EXPECT_FALSE(found(2'000'000, 2'101'000).priceRight());
    EXPECT_TRUE(found(300'000, 349'000).priceRight());
    EXPECT_FALSE(found(300'000, 351'000).priceRight());
}

TEST(Judge, OfAFaultThatMovesSomeRanksAreEnoughAndAWrongOneIsTooMany) {
    FaultScore moving = found(2'000'000, 2'000'000);
    moving.moves = true;
    moving.ranks = {0, 1, 2, 5};
    moving.found_ranks = {0, 2};
    EXPECT_TRUE(moving.ranksRight());
    moving.found_ranks = {0, 3};
    EXPECT_FALSE(moving.ranksRight());
    moving.found_ranks = {0};
    EXPECT_FALSE(moving.ranksRight());
}

TEST(Judge, SaysWhatFailedAndTheTallyCountsIt) {
    FaultScore wrong = found(2'000'000, 3'000'000);
    wrong.found_ranks = {0};
    FaultScore missed = found(2'000'000, 0);
    missed.found_saving_ns.reset();
    const std::vector<CaseScore> scores = {caseWith(found(2'000'000, 2'000'000)), caseWith(wrong), caseWith(missed)};
    EXPECT_TRUE(failuresOf(scores[0]).empty());
    EXPECT_EQ(failuresOf(scores[1]).size(), 2U);
    ASSERT_EQ(failuresOf(scores[2]).size(), 1U);
    EXPECT_NE(failuresOf(scores[2]).front().find("not found"), std::string::npos);
    const Tally tally = tallyOf(scores);
    EXPECT_FALSE(tally.holds());
    const FindingTally& finding = tally.findings.at("host-sync");
    EXPECT_EQ(finding.planted, 3U);
    EXPECT_EQ(finding.found, 2U);
    EXPECT_EQ(finding.ranks_right, 1U);
    EXPECT_EQ(finding.price_right, 1U);
    EXPECT_DOUBLE_EQ(finding.worstError(), 10.0);
    EXPECT_TRUE(tallyOf({scores[0]}).holds());
}

TEST(Judge, AStrayFindingAboveLowSpoilsAHealthyRunAndPrecision) {
    CaseScore healthy;
    healthy.name = "healthy/1/cuda/2";
    healthy.strays = {{"host-sync", Severity::Low, 0.02, "why"}};
    EXPECT_TRUE(tallyOf({healthy}).holds());
    healthy.strays.front().severity = Severity::Medium;
    EXPECT_FALSE(tallyOf({healthy}).holds());
    EXPECT_DOUBLE_EQ(tallyOf({healthy, caseWith(found(1'000'000, 1'000'000))}).findings.at("host-sync").precision(),
                     0.5);
}

TEST(Judge, ClocksHaveToBeWithinTheirTargetAndMostlyWithinTheirUncertainty) {
    CaseScore score;
    score.clocks = {{4'000, 5'000}, {20'000, 30'000}};
    EXPECT_TRUE(tallyOf({score}).holds());
    score.clocks.push_back({20'000, 10'000});
    EXPECT_FALSE(tallyOf({score}).holds());
    score.clocks.back() = {4'000, std::nullopt};  // within 5 us, but nothing is said of it
    EXPECT_FALSE(tallyOf({score}).holds());
}

TEST(Tables, NameEachFindingWithItsFigures) {
    const std::string text = markdownOf(tallyOf({caseWith(found(2'000'000, 2'500'000))}));
    EXPECT_NE(text.find("| `host-sync` | 1 of 1 | 100 % | 100 % | 1 of 1 | 0 of 1 | 0 | 5.00 % | 5.00 % |"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace rankscope::accuracy
