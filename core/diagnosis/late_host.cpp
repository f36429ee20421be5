// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/late_host.h"

namespace rankscope {
namespace {

/// Whether the part of DDP's reducer with this name has a finding of its own. What copies gradients into buckets has
/// none: with other settings the scaling would still be there.
bool hasOwnFinding(std::string_view label) {
    const ReducerPart part = reducerPartOf(label);
    return part == ReducerPart::SearchUnused || part == ReducerPart::CopyToGradient;
}

}  // namespace

LateHost::LateHost(const RuleContext& context) {
    std::set<std::string_view> names;
    for (const LedgerEntry& entry : context.facts.ledger) {
        names.insert(entry.code_name);
    }
    names.erase(std::string_view());
    const auto least_ns =
        static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(context.facts.median_step_ns));
    for (const std::string_view name : names) {
        const auto of_piece = [&](const LedgerEntry& e) { return isPiece(e, name); };
        if (context.pricer.medianLedgerTime(of_piece) >= least_ns) {
            pieces_.emplace(name);
        }
    }
}

bool LateHost::isOthers(const RankWork& work, StringId name, Category category) const {
    return work.names.kind(name, category) == HostKind::Allocator ||
           (name.valid() &&
            (pieces_.contains(work.trace->strings.view(name)) || hasOwnFinding(work.trace->strings.view(name))));
}

bool LateHost::isPiece(const Time& time, std::string_view name) {
    return time.long_stretch && time.code_name == name && !hasOwnFinding(time.label);
}

bool LateHost::isUnexplained(const Time& time) {
    const bool no_trace = time.cause == Cause::Unrecorded && time.long_stretch && time.code_name.empty();
    return time.cause == Cause::Queued || no_trace;
}

bool LateHost::isLaunching(const Time& time) const {
    switch (time.cause) {
        case Cause::Launch:
        case Cause::LaunchLatency:
        case Cause::Operator:
        case Cause::Python:
        case Cause::Unrecorded:
            return !hasOwnFinding(time.label) && !isUnexplained(time) && !pieces_.contains(time.code_name);
        default: return false;
    }
}

}  // namespace rankscope
