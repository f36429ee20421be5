// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/stretch_parts.h"

namespace rankscope {

StretchParts partsOf(const RankFacts& facts, const TimeSpan& span) {
    StretchParts parts;
    const IntervalSet compute = facts.compute.clip(span);
    const IntervalSet communication = facts.communication.clip(span).subtract(compute);
    const IntervalSet copy = facts.copy.clip(span).subtract(compute).subtract(communication);
    parts.compute_ns = compute.length();
    parts.communication_ns = communication.length();
    parts.copy_ns = copy.length();
    parts.idle_ns = span.length() - parts.compute_ns - parts.communication_ns - parts.copy_ns;
    for (const RankStep& step : facts.steps) {
        for (const Gap& gap : step.gaps) {
            for (const GapPart& part : gap.parts) {
                parts.idle_causes[part.cause] += intersect(part.span, span).length();
            }
        }
    }
    return parts;
}

}  // namespace rankscope
