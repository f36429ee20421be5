// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of simulated runs in which one thing was changed.

#include "core/compare/compare_runs.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {
namespace {

using tracegen::Config;

Config small() {
    Config config = tracegen::configOf(2, 6);
    config.layers = 8;
    return config;
}

AnalysedRun run(const Config& config) {
    return analyse(accuracy::loadSimulated(tracegen::simulate(config)));
}

std::vector<Aspect> respects(const RunComparison& comparison) {
    std::vector<Aspect> out;
    for (const ConfigDifference& one : comparison.differs) {
        out.push_back(one.aspect);
    }
    return out;
}

const FindingPair* pairOf(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison, FindingId id) {
    for (const FindingPair& pair : comparison.findings) {
        if ((pair.a ? a.diagnosis.findings[*pair.a].id : b.diagnosis.findings[*pair.b].id) == id) {
            return &pair;
        }
    }
    return nullptr;
}

TEST(PlantedPairs, AFindingThatAnotherOneHidesInOneRunKeepsItsOwnPrice) {
    const AnalysedRun a = run(small());
    AnalysedRun hidden = run(small());
    AnalysedRun b = run(small());
    Finding launches;
    launches.id = FindingId::LaunchBound;
    launches.saving_ns = 20 * a.facts.median_step_ns / 100;
    b.diagnosis.findings = {launches};
    launches.overlap = Overlap{FindingId::DataloaderStall, launches.saving_ns, launches.saving_ns / 5};
    launches.saving_ns = launches.overlap->after_ns;
    hidden.diagnosis.findings = {launches};
    const RunComparison comparison = compareRuns(hidden, b);
    const FindingPair* pair = pairOf(hidden, b, comparison, FindingId::LaunchBound);
    ASSERT_NE(pair, nullptr);
    EXPECT_EQ(pair->change, FindingChange::Unchanged) << "it only came to light";
    EXPECT_EQ(pair->a_saving_ns, pair->b_saving_ns);
}

TEST(PlantedPairs, ABubbleThatGetsSmallerIsBetterAndNotResolvedAndNew) {
    AnalysedRun a = run(small());
    AnalysedRun b = run(small());
    Finding bubble;
    bubble.id = FindingId::PipelineBubble;
    bubble.title = "Pipeline bubble: 43 % of the time";
    bubble.saving_ns = 40 * a.facts.median_step_ns / 100;
    a.diagnosis.findings = {bubble};
    bubble.title = "Pipeline bubble: 28 % of the time";
    bubble.saving_ns = 20 * a.facts.median_step_ns / 100;
    b.diagnosis.findings = {bubble};
    const RunComparison comparison = compareRuns(a, b);
    ASSERT_EQ(comparison.findings.size(), 1U);
    EXPECT_EQ(comparison.findings[0].change, FindingChange::Better);
    EXPECT_EQ(comparison.findings[0].a_saving_ns, a.diagnosis.findings[0].saving_ns);
    EXPECT_EQ(comparison.findings[0].b_saving_ns, bubble.saving_ns);
}

TEST(PlantedPairs, ARunAgainstItselfDiffersInNothing) {
    const AnalysedRun a = run(small());
    const RunComparison comparison = compareRuns(a, a);
    EXPECT_EQ(comparison.answer.verdict, StepVerdict::NoDifferenceSeen);
    EXPECT_EQ(comparison.step.difference_ns, 0);
    EXPECT_THAT(comparison.differs, testing::IsEmpty());
    EXPECT_EQ(comparison.shared_kernels.a, 1);
    for (const FindingPair& pair : comparison.findings) {
        EXPECT_EQ(pair.change, FindingChange::Unchanged);
    }
    for (const BreakdownRow& row : comparison.breakdown->rows) {
        EXPECT_EQ(row.differenceNs(), 0);
    }
}

TEST(PlantedPairs, AResolvedStallIsFasterResolvedAndSaysWhatItGave) {
    Config stalled = small();
    stalled.faults.push_back(tracegen::parseFault("dataloader"));
    const AnalysedRun a = run(stalled);
    const AnalysedRun b = run(small());
    const RunComparison comparison = compareRuns(a, b);
    EXPECT_EQ(comparison.answer.verdict, StepVerdict::DifferenceOfRecordings);
    EXPECT_THAT(comparison.differs, testing::IsEmpty());
    const FindingPair* stall = pairOf(a, b, comparison, FindingId::DataloaderStall);
    ASSERT_NE(stall, nullptr);
    EXPECT_EQ(stall->change, FindingChange::Resolved);
    EXPECT_GT(*stall->a_time_ns, 10'000'000);
    EXPECT_LT(*stall->b_time_ns, 100'000);
    for (const FindingPair& pair : comparison.findings) {
        EXPECT_NE(pair.change, FindingChange::New) << "invented";
        EXPECT_NE(pair.change, FindingChange::Worse) << "invented";
    }
    // The other way round it is a regression, and new.
    const RunComparison back = compareRuns(b, a);
    EXPECT_EQ(back.answer.verdict, StepVerdict::DifferenceOfRecordings);
    EXPECT_EQ(pairOf(b, a, back, FindingId::DataloaderStall)->change, FindingChange::New);
    EXPECT_TRUE(isRegression(back, 10));
    EXPECT_FALSE(isRegression(back, 100 * back.step.share.value() + 1));
    EXPECT_FALSE(isRegression(comparison, 0));
}

TEST(PlantedPairs, AStragglerOnAnotherRankIsResolvedAndNew) {
    Config first = small();
    first.ranks = 4;
    first.faults.push_back(tracegen::parseFault("slow-kernels:ranks=1"));
    Config second = first;
    second.faults.front().ranks = {2};
    const AnalysedRun a = run(first);
    const AnalysedRun b = run(second);
    const RunComparison comparison = compareRuns(a, b);
    std::vector<FindingChange> changes;
    for (const FindingPair& pair : comparison.findings) {
        if ((pair.a ? a.diagnosis.findings[*pair.a].id : b.diagnosis.findings[*pair.b].id) ==
            FindingId::StragglerRank) {
            changes.push_back(pair.change);
        }
    }
    EXPECT_THAT(changes, testing::UnorderedElementsAre(FindingChange::Resolved, FindingChange::New));
}

TEST(PlantedPairs, AnotherNumberOfRanksAnotherVendorAndStacksAreNamed) {
    Config other = small();
    other.ranks = 4;
    other.vendor = tracegen::Vendor::Rocm;
    other.with_stack = true;
    const RunComparison comparison = compareRuns(run(small()), run(other));
    EXPECT_THAT(respects(comparison),
                testing::IsSupersetOf({Aspect::Ranks, Aspect::WorldSize, Aspect::Vendor, Aspect::Stacks}));
    for (const ConfigDifference& one : comparison.differs) {
        EXPECT_EQ(one.impact, Impact::Qualifies) << aspectName(one.aspect);
    }
}

TEST(PlantedPairs, TwoStepsCannotBeJudgedAtAnyLength) {
    Config stalled = small();
    stalled.steps = 2;
    stalled.faults.push_back(tracegen::parseFault("dataloader"));
    const RunComparison comparison = compareRuns(run(small()), run(stalled));
    EXPECT_EQ(comparison.answer.verdict, StepVerdict::CannotJudge);
    ASSERT_FALSE(comparison.differs.empty());
    EXPECT_EQ(comparison.differs.front().aspect, Aspect::StepCount);
    EXPECT_EQ(comparison.differs.front().impact, Impact::Prevents);
    EXPECT_FALSE(isRegression(comparison, 0)) << "a gate that cannot judge does not fail";
}

TEST(PlantedPairs, KernelsAreAddedRemovedAndCountedByTheStep) {
    Config tiny = small();
    tiny.faults.push_back(tracegen::parseFault("tiny-kernels"));
    const AnalysedRun a = run(small());
    const AnalysedRun b = run(tiny);
    const RunComparison comparison = compareRuns(a, b);
    DurationNs a_sum = 0;
    bool more = false;
    for (const NamePair& pair : comparison.kernels) {
        a_sum += pair.a.sum_ns;
        more = more || pair.b.step_calls > 2 * pair.a.step_calls;
        EXPECT_GE(pair.a.calls + pair.b.calls, 1U) << pair.name;
        if (pair.a.calls > 0) {
            EXPECT_DOUBLE_EQ(pair.a.step_calls, static_cast<double>(pair.a.calls) / 12) << "2 ranks of 6 steps";
        }
    }
    EXPECT_TRUE(more);
    DurationNs expected = 0;
    for (const RankFacts& rank : a.facts.ranks) {
        for (const KernelRow& row : rank.kernels.rows) {
            expected += row.steady_ns;
        }
    }
    EXPECT_EQ(a_sum, expected);
    for (std::size_t i = 1; i < comparison.kernels.size(); ++i) {
        EXPECT_GE(std::abs(comparison.kernels[i - 1].differenceNs()), std::abs(comparison.kernels[i].differenceNs()));
    }
}

TEST(PlantedPairs, ASlowerNetworkIsSeenInTheBandwidthOfTheSameCollectives) {
    Config slow = small();
    slow.bus_gb_per_s /= 2;
    const RunComparison comparison = compareRuns(run(small()), run(slow));
    int seen = 0;
    for (const CollectivePair& pair : comparison.collectives) {
        EXPECT_EQ(pair.a.count, pair.b.count);
        if (pair.a.bus_gb_per_s && pair.bytes.value_or(0) > 1'000'000) {
            EXPECT_LT(*pair.b.bus_gb_per_s / *pair.a.bus_gb_per_s, 0.8) << "half the speed, and the same latency";
            EXPECT_GT(*pair.b.transfer_ns, *pair.a.transfer_ns);
            ++seen;
        }
    }
    EXPECT_GT(seen, 0);
}

TEST(PlantedPairs, TheBandwidthOfASizeIsThatOfTheTransferNextToIt) {
    const AnalysedRun a = run(small());
    const RunComparison comparison = compareRuns(a, run(small()));
    int seen = 0;
    for (const CollectivePair& pair : comparison.collectives) {
        const auto same = [&](const Collective& one) {
            return one.bytes == pair.bytes && one.transfer_ns == pair.a.transfer_ns &&
                   one.bus_gb_per_s == pair.a.bus_gb_per_s;
        };
        EXPECT_TRUE(!pair.a.transfer_ns || std::ranges::any_of(a.facts.collectives.collectives, same));
        seen += pair.a.bus_gb_per_s ? 1 : 0;
    }
    EXPECT_GT(seen, 0);
}

TEST(PlantedPairs, RanksPairByNumberAndAMissingOneLeavesTheOtherUnpaired) {
    Config four = small();
    four.ranks = 4;
    const RunComparison comparison = compareRuns(run(small()), run(four));
    ASSERT_EQ(comparison.ranks.size(), 4U);
    EXPECT_EQ(comparison.ranks[1].a, 1U);
    EXPECT_EQ(comparison.ranks[1].b, 1U);
    ASSERT_TRUE(comparison.ranks[1].breakdown);
    EXPECT_EQ(comparison.ranks[1].breakdown->a_steps, 6U);
    EXPECT_EQ(comparison.ranks[3].a, std::nullopt);
    EXPECT_EQ(comparison.ranks[3].b, 3U);
}

TEST(PlantedPairs, ALargerBatchIsFoundByTheCopiedBytes) {
    Config larger = small();
    larger.loader.batch_bytes *= 2;
    EXPECT_THAT(respects(compareRuns(run(small()), run(larger))), testing::Contains(Aspect::InputSize));
}

}  // namespace
}  // namespace rankscope::test
