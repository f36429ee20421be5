// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "core/analysis/own_time.h"
#include "core/analysis/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/lateness.h"

namespace rankscope {
namespace {

/// The rank whose lateness costs a step most, beside ranks that are late in every step anyway.
struct Latest {
    std::uint32_t rank = 0;
    DurationNs saving_ns = 0;
};

Latest latestOf(const RuleContext& context, std::uint32_t step, const std::vector<std::uint32_t>& steady) {
    const std::vector<DurationNs> savings = savingOfEach(context.facts.stragglers, step, steady);
    Latest latest;
    for (std::uint32_t r = 0; r < savings.size(); ++r) {
        latest = savings[r] > latest.saving_ns ? Latest{r, savings[r]} : latest;
    }
    return latest;
}

}  // namespace

void findMovingStragglers(const RuleContext& context, Diagnosis& diagnosis) {
    const std::vector<std::uint32_t> steady = steadyStragglers(context);
    const std::vector<std::uint32_t> judged = judgedSteps(context);
    std::vector<DurationNs> savings;
    std::vector<LateStep> steps;
    std::map<std::uint32_t, std::size_t> turns;
    for (const std::uint32_t step : judged) {
        const Latest latest = latestOf(context, step, steady);
        savings.push_back(latest.saving_ns);
        if (static_cast<double>(latest.saving_ns) >=
            kLeastLateness * static_cast<double>(context.facts.median_step_ns)) {
            steps.push_back({step, {latest.rank}});
            ++turns[latest.rank];
        }
    }
    const bool moves = turns.size() > 1 &&
                       std::ranges::all_of(turns, [&](const auto& turn) { return 2 * turn.second <= steps.size(); });
    if (!moves || 2 * steps.size() <= judged.size()) {
        return;
    }
    const LateCause cause = causeOfLateness(context, steps);
    Finding finding = lateFinding(context, "moving-straggler", steps, savings, cause);
    if (finding.share < kLeastLateness) {
        return;  // without it the others would show what they hide behind their waiting
    }
    finding.why = "In " + countText(steps.size(), "step") + " of " + std::to_string(judged.size()) +
                  " one rank is later than the others for the collectives that all ranks wait in, and it is not always "
                  "the same: " +
                  countText(turns.size(), "rank") + " took turns. The late one needs " +
                  formatDuration(cause.excess_ns) +
                  " longer for such a step than the others do in the median, and the "
                  "first to come stands still for " +
                  formatDuration(finding.blocked_ns) + ". It is late because " + lateCauseText(cause) +
                  ". If it took as long as the others, the median step would take " +
                  formatDuration(context.facts.median_step_ns - finding.saving_ns) + " instead of " +
                  formatDuration(context.facts.median_step_ns) + ".";
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
