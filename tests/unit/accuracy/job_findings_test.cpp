// SPDX-License-Identifier: GPL-3.0-or-later
// What is found of jobs whose work is divided, held against the same job simulated without the fault.

#include "tests/accuracy/planted_job.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

PlantedJob planted(std::string_view name, std::uint64_t seed = 1) {
    const machine::PlantedFault fault = machine::parsePlanted(name);
    machine::Config config = machine::healthyConfig(seed, fault.fault->least_ranks);
    fault.fault->prepare(config, fault.strength);
    return plantIn(std::move(config), fault);
}

/// Within a tenth of the truth, or 1 % of the step.
void expectPriced(const PlantedJob& job, const Finding& finding) {
    const double off = std::abs(static_cast<double>(finding.saving_ns) - job.true_ns);
    EXPECT_LE(off, std::max(0.1 * job.true_ns, 0.01 * job.step_ns))
        << findingName(finding.id) << " saves " << finding.saving_ns << ", truly " << job.true_ns;
}

TEST(DividedJobs, ASlowStageIsNamedOnceWithWhatItCosts) {
    const PlantedJob job = planted("slow-stage");
    const Finding& slow = job.found(FindingId::StageImbalance);
    EXPECT_EQ(slow.ranks, job.ranks);
    expectPriced(job, slow);
    EXPECT_EQ(job.finding(FindingId::StragglerRank), nullptr) << "that would be the same thing again";
}

TEST(DividedJobs, ASlowLastStageIsPricedThoughItHasTheLossToo) {
    const PlantedJob job = planted("slow-stage", 3);
    const Finding& slow = job.found(FindingId::StageImbalance);
    EXPECT_EQ(slow.ranks, job.ranks);
    EXPECT_FALSE(slow.at_most);
    expectPriced(job, slow);
}

TEST(DividedJobs, AStageWithMoreLayersIsPricedByAnEvenDivision) {
    const PlantedJob job = planted("uneven-stages", 2);
    const Finding& uneven = job.found(FindingId::StageImbalance);
    EXPECT_EQ(uneven.ranks, job.ranks);
    expectPriced(job, uneven);
}

TEST(DividedJobs, LateGathersAreCountedAmongThoseThatCanBeJudgedAndTakeTheirScattersAlong) {
    const PlantedJob job = planted("no-prefetch");
    const Finding& late = job.found(FindingId::ShardGatherLate);
    std::size_t judged = 0;
    std::size_t begin_late = 0;
    std::size_t scatters = 0;
    for (const ShardCollective& shard : job.run.facts.shards.collectives) {
        const bool gather = shard.operation == ShardOperation::Gather;
        const bool unprefetched = shard.transfer_cause == ShardCause::NoPrefetch;
        judged += gather && shard.transfer_cause != ShardCause::Unknown ? 1U : 0U;
        begin_late += gather && unprefetched ? 1U : 0U;
        scatters += !gather && unprefetched ? 1U : 0U;
    }
    ASSERT_GT(scatters, 0U);
    EXPECT_LT(judged, 1.2 * static_cast<double>(begin_late)) << "before the window no launch is recorded";
    EXPECT_TRUE(late.why.starts_with(std::to_string(begin_late) + " of " + std::to_string(judged) +
                                     " gathers of parameters that can be judged start too late"))
        << late.why;
    EXPECT_NE(late.why.find(std::to_string(scatters) + " scatters of gradients are exposed"), std::string::npos)
        << late.why;
    EXPECT_NE(late.evidence.front().note.find("could be hidden, but nothing was launched ahead"), std::string::npos)
        << late.evidence.front().note;
}

TEST(DividedJobs, TooFewMicroBatchesAreReportedAsTheBubble) {
    const PlantedJob job = planted("few-micro-batches");
    ASSERT_FALSE(job.run.diagnosis.findings.empty());
    const Finding& first = job.run.diagnosis.findings.front();
    EXPECT_EQ(first.id, FindingId::PipelineBubble);
    EXPECT_EQ(first.ranks, job.ranks);
    EXPECT_FALSE(first.at_most);
    ASSERT_TRUE(first.range) << "which number of micro-batches fits, nothing tells";
    EXPECT_LE(first.range->low_ns, job.true_ns);
    EXPECT_GE(first.range->high_ns, job.true_ns);
    EXPECT_EQ(job.finding(FindingId::StageImbalance), nullptr);
}

TEST(DividedJobs, ASlowDeviceOfOneReplicaIsARankAndNoStage) {
    const PlantedJob job = planted("slow-replica");
    const Finding& late = job.found(FindingId::StragglerRank);
    EXPECT_EQ(late.ranks, job.ranks);
    expectPriced(job, late);
    EXPECT_EQ(job.finding(FindingId::StageImbalance), nullptr);
}

TEST(DividedJobs, AHotExpertIsFoundWithoutItsSizes) {
    const PlantedJob job = planted("hot-expert");
    const Finding& hot = job.found(FindingId::ExpertImbalance);
    EXPECT_EQ(hot.ranks, job.ranks);
    expectPriced(job, hot);
}

}  // namespace
}  // namespace rankscope::accuracy
