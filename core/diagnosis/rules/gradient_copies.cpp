// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/gaps/host_activity.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/ddp_options.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

namespace gradient_copies {
namespace {

Explanation explain(const RuleContext& context, const Price& price) {
    const Sentences& say = context.sentences;
    const DdpPart copies = medianDdpPart(context, &DdpStep::copy_to_gradient);
    const std::string bytes =
        copies.bytes > 0
            ? say.fill("gradient-copies.bytes", {{"bytes", formatBytes(static_cast<std::uint64_t>(copies.bytes))}})
            : std::string();
    return {.why = say.fill("gradient-copies.why", {{"copies", formatCount(copies.calls)},
                                                    {"bytes", bytes},
                                                    {"device", formatDuration(copies.device_ns)},
                                                    {"host", formatDuration(copies.host_ns)},
                                                    {"blocked", formatDuration(price.blocked_ns)},
                                                    {"replay", replayText(context, price)}}),
            .evidence = evidenceOfReducer(context, price.ranks, ReducerPart::CopyToGradient),
            .culprits = ranksWithPart(context, &DdpStep::copy_to_gradient)};
}

}  // namespace
}  // namespace gradient_copies

std::vector<Problem> gradientCopies(const RuleContext& context) {
    using namespace gradient_copies;
    ReducerProblem copies = reducerProblem(context, ReducerPart::CopyToGradient);
    return {{.id = FindingId::GradientCopies,
             .owned = std::move(copies.owned),
             .change = std::move(copies.without_it),
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
