// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/judge_by_rules.h"

#include "core/diagnosis/prices/pricing.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

Finding priced(FindingId id, DurationNs saving_ns) {
    Finding finding;
    finding.id = id;
    finding.title = "the title of " + std::string(findingName(id));
    finding.saving_ns = saving_ns;
    return finding;
}

std::vector<std::string> settled(std::vector<Finding> findings, Diagnosis* out = nullptr) {
    RunFacts facts;
    facts.median_step_ns = 100'000;
    Diagnosis diagnosis;
    diagnosis.findings = std::move(findings);
    settleFindings(facts, Sentences::builtIn(), diagnosis);
    std::vector<std::string> ids;
    for (const Finding& finding : diagnosis.findings) {
        ids.emplace_back(findingName(finding.id));
    }
    if (out != nullptr) {
        *out = std::move(diagnosis);
    }
    return ids;
}

TEST(SettledFindings, AreInTheOrderOfWhatTheyLikelySave) {
    Finding bound = priced(FindingId::ExposedCommunication, 16'000);
    bound.at_most = true;
    EXPECT_THAT(settled({priced(FindingId::TraceHealth, 0), bound, priced(FindingId::UnpinnedMemcpy, 2'000),
                         priced(FindingId::DataloaderStall, 9'000)}),
                testing::ElementsAre("dataloader-stall", "exposed-communication", "unpinned-memcpy", "trace-health"));
}

TEST(SettledFindings, HaveTheSeverityOfTheStep) {
    Diagnosis diagnosis;
    (void)settled({priced(FindingId::DataloaderStall, 30'000), priced(FindingId::HostSync, 3'000)}, &diagnosis);
    EXPECT_EQ(diagnosis.findings[0].severity, Severity::High) << "30 %, which counts half at low confidence";
    EXPECT_EQ(diagnosis.findings[1].severity, Severity::Low);
}

TEST(SettledFindings, TellOfALateRankThatAddsNothingWithTheFindingThatHoldsIt) {
    Finding late = priced(FindingId::StragglerRank, 3'000);
    late.overlap = Overlap{FindingId::DataloaderStall, 3'000, 0};
    Diagnosis diagnosis;
    EXPECT_THAT(settled({priced(FindingId::DataloaderStall, 14'000), late}, &diagnosis),
                testing::ElementsAre("dataloader-stall"));
    EXPECT_THAT(diagnosis.findings[0].why, testing::HasSubstr("the title of straggler-rank"));
}

TEST(SettledFindings, TellOfASlowStageWithTheSlowGroupThatItsRanksAre) {
    Finding stage = priced(FindingId::StageImbalance, 3'000);
    stage.at_most = true;
    stage.ranks = {RankPosition(4), RankPosition(5)};
    Finding group = priced(FindingId::SlowCollective, 4'000);
    group.ranks = stage.ranks;
    Diagnosis diagnosis;
    EXPECT_THAT(settled({group, stage}, &diagnosis), testing::ElementsAre("slow-collective"));
    EXPECT_THAT(diagnosis.findings[0].why, testing::HasSubstr("the title of stage-imbalance"));
    group.ranks = {RankPosition(5)};
    EXPECT_THAT(settled({group, stage}), testing::ElementsAre("slow-collective", "stage-imbalance"));
}

TEST(SettledFindings, TellOfLateGatherersWithTheFindingThatHoldsThem) {
    Finding late = priced(FindingId::ShardGatherLate, 3'000);
    late.late = {{RankPosition(2), 6, {0, 1'000}}};
    late.overlap = Overlap{FindingId::DataloaderStall, 3'000, 0};
    EXPECT_THAT(settled({priced(FindingId::DataloaderStall, 14'000), late}), testing::ElementsAre("dataloader-stall"));
}

TEST(SettledFindings, KeepALateRankThatAnUpperBoundHolds) {
    Finding bound = priced(FindingId::LaunchBound, 60'000);
    bound.at_most = true;
    Finding late = priced(FindingId::StragglerRank, 3'000);
    late.overlap = Overlap{FindingId::LaunchBound, 3'000, 0};
    EXPECT_THAT(settled({bound, late}), testing::ElementsAre("launch-bound", "straggler-rank"));
}

TEST(SettledFindings, SayInASentenceWhatTheyComeDownTo) {
    Finding blocks = priced(FindingId::LaunchBound, 60'000);
    blocks.blocked_ns = 50'000;
    const Finding elsewhere = priced(FindingId::HostStall, 3'000);
    Diagnosis diagnosis;
    static_cast<void>(settled({blocks, elsewhere}, &diagnosis));
    EXPECT_THAT(diagnosis.findings[0].summary, testing::HasSubstr("idles 50.0 µs of the "));
    EXPECT_THAT(diagnosis.findings[1].summary, testing::HasSubstr("It costs 3.00 µs of the "));
}

TEST(Confidence, IsToldWithEachDoubt) {
    Price price;
    price.steady_steps = 5;
    price.steady_seen = 5;
    price.coupled = true;
    EXPECT_TRUE(doubtsOf(price, 4).empty());
    price.coupled = false;
    price.beyond_ns = 1;
    EXPECT_THAT(doubtsOf(price, 4), testing::ElementsAre(Doubt::BeyondOwn, Doubt::RanksAlone));
    EXPECT_EQ(confidenceOf(price, 4), Confidence::Medium);
    price.steady_seen = 2;
    EXPECT_THAT(doubtsOf(price, 4), testing::Contains(Doubt::SeldomSeen));
    EXPECT_EQ(confidenceOf(price, 4), Confidence::Low);
    price.steady_steps = 1;
    price.steady_seen = 1;
    EXPECT_EQ(doubtsOf(price, 4).front(), Doubt::OneStep);
    EXPECT_EQ(confidenceOf(price, 4), Confidence::Low);
}

TEST(Findings, AreToldAsARangeOnlyWhereTheyAreUnsure) {
    Finding finding = priced(FindingId::DataloaderStall, 50'000);
    EXPECT_FALSE(isToldAsRange(finding, 100'000));
    finding.range = SavingRange{49'500, 50'500};
    EXPECT_FALSE(isToldAsRange(finding, 100'000));
    finding.range = SavingRange{45'000, 55'000};
    EXPECT_TRUE(isToldAsRange(finding, 100'000));
    finding.at_most = true;
    EXPECT_FALSE(isToldAsRange(finding, 100'000));
}

TEST(Confidence, IsNotHighWhereFewStepsVary) {
    Price price;
    price.steady_steps = 5;
    price.steady_seen = 5;
    price.coupled = true;
    price.saving_ns = 10'000;
    price.share = 0.1;
    price.uncertainty_ns = 1'400;
    EXPECT_EQ(confidenceOf(price, 4), Confidence::High);
    price.uncertainty_ns = 1'600;
    EXPECT_EQ(confidenceOf(price, 4), Confidence::Medium);
    const Finding finding = makeFinding(FindingId::DataloaderStall, price, 4);
    ASSERT_TRUE(finding.range);
    EXPECT_EQ(finding.range->low_ns, 8'400);
    EXPECT_EQ(finding.range->high_ns, 11'600);
}

}  // namespace
}  // namespace rankscope::test
