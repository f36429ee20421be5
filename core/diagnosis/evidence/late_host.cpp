// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/late_host.h"

#include <map>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Whether this part of DDP's reducer has a finding of its own. Copying gradients into buckets has none: with other
/// settings the scaling would remain.
bool hasOwnFinding(ReducerPart part) {
    return part == ReducerPart::SearchUnused || part == ReducerPart::CopyToGradient;
}

}  // namespace

LateHost::LateHost(const RuleContext& context) {
    // The time of each piece in each steady-state step, on the rank that sets its pace.
    const std::vector<const RunStep*>& steps = context.pricer.steady();
    std::map<std::string_view, std::vector<DurationNs>> times;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const RankPosition rank = steps[i]->critical_rank;
        for (const LedgerEntry& entry : context.pricer.entries(rank, steps[i]->ofCriticalRank())) {
            if (!entry.code_name.empty() && isPiece(entry, entry.code_name)) {
                std::vector<DurationNs>& of_steps = times[entry.code_name];
                of_steps.resize(steps.size());
                of_steps[i] += entry.ns;
            }
        }
    }
    const auto least_ns =
        static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep()));
    for (auto& [name, of_steps] : times) {
        if (lowerMedian(std::move(of_steps)) >= least_ns) {
            pieces_.emplace(name);
        }
    }
}

std::vector<bool> LateHost::namesOfOthers(const RankContext& work) const {
    std::vector<bool> others;
    for (std::uint32_t i = 0; i < work.trace->strings.size(); ++i) {
        others.push_back(hasOwnFinding(work.names.reducerPart(StringId(i))) ||
                         (!pieces_.empty() && pieces_.contains(work.trace->strings.view(StringId(i)))));
    }
    return others;
}

bool LateHost::isPiece(const LedgerEntry& entry, std::string_view name) {
    return entry.owner == Owner::Blocked && entry.long_stretch && entry.code_name == name &&
           !hasOwnFinding(reducerPartOf(entry.label));
}

bool LateHost::isUnexplained(const LedgerEntry& entry) {
    const bool no_trace = entry.cause == Cause::Unrecorded && entry.long_stretch && entry.code_name.empty();
    return entry.owner == Owner::Blocked &&
           (entry.cause == Cause::Queued || entry.cause == Cause::InsideGraph || no_trace);
}

bool LateHost::isLaunching(const LedgerEntry& entry) const {
    if (entry.owner != Owner::Blocked) {
        return false;
    }
    switch (entry.cause) {
        case Cause::Launch:
        case Cause::LaunchLatency:
        case Cause::Operator:
        case Cause::Python:
        case Cause::Unrecorded:
            return !hasOwnFinding(reducerPartOf(entry.label)) && !isUnexplained(entry) &&
                   !pieces_.contains(entry.code_name);
        default: return false;
    }
}

}  // namespace rankscope
