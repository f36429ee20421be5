// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/lateness.h"
#include "core/diagnosis/prices/pricing.h"
#include "core/report/check/check_context.h"

namespace rankscope::report {
namespace {

/// Whether a finding is about this rank: about late ranks, or about only some of the ranks.
bool isNamed(const AnalysedRun& run, RankPosition rank) {
    return std::ranges::any_of(run.diagnosis.findings, [&](const Finding& finding) {
        const bool of_some = finding.ranks.size() < run.facts.ranks.size() || !finding.late.empty();
        return of_some && std::ranges::find(finding.ranks, rank) != finding.ranks.end();
    });
}

struct LateSteps {
    std::size_t late = 0;
    std::size_t judged = 0;
};

/// The number of steady steps in which a rank is later than the median of its peers by enough for a finding.
LateSteps lateSteps(const RunFacts& facts, RankPosition rank) {
    const StragglerFacts& stragglers = facts.stragglers;
    const std::vector<RankPosition>& peers = stragglers.peers[stragglers.peers_of[rank]];
    LateSteps steps;
    for (std::size_t i = 0; i < stragglers.ranks[rank].steps.size(); ++i) {
        if (!isSteady(facts.steps[stragglers.ranks[rank].steps[i].step])) {
            continue;
        }
        std::vector<DurationNs> own;
        for (const RankPosition peer : peers) {
            if (i < stragglers.ranks[peer].steps.size()) {
                own.push_back(stragglers.ranks[peer].steps[i].segment_ns);
            }
        }
        const DurationNs later_ns = stragglers.ranks[rank].steps[i].segment_ns - lowerMedian(std::move(own));
        ++steps.judged;
        steps.late +=
            static_cast<double>(later_ns) >= kLeastLateness * static_cast<double>(facts.pricedStep()) ? 1U : 0U;
    }
    return steps;
}

}  // namespace

std::string whyNotFound(const CheckContext& context, const std::vector<RankPosition>& slow) {
    const auto unnamed = std::ranges::find_if(slow, [&](RankPosition rank) { return !isNamed(context.run, rank); });
    if (unnamed == slow.end()) {
        return {};
    }
    const RunFacts& facts = context.run.facts;
    const RankLateness& late = facts.stragglers.ranks[*unnamed];
    const auto step_ns = static_cast<double>(facts.pricedStep());
    const LateSteps steps = lateSteps(facts, *unnamed);
    const bool names_others = findingWith(context.run, {FindingId::StragglerRank}).has_value();
    const char* const reason = names_others ? "own-work.unnamed-others"
                               : static_cast<double>(late.saving_ns) < kLeastLateness * step_ns
                                   ? "own-work.unnamed-cheap"
                               : 2 * steps.late <= steps.judged ? "own-work.unnamed-seldom"
                                                                : "own-work.unnamed-saved";
    return context.words.fillFrom(reason, {{"rank", rankText(context.run, *unnamed)},
                                           {"saving", formatDuration(late.saving_ns)},
                                           {"share", formatPercent(static_cast<double>(late.saving_ns) / step_ns)},
                                           {"least", formatPercent(kLeastLateness)},
                                           {"least_saving", formatPercent(Pricer::kLeastShare)},
                                           {"late", std::to_string(steps.late)},
                                           {"judged", formatCounted(steps.judged, "step")}});
}

}  // namespace rankscope::report
