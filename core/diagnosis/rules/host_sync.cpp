// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace host_sync {
namespace {

/// Which advice applies to an operator or call that waits.
std::string kindOfSync(std::string_view label) {
    if (label == "aten::item" || label == "aten::_local_scalar_dense" || label == "aten::is_nonzero" ||
        label == "aten::equal" || label == "aten::to" || label == "aten::_to_copy" || label == "aten::copy_" ||
        label == "aten::cpu") {
        return "reads-value";
    }
    if (label.starts_with("aten::")) {
        return "data-dependent";
    }
    return label.ends_with("Synchronize") ? "explicit" : "other";
}

/// The Python line around the longest wait, if stacks were recorded.
std::string pythonLine(const RuleContext& context, const std::vector<SeenPart>& parts) {
    for (const SeenPart& seen : parts) {
        const RankTrace& rank = *context.work[seen.rank].trace;
        for (const SliceRef& slice : seen.part->evidence) {
            if (rank.category(slice) == Category::PythonFunction) {
                return std::string(rank.name(slice));
            }
        }
    }
    return {};
}

Explanation explain(const RuleContext& context, const std::string& label, const LedgerFilter& owned,
                    const Price& price) {
    const Sentences& say = context.sentences;
    const std::string line = pythonLine(context, longestParts(context, price.ranks, owned, 64));
    const std::string who =
        line.empty() ? label : say.fill("host-sync.label-with-line", {{"label", label}, {"line", line}});
    return {
        .why = say.fill("host-sync.why", {{"label", who},
                                          {"blocked", formatDuration(price.blocked_ns)},
                                          {"replay", replayText(context, price)},
                                          {"seen", seenText(context, price)}}),
        .conditions = {kindOfSync(label)},
        .title = say.fill("host-sync.title", {{"title", context.advice.title(FindingId::HostSync)}, {"label", label}})};
}

Problem syncsOf(const RuleContext& context, const std::string& label) {
    const LedgerFilter owned = [label](const LedgerEntry& e) {
        return e.owner == Owner::Blocked && e.cause == Cause::HostSync && e.label == label;
    };
    ReplayChange change;
    change.no_wait = [label](const ReplayWait& wait) { return wait.cause == Cause::HostSync && wait.label == label; };
    return {.id = FindingId::HostSync,
            .owned = owned,
            .change = onAllRanks(std::move(change)),
            .reach = Reach::BlockedTime,
            .explain = [&context, label, owned](const Price& price) { return explain(context, label, owned, price); }};
}

}  // namespace
}  // namespace host_sync

std::vector<Problem> hostSyncs(const RuleContext& context) {
    using namespace host_sync;
    std::set<std::string, std::less<>> labels;
    for (const LedgerEntry& entry : context.facts.ledger) {
        if (entry.owner == Owner::Blocked && entry.cause == Cause::HostSync) {
            labels.insert(entry.label);
        }
    }
    std::vector<Problem> problems;
    for (const std::string& label : labels) {
        problems.push_back(syncsOf(context, label));
    }
    return problems;
}

}  // namespace rankscope
