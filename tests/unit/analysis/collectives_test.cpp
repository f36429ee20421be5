// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/collectives/matching/align_calls.h"
#include "core/analysis/run_facts.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/// One collective as a rank sees it, in microseconds.
struct Part {
    double launch_us = 0;
    double start_us = 0;
    double length_us = 0;
    std::int64_t elements = 1000;
};

/// A rank with a step of 1000 us, a short kernel at its front and these all-reduces.
std::shared_ptr<const RankTrace> rankWith(std::int32_t number, const std::vector<Part>& parts, bool with_args = true,
                                          std::int32_t world = 2, const char* lane = "20") {
    ModelBuilder model;
    model.rank(number, world);
    const std::uint32_t main = model.thread("main");
    const std::uint32_t compute = model.stream("7");
    const std::uint32_t comm = model.stream(lane);
    model.step(main, 5, 0, 1000);
    model.kernel(main, 10, 5, compute, "gemm", 20, 30);
    for (const Part& part : parts) {
        const auto kernel = model.kernel(main, part.launch_us, 5, comm, kAllReduce, part.start_us, part.length_us);
        if (with_args) {
            model.collective(kernel, "allreduce", part.elements);
        }
    }
    return model.build();
}

AnalysisResult factsOf(std::vector<std::shared_ptr<const RankTrace>> ranks) {
    const auto run = runOf(std::move(ranks));
    auto facts = analyseFacts(*run, {.threads = 1}, {}, {});
    EXPECT_TRUE(facts.ok());
    checkRunFacts(facts.value().facts);
    return std::move(facts.value());
}

TEST(Collectives, AreMatchedByOrderWhereNothingButTheKernelsNameIsRecorded) {
    const AnalysisResult run = factsOf({rankWith(0, {{100, 120, 300}}, false), rankWith(1, {{300, 320, 100}}, false)});
    ASSERT_EQ(run.facts.collectives.collectives.size(), 1U);
    const Collective& match = run.facts.collectives.collectives.front();
    EXPECT_EQ(match.kind, CollectiveKind::AllReduce);
    EXPECT_EQ(match.method, MatchMethod::Order);
    EXPECT_TRUE(match.complete);
    EXPECT_EQ(run.facts.collectives.groups[match.group].origin, GroupOrigin::World);
}

TEST(Collectives, AreMatchedWhereTheRanksNumberTheirStreamsDifferently) {
    const AnalysisResult run =
        factsOf({rankWith(0, {{100, 120, 300}}, false, 2, "9"), rankWith(1, {{300, 320, 100}}, false, 2, "84")});
    ASSERT_EQ(run.facts.collectives.collectives.size(), 1U);
    EXPECT_TRUE(run.facts.collectives.collectives.front().complete);
}

/// A rank whose window begins with an all-reduce that was launched before it, and that began at `start_us`; its only
/// step is on the host from 100 us, and sends another.
std::shared_ptr<const RankTrace> rankWithOneFromBefore(std::int32_t number, double start_us) {
    ModelBuilder model;
    model.rank(number, RankPosition(2));
    const std::uint32_t main = model.thread("main");
    const std::uint32_t comm = model.stream("20");
    model.step(main, 5, 100, 900);
    model.slice(comm, Category::Kernel, kAllReduce, start_us, 200 - start_us);
    model.kernel(main, 300, 5, comm, kAllReduce, 320, 100);
    return model.build();
}

TEST(Collectives, LaunchedBeforeTheWindowAreMatchedAtAnyProgressOfTheDevice) {
    // The device is behind its host: the first all-reduce runs before the step's mark on one rank and in it on another.
    const AnalysisResult run = factsOf({rankWithOneFromBefore(0, 80), rankWithOneFromBefore(1, 120)});
    ASSERT_EQ(run.facts.collectives.collectives.size(), 2U);
    EXPECT_TRUE(run.facts.collectives.collectives[0].complete);
    EXPECT_TRUE(run.facts.collectives.collectives[1].complete);
    EXPECT_THAT(run.facts.collectives.unmatched, testing::IsEmpty());
}

