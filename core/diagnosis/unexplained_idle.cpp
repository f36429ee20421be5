// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// A pause that a device needs between two pieces of queued work anyway.
constexpr DurationNs kHandOverNs = 5'000;

}  // namespace

void findUnexplainedIdle(const RuleContext& context, Diagnosis& diagnosis) {
    const auto is_unexplained = [](Cause cause) { return cause == Cause::Queued || cause == Cause::Unrecorded; };
    const auto in_ledger = [&](const LedgerEntry& e) { return e.owner == Owner::Blocked && is_unexplained(e.cause); };
    const auto in_gap = [&](const GapPart& part) { return is_unexplained(part.cause); };
    ReplayChange at_once;
    at_once.queue_gap = kHandOverNs;
    const Price price = context.pricer.price(in_ledger, at_once);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    const auto of_cause = [&](Cause cause) {
        return context.pricer
            .price([cause](const LedgerEntry& e) { return e.owner == Owner::Blocked && e.cause == cause; },
                   ReplayChange())
            .blocked_ns;
    };
    Finding finding = makeFinding("unexplained-idle", price, context.facts.ranks.size());
    finding.confidence = Confidence::Low;
    finding.title = context.advice.title(finding.id);
    finding.why = "In the median step the device is idle for " + formatDuration(of_cause(Cause::Queued)) +
                  " although the next work was launched in time, and for " +
                  formatDuration(of_cause(Cause::Unrecorded)) +
                  " while nothing was recorded on the host. If queued work had started at once, a replay takes " +
                  formatDuration(context.facts.median_step_ns - price.saving_ns) + " a step instead of " +
                  formatDuration(context.facts.median_step_ns) +
                  ". What the device waited for is not in the trace: an event of another stream, a host function on "
                  "the stream, or another process on the device.";
    finding.remedies = context.advice.remedies(finding.id, {});
    finding.evidence = evidenceOf(context, price.ranks, in_gap);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
