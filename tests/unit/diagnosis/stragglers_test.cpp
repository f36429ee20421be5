// SPDX-License-Identifier: GPL-3.0-or-later
#include <ostream>

#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/rebuilt_files.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/truth.h"

namespace rankscope::test {
namespace {

using tracegen::Config;
using tracegen::Dialect;
using tracegen::Vendor;

using Ranks = std::vector<RankPosition>;

Config runWith(const std::string& fault, int ranks = 4) {
    return tracegen::configOf(ranks, 8, fault.empty() ? std::vector<std::string>{} : std::vector{fault});
}

AnalysedRun analyseSimulated(const Config& config) {
    return analyse(accuracy::loadSimulated(tracegen::simulate(config)));
}

bool isStraggler(const Finding& finding) {
    return finding.id == FindingId::StragglerRank || finding.id == FindingId::MovingStraggler;
}

struct Planted {
    const char* fault;
    const char* finding;
    const char* cause;
    Ranks late;
    int ranks = 4;
    Vendor vendor = Vendor::Cuda;
    Dialect dialect = Dialect::Modern;
};

void PrintTo(const Planted& planted, std::ostream* out) {
    *out << planted.fault << " on " << planted.ranks << " ranks, " << planted.vendor << ", " << planted.dialect;
}

class PlantedStragglers : public testing::TestWithParam<Planted> {};

TEST_P(PlantedStragglers, AreFoundOnTheirRanksAndPriced) {
    const Planted& planted = GetParam();
    Config config = runWith(planted.fault, planted.ranks);
    config.vendor = planted.vendor;
    config.dialect = planted.dialect;
    const tracegen::RunResult simulated = tracegen::simulate(config);
    const tracegen::FaultTruth truth = tracegen::priceFault(simulated, 0);
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulated));
    checkLedger(run.facts);
    const Finding& finding = findingIn(run, planted.finding);
    EXPECT_EQ(finding.ranks, planted.late);
    EXPECT_EQ(findingCauseName(finding.cause), planted.cause);
    EXPECT_EQ(finding.confidence, Confidence::High);
    const auto truth_ns = static_cast<double>(truth.savingNs());
    EXPECT_NEAR(static_cast<double>(finding.saving_ns), truth_ns,
                std::max(0.05 * truth_ns, 0.005 * static_cast<double>(run.facts.median_step_ns)));
    EXPECT_LE(finding.saving_ns, finding.blocked_ns);
    EXPECT_FALSE(finding.remedies.empty());
    EXPECT_FALSE(finding.evidence.empty());
    // When it was late: on the culprits only, in each of its steps, and for at least what the others waited.
    std::map<std::pair<RankPosition, std::int64_t>, DurationNs> late_ns;
    for (const LateWindow& late : finding.late) {
        EXPECT_THAT(finding.ranks, testing::Contains(late.rank));
        late_ns[{late.rank, late.step}] += late.span.length();
    }
    const std::size_t at_once = finding.id == FindingId::MovingStraggler ? 1 : finding.ranks.size();
    EXPECT_EQ(late_ns.size(), at_once * finding.steps.size());
    for (const auto& [which, ns] : late_ns) {
        EXPECT_GE(ns, finding.saving_ns) << "rank " << which.first << ", step " << which.second;
    }
    // What makes a rank late is no second finding.
    EXPECT_EQ(findingOf(run, "dataloader-stall"), nullptr);
    EXPECT_EQ(std::ranges::count_if(run.diagnosis.findings, isStraggler), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Simulated, PlantedStragglers,
    testing::Values(
        Planted{"slow-kernels:ranks=2", "straggler-rank", "slower-kernels", {RankPosition(2)}},
        Planted{"slow-kernels:ranks=0,amount=1.08", "straggler-rank", "slower-kernels", {RankPosition(0)}, 2},
        Planted{"slow-kernels:ranks=1+6,amount=1.25",
                "straggler-rank",
                "slower-kernels",
                {RankPosition(1), RankPosition(6)},
                8},
        Planted{"slow-kernels:ranks=3", "straggler-rank", "slower-kernels", {RankPosition(3)}, 4, Vendor::Rocm},
        Planted{"slow-kernels:ranks=3",
                "straggler-rank",
                "slower-kernels",
                {RankPosition(3)},
                4,
                Vendor::Cuda,
                Dialect::Old},
        Planted{"slow-loader:ranks=1", "straggler-rank", "dataloader", {RankPosition(1)}},
        Planted{"slow-loader:ranks=0", "straggler-rank", "dataloader", {RankPosition(0)}, 8, Vendor::Rocm},
        Planted{"uneven-work",
                "moving-straggler",
                "slower-kernels",
                {RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3)}}));