TEST(Collectives, TransferIsTheShortestPartAndTheRestOfTheOthersIsWaiting) {
    const AnalysisResult run = factsOf({rankWith(0, {{100, 120, 300}}), rankWith(1, {{300, 320, 100}})});
    const Collective& match = run.facts.collectives.collectives.front();
    EXPECT_EQ(match.transfer_ns, 100'000);
    EXPECT_EQ(match.memberOf(RankPosition(0))->wait_ns, 200'000);
    EXPECT_EQ(match.memberOf(RankPosition(1))->wait_ns, 0);
    const Partition& waiting = *run.facts.ranks[0].steps[0].partition;
    EXPECT_EQ(waiting.exposed_wait_ns, 200'000);
    EXPECT_EQ(waiting.exposed_transfer_ns, 100'000);
    EXPECT_EQ(waiting.exposed_unsplit_ns, 0);
}

TEST(Collectives, BandwidthIsDecimalGigabytesOverTheTransfer) {
    // 1000 floats in 100 us: 4000 B / 100 us = 0.04 GB/s; two ranks: the bus carries 2 (2 - 1) / 2 = 1 x that.
    const AnalysisResult run = factsOf({rankWith(0, {{100, 120, 300}}), rankWith(1, {{300, 320, 100}})});
    const Collective& match = run.facts.collectives.collectives.front();
    ASSERT_TRUE(match.algorithm_gb_per_s);
    EXPECT_DOUBLE_EQ(*match.algorithm_gb_per_s, 0.04);
    EXPECT_DOUBLE_EQ(*match.bus_gb_per_s, 0.04);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::AllReduce, 4), 1.5);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::AllGather, 4), 0.75);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::Broadcast, 4), 1.0);
}

TEST(Collectives, OfDifferentSizesAreNoPair) {
    const AnalysisResult run = factsOf({rankWith(0, {{100, 120, 300, 1000}}), rankWith(1, {{300, 320, 100, 2000}})});
    EXPECT_EQ(run.facts.collectives.collectives.size(), 2U);
    EXPECT_FALSE(run.facts.collectives.unmatched.empty());
    EXPECT_FALSE(run.facts.ranks[0].steps[0].partition->exposed_wait_ns);
}

TEST(Collectives, OfOneRankOfManySayThatTheOthersAreNotHere) {
    const AnalysisResult run = factsOf({rankWith(0, {{100, 120, 300}}, true, 8)});
    ASSERT_EQ(run.facts.collectives.unmatched.size(), 1U);
    EXPECT_EQ(run.facts.collectives.unmatched[0].count, 1U);
    EXPECT_THAT(run.facts.collectives.unmatched[0].reason, testing::HasSubstr("are missing"));
    EXPECT_FALSE(run.facts.collectives.collectives.front().transfer_ns);
}

/// A rank with a step of 1000 us whose device runs a kernel from 20 to 50 us, then notifies and dispatches.
std::shared_ptr<const RankTrace> rankOfExperts(std::int32_t number) {
    ModelBuilder model;
    model.rank(number, 8);
    const std::uint32_t main = model.thread("main");
    const std::uint32_t compute = model.stream("7");
    const std::uint32_t comm = model.stream("20");
    model.step(main, 5, 0, 1000);
    model.kernel(main, 10, 5, compute, "gemm", 20, 30);
    model.kernel(main, 16, 5, comm, "void deep_ep::internode::notify_dispatch<false, 4>(int*)", 40, 60);
    model.kernel(main, 22, 5, comm, "void deep_ep::internode::dispatch<false, 4>(int4*)", 110, 200);
    return model.build();
}

