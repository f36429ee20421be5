// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <string>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// Which advice fits an operator or call that waits.
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

/// The Python line around the longest of the waits, where stacks were recorded.
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

void findSyncsOf(const RuleContext& context, const std::string& label, Diagnosis& diagnosis) {
    const auto in_ledger = [&](const LedgerEntry& e) {
        return e.owner == Owner::Blocked && e.cause == Cause::HostSync && e.label == label;
    };
    ReplayChange change;
    change.no_wait = [label](const ReplayWait& wait) { return wait.cause == Cause::HostSync && wait.label == label; };
    const Price price = context.claims.price("host-sync", in_ledger, change, Reach::BlockedTime);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("host-sync", price, context.facts.ranks.size());
    finding.title = context.advice.title(finding.id) + " in " + label;
    const auto parts = longestParts(context, price.ranks, in_ledger, 64);
    const std::string line = pythonLine(context, parts);
    finding.why =
        label + (line.empty() ? std::string() : ", called from " + line + ",") +
        " makes the host wait until the device has done what was launched; then the device runs dry until the "
        "host has launched more. That blocks it for " +
        formatDuration(price.blocked_ns) + " a step. If the host did not wait there, a replay takes " +
        formatDuration(context.facts.median_step_ns - price.saving_ns) + " a step instead of " +
        formatDuration(context.facts.median_step_ns) + ". It was seen in " + countText(price.steps.size(), "step") +
        " of " + std::to_string(context.facts.steps.size()) + ".";
    finding.remedies = context.advice.remedies(finding.id, {kindOfSync(label)});
    finding.evidence = evidenceOf(context, price.ranks, in_ledger);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace

void findHostSyncs(const RuleContext& context, Diagnosis& diagnosis) {
    std::map<std::string, DurationNs> labels;
    for (const LedgerEntry& entry : context.facts.ledger) {
        if (entry.owner == Owner::Blocked && entry.cause == Cause::HostSync) {
            labels[entry.label] += entry.ns;
        }
    }
    for (const auto& [label, ns] : labels) {
        findSyncsOf(context, label, diagnosis);
    }
}

}  // namespace rankscope