TEST(Stragglers, AreNoneInHealthyRuns) {
    for (const int ranks : {2, 4, 8}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Config config = runWith("", ranks);
            config.seed = seed;
            const AnalysedRun run = analyseSimulated(config);
            EXPECT_TRUE(std::ranges::none_of(run.diagnosis.findings, isStraggler)) << ranks << " ranks, seed " << seed;
            ASSERT_EQ(run.facts.stragglers.ranks.size(), static_cast<std::size_t>(ranks));
            for (const RankLateness& rank : run.facts.stragglers.ranks) {
                EXPECT_NEAR(rank.over_mean, 1.0, 0.02);
                EXPECT_LT(rank.throughput_lost, 0.01);
            }
        }
    }
}

TEST(Stragglers, AreNotBlamedForWhatAllRanksDo) {
    // All ranks make their batches in the main thread: the DataLoader is to blame, and no rank.
    const AnalysedRun run = analyseSimulated(runWith("dataloader"));
    EXPECT_NE(findingOf(run, "dataloader-stall"), nullptr);
    EXPECT_TRUE(std::ranges::none_of(run.diagnosis.findings, isStraggler));
}

TEST(Stragglers, AreJudgedWithoutClocks) {
    Config config = runWith("slow-kernels:ranks=1");
    const AnalysedRun exact = analyseSimulated(config);
    config.clocks = {{0, 0}, {4'000'000, 15}, {-2'500'000, -20}, {800'000, 3}};
    const AnalysedRun skewed = analyseSimulated(config);
    const Finding* a = findingOf(exact, "straggler-rank");
    const Finding* b = findingOf(skewed, "straggler-rank");
    ASSERT_TRUE(a != nullptr && b != nullptr);
    EXPECT_EQ(a->ranks, b->ranks);
    EXPECT_NEAR(static_cast<double>(a->saving_ns), static_cast<double>(b->saving_ns), 10e3);
}

TEST(Stragglers, WithFewStepsAreOfLowConfidence) {
    Config config = runWith("slow-kernels:ranks=1");
    config.steps = 3;  // the first one has no segment time
    const AnalysedRun run = analyseSimulated(config);
    const Finding& finding = findingIn(run, "straggler-rank");
    EXPECT_EQ(finding.confidence, Confidence::Low);
}

TEST(Stragglers, CannotBeToldFromOneRankOfMany) {
    const auto all = accuracy::loadSimulated(tracegen::simulate(runWith("slow-kernels:ranks=2")));
    rankscope::Run one = *all;
    one.ranks.resize(1);
    const AnalysedRun run = analyse(std::make_shared<const rankscope::Run>(std::move(one)));
    EXPECT_TRUE(run.facts.stragglers.ranks.empty());
    EXPECT_TRUE(std::ranges::none_of(run.diagnosis.findings, isStraggler));
    EXPECT_TRUE(std::ranges::any_of(run.diagnosis.cannot_tell,
                                    [](const CannotTell& unknown) { return unknown.id == FindingId::StragglerRank; }));
}

TEST(Stragglers, OfRealRunsAreNotClaimedWhereTheyCostNothing) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // Three steps, of which the first is an outlier: whatever is said is said with low confidence.
    const AnalysedRun resnet = loadAndAnalyse(realTraces() / "resnet_ddp_4ranks_rocm");
    for (const Finding& finding : resnet.diagnosis.findings) {
        EXPECT_TRUE(!isStraggler(finding) || finding.confidence == Confidence::Low);
    }
    // One step, in which the largest skew comes from before the window.
    const AnalysedRun dlrm = loadAndAnalyse(realTraces() / "dlrm_8ranks_v100");
    for (const Finding& finding : dlrm.diagnosis.findings) {
        EXPECT_TRUE(!isStraggler(finding) || finding.confidence == Confidence::Low);
    }
}

struct Named {
    const char* fault;
    const char* finding;
};

class CausesOfLateness : public testing::TestWithParam<Named> {};

TEST_P(CausesOfLateness, ThatHaveANameLeaveNothingToTheStraggler) {
    const AnalysedRun run = analyseSimulated(runWith(GetParam().fault));
    const Finding& named = findingIn(run, GetParam().finding);
    EXPECT_EQ(named.ranks, (Ranks{RankPosition(2)}));
    EXPECT_TRUE(std::ranges::none_of(run.diagnosis.findings, isStraggler));
}

INSTANTIATE_TEST_SUITE_P(Of, CausesOfLateness,
                         testing::Values(Named{"host-sync:ranks=2", "host-sync"},
                                         Named{"allocator:ranks=2", "allocator-stall"},
                                         Named{"host-code:ranks=2", "host-code"}));

/// Twelve steps on four ranks whose GPUs are hardly ever idle.
Config busyRun(const std::string& fault) {
    Config config = tracegen::configOf(4, 12, {fault});
    config.seed = 22'007;
    config.warmup_steps = 3;
    config.kernel_scale = 0.4;
    return config;
}

TEST(Stragglers, ThatTakeTurnsInSomeStepsOnlyAreFoundByTheMeanStep) {
    const tracegen::RunResult simulated = tracegen::simulate(busyRun("uneven-work:amount=1.2,first=4,last=8"));
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulated));
    EXPECT_EQ(run.facts.basis, StepBasis::Mean);
    const Finding& finding = findingIn(run, "moving-straggler");
    EXPECT_EQ(finding.steps.size(), 5U);
    EXPECT_NE(finding.confidence, Confidence::High);
    EXPECT_NEAR(finding.share, 0.07, 0.02);
}

