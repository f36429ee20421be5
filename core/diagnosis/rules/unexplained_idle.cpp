// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/late_host.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace unexplained_idle {
namespace {

/// A device needs a pause of this length between two pieces of queued work in any case.
constexpr DurationNs kHandOverNs = 5'000;

/// Idle time of this kind per median step, by cause.
DurationNs baselineTimeOf(const RuleContext& context, Cause cause) {
    return context.pricer.typicalLedgerTime(
        [cause](const LedgerEntry& e) { return LateHost::isUnexplained(e) && e.cause == cause; });
}

/// Idle time as reported: its kind, and the key of its sentence.
struct ToldIdle {
    Cause cause;
    std::string key;
};

Explanation explain(const RuleContext& context, const Price& price) {
    const std::vector<ToldIdle> kinds = {{Cause::Queued, "unexplained-idle.queued"},
                                         {Cause::InsideGraph, "unexplained-idle.graph"},
                                         {Cause::Unrecorded, "unexplained-idle.unrecorded"}};
    std::vector<std::string> times;
    for (const ToldIdle& kind : kinds) {
        if (const DurationNs ns = baselineTimeOf(context, kind.cause); ns > 0) {
            times.push_back(context.sentences.fill(kind.key, {{"time", formatDuration(ns)}}));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < times.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == times.size() ? ", and " : ", ") + times[i];
    }
    const bool only_unrecorded = times.size() == 1 && baselineTimeOf(context, Cause::Unrecorded) > 0;
    const std::string unknown = only_unrecorded ? "" : context.sentences.fill("unexplained-idle.unknown", {});
    return {.why = context.sentences.fill("unexplained-idle.why",
                                          {{"times", text.empty() ? "for " + formatDuration(0) : text},
                                           {"replay", replayText(context, price)},
                                           {"unknown", unknown}}),
            .at_most = Confidence::Low,
            .doubt = context.sentences.fill("unexplained-idle.doubt", {})};
}

}  // namespace
}  // namespace unexplained_idle

std::vector<Problem> unexplainedIdle(const RuleContext& context) {
    using namespace unexplained_idle;
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
