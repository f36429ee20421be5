// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/analysis/collectives/segment_times.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/baseline_work.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/lateness.h"

namespace rankscope {
namespace moving_straggler {
namespace {

/// The rank whose lateness costs a step most, apart from ranks that are late in every step.
struct Latest {
    RankPosition rank;
    DurationNs saving_ns = 0;
};

Latest latestOf(const RuleContext& context, RunStepPosition step, const std::vector<RankPosition>& steady) {
    const std::vector<DurationNs> savings = savingOfEach(context.facts.stragglers, step, steady);
    Latest latest;
    for (RankPosition r{0}; r < savings.size(); ++r) {
        latest = savings[r] > latest.saving_ns ? Latest{r, savings[r]} : latest;
    }
    return latest;
}

/// Whether some rank is late in more than half of the steps.
bool isMostly(const LateRanks& late) {
    return LatenessLimits().isOften(late.steps.size(), late.savings.size());
}

/// Whether ranks are late in enough steps. If prices are of the mean, steps may be of two kinds.
bool isOften(const RuleContext& context, const LateRanks& late) {
    const bool some = LatenessLimits{.in_some_steps = true}.isOften(late.steps.size(), late.savings.size());
    return isMostly(late) || (context.facts.basis == StepBasis::Mean && some &&
                              costsEnough(context, typicalOf(StepBasis::Mean, late.savings)));
}

/// Whether ranks are late because of their batches. Pauses of a CPU and late batches in some steps belong to stalls and
/// to the DataLoader, whichever rank they hit.
bool isOfGpuWork(LateBecause because) {
    return because == LateBecause::SlowerKernels || because == LateBecause::MoreKernels ||
           because == LateBecause::Copies;
}

/// By rank: the number of steps in which it was the late one.
using Turns = std::map<RankPosition, std::size_t>;

void explain(const RuleContext& context, const LateRanks& late, const Turns& turns, Finding& finding) {
    const auto most = std::ranges::max_element(turns, {}, [](const auto& turn) { return turn.second; });
    const DurationNs step_ns = context.facts.pricedStep();
    const bool pair = context.facts.ranks.size() == 2;
    finding.why = context.sentences.fill(
        "moving-straggler.why",
        {{"late", std::to_string(late.steps.size())},
         {"judged", countText(late.savings.size(), "step")},
         {"turns", countText(turns.size(), "rank")},
         {"who", rankNamesWithin(context, {most->first})},
         {"times", countText(most->second, "time")},
         {"excess", formatDuration(late.cause.excess_ns)},
         {"others", context.sentences.fill(pair ? "straggler-rank.other" : "straggler-rank.others", {})},
         {"blocked", formatDuration(finding.blocked_ns)},
         {"cause", lateCauseText(context, late.cause)},
         {"new_step", formatDuration(step_ns - finding.saving_ns)},
         {"step", formatDuration(step_ns)}});
}

}  // namespace
}  // namespace moving_straggler

std::optional<LateRanks> movingStragglers(const RuleContext& context) {
    using namespace moving_straggler;
    const std::vector<RankPosition> steady = steadyStragglers(context);
    LateRanks late;
    late.id = FindingId::MovingStraggler;
    Turns turns;
    for (const RunStepPosition step : judgedSteps(context)) {
        const Latest latest = latestOf(context, step, steady);
        late.savings.push_back(latest.saving_ns);
        if (costsEnough(context, latest.saving_ns)) {
            late.steps.push_back({step, {latest.rank}});
            ++turns[latest.rank];
        }
    }
    const bool moves =
        turns.size() > 1 && std::ranges::all_of(turns, [&](const auto& turn) {
            return static_cast<double>(turn.second) < kMostTurns * static_cast<double>(late.steps.size());
        });
    if (!moves || !isOften(context, late)) {
        return std::nullopt;
    }
    const double least_ns = kLeastLateness * static_cast<double>(context.facts.pricedStep());
    late.hidden = hiddenLateness(context, late.steps, static_cast<DurationNs>(std::ceil(least_ns)));
    late.cause = causeOfLateness(context, late.steps);
    if (!isMostly(late) && !isOfGpuWork(late.cause.because)) {
        return std::nullopt;
    }
    late.explain = [&context, turns](const LateRanks& of, Finding& finding) { explain(context, of, turns, finding); };
    return late;
}

}  // namespace rankscope
