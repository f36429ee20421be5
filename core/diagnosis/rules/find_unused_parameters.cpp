// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/evidence/ddp_options.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

namespace find_unused_parameters {
namespace {

Explanation explain(const RuleContext& context, const Price& price) {
    const DdpPart search = medianDdpPart(context, &DdpStep::search_unused);
    return {.why = context.sentences.fill("find-unused-parameters.why", {{"host", formatDuration(search.host_ns)},
                                                                         {"blocked", formatDuration(price.blocked_ns)},
                                                                         {"replay", replayText(context, price)}}),
            .evidence = evidenceOfReducer(context, price.ranks, ReducerPart::SearchUnused),
            .culprits = ranksWithPart(context, &DdpStep::search_unused)};
}

}  // namespace
}  // namespace find_unused_parameters

std::vector<Problem> unusedParameterSearches(const RuleContext& context) {
    using namespace find_unused_parameters;
    ReducerProblem search = reducerProblem(context, ReducerPart::SearchUnused);
    return {{.id = FindingId::FindUnusedParameters,
             .owned = std::move(search.owned),
             .change = std::move(search.without_it),
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
