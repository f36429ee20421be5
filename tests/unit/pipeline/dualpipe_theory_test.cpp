// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/forecast_pipeline.h"

#include "core/analysis/pipeline/schedule_orders.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

/// What the passes of each stage take, in nanoseconds.
struct DualTimes {
    DurationNs forward_ns = 1'000;   ///< F
    DurationNs backward_ns = 2'000;  ///< B, whole
    DurationNs weight_ns = 1'000;    ///< W
    DurationNs together_ns = 3'000;  ///< F&B
};

constexpr SliceRef markOf(std::uint32_t number) {
    return {TrackId(0), number};
}

bool isSplit(const std::vector<PassId>& order, const PassId& backward) {
    return std::ranges::find(order, PassId{PassKind::WeightGradient, backward.stage, backward.micro_batch}) !=
           order.end();
}

/// One rank's passes of DualPipeV, with those that run beside one another in one range: a forward and the whole
/// backward behind it, but for the first of the last rank, whose backward needs what the forward makes.
RankPipelineStep passesAt(const PipelineShape& shape, std::int32_t place, const DualTimes& times) {
    const std::vector<PassId> order = *passOrder(Schedule::DualPipe, shape, place);
    RankPipelineStep rank;
    TimeNs now_ns = 0;
    bool needs_it = place + 1 == shape.ranks;
    for (std::size_t i = 0; i < order.size(); ++i) {
        PipelinePass pass;
        pass.kind = order[i].kind;
        pass.stage = order[i].stage;
        pass.micro_batch = order[i].micro_batch;
        const bool pairs = order[i].kind == PassKind::Forward && i + 1 < order.size() &&
                           order[i + 1].kind == PassKind::Backward && !isSplit(order, order[i + 1]);
        pass.mark = markOf(static_cast<std::uint32_t>(i));
        if (pairs && !std::exchange(needs_it, false)) {
            pass.overlapped = true;
            pass.span = {now_ns, now_ns + times.together_ns};
            PipelinePass beside = pass;
            beside.kind = order[i + 1].kind;
            beside.stage = order[i + 1].stage;
            beside.micro_batch = order[i + 1].micro_batch;
            rank.passes.push_back(pass);
            rank.passes.push_back(beside);
            ++i;
        } else {
            const DurationNs whole_ns = times.backward_ns - (isSplit(order, order[i]) ? times.weight_ns : 0);
            const DurationNs length_ns = pass.kind == PassKind::Forward    ? times.forward_ns
                                         : pass.kind == PassKind::Backward ? whole_ns
                                                                           : times.weight_ns;
            pass.span = {now_ns, now_ns + length_ns};
            rank.passes.push_back(pass);
        }
        now_ns = rank.passes.back().span.end_ns;
    }
    return rank;
}

Pipeline dualPipeV(const PipelineShape& shape, const DualTimes& times) {
    Pipeline pipeline;
    pipeline.size = shape.ranks;
    pipeline.schedule = Schedule::DualPipe;
    pipeline.stages_per_rank = 2;
    pipeline.micro_batches = shape.micro_batches;
    pipeline.folded = true;
    pipeline.counted = {0};
    PipelineStep& step = pipeline.steps.emplace_back();
    for (std::int32_t place = 0; place < shape.ranks; ++place) {
        pipeline.ranks.emplace_back(static_cast<std::uint32_t>(place));
        pipeline.places.push_back(place);
        step.ranks.push_back(passesAt(shape, place, times));
    }
    pipeline.stage_times.resize(static_cast<std::size_t>(shape.stages()));
    return pipeline;
}

TEST(DualPipeTheory, IsThatOfThePaperWhereItsTimesAreInProportion) {
    for (const auto& [p, m] : {std::pair(2, 8), std::pair(3, 8), std::pair(4, 8), std::pair(4, 16), std::pair(8, 20)}) {
        const PipelineShape shape{p, 2, m, true};
        const auto theory = dualPipeTheory(dualPipeV(shape, {}));
        ASSERT_TRUE(theory);
        // (PP/2 - 1)(F&B + B - 3W) of PP = 2p stages; a rank works for m micro-batches of two chunks.
        const double bubble = (p - 1) * (3'000 + 2'000 - 3 * 1'000);
        const double busy = 2.0 * m * 3'000;
        EXPECT_NEAR(*theory, bubble / (bubble + busy), 1e-9) << p << " ranks, " << m << " micro-batches";
    }
}

TEST(DualPipeTheory, IsLessWhereForwardsAndBackwardsGainByOneAnother) {
    const PipelineShape shape{4, 2, 8, true};
    const auto theory = dualPipeTheory(dualPipeV(shape, {.together_ns = 2'500}));
    ASSERT_TRUE(theory);
    // The ranks at the turn idle for (p - 1)(F&B + B - 3W) = 4,500 of 49,000, those before them for less.
    EXPECT_LT(*theory, 4'500.0 / 49'000.0);
    EXPECT_NEAR(*theory, (3'500 + 4'000 + 4'500 + 4'500) / (4 * 49'000.0), 1e-9);
}

TEST(DualPipeTheory, NeedsToKnowWhichPassesRunTogether) {
    Pipeline pipeline = dualPipeV({4, 2, 8, true}, {});
    Pipeline partly = pipeline;
    partly.ranks.pop_back();
    EXPECT_FALSE(dualPipeTheory(partly)) << "a rank was not recorded";
    Pipeline other = pipeline;
    other.schedule = Schedule::ZeroBubble;
    EXPECT_FALSE(dualPipeTheory(other));
    for (RankPipelineStep& rank : pipeline.steps.front().ranks) {
        for (PipelinePass& pass : rank.passes) {
            pass.overlapped = false;
        }
    }
    EXPECT_FALSE(dualPipeTheory(pipeline)) << "no range says so";
}

}  // namespace
}  // namespace rankscope
