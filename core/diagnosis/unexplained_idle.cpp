// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/host_changes.h"
#include "core/diagnosis/late_host.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// A pause that a device needs between two pieces of queued work anyway.
constexpr DurationNs kHandOverNs = 5'000;

}  // namespace

void findUnexplainedIdle(const RuleContext& context, Diagnosis& diagnosis) {
    const auto in_ledger = [](const LedgerEntry& e) { return LateHost::isUnexplained(e); };
    const auto at_once = [&](std::uint32_t rank) {
        const auto unrecorded = [&](const LedgerEntry& e) { return e.cause == Cause::Unrecorded && in_ledger(e); };
        return ReplayChange{.queue_gap = kHandOverNs, .host = withoutParts(context, rank, unrecorded)};
    };
    const Price price = context.claims.price("unexplained-idle", in_ledger, at_once, Reach::OwnTime, Claim::LeftOver);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    const auto of_cause = [&](Cause cause) {
        return context.pricer.medianLedgerTime([&](const LedgerEntry& e) { return in_ledger(e) && e.cause == cause; });
    };
    Finding finding = makeFinding("unexplained-idle", price, context.facts.ranks.size());
    finding.confidence = Confidence::Low;
    finding.title = context.advice.title(finding.id);
    const DurationNs queued_ns = of_cause(Cause::Queued);
    const DurationNs unrecorded_ns = of_cause(Cause::Unrecorded);
    finding.why = "In the median step the device is idle for " + formatDuration(queued_ns) +
                  " although the next work was launched in time, and for " + formatDuration(unrecorded_ns) +
                  " in long stretches in which nothing was recorded on the host. Without this " +
                  replayText(context, price) + ". What queued work waited for is not in the trace: an event of " +
                  "another stream, a host function on the stream, or another process on the device.";
    finding.remedies = context.advice.remedies(finding.id, {});
    finding.evidence = evidenceOf(context, price.ranks, in_ledger);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
