// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/gpu_speed/throttle_proof.h"

namespace rankscope {

/// A step in which ranks slowed the others down.
struct LateStep {
    RunStepPosition step;
    std::vector<RankPosition> ranks;  ///< the late ranks
};

/// Why ranks were late: the part of their segment time that exceeds the median of the others most.
struct LateCause {
    LateBecause because = LateBecause::SlowerKernels;
    DurationNs excess_ns = 0;  ///< segment time minus the others' median: per step and rank, median
    DurationNs part_ns = 0;    ///< the part that is due to this cause
    double longer = 1.0;       ///< for kernels: their time divided by the others'
    /// For slower kernels: how many times as long the same kernels take as on the other ranks; nothing if it is unknown
    /// whether the kernels are the same.
    std::optional<double> same_kernels = {};
    ThrottleProof proof = {};  ///< for slower kernels: what sensors of the GPU show
};
[[nodiscard]] LateCause causeOfLateness(const RuleContext& context, const std::vector<LateStep>& steps);
/// For slower kernels: whether they are the same as on the other ranks, and whether the GPU throttles.
void judgeLateGpu(const RuleContext& context, const std::vector<LateStep>& steps, LateCause& cause);
/// The result of judgeLateGpu() as sentences; empty if it found nothing.
[[nodiscard]] std::string lateGpuText(const RuleContext& context, const LateCause& cause);
/// In words, with its numbers: "more kernels run there, for 6.1 ms more: the work is not even".
[[nodiscard]] std::string lateCauseText(const RuleContext& context, const LateCause& cause);

/// Evidence for the most expensive of these steps: who arrived last, who waited, and what the late rank did. At most
/// eight.
[[nodiscard]] std::vector<Evidence> evidenceOfLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                                       LateBecause cause);

/// How long the rank that waits most is idle because of late ranks, the median over `steps`.
[[nodiscard]] DurationNs longestWait(const RuleContext& context, const std::vector<LateStep>& steps);

/// The steps that stragglers are judged on: steady-state ones with segment times.
[[nodiscard]] std::vector<RunStepPosition> judgedSteps(const RuleContext& context);

/// Ranks delay the others if they cost this share of the step: less may be an error of the clocks (design 4.7).
inline constexpr double kLeastLateness = 0.03;

/// Whether `saving_ns` of a step is worth a finding about late ranks: at least `least_share` of the priced step.
[[nodiscard]] bool costsEnough(const RuleContext& context, DurationNs saving_ns, double least_share = kLeastLateness);

/// If other ranks are late in most of the other steps, ranks that are late in a smaller share of the steps than this
/// take turns with them.
inline constexpr double kMostTurns = 0.75;

/// In how many steps, and by which share of a step, ranks have to be late.
struct LatenessLimits {
    double share = kLeastLateness;
    /// A quarter of the steps is enough, but three: for steps of two kinds, of which prices take the mean.
    bool in_some_steps = false;
    [[nodiscard]] bool isOften(std::size_t late, std::size_t judged) const {
        return 2 * late > judged || (in_some_steps && late >= 3 && 4 * late >= judged);
    }
};

/// The ranks that delay the others often enough, most expensive first; empty if there are none, or if they take turns
/// with others.
[[nodiscard]] std::vector<RankPosition> steadyStragglers(const RuleContext& context, const LatenessLimits& limits = {});

/// Ranks that delay the others: the input for pricing lateness and for its findings.
struct LateRanks {
    FindingId id = FindingId::StragglerRank;
    std::vector<LateStep> steps;      ///< in which they cost enough; in order, not empty
    std::vector<LateStep> hidden;     ///< other steps, in which another rank arrives last, but these ranks would be
                                      ///< late without it
    std::vector<DurationNs> savings;  ///< what each judged step saves without their lateness, from segment times
    LateCause cause;
    /// Fills in the texts, once it is worth a finding: `finding` is complete except for its `why`.
    std::function<void(const LateRanks& late, Finding& finding)> explain;
};

/// The ranks that delay the others in most steps; nothing if none do.
[[nodiscard]] std::optional<LateRanks> stragglerRanks(const RuleContext& context);
/// The ranks that take turns in delaying the others, without those above; nothing if none do, or if it is always the
/// same ranks.
[[nodiscard]] std::optional<LateRanks> movingStragglers(const RuleContext& context);

/// Prices the lateness that other findings do not explain. Adds a finding if the replay saves Pricer::kLeastShare of
/// the step, and kLeastLateness beyond the findings on exactly these ranks. One to three replays.
void judgeLateness(const RuleContext& context, const LateRanks& late, Diagnosis& diagnosis);

}  // namespace rankscope
