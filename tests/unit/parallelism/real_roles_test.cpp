// SPDX-License-Identifier: GPL-3.0-or-later
#include <ostream>

#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// What the groups of a real run are for, as its raw events say.
struct RealRoles {
    const char* path;
    const char* roles;  ///< of its groups in order, with their confidence; "?" where it cannot be told
    const char* grid;
    const char* why;  ///< what stands in the raw events
};

void PrintTo(const RealRoles& real, std::ostream* out) {
    *out << real.path << ": " << real.why;
}

std::string rolesOf(const ParallelismFacts& facts) {
    std::string text;
    for (const GroupRole& group : facts.groups) {
        const std::string role =
            group.role ? std::string(roleName(*group.role)) + " " + std::string(confidenceName(group.confidence)) : "?";
        text += (text.empty() ? "" : ", ") + role;
    }
    return text;
}

class RolesOfRealRuns : public testing::TestWithParam<RealRoles> {};

TEST_P(RolesOfRealRuns, AreThoseThatTheRawEventsTell) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / GetParam().path);
    EXPECT_EQ(rolesOf(run.facts.parallelism), GetParam().roles) << GetParam().why;
    EXPECT_EQ(run.facts.parallelism.grid.text(), GetParam().grid);
    checkRoles(run.facts);
}

INSTANTIATE_TEST_SUITE_P(
    Data, RolesOfRealRuns,
    testing::Values(
        RealRoles{"resnet_ddp_4ranks_rocm", "data high", "data 4",
                  "default_pg: 15 all-reduces a rank that autograd sends between its nodes, 6 broadcasts in "
                  "DistributedDataParallel.forward"},
        RealRoles{"unseen_1/rocm_fused", "data high", "data 4", "the same job, fused into one file"},
        RealRoles{"hta/nccl_parser_config", "data high", "data 2",
                  "default_pg of 2: 15 all-reduces of DDP's, 6 broadcasts of its buffers; rank 0 of 2"},
        RealRoles{
            "tracelens/resnet_act_checkpoint.json.gz", "world low, data high", "data 8",
            "default_pg of 8: 6 all-reduces of DDP's, 6 broadcasts; 5 kernels without launch or args stand apart"},
        RealRoles{"hta/df_index_resolver", "data medium", "data 2",
                  "2,020 all-reduces inside CompiledFunctionBackward, none elsewhere, and no name for their group"},
        RealRoles{"hta/cpu_only", "data low", "data 300",
                  "10 gloo:all_reduce with DistributedDataParallel.forward beside them; no launches on a device"}));
INSTANTIATE_TEST_SUITE_P(
    Divided, RolesOfRealRuns,
    testing::Values(
        RealRoles{"unseen_1/fsdp2_4ranks", "shard high", "shard 4",
                  "default_pg: 15 _allgather_base and 8 _reduce_scatter_base in FSDP:: ranges, 5 all-reduces of norms "
                  "and losses after the backward"},
        RealRoles{"unseen_1/megatron_tp8", "tensor medium", "tensor 8",
                  "84 all-reduces in one step, 81 of them of f16, no node of autograd, no DDP, no args of groups"},
        RealRoles{"tracelens/eager_trace.json.gz", "tensor medium, world low", "tensor 8",
                  "73 vllm::all_reduce in one decoding step without a backward; one all-gather in group 3 of 8 ranks"},
        RealRoles{"unseen_1/expert_8ranks", "expert high, expert high", "expert 8",
                  "58 deep_ep::internode_ll::dispatch and 58 combine a rank, in a CUDA graph, with no args"}));