TEST(Waiting, OfAKernelThatOnlyWaitsNeedsNoOtherRank) {
    const AnalysisResult run = factsOf({rankOfExperts(0)});
    const RankStep& step = run.facts.ranks[0].steps[0];
    EXPECT_EQ(step.partition->exposed_comm_ns, 250'000);
    EXPECT_EQ(step.partition->exposed_wait_ns, 50'000) << "of the 60 us, 10 us run beside compute";
    EXPECT_EQ(step.partition->exposed_transfer_ns, 0);
    EXPECT_EQ(step.partition->exposed_unsplit_ns, 200'000) << "the other ranks of the dispatch are not here";
    EXPECT_EQ(step.wait_causes.total(), 50'000);
    EXPECT_EQ(step.wait_causes.unknown_ns, 50'000) << "nothing tells for whom";
}

TEST(Waiting, IsExplainedByWhatTheRankThatArrivedLastDid) {
    // Rank 1 computes until 320 us, rank 0 waits for it from 120 us on. Its wait of 200 us stands before rank 1's
    // start.
    ModelBuilder late;
    late.rank(1, 2);
    const std::uint32_t main = late.thread("main");
    const std::uint32_t compute = late.stream("7");
    const std::uint32_t comm = late.stream("20");
    late.step(main, 5, 0, 1000);
    late.kernel(main, 10, 5, compute, "gemm", 20, 250);  // ends at 270, and the host is late with what follows
    late.op(main, "aten::slow", 20, 280);
    const auto kernel = late.kernel(main, 305, 5, comm, kAllReduce, 320, 100);
    late.collective(kernel, "allreduce", 1000);
    const AnalysisResult run = factsOf({rankWith(0, {{100, 120, 300}}), late.build()});
    const WaitTimes& waits = run.facts.ranks[0].steps[0].wait_causes;
    EXPECT_EQ(waits.compute_ns, 150'000);  // 120 to 270
    EXPECT_EQ(waits.idle[Cause::Operator], 30'000);
    EXPECT_EQ(waits.idle.total(), 50'000);
    ASSERT_EQ(run.facts.ranks[0].steps[0].waits.size(), 1U);
    for (const WaitPart& part : run.facts.ranks[0].steps[0].waits[0].parts) {
        EXPECT_EQ(part.rank, 1U);
    }
}

TEST(Ready, IsTheEndOfTheWorkThatWasLaunchedBefore) {
    ModelBuilder model;
    model.rank(0, RankPosition(2));
    const std::uint32_t main = model.thread("main");
    const std::uint32_t compute = model.stream("7");
    const std::uint32_t comm = model.stream("20");
    model.step(main, 5, 0, 1000);
    model.kernel(main, 10, 5, compute, "gemm", 20, 100);
    const auto kernel = model.kernel(main, 30, 5, comm, kAllReduce, 150, 100);
    model.collective(kernel, "allreduce", 1000);
    const AnalysisResult run = factsOf({model.build(), rankWith(1, {{100, 150, 100}})});
    EXPECT_EQ(run.facts.collectives.collectives.front().memberOf(RankPosition(0))->ready_ns, 120'000);
    EXPECT_EQ(run.facts.collectives.collectives.front().memberOf(RankPosition(1))->ready_ns, 100'000);
}

/// All-reduces of these sizes, one each `period`, each 10 us long.
std::vector<CallProof> callsAt(DurationNs first_ns, const std::vector<std::int64_t>& sizes, DurationNs jitter_ns) {
    std::vector<CallProof> calls;
    TimeNs at_ns = first_ns;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        calls.push_back({.kind = CollectiveKind::AllReduce,
                         .dtype = {},
                         .in_elements = sizes[i],
                         .out_elements = sizes[i],
                         .name = {},
                         .span = {at_ns, at_ns + 10'000}});
        at_ns += 5'000'000 + static_cast<DurationNs>(i * i % 7) * jitter_ns;
    }
    return calls;
}

TEST(AlignCalls, FindsTheShiftOfAWindowThatBeganAStepLater) {
    // Both see ten equal collectives, the second from one later on: only the irregular times tell.
    const std::vector<CallProof> all = callsAt(0, std::vector<std::int64_t>(11, 8), 900'000);
    const std::vector<CallProof> a(all.begin(), all.end() - 1);
    const std::vector<CallProof> b(all.begin() + 1, all.end());
    const auto pairs = alignCalls(a, b);
    ASSERT_EQ(pairs.size(), 9U);
    EXPECT_EQ(pairs.front(), (std::pair<std::size_t, std::size_t>{1, 0}));
}

TEST(AlignCalls, PairsNothingWhereAProofContradicts) {
    EXPECT_TRUE(alignCalls(callsAt(0, {8, 8}, 0), callsAt(0, {9, 9}, 0)).empty());
}

TEST(AlignCalls, PairsNothingThatNoClockCanBringTogether) {
    // The gaps between the calls differ by far more than their lengths: whatever the offset, one pair cannot overlap.
    const std::vector<CallProof> a = callsAt(0, {8, 9}, 0);
    std::vector<CallProof> b = callsAt(0, {8, 9}, 0);
    b[1].span = {b[1].span.start_ns + 3'000'000, b[1].span.end_ns + 3'000'000};
    EXPECT_LT(alignCalls(a, b).size(), 2U);
}

/// So many equal all-reduces, every millisecond or a little after it, each the same little on all ranks.
std::vector<CallProof> manyEqualCalls(std::size_t count, DurationNs clock_ns) {
    std::vector<CallProof> calls(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto jitter_ns = static_cast<TimeNs>(i * i % 7919) * 50;
        const TimeNs start_ns = clock_ns + static_cast<TimeNs>(i) * 1'000'000 + jitter_ns;
        calls[i].kind = CollectiveKind::AllReduce;
        calls[i].dtype = "Float";
        calls[i].in_elements = 1000;
        calls[i].span = {start_ns, start_ns + 300'000};
    }
    return calls;
}

TEST(AlignCalls, PairsAHundredThousandEqualCallsInTheirOrder) {
    constexpr std::size_t kCalls = 100'000;  // all shifts, pair by pair, would be 10 thousand million pairs
    const auto pairs = alignCalls(manyEqualCalls(kCalls, 0), manyEqualCalls(kCalls, 12'345'678));
    ASSERT_EQ(pairs.size(), kCalls);
    EXPECT_EQ(pairs.front(), std::pair(std::size_t{0}, std::size_t{0}));
}

TEST(AlignCalls, FindsAShiftOfManyEqualCallsByTheirTimes) {
    std::vector<CallProof> later = manyEqualCalls(2'000, 0);
    later.erase(later.begin(), later.begin() + 137);
    const auto pairs = alignCalls(manyEqualCalls(2'000, 0), later);
    ASSERT_EQ(pairs.size(), 1'863U);
    EXPECT_EQ(pairs.front(), std::pair(std::size_t{137}, std::size_t{0}));
}

TEST(AlignCalls, ACallThatDidNotRecordItsTypeMayBeAny) {
    const std::vector<CallProof> one = manyEqualCalls(300, 0);
    std::vector<CallProof> other = one;
    other[150].dtype = {};
    EXPECT_EQ(alignCalls(one, other).size(), 300U);
    other[7].dtype = "Half";
    EXPECT_TRUE(std::ranges::none_of(alignCalls(one, other), [](const auto& pair) { return pair.second == 7; }));
}

/// A call with what is recorded of its group.
CollectiveCall callOfGroup(std::int32_t size, std::int32_t start, std::int32_t stride) {
    CollectiveCall call;
    call.args.group_size = size;
    call.args.global_start = start;
    call.args.global_stride = stride;
    return call;
}

TEST(Groups, AreTheSameWhereTheirMembersAre) {
    const auto run = runOf({rankWith(0, {}), rankWith(1, {})});
    GroupTable table(*run);
    const std::uint32_t group = table.groupOf(RankPosition(), callOfGroup(4, 0, 2));
    EXPECT_EQ(table.groupOf(RankPosition(1), callOfGroup(4, 0, 2)), group);
    EXPECT_NE(table.groupOf(RankPosition(1), callOfGroup(4, 1, 2)), group);
    EXPECT_EQ(table.groups()[group].ranks, (std::vector{RankNumber(0), RankNumber(2), RankNumber(4), RankNumber(6)}));
    EXPECT_EQ(table.groups()[group].origin, GroupOrigin::StartAndStride);
}

TEST(Groups, OfASizeBeyondAnyCommunicatorHaveUnknownMembers) {
    const auto run = runOf({rankWith(0, {}), rankWith(1, {})});
    GroupTable table(*run);
    for (const CollectiveCall& call :
         {callOfGroup(1'000'000'000, 0, 1), callOfGroup(1'000, 0, 2'000'000'000), callOfGroup(2, 2'147'483'647, 1)}) {
        const CollectiveGroup& group = table.groups()[table.groupOf(RankPosition(), call)];
        EXPECT_TRUE(group.ranks.empty());
        EXPECT_EQ(group.origin, GroupOrigin::Unknown);
        EXPECT_EQ(group.size, call.args.group_size);
    }
}

TEST(Groups, OfAWorldBeyondAnyRunAreTheRanksThatAreHere) {
    const auto run = runOf({rankWith(0, {}, true, 2'000'000'000), rankWith(3, {}, true, 2'000'000'000)});
    GroupTable table(*run);
    EXPECT_EQ(table.groups()[table.groupOf(RankPosition(), CollectiveCall())].ranks,
              (std::vector{RankNumber(0), RankNumber(3)}));
}

TEST(CollectiveNames, AreReadInAllSpellings) {
    EXPECT_EQ(collectiveKindOf("nccl:_all_gather_base"), CollectiveKind::AllGather);
    EXPECT_EQ(collectiveKindOf("_reduce_scatter_base"), CollectiveKind::ReduceScatter);
    EXPECT_EQ(collectiveKindOf("c10d::alltoall_base_"), CollectiveKind::AllToAll);
    EXPECT_EQ(collectiveKindOf("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)"), CollectiveKind::AllReduce);
    EXPECT_EQ(collectiveKindOf("ncclDevKernel_SendRecv"), CollectiveKind::SendReceive);
    EXPECT_EQ(collectiveKindOf("gloo:broadcast"), CollectiveKind::Broadcast);
    EXPECT_EQ(collectiveKindOf("ncclDevKernel_Generic(ncclDevComm*, channelMasks)"), CollectiveKind::Unknown);
    EXPECT_EQ(collectiveKindOf("void cross_device_reduce_1stage<half>"), CollectiveKind::AllReduce);
}

TEST(RankLists, ThatAreCutSayNothing) {
    EXPECT_EQ(readRankList("[0, 2, 1]"), (std::vector{RankNumber(0), RankNumber(1), RankNumber(2)}));
    EXPECT_TRUE(readRankList("[0, 1, ..., ...]").empty());
    EXPECT_TRUE(readRankList("").empty());
}

TEST(CollectivesOfRealRuns, AreAllMatchedOnTheFourRocmRanks) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto run = loadRunAt((realTraces() / "resnet_ddp_4ranks_rocm").string());
    const auto facts = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(facts.ok());
    const CollectiveFacts& found = facts.value().facts.collectives;
    EXPECT_EQ(found.collectives.size(), 21U);  // 15 all-reduces and 6 broadcasts
    EXPECT_TRUE(found.unmatched.empty());
    for (const Collective& collective : found.collectives) {
        EXPECT_TRUE(collective.complete);
        EXPECT_EQ(collective.members.size(), 4U);
        EXPECT_EQ(collective.transfer_ns.has_value(), collective.kind == CollectiveKind::AllReduce);
    }
    EXPECT_EQ(facts.value().clock.one_clock, true);
}

TEST(CollectivesOfRealRuns, AreMatchedByNamesAndOrderWithoutAnyArgs) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto run = loadRunAt((realTraces() / "dlrm_8ranks_v100").string());
    const auto facts = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(facts.ok());
    const CollectiveFacts& found = facts.value().facts.collectives;
    EXPECT_EQ(found.collectives.size(), 8U);  // 5 all-to-alls and 3 all-reduces
    for (const Collective& collective : found.collectives) {
        EXPECT_TRUE(collective.complete) << collective.name;
        EXPECT_EQ(collective.method, MatchMethod::Order);
    }
}

}  // namespace
}  // namespace rankscope::test
