// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/shards.h"

#include "core/analysis/shards/unit_names.h"
#include "core/analysis/shards/zero_stage.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/parallelism/job.h"
#include "tests/unit/parallelism/sharded_job.h"

namespace rankscope::test {
namespace {

AnalysedRun analysed(const ShardedJob& job) {
    AnalysedRun run = analyse(job.make().run);
    checkRoles(run.facts);
    checkShards(run.facts);
    return run;
}

/// How many gathers or scatters have their transfer in the open for each cause.
std::map<std::string, std::size_t> causes(const AnalysedRun& run, ShardOperation operation) {
    std::map<std::string, std::size_t> counts;
    for (const ShardCollective& shard : run.facts.shards.collectives) {
        if (shard.operation == operation) {
            ++counts[std::string(shardCauseName(shard.transfer_cause))];
        }
    }
    return counts;
}

/// The exposed transfers of gathers of a rank's steps that count, by cause.
DurationNs exposedBy(const AnalysedRun& run, RankPosition rank, ShardCause cause) {
    return run.facts.shards.ranks[rank].counted.gathers[cause];
}

std::string shardRemedies(const Finding& finding) {
    std::string text;
    for (const Remedy& remedy : finding.remedies) {
        text += remedy.action + "\n";
    }
    return text;
}

TEST(Shards, GatheredAheadShowNothingButTheFirstAndTheLastUnit) {
    const AnalysedRun run = analysed({});
    const ShardStep& counted = run.facts.shards.ranks[0].counted;
    const auto steps = static_cast<DurationNs>(run.facts.parallelism.ranks[0].counted);
    EXPECT_EQ(exposedBy(run, RankPosition(0), ShardCause::FirstUnit), steps * 100 * kUs);
    EXPECT_EQ(counted.scatters[ShardCause::LastUnit], steps * 100 * kUs);
    EXPECT_LT(counted.gathers.total() - exposedBy(run, RankPosition(0), ShardCause::FirstUnit), steps * 120 * kUs)
        << "what the backward gathers first has only the end of the forward beside it";
    EXPECT_EQ(findingOf(run, "shard-gather-late"), nullptr);
}

TEST(Shards, HaveTheNamesOfTheirUnitsFromRanges) {
    const AnalysedRun run = analysed({});
    ASSERT_EQ(run.facts.shards.units.size(), 4U);
    EXPECT_EQ(run.facts.shards.units[0].name, "layers.0");
    EXPECT_TRUE(run.facts.shards.units[0].named);
    EXPECT_EQ(run.facts.shards.framework, ShardFramework::Fsdp2);
}

TEST(Shards, WithoutNamesAreCountedByPhase) {
    ShardedJob job;
    job.names_units = false;
    const AnalysedRun run = analysed(job);
    EXPECT_EQ(run.facts.shards.units[0].name, "gather 1 of the forward");
    EXPECT_FALSE(run.facts.shards.units[0].named);
}

TEST(Shards, KnowWhatNeededTheirParametersAndHowLongItWaited) {
    const AnalysedRun run = analysed({});
    const RankShards& rank = run.facts.shards.ranks[0];
    const ShardPart& first = rank.parts.front();
    ASSERT_TRUE(first.consumer.valid());
    EXPECT_EQ(run.run->ranks[0]->name(first.consumer), "split_with_sizes_copy");
    // Launched 11 us after the gather began, ready with the end of its call, and started 1 us after the gather ended.
    ASSERT_TRUE(first.consumer_wait_ns);
    EXPECT_GT(*first.consumer_wait_ns, 80 * kUs);
    EXPECT_LE(*first.consumer_wait_ns, 100 * kUs);
    EXPECT_FALSE(first.call.empty());
    const auto hidden = std::ranges::find_if(
        rank.parts, [&](const ShardPart& part) { return run.facts.shards.collectives[part.of].prefetched; });
    ASSERT_NE(hidden, rank.parts.end());
    EXPECT_EQ(hidden->consumer_wait_ns, 0);
}

TEST(Shards, GatheredOneByOneAreFoundAndPricedByTheSavingOfPrefetch) {
    ShardedJob job;
    job.gathering = Gathering::OneByOne;
    const AnalysedRun run = analysed(job);
    EXPECT_EQ(causes(run, ShardOperation::Gather)["no-prefetch"], 4U * 7U) << "all but the first of each step";
    const Finding& late = findingIn(run, "shard-gather-late");
    job.gathering = Gathering::Ahead;
    const double ahead_us = job.make().step_us;
    const double saving_us = static_cast<double>(late.saving_ns) / 1e3;
    const double step_us = static_cast<double>(run.facts.median_step_ns) / 1e3;
    EXPECT_NEAR(saving_us, step_us - ahead_us, 0.1 * (step_us - ahead_us));
    EXPECT_TRUE(late.at_most);
    EXPECT_THAT(shardRemedies(late), HasSubstr("set_modules_to_backward_prefetch"));
    EXPECT_THAT(shardRemedies(late), testing::Not(HasSubstr("bucket_cap_mb")));
    ASSERT_FALSE(late.evidence.empty());
    EXPECT_THAT(run.run->ranks[late.evidence.front().rank]->name(late.evidence.front().slice), HasSubstr("nccl"));
}

TEST(Shards, BlockedByTheLimiterAreReportedAsThat) {
    ShardedJob job;
    job.gathering = Gathering::AfterLimiter;
    const AnalysedRun run = analysed(job);
    EXPECT_GE(causes(run, ShardOperation::Gather)["limited"], 4U * 3U)
        << "those of the forward; those of the backward stand behind scatters too";
    const Finding& late = findingIn(run, "shard-gather-late");
    EXPECT_THAT(shardRemedies(late), HasSubstr("limit_all_gathers=False"));
    EXPECT_EQ(run.facts.shards.framework, ShardFramework::Fsdp1);
}

TEST(Shards, OfASlowHostAreLateByItsLaunches) {
    ShardedJob job;
    job.host_us = 900;
    const AnalysedRun run = analysed(job);
    EXPECT_GE(causes(run, ShardOperation::Gather)["host-late"], 4U * 3U);
    EXPECT_EQ(causes(run, ShardOperation::Gather)["no-prefetch"], 0U);
}

TEST(Shards, ThatWaitForARankNameItAndItsHost) {
    ShardedJob job;
    job.late_rank = 1;
    const AnalysedRun run = analysed(job);
    const ShardFacts& shards = run.facts.shards;
    EXPECT_GT(shards.ranks[1].late_ns, 0);
    EXPECT_EQ(shards.ranks[0].late_ns, 0) << "nobody waits for it";
    const ShardCollective& first = shards.collectives.front();
    EXPECT_EQ(first.last, RankPosition(1));
    EXPECT_EQ(first.wait_cause, ShardCause::HostLate);
    EXPECT_EQ(first.transfer_cause, ShardCause::FirstUnit);
    const auto steps = static_cast<DurationNs>(run.facts.parallelism.ranks[0].counted);
    EXPECT_EQ(exposedBy(run, RankPosition(0), ShardCause::HostLate), steps * 600 * kUs);
    EXPECT_EQ(exposedBy(run, RankPosition(1), ShardCause::HostLate), 0);
}

TEST(Shards, LongerThanWhatCouldHideThemAreTooLargeAndNoFinding) {
    ShardedJob job;
    job.gather_us = 1500;
    const AnalysedRun run = analysed(job);
    EXPECT_GE(causes(run, ShardOperation::Gather)["too-large"], 4U * 3U);
    EXPECT_EQ(findingOf(run, "shard-gather-late"), nullptr) << "they begin as early as they can";
}

TEST(ZeroStage, IsThreeWhereForwardAndBackwardGather) {
    const ZeroStage stage = analysed({}).facts.shards.stage;
    EXPECT_EQ(stage.lowest, 3);
    EXPECT_EQ(stage.highest, 3);
    EXPECT_EQ(stage.confidence, Confidence::High);
    EXPECT_EQ(stage.ranks, 2);
    EXPECT_DOUBLE_EQ(*stage.rule_factor, 1.5);
    EXPECT_DOUBLE_EQ(*stage.traffic_factor, 1.5) << "each unit is gathered twice and scattered once";
    EXPECT_EQ(stage.parameters, 4 * 1'000'000);
}

TEST(ZeroStage, IsTwoWhereTheForwardAloneGathers) {
    ShardedJob job;
    job.reshard = false;
    const ZeroStage stage = analysed(job).facts.shards.stage;
    EXPECT_EQ(stage.lowest, 2);
    EXPECT_EQ(stage.highest, 2);
    EXPECT_DOUBLE_EQ(*stage.traffic_factor, 1.0);
}

TEST(ZeroStage, IsOneOrTwoWhereParametersAreGatheredAfterTheOptimizer) {
    const std::vector<ProcessGroup> groups = {groupOf("0", "dp_shard", {0, 1})};
    std::vector<Call> calls =
        together({times(1, {Sent::Forward, "broadcast"}), times(4, {Sent::Gradient, "_reduce_scatter_base"}),
                  times(2, {Sent::After, "_allgather_base"})});
    const AnalysedRun run = analyse(jobOf({{0, 2, groups, calls, false, 3}, {1, 2, groups, calls, false, 3}}));
    const ZeroStage& stage = run.facts.shards.stage;
    EXPECT_EQ(stage.lowest, 1);
    EXPECT_EQ(stage.highest, 2);
}

TEST(ZeroStage, HasTheBytesOfTheRulesOfThumb) {
    EXPECT_DOUBLE_EQ(ruleBytesEach(0, 8), 16);
    EXPECT_DOUBLE_EQ(ruleBytesEach(1, 8), 5.5);
    EXPECT_DOUBLE_EQ(ruleBytesEach(2, 8), 3.75);
    EXPECT_DOUBLE_EQ(ruleBytesEach(3, 8), 2);
}

TEST(UnitNames, AreReadFromTheRangesOfFsdp) {
    EXPECT_EQ(unitOfRange("FSDP::pre_forward (layers.0)"), "layers.0");
    EXPECT_EQ(unitOfRange("FSDP::all_gather (norm, output)"), "norm, output");
    EXPECT_EQ(unitOfRange("FSDP::backward_prefetch for layers.5"), "layers.5");
    EXPECT_EQ(unitOfRange("FSDP::root_pre_forward"), std::nullopt);
    EXPECT_EQ(unitOfRange("forward (layers.0)"), std::nullopt);
    EXPECT_EQ(unitOfCopyOut("FSDP::all_gather_copy_out (layers.1)"), "layers.1");
    EXPECT_EQ(unitOfCopyOut("FSDP::all_gather (layers.1)"), std::nullopt);
}

TEST(RealShards, OfFsdp2WaitForRankTwoWhoseHostLaunchesLast) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/fsdp2_4ranks");
    checkShards(run.facts);
    const ShardFacts& shards = run.facts.shards;
    // In the raw events 15 _allgather_base and 8 _reduce_scatter_base a rank; those of rank 2 take 11 to 48 us and
    // begin some 10 us after their launch calls do, those of the others take up to 7.1 ms.
    EXPECT_EQ(shards.collectives.size(), 23U);
    EXPECT_EQ(shards.units.size(), 8U);
    EXPECT_EQ(shards.ranks[2].last, 23U);
    for (const ShardCollective& shard : shards.collectives) {
        EXPECT_EQ(shard.wait_cause, ShardCause::HostLate) << shards.units[shard.unit].name;
    }
    EXPECT_EQ(shards.stage.lowest, 3);
    EXPECT_EQ(shards.stage.parameters, 4 * (131'072 + 6 * 213'120 + 131'136));
    // All ranks need 43 to 44 ms for forward_backward; rank 2 begins it last, since its __next__ took 15.7 ms, where
    // the others' took 8.5, 9.3 and 12.9: as soon as it is as fast as the median of these, rank 0 is the last.
    const Finding& late = findingIn(run, "shard-gather-late");
    EXPECT_EQ(late.ranks, std::vector{RankPosition(2)});
    EXPECT_EQ(findingCauseName(late.cause), "dataloader");
    EXPECT_NEAR(static_cast<double>(late.saving_ns), 15.7e6 - 12.9e6, 0.5e6);
    EXPECT_THAT(late.why, HasSubstr("Rank 2: last to arrive at 23 of 23 gathers and scatters"));
    const Finding& loader = findingIn(run, "dataloader-stall");
    EXPECT_EQ(loader.ranks.size(), 4U) << "beyond that all loaders are slow";
    ASSERT_TRUE(loader.overlap);
    EXPECT_EQ(loader.saving_ns, loader.overlap->after_ns) << "no cost is told twice";
}

TEST(RealShards, AreNowhereInRunsWithoutThem) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* const path : {"resnet_ddp_4ranks_rocm", "unseen_1/rocm_fused", "hta/nccl_parser_config",
                                   "hta/df_index_resolver", "dlrm_8ranks_v100", "unseen_1/megatron_tp8",
                                   "unseen_1/expert_8ranks", "tracelens/resnet_act_checkpoint.json.gz"}) {
        SCOPED_TRACE(path);
        const AnalysedRun run = loadAndAnalyse(realTraces() / path);
        EXPECT_FALSE(run.facts.shards.any());
        EXPECT_EQ(findingOf(run, "shard-gather-late"), nullptr);
        checkShards(run.facts);
    }
}

TEST(Shards, AreNowhereInTheCorpus) {
    for (const auto& path : corpusRuns()) {
        SCOPED_TRACE(path.string());
        EXPECT_FALSE(loadAndAnalyse(path).facts.shards.any());
    }
}

}  // namespace
}  // namespace rankscope::test
