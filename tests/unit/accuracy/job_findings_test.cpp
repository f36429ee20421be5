// SPDX-License-Identifier: GPL-3.0-or-later
// What is found of jobs whose work is divided, held against the same job simulated without the fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

/// A job with a fault as it is analysed, and what the fault truly costs of a step.
struct PlantedJob {
    AnalysedRun run;
    double true_ns = 0;
    double step_ns = 0;
    std::vector<RankPosition> ranks;  ///< that have it

    [[nodiscard]] const Finding* finding(FindingId id) const {
        const auto at = std::ranges::find(run.diagnosis.findings, id, &Finding::id);
        return at == run.diagnosis.findings.end() ? nullptr : &*at;
    }
};

PlantedJob planted(std::string_view name, std::uint64_t seed = 1) {
    const machine::PlantedFault fault = machine::parsePlanted(name);
    machine::Config config = machine::healthyConfig(seed, fault.fault->least_ranks);
    fault.fault->prepare(config, fault.strength);
    const machine::TrueRun without = machine::simulate(config);
    fault.fault->plant(config, fault.strength);
    const machine::TrueRun with = machine::simulate(config);
    AnalysisOptions options;
    options.threads = 2;
    Result<AnalysedRun> analysed = analyseRun(loadFiles(writeFiles(with, {})), options, {}, {});
    EXPECT_TRUE(analysed.ok());
    const nlohmann::json truth = machine::truthOf(with, {}, &fault, &without).at("faults").at(0);
    PlantedJob job{
        std::move(analysed).value(), truth.at("saving_ns").get<double>(), truth.at("step_ns").get<double>(), {}};
    for (const std::uint32_t rank : truth.at("ranks").get<std::vector<std::uint32_t>>()) {
        job.ranks.emplace_back(rank);
    }
    return job;
}

/// Within a tenth of the truth, or 1 % of the step.
void expectPriced(const PlantedJob& job, const Finding& finding) {
    const double off = std::abs(static_cast<double>(finding.saving_ns) - job.true_ns);
    EXPECT_LE(off, std::max(0.1 * job.true_ns, 0.01 * job.step_ns))
        << findingName(finding.id) << " saves " << finding.saving_ns << ", truly " << job.true_ns;
}

TEST(DividedJobs, ASlowStageIsNamedOnceWithWhatItCosts) {
    const PlantedJob job = planted("slow-stage");
    const Finding* const slow = job.finding(FindingId::StageImbalance);
    ASSERT_NE(slow, nullptr);
    EXPECT_EQ(slow->ranks, job.ranks);
    expectPriced(job, *slow);
    EXPECT_EQ(job.finding(FindingId::StragglerRank), nullptr) << "that would be the same thing again";
}

TEST(DividedJobs, ASlowLastStageIsPricedThoughItHasTheLossToo) {
    const PlantedJob job = planted("slow-stage", 3);
    const Finding* const slow = job.finding(FindingId::StageImbalance);
    ASSERT_NE(slow, nullptr);
    EXPECT_EQ(slow->ranks, job.ranks);
    EXPECT_FALSE(slow->at_most);
    expectPriced(job, *slow);
}

TEST(DividedJobs, AStageWithMoreLayersIsPricedByAnEvenDivision) {
    const PlantedJob job = planted("uneven-stages", 2);
    const Finding* const uneven = job.finding(FindingId::StageImbalance);
    ASSERT_NE(uneven, nullptr);
    EXPECT_EQ(uneven->ranks, job.ranks);
    expectPriced(job, *uneven);
}

TEST(DividedJobs, LateGathersAreCountedAmongThoseThatCanBeJudgedAndTakeTheirScattersAlong) {
    const PlantedJob job = planted("no-prefetch");
    const Finding* const late = job.finding(FindingId::ShardGatherLate);
    ASSERT_NE(late, nullptr);
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
    EXPECT_TRUE(late->why.starts_with(std::to_string(begin_late) + " of " + std::to_string(judged) +
                                      " gathers of parameters that can be judged begin too late"))
        << late->why;
    EXPECT_NE(late->why.find(std::to_string(scatters) + " scatters of gradients stand in the open"), std::string::npos)
        << late->why;
    EXPECT_NE(late->evidence.front().note.find("could be hidden, but nothing was launched ahead"), std::string::npos)
        << late->evidence.front().note;
}

TEST(DividedJobs, TooFewMicroBatchesAreToldAsTheBubble) {
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
    const Finding* const late = job.finding(FindingId::StragglerRank);
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->ranks, job.ranks);
    expectPriced(job, *late);
    EXPECT_EQ(job.finding(FindingId::StageImbalance), nullptr);
}

TEST(DividedJobs, AHotExpertIsToldWithoutItsSizes) {
    const PlantedJob job = planted("hot-expert");
    const Finding* const hot = job.finding(FindingId::ExpertImbalance);
    ASSERT_NE(hot, nullptr);
    EXPECT_EQ(hot->ranks, job.ranks);
    expectPriced(job, *hot);
}

}  // namespace
}  // namespace rankscope::accuracy
