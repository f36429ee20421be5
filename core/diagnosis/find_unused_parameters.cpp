// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/ddp_options.h"
#include "core/diagnosis/rules.h"

namespace rankscope {

void findUnusedParameterSearches(const RuleContext& context, Diagnosis& diagnosis) {
    const Price price = priceOfReducer(context, ReducerPart::SearchUnused);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("find-unused-parameters", price, context.facts.ranks.size());
    finding.ranks = ranksWithPart(context, &DdpStep::search_unused);
    finding.title = context.advice.title(finding.id);
    const DdpPart search = usualDdpPart(context, &DdpStep::search_unused);
    finding.why =
        "After each forward DDP walks the whole autograd graph for parameters that were not used "
        "(find_unused_parameters=True). That takes the host " +
        formatDuration(search.host_ns) + " of the median step, and for " + formatDuration(price.blocked_ns) +
        " of it the device has nothing left to do. Without the search, the all-reduce that tells all ranks which "
        "parameters were "
        "used, and the host's wait for its result, " +
        replayText(context, price) + ".";
    finding.remedies = context.advice.remedies(finding.id, {});
    finding.evidence = evidenceOfReducer(context, price.ranks, ReducerPart::SearchUnused);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
