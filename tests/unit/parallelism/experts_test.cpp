// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/experts/experts.h"

#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr double kExchangeUs = 20;

/// Steps of ranks that pass a layer of experts `layers` times: dispatch, experts, combine, and 50 us of other work. The
/// experts of rank r take `expert_us`[r] in each, and a combine ends on all ranks with the last of them. Dispatches say
/// that rank r sends `elements`[r], if any.
AnalysedRun serveExperts(const std::vector<double>& expert_us, int layers = 6,
                         const std::vector<std::int64_t>& elements = {}) {
    std::vector<std::shared_ptr<const RankTrace>> traces;
    const double longest_us = *std::ranges::max_element(expert_us);
    for (std::size_t r = 0; r < expert_us.size(); ++r) {
        ModelBuilder model;
        model.rank(static_cast<std::int32_t>(r), static_cast<std::int32_t>(expert_us.size()));
        const std::uint32_t main = model.thread("main");
        const std::uint32_t stream = model.stream("7");
        double host_us = 0;
        double device_us = 100;
        const auto work = [&](const std::string& name, double until_us) {
            const ModelBuilder::Handle kernel =
                model.kernel(main, host_us += 2, 1, stream, name, device_us, until_us - device_us);
            device_us = until_us;
            return kernel;
        };
        for (int step = 0; step < 4; ++step) {
            const double begin_us = host_us;
            for (int layer = 0; layer < layers; ++layer) {
                const double at_us = device_us;
                const auto dispatch = work("void deep_ep::internode_ll::dispatch<true>(void*)", at_us + kExchangeUs);
                if (!elements.empty()) {
                    model.collective(dispatch, "all_to_allv", elements[r]);
                }
                work("fp8_gemm", at_us + kExchangeUs + expert_us[r]);
                work("void deep_ep::internode_ll::combine<3>(void*)", at_us + 2 * kExchangeUs + longest_us);
                work("attention", at_us + 2 * kExchangeUs + longest_us + 50);
            }
            host_us = device_us;
            model.step(main, 5 + step, begin_us, host_us - begin_us);
        }
        traces.push_back(model.build());
    }
    AnalysedRun run = analyse(runOf(std::move(traces)));
    checkRoles(run.facts);
    return run;
}

TEST(Experts, ThatHaveMoreToDoOnOneRankAreAFindingWithThatRankAndItsPrice) {
    const AnalysedRun run = serveExperts({100, 100, 100, 200});
    const ExpertFacts& experts = run.facts.experts;
    ASSERT_EQ(experts.layers.size(), 4U * 6U);
    EXPECT_EQ(experts.layers.front().slowest, RankPosition(3));
    EXPECT_EQ(experts.layers.front().longest_ns, 200 * kUs);
    EXPECT_EQ(experts.layers.front().mean_ns, 125 * kUs);
    EXPECT_NEAR(*experts.imbalance(), 1.6, 1e-9);
    const Finding& finding = findingIn(run, "expert-imbalance");
    EXPECT_EQ(finding.ranks, std::vector<RankPosition>{RankPosition(3)});
    EXPECT_EQ(finding.saving_ns, 6 * 75 * kUs) << "the mean rank waits 75 us in each of six layers";
    EXPECT_TRUE(finding.at_most);
    ASSERT_FALSE(finding.evidence.empty());
    EXPECT_EQ(finding.evidence.front().rank, RankPosition(3));
    EXPECT_THAT(finding.remedies.front().action, HasSubstr("--enable-eplb")) << "nothing is trained here";
}

TEST(Experts, ThatAreEvenAreNoFinding) {
    const AnalysedRun run = serveExperts({100, 101, 99, 100});
    EXPECT_EQ(run.facts.experts.layers.size(), 4U * 6U);
    EXPECT_EQ(findingOf(run, "expert-imbalance"), nullptr);
}

TEST(Experts, HaveTheTimesOfDispatchAndCombineWithTheWaitingInThem) {
    const AnalysedRun run = serveExperts({100, 200});
    const RankExperts& idle = run.facts.experts.ranks[0];
    const ExpertTimes& combine = idle.operations[static_cast<std::size_t>(ExpertOperation::Combine)];
    const auto steps = static_cast<DurationNs>(run.facts.parallelism.ranks[0].counted);
    EXPECT_EQ(combine.count, static_cast<std::size_t>(6 * steps));
    EXPECT_EQ(combine.wait_ns, 6 * steps * 100 * kUs);
    EXPECT_EQ(combine.time_ns, 6 * steps * 120 * kUs);
    EXPECT_EQ(combine.exposed_ns, combine.time_ns);
    EXPECT_FALSE(combine.bytes) << "the kernels do not say";
    EXPECT_EQ(run.facts.experts.ranks[1].slowest, static_cast<std::size_t>(6 * steps));
}