INSTANTIATE_TEST_SUITE_P(
    UsedForSeveralThings, RolesOfRealRuns,
    testing::Values(
        RealRoles{"dlrm_8ranks_v100", "?", "data 8",
                  "one stream with 3 all-reduces of DDP's and 5 all-to-alls in ranges of torchrec's embedding tables"},
        RealRoles{
            "hta/negative_queue_length_values_check", "?, ?, ?", "data 16",
            "three streams, each with all-to-alls or scatters of embedding tables, one with DDP's all-reduces too"},
        RealRoles{"hta/timeline_analysis", "?, world low", "data 128",
                  "4 all-reduces of DDP's beside 4 all-to-alls of KJT splits; 2 all-gathers of which nothing is said"},
        RealRoles{"hta/trace_filter", "?, world low", "data 128", "as hta/timeline_analysis, rank 1 of the same job"},
        RealRoles{"hta/trace_diff/control", "?", "data 8",
                  "DDP's all-reduces and embedding tables' all-to-alls in one stream"},
        RealRoles{"hta/trace_diff/test", "?", "data 2", "as hta/trace_diff/control"}));
INSTANTIATE_TEST_SUITE_P(WithoutGroups, RolesOfRealRuns,
                         testing::Values(RealRoles{"resnet50_workers/ZeroWorkers", "", "", "one worker"},
                                         RealRoles{"unseen_1/param_resnet", "", "", "one rank"},
                                         RealRoles{"tracelens/xdit_flux_stress.json.gz", "", "",
                                                   "19 groups, each of rank 0 alone, in which nothing ran"}));

TEST(RealRuns, OfDlrmAreDividedByTheOperatorsAroundTheirCollectives) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "dlrm_8ranks_v100");
    ASSERT_EQ(run.facts.parallelism.groups.size(), 1U);
    const GroupRole& group = run.facts.parallelism.groups.front();
    // In the raw events, on stream 84 of each rank: 5 all-to-alls in All2All_Pooled and KJT ranges, 3 all-reduces in
    // AccumulateGrad nodes of autograd.
    ASSERT_EQ(group.parts.size(), 2U);
    EXPECT_EQ(group.parts[0].role, std::nullopt);
    EXPECT_EQ(group.parts[0].label(), "embedding tables split over several ranks");
    EXPECT_EQ(group.parts[0].collectives, 5U);
    EXPECT_EQ(group.parts[1].role, Role::Data);
    EXPECT_EQ(group.parts[1].collectives, 3U);
    EXPECT_EQ(group.parts[0].exposed_ns + group.parts[1].exposed_ns, group.exposed_ns);
    DurationNs data_ns = 0;
    for (const RankRoles& rank : run.facts.parallelism.ranks) {
        data_ns += rank.exposed[Role::Data];
    }
    EXPECT_EQ(data_ns, group.parts[1].exposed_ns);
}

TEST(RunsOfTheCorpus, AreDataAndOneDimensionSinceTheyAreDdp) {
    std::size_t with_groups = 0;
    for (const auto& path : corpusRuns()) {
        SCOPED_TRACE(path.string());
        const AnalysedRun run = loadAndAnalyse(path);
        for (const GroupRole& group : run.facts.parallelism.groups) {
            EXPECT_EQ(group.role, Role::Data);
            EXPECT_EQ(group.confidence, Confidence::High);
        }
        const bool several = run.run->ranks.size() > 1 && !run.facts.parallelism.groups.empty();
        EXPECT_EQ(run.facts.parallelism.grid.dimensions.size(), several ? 1U : 0U);
        EXPECT_EQ(run.facts.parallelism.grid.complete, several);
        with_groups += several ? 1U : 0U;
    }
    EXPECT_GT(with_groups, 5U);
}

TEST(RealRuns, HaveExposedCommunicationThatAddsUpOverTheRolesToTheNanosecond) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* const folder :
         {"hta/ns_resolution_trace", "hta/amd_trace", "hta/critical_path", "hta/with_gpu_user_annotation",
          "hta/rank_unavailable", "hta/distributed_info_unavailable", "param", "resnet50_workers/FourWorkers",
          "tracelens/timesformer_h100.json.gz", "tracelens/timesformer_mi300.json.gz"}) {
        SCOPED_TRACE(folder);
        checkRoles(loadAndAnalyse(realTraces() / folder).facts);
    }
}

}  // namespace
}  // namespace rankscope::test
