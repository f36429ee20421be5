// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "core/base/format.h"
#include "core/base/format_factor.h"
#include "core/diagnosis/evidence/lateness.h"
#include "core/diagnosis/gpu_speed/slowed_gpu.h"

namespace rankscope {
namespace {

/// The spans of a rank in steps of the run.
RankSpans spansOf(const RuleContext& context, RankPosition rank, const std::vector<RunStepPosition>& steps) {
    RankSpans spans{rank, {}};
    for (const RunStepPosition position : steps) {
        if (const RankStep* const own = context.facts.stepOf(context.facts.steps[position], rank)) {
            spans.spans.push_back(own->span);
        }
    }
    return spans;
}

/// The steps in which the most expensive rank was late: each late step names it first.
std::vector<RunStepPosition> stepsOfWorst(const std::vector<LateStep>& steps) {
    std::vector<RunStepPosition> positions;
    for (const LateStep& step : steps) {
        if (step.ranks.front() == steps.front().ranks.front()) {
            positions.push_back(step.step);
        }
    }
    return positions;
}

}  // namespace

void judgeLateGpu(const RuleContext& context, const std::vector<LateStep>& steps, LateCause& cause) {
    if (cause.because != LateBecause::SlowerKernels || steps.empty()) {
        return;
    }
    const RankPosition rank = steps.front().ranks.front();
    const std::vector<RunStepPosition> late = stepsOfWorst(steps);
    cause.same_kernels = slowerThanPeers(context, rank, late);
    if (!cause.same_kernels) {
        return;
    }
    const StragglerFacts& facts = context.facts.stragglers;
    std::vector<RankSpans> others;
    for (const RankPosition peer : facts.peers[facts.peers_of[rank]]) {
        const bool is_late = std::ranges::find(steps.front().ranks, peer) != steps.front().ranks.end();
        if (!is_late) {
            others.push_back(spansOf(context, peer, late));
        }
    }
    cause.proof = throttleProof(context, spansOf(context, rank, late), others, *cause.same_kernels);
    if (cause.proof.proven || slowedGpu(context, rank)) {
        cause.because = LateBecause::Throttling;
    }
}

std::string lateGpuText(const RuleContext& context, const LateCause& cause) {
    if (!cause.same_kernels) {
        return {};
    }
    return context.sentences.fill("straggler-rank.same-kernels", {{"factor", formatFactor(*cause.same_kernels, 2)}}) +
           proofText(context.sentences, cause.proof);
}

}  // namespace rankscope