TEST(Experts, HaveTheBytesThatTheRankItselfSends) {
    const std::vector<std::int64_t> elements = {5000, 1000};
    const AnalysedRun run = serveExperts({100, 200}, 6, elements);
    const auto steps = static_cast<std::int64_t>(run.facts.parallelism.ranks[0].counted);
    for (std::size_t r = 0; r < elements.size(); ++r) {
        const RankExperts& rank = run.facts.experts.ranks[r];
        const ExpertTimes& dispatch = rank.operations[static_cast<std::size_t>(ExpertOperation::Dispatch)];
        EXPECT_EQ(dispatch.count, static_cast<std::size_t>(6 * steps));
        EXPECT_EQ(dispatch.bytes, 6 * steps * 4 * elements[r]) << "of 4 bytes each, and not those of the largest";
    }
}

TEST(Experts, WithAMissingRankHaveNullWaitAndComputeNotZero) {
    const AnalysedRun whole = serveExperts({100, 100, 100, 200});
    auto some = std::make_shared<rankscope::Run>(*whole.run);
    some->ranks.pop_back();
    some->missing_count = 1;
    const AnalysedRun run = analyse(some);
    const ExpertFacts& experts = run.facts.experts;
    ASSERT_EQ(experts.ranks.size(), 3U);
    for (const RankExperts& rank : experts.ranks) {
        const ExpertTimes& combine = rank.operations[static_cast<std::size_t>(ExpertOperation::Combine)];
        EXPECT_GT(combine.time_ns, 0);
        EXPECT_FALSE(combine.wait_ns) << "who came last may not be here";
        EXPECT_FALSE(rank.compute_ns);
        EXPECT_FALSE(rank.slowest);
    }
    const ExpertTimes& last =
        whole.facts.experts.ranks[3].operations[static_cast<std::size_t>(ExpertOperation::Combine)];
    EXPECT_EQ(last.wait_ns, 0) << "of all ranks it came last, and did wait for none";
    EXPECT_EQ(whole.facts.experts.ranks[0].slowest, 0U);
}

TEST(ExpertOperations, AreRecognisedByNames) {
    EXPECT_EQ(expertOperationOf("void deep_ep::internode_ll::dispatch<true>(x)"), ExpertOperation::Dispatch);
    EXPECT_EQ(expertOperationOf("void deep_ep::intranode::combine<float>(x)"), ExpertOperation::Combine);
    EXPECT_EQ(expertOperationOf("void deep_ep::intranode::cached_notify_combine(x)"), ExpertOperation::Other);
    EXPECT_EQ(expertOperationOf("MoEAlltoAllTokenDispatcher.token_unpermutation"), ExpertOperation::Combine);
    EXPECT_EQ(expertOperationOf("nccl:all_to_all"), ExpertOperation::Other);
}

TEST(RealExperts, OfDeepEpAreUnevenFromLayerToLayer) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/expert_8ranks");
    const ExpertFacts& experts = run.facts.experts;
    // In the raw events each rank has 58 dispatches and 58 combines; the kernels between them take 22.6 to 23.9 ms a
    // rank, but those of the slowest rank of each layer 29.5 ms together: 6.4 ms beyond the mean. The combine that is
    // shortest is that of the slowest rank in 52 of the 58.
    ASSERT_EQ(experts.layers.size(), 58U);
    EXPECT_NEAR(*experts.imbalance(), 1.278, 0.002);
    DurationNs lost_ns = 0;
    for (const ExpertLayer& layer : experts.layers) {
        lost_ns += layer.lost_ns;
    }
    EXPECT_NEAR(static_cast<double>(lost_ns), 6.41e6, 0.02e6);
    EXPECT_EQ(experts.ranks[7].slowest, 11U);
    DurationNs told_ns = 0;
    for (const ExpertTimes& times : experts.ranks[0].operations) {
        told_ns += times.wait_ns.value_or(0);
    }
    DurationNs waited_ns = 0;
    for (const Collective& collective : run.facts.collectives.collectives) {
        const CollectiveMember* const member = collective.memberOf(RankPosition(0));
        waited_ns += member != nullptr ? member->wait_ns.value_or(0) : 0;
    }
    EXPECT_EQ(told_ns, waited_ns) << "a rank waits as long here as its collectives say";
    const Finding& finding = findingIn(run, "expert-imbalance");
    EXPECT_EQ(finding.ranks.size(), 8U) << "none has more to do over all layers";
    EXPECT_THAT(finding.why, HasSubstr("In 58 exchanges from dispatch to combine")) << "the ranks are one group";
}

TEST(RealExperts, AreNowhereElse) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* const path : {"resnet_ddp_4ranks_rocm", "unseen_1/fsdp2_4ranks", "unseen_1/megatron_tp8",
                                   "dlrm_8ranks_v100", "hta/timeline_analysis", "hta/nccl_parser_config"}) {
        SCOPED_TRACE(path);
        const AnalysedRun run = loadAndAnalyse(realTraces() / path);
        EXPECT_FALSE(run.facts.experts.any());
        EXPECT_EQ(findingOf(run, "expert-imbalance"), nullptr);
    }
}

}  // namespace
}  // namespace rankscope::test
