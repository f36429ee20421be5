// SPDX-License-Identifier: GPL-3.0-or-later
// The judge of the machine's runs: what it demands, and that it can say no.

#include "tests/accuracy/awaited.h"
#include "tests/accuracy/machine_tables.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/job_faults.h"

namespace rankscope::accuracy {
namespace {

// A fault worth 2 of 20 ms that is found as `seen`, at all resolutions.
MachineScore scored(const SeenFinding& seen) {
    MachineScore score;
    score.name = "items/1/1";
    score.row = "items";
    score.finding = "host-sync";
    score.window = {20'000'000, 2'000'000};
    score.ranks = {0, 1};
    for (MachineResult& result : score.results) {
        result.findings = {seen};
        result.covered = score.window;
        if (seen.id == score.finding) {
            result.position = 0;
        }
    }
    return score;
}

MachineScore healthy(Severity severity) {
    MachineScore score;
    score.name = "healthy/1";
    for (MachineResult& result : score.results) {
        result.findings = {{"launch-bound", severity, 1, {0}}};
    }
    return score;
}

const SeenFinding kRight{"host-sync", Severity::High, 2'100'000, {0, 1}};

TEST(MachineJudge, IsContentWithTheRightFindingInFrontWithItsRanksAndPrice) {
    const MachineTally tally = tallyOf({scored(kRight), healthy(Severity::Low)});
    EXPECT_TRUE(tally.holds());
    EXPECT_EQ(tally.faults.front().second.at[0].in_front, 1U);
    EXPECT_TRUE(failuresOf(scored(kRight)).empty());
}

TEST(MachineJudge, SaysWhatIsWrong) {
    SeenFinding dear = kRight;
    dear.saving_ns = 2'300'000;
    EXPECT_NE(failuresOf(scored(dear)).front().find("wrong price"), std::string::npos);
    SeenFinding elsewhere = kRight;
    elsewhere.ranks = {1};
    EXPECT_NE(failuresOf(scored(elsewhere)).front().find("wrong ranks"), std::string::npos);
    SeenFinding other = kRight;
    other.id = "host-code";
    EXPECT_NE(failuresOf(scored(other)).front().find("not found"), std::string::npos);
    MachineScore third = scored(kRight);
    third.results[1].position = 2;
    third.results[1].findings = {other, other, kRight};
    ASSERT_EQ(failuresOf(third).size(), 1U);
    EXPECT_NE(failuresOf(third).front().find("250 ns: late in the list"), std::string::npos);
    for (const MachineScore& wrong : {scored(dear), scored(elsewhere), scored(other), third}) {
        EXPECT_FALSE(tallyOf({wrong}).holds());
    }
}

TEST(MachineJudge, ComparesAPriceWithTheStepsThatItIsBasedOn) {
    MachineScore score = scored(kRight);
    score.window.price_ns = 4'000'000;
    EXPECT_TRUE(score.priceRight(0));
    EXPECT_FALSE(score.windowPriceRight(0));
    EXPECT_NE(failuresOf(score).front().find("wrong price of the window"), std::string::npos);
    EXPECT_FALSE(tallyOf({score}).holds()) << "both readings have to be right";
    score.results[0].covered.price_ns = 4'000'000;
    EXPECT_FALSE(score.priceRight(0));
    EXPECT_FALSE(score.rangeRight(0));
    score.results[0].findings[0].range = SavingRange{1'000'000, 4'100'000};
    EXPECT_TRUE(score.rangeRight(0));
}

TEST(MachineJudge, ComparesWhatOnlyTheUserKnowsWithTheReportedInterval) {
    MachineScore score = scored(kRight);
    score.results[0].findings[0].saving_ns = score.results[1].findings[0].saving_ns =
        score.results[2].findings[0].saving_ns = 1'000'000;
    score.awaited.wrong_window = 1;
    for (MachineResult& result : score.results) {
        result.findings[0].range = SavingRange{900'000, 2'100'000};
    }
    EXPECT_FALSE(tallyOf({score}).holds());
    score.by_interval = true;
    EXPECT_TRUE(tallyOf({score}).holds());
    score.results[1].findings[0].range = SavingRange{900'000, 1'900'000};
    EXPECT_FALSE(tallyOf({score}).holds()) << "the truth is 2 ms";
}

TEST(MachineJudge, LetsAnUpperBoundBeAboveTheTruthAndNotBelow) {
    SeenFinding bound = kRight;
    bound.at_most = true;
    bound.saving_ns = 3'000'000;
    EXPECT_TRUE(scored(bound).priceRight(0));
    EXPECT_EQ(tallyOf({scored(bound)}).faults.front().second.at[0].bounds, 1U);
    EXPECT_FALSE(scored(bound).windowPriceRight(0));
    bound.saving_ns = 1'700'000;
    EXPECT_FALSE(scored(bound).priceRight(0)) << "no bound where more is saved";
}

TEST(MachineJudge, DemandsNothingOfAFaultThatCostsUnderThreePerCent) {
    MachineScore small = scored({"host-code", Severity::Low, 1, {0}});
    small.window.price_ns = 599'999;
    EXPECT_FALSE(small.demanded());
    EXPECT_TRUE(failuresOf(small).empty());
    small.window.price_ns = 600'000;
    EXPECT_TRUE(small.demanded());
    small.results[0].covered.price_ns = 0;
    EXPECT_TRUE(small.demanded()) << "although it struck only where the window opens, which no price holds";
}

TEST(MachineJudge, LetsOneHealthyRunInAHundredHaveAFindingAboveLow) {
    std::vector<MachineScore> scores(200, healthy(Severity::Low));
    scores[0] = scores[1] = healthy(Severity::Medium);
    EXPECT_TRUE(tallyOf(scores).holds());
    scores[2] = healthy(Severity::High);
    EXPECT_FALSE(tallyOf(scores).holds());
    EXPECT_EQ(tallyOf(scores).health[0].silent, 197U);
}

TEST(MachineJudge, NamesTheFirstFindingWhereAFaultIsNotFound) {
    const std::string text = markdownOf(tallyOf({scored({"host-code", Severity::High, 1, {0}})}));
    EXPECT_NE(text.find("| items | `host-sync` | 1 of 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | - | - |"), std::string::npos)
        << text;
    EXPECT_NE(text.find("| items | `host-code` 3 |"), std::string::npos) << text;
}

TEST(MachineJudge, AwaitsSomethingOnlyOfFaultsThatThereAre) {
    ASSERT_FALSE(awaitedFaults().empty());
    for (const std::string_view name : awaitedFaults()) {
        EXPECT_TRUE(std::ranges::any_of(tracegen::machine::allFaults(), [name](const auto& fault) {
            return fault.name == name;
        })) << name;
        EXPECT_TRUE(awaitedOf(name).any() || awaitedOf(name).wrong_window > 0) << name;
    }
}

TEST(MachineJudge, ShowsWhatIsAwaitedAndFailsWhereMoreIsWrong) {
    MachineScore missed = scored({"host-code", Severity::High, 1, {0}});
    EXPECT_FALSE(tallyOf({missed}).holds());
    missed.awaited = {.missed = 1, .wrong_ranks = 1, .wrong_price = 1, .wrong_window = 1};
    const MachineTally tally = tallyOf({missed});
    EXPECT_TRUE(tally.holds());
    EXPECT_FALSE(tallyOf({missed, missed}).holds()) << "two are missed, and one was known";
    MachineScore dear = missed;
    dear.awaited.wrong_price = 0;
    EXPECT_FALSE(tallyOf({dear}).holds());
    EXPECT_NE(markdownOf(tally).find("| items (awaited) | `host-sync` | 1 of 1 | 0 |"), std::string::npos);
}

TEST(MachineJudge, LetsHealthyRunsOfDividedJobsSayOnlyWhatIsTrue) {
    MachineScore loud = healthy(Severity::High);
    loud.job = true;
    const MachineTally tally = tallyOf({loud});
    EXPECT_FALSE(tally.holds());
    EXPECT_NE(markdownOf(tally).find("| 0 of 1 | `launch-bound` 1 |"), std::string::npos);
    EXPECT_EQ(tally.healthy, 0U) << "jobs are counted apart";
    for (MachineResult& result : loud.results) {
        result.findings.front().is_true = true;
    }
    EXPECT_TRUE(tallyOf({loud}).holds());
}

TEST(MachineJudge, TakesTheBubbleOfAScheduleForTrueAndNothingElse) {
    for (const char* const name : {"healthy-1f1b/1", "healthy-fsdp2/2", "healthy-tensor/1"}) {
        const MachineScore score = judgeCase(name);
        EXPECT_TRUE(score.othersAboveLow(0).empty()) << name;
    }
    const MachineScore bubble = judgeCase("healthy-gpipe/1");
    ASSERT_FALSE(bubble.results[0].findings.empty());
    EXPECT_EQ(bubble.results[0].findings.front().id, "pipeline-bubble");
    EXPECT_TRUE(bubble.results[0].findings.front().is_true)
        << "of 4 stages and 8 micro-batches 3 of 11 parts are bubble";
}

TEST(MachineMatrix, HasEachFaultAtThreeStrengthsTwoHundredHealthyRunsAndNoNameTwice) {
    const std::vector<MachineCase> cases = machineMatrix();
    std::vector<std::string> names;
    for (const MachineCase& one : cases) {
        names.push_back(one.name);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
    for (const tracegen::machine::Fault& fault : tracegen::machine::allFaults()) {
        EXPECT_GE(std::ranges::count(cases, &fault, &MachineCase::fault), 6) << fault.name;
    }
    const auto healthy_jobs = std::ranges::count_if(
        cases, [](const MachineCase& one) { return one.fault == nullptr && one.healthy.job.has_value(); });
    EXPECT_EQ(healthy_jobs, 50) << "two of each preset that is small enough";
    EXPECT_EQ(std::ranges::count(cases, nullptr, &MachineCase::fault), 200 + healthy_jobs);
}

TEST(MachineMatrix, PricesAFaultThatStrikesMostStepsByTheMean) {
    const std::vector<MachineCase> cases = machineMatrix();
    for (const char* name : {"collections/3/1", "storage-stalls/2/1"}) {
        const auto one = std::ranges::find(cases, name, &MachineCase::name);
        ASSERT_NE(one, cases.end()) << name;
        const MachineScore score = judge(*one);
        EXPECT_TRUE(score.demanded()) << name;
        EXPECT_TRUE(score.inFront(0)) << name;
        EXPECT_TRUE(score.priceRight(0)) << name << ": off by " << score.priceError(0) << " ns";
    }
}

TEST(MachineMatrix, IsJudgedAtAllResolutionsWithTheTruthOfTwoSimulations) {
    std::vector<MachineCase> cases = machineMatrix();
    const auto one = std::ranges::find(cases, "pageable/3/1", &MachineCase::name);
    ASSERT_NE(one, cases.end());
    const MachineScore score = judge(*one);
    EXPECT_TRUE(score.error.empty()) << score.error;
    EXPECT_TRUE(score.demanded());
    for (std::size_t at = 0; at < kResolutions; ++at) {
        EXPECT_TRUE(score.results.at(at).error.empty());
        EXPECT_TRUE(score.found(at));
        EXPECT_TRUE(score.priceRight(at));
    }
}

TEST(LateRanks, WithSlowHostsAreNamedAndNotSlowLaunchingOfAll) {
    for (const char* name : {"slow-host/2/2", "slowest-host/3/2"}) {
        const MachineScore score = judgeCase(name);
        for (std::size_t at = 0; at < kResolutions; ++at) {
            EXPECT_TRUE(score.found(at) && score.inFront(at) && score.ranksRight(at)) << name << " at " << at;
            for (const SeenFinding& finding : score.results.at(at).findings) {
                EXPECT_TRUE(finding.id != "launch-bound" || finding.ranks != score.ranks)
                    << name << ": what is one rank's is not priced twice";
            }
        }
    }
}

class FaultOfAJob : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(FaultOfAJob, IsFirstWithItsRanksAndPriceAtEachResolution) {
    const auto [name, finding] = GetParam();
    const MachineScore score = judgeCase(name);
    EXPECT_EQ(score.error, "");
    EXPECT_TRUE(score.demanded());
    EXPECT_FALSE(score.awaited.any());
    for (std::size_t at = 0; at < kResolutions; ++at) {
        SCOPED_TRACE(kGridNames.at(at));
        ASSERT_FALSE(score.results.at(at).findings.empty());
        EXPECT_EQ(score.results.at(at).findings.front().id, finding);
        EXPECT_TRUE(score.ranksRight(at));
        EXPECT_TRUE(score.priceRight(at)) << "off by " << score.priceError(at) << " ns";
    }
}

INSTANTIATE_TEST_SUITE_P(Sample, FaultOfAJob,
                         testing::Values(std::pair("late-gathers/2/1", "shard-gather-late"),
                                         std::pair("late-gathers/3/2", "shard-gather-late"),
                                         std::pair("no-prefetch/2/1", "shard-gather-late"),
                                         std::pair("no-prefetch/3/2", "shard-gather-late"),
                                         std::pair("hot-expert/1/2", "expert-imbalance"),
                                         std::pair("hot-expert/3/1", "expert-imbalance"),
                                         std::pair("slow-tensor-link/2/1", "slow-collective"),
                                         std::pair("slow-tensor-link/3/2", "slow-collective"),
                                         std::pair("slow-stage/3/2", "stage-imbalance")));

TEST(SlowDevices, OfOneReplicaAreNoStageThatIsUneven) {
    const MachineScore score = judgeCase("slow-replica/1/2");
    for (std::size_t at = 0; at < kResolutions; ++at) {
        SCOPED_TRACE(kGridNames.at(at));
        ASSERT_FALSE(score.results.at(at).findings.empty());
        EXPECT_EQ(score.results.at(at).findings.front().id, "straggler-rank");
        EXPECT_TRUE(score.ranksRight(at));
        for (const SeenFinding& finding : score.results.at(at).findings) {
            EXPECT_NE(finding.id, "stage-imbalance");
        }
    }
}

TEST(SlowStages, AreNoStragglerWhereEachReplicaHasThem) {
    MachineCase one;
    one.name = "slow stage of a grid";
    one.row = one.name;
    const std::vector<tracegen::machine::Fault>& all = tracegen::machine::allFaults();
    one.fault = &*std::ranges::find(all, "slow-stage", &tracegen::machine::Fault::name);
    one.strength = 1.25;
    one.healthy = tracegen::machine::jobConfig("grid", 3);
    const MachineScore score = judge(one);
    EXPECT_EQ(score.error, "");
    ASSERT_FALSE(score.results[0].findings.empty());
    EXPECT_EQ(score.results[0].findings.front().id, "stage-imbalance");
    EXPECT_TRUE(score.ranksRight(0)) << "of both replicas";
    for (const SeenFinding& finding : score.results[0].findings) {
        EXPECT_NE(finding.id, "straggler-rank");
    }
}

TEST(DividedLayers, AreDistinguishedFromDataGroupsWithTheSameOperations) {
    const MachineScore score = judgeCase("healthy-grid/1");
    const std::vector<SeenFinding>& findings = score.results[0].findings;
    EXPECT_NE(std::ranges::find(findings, "tensor-communication", &SeenFinding::id), findings.end());
}

TEST(DividedLayers, CostAHealthyServerAndTrainingWhatASimulationWithFreeTransfersSaves) {
    for (const char* const name : {"healthy-serving/1", "healthy-serving-sglang/2", "healthy-grid/1"}) {
        const MachineScore score = judgeCase(name);
        for (std::size_t at = 0; at < kResolutions; ++at) {
            const std::vector<SeenFinding>& findings = score.results.at(at).findings;
            const auto sums = std::ranges::find(findings, "tensor-communication", &SeenFinding::id);
            ASSERT_NE(sums, findings.end()) << name;
            EXPECT_TRUE(sums->at_most) << name;
            EXPECT_TRUE(sums->is_true) << name << ": " << sums->saving_ns << " ns";
            EXPECT_TRUE(score.othersAboveLow(at).empty()) << name;
        }
    }
}

TEST(HotExperts, AreNotSaidOfADeviceThatIsSlowInAllItDoes) {
    MachineCase one;
    one.name = "slow device among experts";
    one.row = one.name;
    const std::vector<tracegen::machine::Fault>& all = tracegen::machine::allFaults();
    one.fault = &*std::ranges::find(all, "slow-replica", &tracegen::machine::Fault::name);
    one.strength = 1.5;
    one.healthy = tracegen::machine::jobConfig("experts", 3);
    const MachineScore score = judge(one);
    EXPECT_EQ(score.error, "");
    ASSERT_FALSE(score.results[0].findings.empty());
    EXPECT_EQ(score.results[0].findings.front().id, "straggler-rank");
    EXPECT_TRUE(score.ranksRight(0));
    for (const SeenFinding& finding : score.results[0].findings) {
        EXPECT_NE(finding.id, "expert-imbalance");
    }
}

TEST(SharedDevices, AreFoundOnTheRankThatSharesIts) {
    const MachineScore score = judgeCase("device-shared/2/2");
    for (std::size_t at = 0; at < kResolutions; ++at) {
        EXPECT_TRUE(score.found(at) && score.inFront(at) && score.ranksRight(at)) << at;
    }
}

}  // namespace
}  // namespace rankscope::accuracy
