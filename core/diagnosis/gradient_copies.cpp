// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/host_activity.h"
#include "core/base/format.h"
#include "core/diagnosis/ddp_options.h"
#include "core/diagnosis/rules.h"

namespace rankscope {

void findGradientCopies(const RuleContext& context, Diagnosis& diagnosis) {
    const Price price = priceOfReducer(context, ReducerPart::CopyToGradient);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("gradient-copies", price, context.facts.ranks.size());
    finding.ranks = ranksWithPart(context, &DdpStep::copy_to_gradient);
    finding.title = context.advice.title(finding.id);
    const DdpPart copies = usualDdpPart(context, &DdpStep::copy_to_gradient);
    finding.why = "DDP copies the reduced gradients out of its buckets: " + formatCount(copies.calls) +
                  " copies in the median step" +
                  (copies.bytes > 0 ? " of " + formatBytes(static_cast<std::uint64_t>(copies.bytes)) : std::string()) +
                  ", which take the device " + formatDuration(copies.device_ns) + " and the host " +
                  formatDuration(copies.host_ns) + ". They keep the device from computing for " +
                  formatDuration(price.blocked_ns) + " of the step; without them " + replayText(context, price) + ".";
    finding.remedies = context.advice.remedies(finding.id, {});
    finding.evidence = evidenceOfReducer(context, price.ranks, ReducerPart::CopyToGradient);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
