// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/stretch_parts.h"

#include "core/analysis/device/partition.h"

namespace rankscope {

StretchParts stretchParts(const RankFacts& facts, const TimeSpan& span) {
    StretchParts parts;
    const Partition partition = partitionOf(facts, span);
    parts.compute_ns = partition.compute_ns;
    parts.communication_ns = partition.exposed_comm_ns;
    parts.copy_ns = partition.exposed_copy_ns;
    parts.idle_ns = partition.idle_ns;
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
