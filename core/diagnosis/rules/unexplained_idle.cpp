// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/host_changes.h"
#include "core/diagnosis/late_host.h"
#include "core/diagnosis/rule.h"

namespace rankscope {
namespace {

/// A pause that a device needs between two pieces of queued work anyway.
constexpr DurationNs kHandOverNs = 5'000;

/// Such time of one cause in the median step.
DurationNs baselineTimeOf(const RuleContext& context, Cause cause) {
    return context.pricer.typicalLedgerTime(
        [cause](const LedgerEntry& e) { return LateHost::isUnexplained(e) && e.cause == cause; });
}

/// " (8.1 ms of it between the work of one graph launch)", or nothing.
std::string graphText(const RuleContext& context) {
    const DurationNs ns = baselineTimeOf(context, Cause::InsideGraph);
    return ns > 0 ? context.sentences.fill("unexplained-idle.graph", {{"graph", formatDuration(ns)}}) : std::string();
}

Explanation explain(const RuleContext& context, const Price& price) {
    return {.why = context.sentences.fill("unexplained-idle.why",
                                          {{"queued", formatDuration(baselineTimeOf(context, Cause::Queued))},
                                           {"graph", graphText(context)},
                                           {"unrecorded", formatDuration(baselineTimeOf(context, Cause::Unrecorded))},
                                           {"replay", replayText(context, price)}}),
            .at_most = Confidence::Low,
            .doubt = context.sentences.fill("unexplained-idle.doubt", {})};
}

}  // namespace

std::vector<Problem> unexplainedIdle(const RuleContext& context) {
    const ChangeOfRank at_once = [&context](RankPosition rank) {
        const auto unrecorded = [](const LedgerEntry& e) {
            return e.cause == Cause::Unrecorded && LateHost::isUnexplained(e);
        };
        return ReplayChange{.queue_gap = kHandOverNs, .host = withoutParts(context, rank, unrecorded)};
    };
    return {{.id = FindingId::UnexplainedIdle,
             .owned = [](const LedgerEntry& e) { return LateHost::isUnexplained(e); },
             .change = onEachRank(context, at_once),
             .claim = Claim::LeftOver,
             .at_most = true,
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