TEST(Stragglers, AreNotTheRanksThatSlowTransfersOfSomeStepsDelay) {
    const AnalysedRun run = analyseSimulated(busyRun("slow-network:amount=16,first=4,last=8"));
    EXPECT_EQ(run.facts.basis, StepBasis::Mean);
    EXPECT_TRUE(std::ranges::none_of(run.diagnosis.findings, isStraggler));
    ASSERT_FALSE(run.diagnosis.findings.empty());
    EXPECT_NEAR(run.diagnosis.findings.front().share, 0.07, 0.03);
}

// Two ranks are ahead of the others by chance, so their GPUs hardly wait for the code that all of them run.
TEST(HostCode, IsOnAllRanksThatSpendAsLongInIt) {
    Config config = busyRun("host-code:amount=9.3");
    config.seed = 3;
    config.steps = 8;
    const AnalysedRun all = analyseSimulated(config);
    EXPECT_EQ(findingIn(all, "host-code").ranks.size(), 4U);
    config.faults.front().ranks = {1, 2};
    const AnalysedRun two = analyseSimulated(config);
    EXPECT_EQ(findingIn(two, "host-code").ranks, (Ranks{RankPosition(1), RankPosition(2)}));
}

// The four ranks make each batch in their main threads. Three wait for rank 2 in a collective meanwhile, so only its
// GPU is idle, but all of them would have to load faster.
TEST(UnexplainedIdle, IsABoundOfWhatAllRanksWouldSave) {
    const TempFolder folder;
    for (int rank = 0; rank < 4; ++rank) {
        const std::string name = "rank" + std::to_string(rank) + ".pt.trace.json";
        folder.write(name, withoutOperators(unpackedText(sample("ZeroWorkers") / (name + ".gz"))));
    }
    const AnalysedRun run = loadAndAnalyse(folder.path());
    const Finding& idle = findingIn(run, "unexplained-idle");
    EXPECT_EQ(idle.ranks, (Ranks{RankPosition(2)}));
    EXPECT_GE(idle.saving_ns, 4 * 68'000'000) << "what workers save in four steps";
    EXPECT_THAT(run.diagnosis.headline.text, HasSubstr("For 61 % of the step the GPU is idle"));
}

TEST(Stragglers, AreLeftWhereSomethingElseIsNamedOnTheirRank) {
    Config config = runWith("slow-kernels:ranks=2,amount=1.3");
    config.faults.push_back(tracegen::parseFault("host-code:ranks=2"));
    const AnalysedRun run = analyseSimulated(config);
    const Finding& straggler = findingIn(run, "straggler-rank");
    EXPECT_EQ(straggler.ranks, (Ranks{RankPosition(2)}));
}

TEST(Stragglers, TakeTheirTimeFromTheDataLoadersFinding) {
    Config both = runWith("dataloader");
    both.faults.push_back(tracegen::parseFault("slow-loader:ranks=1"));
    const AnalysedRun all_ranks = analyseSimulated(runWith("dataloader"));
    const AnalysedRun run = analyseSimulated(both);
    const Finding& straggler = findingIn(run, "straggler-rank");
    const Finding& loader = findingIn(run, "dataloader-stall");
    const Finding& loader_alone = findingIn(all_ranks, "dataloader-stall");
    EXPECT_EQ(findingCauseName(straggler.cause), "dataloader");
    EXPECT_NEAR(static_cast<double>(loader.saving_ns), static_cast<double>(loader_alone.saving_ns),
                0.05 * static_cast<double>(loader_alone.saving_ns));
    ASSERT_TRUE(loader.overlap);
    EXPECT_EQ(loader.overlap->with, FindingId::StragglerRank);
    EXPECT_EQ(loader.overlap->after_ns, loader.saving_ns);
}

}  // namespace
}  // namespace rankscope::test
