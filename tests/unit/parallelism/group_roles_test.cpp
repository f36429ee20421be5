// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/testing.h"
#include "tests/unit/parallelism/job.h"

namespace rankscope::test {
namespace {

using testing::Contains;

/// The two ranks of a job whose groups are these, and which do the same.
std::vector<Rank> pairOf(const std::vector<ProcessGroup>& groups, const std::vector<Call>& calls, bool ddp = false) {
    return {{0, 2, groups, calls, ddp}, {1, 2, groups, calls, ddp}};
}

GroupRole roleIn(const std::vector<Rank>& ranks) {
    const AnalysedRun run = analyse(jobOf(ranks));
    checkRoles(run.facts);
    return run.facts.parallelism.groups.empty() ? GroupRole() : run.facts.parallelism.groups.front();
}

const std::vector<ProcessGroup> kDefault = {groupOf("0", "default_pg", {0, 1})};

TEST(RoleOfAGroup, IsDataWhereDdpSumsGradientsAndItsGridHasOneDimension) {
    const std::vector<Call> calls =
        together({times(1, {Sent::Forward, "broadcast"}), times(5, {Sent::Gradient, "allreduce"})});
    const AnalysedRun run = analyse(jobOf(pairOf(kDefault, calls, true)));
    checkRoles(run.facts);
    const ParallelismFacts& facts = run.facts.parallelism;
    ASSERT_EQ(facts.groups.size(), 1U);
    EXPECT_EQ(facts.groups.front().role, Role::Data);
    EXPECT_EQ(facts.groups.front().confidence, Confidence::High);
    EXPECT_THAT(facts.groups.front().evidence, Contains(HasSubstr("5 of 5 all-reduces")));
    EXPECT_EQ(facts.grid.text(), "data 2");
    EXPECT_TRUE(facts.grid.complete);
    EXPECT_EQ(facts.grid.placeText(RankPosition(1)), "dp 1");
    EXPECT_GT(facts.ranks.front().exposed[Role::Data], 0);
    EXPECT_EQ(facts.ranks.front().exposed[Role::Data], facts.ranks.front().exposed.total());
}

TEST(RoleOfAGroup, IsDataWhereAllSumsAreInTheBackward) {
    const GroupRole group =
        roleIn(pairOf(kDefault, together({times(1, {Sent::Forward, "barrier"}), times(5, {Sent::Node, "allreduce"})})));
    EXPECT_EQ(group.role, Role::Data);
    EXPECT_EQ(group.confidence, Confidence::Medium);
}

TEST(RoleOfAGroup, IsShardWhereGathersAreInForwardAndBackwardAndScattersInTheBackward) {
    const std::vector<Call> calls =
        together({times(3, {Sent::Forward, "_allgather_base"}), times(3, {Sent::Gradient, "_allgather_base"}),
                  times(3, {Sent::Gradient, "_reduce_scatter_base"}), times(1, {Sent::After, "allreduce"})});
    const GroupRole group = roleIn(pairOf(kDefault, calls));
    EXPECT_EQ(group.role, Role::Shard);
    EXPECT_EQ(group.confidence, Confidence::Medium) << "nothing but the operations says so";
}

TEST(RoleOfAGroup, IsShardForCertainWhereTheRangesAroundItsLaunchesAreFsdps) {
    const std::vector<Call> calls = together(
        {times(3, {Sent::Forward, "_allgather_base", 0, "ncclDevKernel_AllGather", "FSDP::all_gather (layers.0)"}),
         times(3, {Sent::Gradient, "_reduce_scatter_base", 0, "ncclDevKernel_ReduceScatter",
                   "FSDP::post_backward_reduce (layers.0)"})});
    const GroupRole group = roleIn(pairOf(kDefault, calls));
    EXPECT_EQ(group.role, Role::Shard);
    EXPECT_EQ(group.confidence, Confidence::High);
}

TEST(RoleOfAGroup, IsDataForTheReplicasOfHybridShards) {
    const std::vector<Call> calls =
        times(3, {Sent::Gradient, "allreduce", 0, "ncclDevKernel_AllReduce", "FSDP::post_backward_reduce (layers.0)"});
    const GroupRole group = roleIn(pairOf({groupOf("1", "mesh_dp_replicate", {0, 1})}, calls));
    EXPECT_EQ(group.role, Role::Data);
    EXPECT_EQ(group.confidence, Confidence::High);
}

TEST(RoleOfAGroup, IsTensorWhereLayersAreSummedInForwardAndBackward) {
    const std::vector<Call> calls =
        together({times(4, {Sent::Forward, "allreduce"}), times(4, {Sent::Node, "allreduce"})});
    const GroupRole unnamed = roleIn(pairOf({groupOf("1", "undefined", {0, 1})}, calls));
    EXPECT_EQ(unnamed.role, Role::Tensor);
    EXPECT_EQ(unnamed.confidence, Confidence::Medium);
    const GroupRole named = roleIn(pairOf({groupOf("1", "TENSOR_MODEL_PARALLEL_GROUP", {0, 1})}, calls));
    EXPECT_EQ(named.role, Role::Tensor);
    EXPECT_EQ(named.confidence, Confidence::High);
}

TEST(RoleOfAGroup, IsTensorWhereGathersAndScattersAreInForwardAndBackward) {
    const std::vector<Call> calls =
        together({times(2, {Sent::Forward, "_allgather_base"}), times(2, {Sent::Forward, "_reduce_scatter_base"}),
                  times(2, {Sent::Node, "_allgather_base"}), times(2, {Sent::Node, "_reduce_scatter_base"})});
    EXPECT_EQ(roleIn(pairOf({groupOf("1", "undefined", {0, 1})}, calls)).role, Role::Tensor);
}

TEST(RoleOfAGroup, IsTensorWhereTheBackwardHasAsManyScattersAsAnUnmarkedForward) {
    const auto role = [](std::size_t apart) {
        return roleIn(pairOf(
            {groupOf("1", "undefined", {0, 1})},
            together({times(4, {Sent::After, "_allgather_base"}), times(apart, {Sent::After, "_reduce_scatter_base"}),
                      times(4, {Sent::Node, "_allgather_base"}), times(4, {Sent::Node, "_reduce_scatter_base"})})));
    };
    EXPECT_EQ(role(4).role, Role::Tensor);
    EXPECT_EQ(role(4).confidence, Confidence::Low) << "nothing says that it is the forward";
    EXPECT_EQ(role(1).role, Role::Shard) << "the last gradients come when the backward is over";
    EXPECT_EQ(role(0).role, Role::Shard);
    EXPECT_EQ(role(1).evidence.back().find("no scatter in the forward"), std::string::npos);
}

TEST(RoleOfAGroup, IsTensorWhereSumsAreManyAndThereIsNoBackward) {
    const GroupRole group = roleIn(pairOf({groupOf("1", "undefined", {0, 1})}, times(8, {Sent::Forward, "allreduce"})));
    EXPECT_EQ(group.role, Role::Tensor);
    EXPECT_EQ(group.confidence, Confidence::Medium);
}

TEST(RoleOfAGroup, IsUnknownWhereNoOperatorsAreRecordedSinceABackwardWouldNotShow) {
    std::vector<Rank> ranks = pairOf({groupOf("1", "undefined", {0, 1})}, times(8, {Sent::After, "allreduce"}));
    EXPECT_EQ(roleIn(ranks).role, Role::Tensor) << "marks of steps are ranges of the CPU";
    for (Rank& rank : ranks) {
        rank.marked = false;
    }
    const GroupRole group = roleIn(ranks);
    EXPECT_FALSE(group.role);
    EXPECT_THAT(group.evidence, Contains(HasSubstr("the operators that launched them were not recorded")));
}

TEST(RoleOfAGroup, IsNotTensorForManySumsOfAFewNumbers) {
    const Call loss = {Sent::Forward, "allreduce", 0, "ncclDevKernel_AllReduce", {}, 1};
    const GroupRole group = roleIn(pairOf({groupOf("1", "undefined", {0, 1})}, times(20, loss)));
    EXPECT_EQ(group.role, Role::World) << "metrics of an evaluation";
    EXPECT_EQ(group.confidence, Confidence::Low);
}

TEST(RoleOfAGroup, IsWorldWhereNothingButItsMembersSaysAnything) {
    const GroupRole named = roleIn(pairOf(kDefault, times(1, {Sent::After, "barrier"})));
    EXPECT_EQ(named.role, Role::World);
    EXPECT_EQ(named.confidence, Confidence::Medium);
    const GroupRole unnamed = roleIn(pairOf({groupOf("3", "undefined", {0, 1})}, times(2, {Sent::After, "allreduce"})));
    EXPECT_EQ(unnamed.role, Role::World);
    EXPECT_EQ(unnamed.confidence, Confidence::Low) << "its name does not say that it is for all";
}

TEST(RoleOfAGroup, IsThatOfItsNameWithLessConfidenceWhereItsOperationsDoNotTell) {
    const GroupRole group =
        roleIn(pairOf({groupOf("7", "CONTEXT_PARALLEL_GROUP", {0, 1})}, times(3, {Sent::Forward, "all_to_all"})));
    EXPECT_EQ(group.role, Role::Sequence);
    EXPECT_EQ(group.confidence, Confidence::Medium);
}

TEST(RoleOfAGroup, IsShardWhereAGroupThatIsNamedForDataGathersAndScatters) {
    const std::vector<Call> calls =
        together({times(3, {Sent::Gradient, "_reduce_scatter_base"}), times(3, {Sent::After, "_allgather_base"})});
    const GroupRole group = roleIn(pairOf({groupOf("2", "DATA_PARALLEL_GROUP", {0, 1})}, calls));
    EXPECT_EQ(group.role, Role::Shard) << "Megatron's distributed optimizer";
    EXPECT_EQ(group.confidence, Confidence::High);
}

TEST(RoleOfAGroup, IsExpertByTheKernelsOfDeepEp) {
    const std::vector<Call> calls =
        times(4, {Sent::Forward, "", 9, "void deep_ep::internode_ll::dispatch<true, 3, 10, 7168>(void*, float*)"});
    const GroupRole group = roleIn(pairOf({}, calls));
    EXPECT_EQ(group.role, Role::Expert);
    EXPECT_EQ(group.confidence, Confidence::High);
}

TEST(RoleOfAGroup, IsPipelineWithLittleConfidenceWhereItOnlySendsAndReceives) {
    const GroupRole group = roleIn(pairOf({groupOf("5", "undefined", {0, 1})}, times(4, {Sent::Forward, "send"})));
    EXPECT_EQ(group.role, Role::Pipeline);
    EXPECT_EQ(group.confidence, Confidence::Low) << "ring attention looks the same";
}

TEST(RoleOfAGroup, IsPipelineWithHighConfidenceWhereItsNameSaysSoTooAndItSendsAndReceives) {
    const GroupRole group =
        roleIn(pairOf({groupOf("5", "PIPELINE_MODEL_PARALLEL_GROUP", {0, 1})}, times(4, {Sent::Forward, "send"})));
    EXPECT_EQ(group.role, Role::Pipeline);
    EXPECT_EQ(group.confidence, Confidence::High);
}

TEST(RoleOfAGroup, IsUnknownWhereItsNameAndItsOperationsContradictEachOther) {
    const GroupRole group =
        roleIn(pairOf({groupOf("1", "mesh_tp", {0, 1})}, times(5, {Sent::Gradient, "allreduce"}), true));
    EXPECT_FALSE(group.role);
    EXPECT_THAT(group.evidence, Contains(HasSubstr("contradict")));
}

TEST(RoleOfAGroup, IsUnknownWhereItIsUsedForTwoThings) {
    const std::vector<Call> calls =
        together({times(4, {Sent::Forward, "_allgather_base"}), times(4, {Sent::Gradient, "_reduce_scatter_base"}),
                  times(4, {Sent::Gradient, "allreduce"})});
    const GroupRole group = roleIn(pairOf(kDefault, calls, true));
    EXPECT_FALSE(group.role);
    EXPECT_THAT(group.evidence, Contains(HasSubstr("more than one thing")));
}

TEST(RoleOfAGroup, IsUnknownForAnAllToAllThatNoNameExplains) {
    const GroupRole group =
        roleIn(pairOf({groupOf("1", "undefined", {0, 1})}, times(4, {Sent::Forward, "all_to_all"})));
    EXPECT_FALSE(group.role);
    EXPECT_THAT(group.evidence, Contains(HasSubstr("no name shows it")));
}

TEST(RoleOfAGroup, IsUnknownWhereItsNameSaysSeveralDimensions) {
    const GroupRole group =
        roleIn(pairOf({groupOf("1", "MODEL_PARALLEL_GROUP", {0, 1})}, times(2, {Sent::After, "allreduce"})));
    EXPECT_FALSE(group.role);
    EXPECT_THAT(group.evidence, Contains(HasSubstr("several dimensions")));
}

TEST(RoleOfAGroup, IsNotDecidedByTheStatisticsOfSyncBatchNorm) {
    const std::vector<Call> calls =
        together({times(5, {Sent::Gradient, "allreduce"}),
                  times(5, {Sent::Node, "allreduce", 0, "ncclDevKernel_AllReduce", "SyncBatchNormBackward"})});
    EXPECT_EQ(roleIn(pairOf(kDefault, calls, true)).role, Role::Data);
}

TEST(RolesOfAJob, OfTensorsAndDataMakeAGridAndDivideTheExposedCommunication) {
    std::vector<Rank> ranks;
    for (const int number : {0, 1, 2, 3}) {
        const int row = number / 2 * 2;
        const int column = number % 2;
        const std::vector<ProcessGroup> groups = {
            groupOf("0", "default_pg", {0, 1, 2, 3}),
            groupOf(row == 0 ? "1" : "2", "mesh_tp", {row, row + 1}),
            groupOf(column == 0 ? "3" : "4", "mesh_dp", {column, column + 2}),
        };
        ranks.push_back({number, 4, groups,
                         together({times(4, {Sent::Forward, "allreduce", 1}), times(4, {Sent::Node, "allreduce", 1}),
                                   times(2, {Sent::Gradient, "allreduce", 2}), times(1, {Sent::After, "barrier", 0})}),
                         true});
    }
    const AnalysedRun run = analyse(jobOf(ranks));
    checkRoles(run.facts);
    const ParallelismFacts& facts = run.facts.parallelism;
    EXPECT_EQ(facts.grid.text(), "data 2 x tensor 2");
    EXPECT_TRUE(facts.grid.complete);
    EXPECT_EQ(facts.grid.placeText(RankPosition(2)), "dp 1, tp 0");
    ASSERT_EQ(facts.groups.size(), 5U) << "two rows, two columns, and all";
    for (const GroupRole& group : facts.groups) {
        const Role role = group.description == "mesh_tp"   ? Role::Tensor
                          : group.description == "mesh_dp" ? Role::Data
                                                           : Role::World;
        EXPECT_EQ(group.role, role) << group.description;
        EXPECT_EQ(group.confidence, role == Role::World ? Confidence::Medium : Confidence::High) << group.description;
    }
    EXPECT_EQ(facts.ranks.front().exposed[Role::Tensor], 80 * 1000);
    EXPECT_EQ(facts.ranks.front().exposed[Role::Data], 20 * 1000);
    EXPECT_EQ(facts.ranks.front().exposed[Role::World], 10 * 1000);
    EXPECT_EQ(facts.ranks.front().exposed[std::nullopt], 0);
}

TEST(RoleOfAGroup, IsWhatTheUserSays) {
    AnalysisOptions options;
    options.roles = {{"mesh_tp", Role::Data}, {"1", Role::Expert}, {"#0", Role::Sequence}};
    const auto run = analyseRun(
        jobOf(pairOf({groupOf("1", "mesh_tp", {0, 1})}, times(4, {Sent::Forward, "allreduce"}))), options, {}, {});
    ASSERT_TRUE(run.ok());
    const GroupRole& group = run.value().facts.parallelism.groups.front();
    EXPECT_EQ(group.role, Role::Sequence) << "the last of the choices that fit counts";
    EXPECT_TRUE(group.by_user);
    EXPECT_EQ(group.confidence, Confidence::High);
    EXPECT_EQ(run.value().facts.parallelism.grid.text(), "sequence 2");
}

TEST(RoleOfAGroup, IsGivenByTheNameAloneWhereNothingRan) {
    const std::vector<ProcessGroup> groups = {groupOf("0", "default_pg", {0, 1}), groupOf("4", "mesh_pp", {0, 1}),
                                              groupOf("5", "undefined", {0, 1}), groupOf("6", "mesh_tp", {0})};
    const AnalysedRun run = analyse(jobOf(pairOf(groups, times(1, {Sent::After, "barrier"}))));
    const std::vector<GroupRole>& found = run.facts.parallelism.groups;
    ASSERT_EQ(found.size(), 2U) << "a name that says nothing, and a group of one rank, are not worth a row";
    EXPECT_EQ(found[1].description, "mesh_pp");
    EXPECT_FALSE(found[1].group);
    EXPECT_EQ(found[1].role, Role::Pipeline);
    EXPECT_EQ(found[1].confidence, Confidence::Medium);
}

TEST(RoleOfAGroup, IsDividedWhereDdpAndEmbeddingTablesShareAStream) {
    const std::vector<Call> calls =
        together({times(3, {Sent::Gradient, "", 1, "ncclDevKernel_AllReduce_Sum_f32"}),
                  times(5, {Sent::Forward, "", 1, "ncclDevKernel_SendRecv", "## all2all_data:kjt splits ##"})});
    const AnalysedRun run = analyse(jobOf({{0, 2, {}, calls, true}, {1, 2, {}, calls, true}}));
    checkRoles(run.facts);
    const ParallelismFacts& facts = run.facts.parallelism;
    ASSERT_EQ(facts.groups.size(), 1U);
    EXPECT_EQ(facts.groups.front().role, std::nullopt);
    ASSERT_EQ(facts.groups.front().parts.size(), 2U);
    EXPECT_EQ(facts.groups.front().parts[0].label(), "embedding tables split over several ranks");
    EXPECT_EQ(facts.groups.front().parts[1].role, Role::Data);
    EXPECT_EQ(facts.grid.text(), "data 2");
    EXPECT_THAT(facts.grid.notes, Contains(AllOf(HasSubstr("Only part of the work in group #0 is data"),
                                                 HasSubstr("for: embedding tables split over several ranks."))));
    EXPECT_EQ(facts.ranks[0].exposed[Role::Data], 3 * 10'000);
    EXPECT_EQ(facts.ranks[0].exposed[std::nullopt], 5 * 10'000);
}

TEST(RoleOfAGroup, IsNotDividedWhereItHasARole) {
    const std::vector<Call> calls =
        together({times(1, {Sent::Forward, "broadcast"}), times(5, {Sent::Gradient, "allreduce"})});
    EXPECT_TRUE(roleIn(pairOf(kDefault, calls, true)).parts.empty());
}

}  // namespace
}  // namespace rankscope::test
