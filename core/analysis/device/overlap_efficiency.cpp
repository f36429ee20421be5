// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/overlap_efficiency.h"

#include <algorithm>

namespace rankscope {

OverlapEfficiency& OverlapEfficiency::operator+=(const OverlapEfficiency& other) {
    steps += other.steps;
    step_ns += other.step_ns;
    both_ns += other.both_ns;
    least_ns += other.least_ns;
    most_ns += other.most_ns;
    hidden_ns += other.hidden_ns;
    exposed_ns += other.exposed_ns;
    return *this;
}

std::optional<OverlapEfficiency> overlapOf(const RankStep& step) {
    if (!step.partition || step.partition->compute_ns <= 0 || step.partition->comm_ns <= 0) {
        return std::nullopt;
    }
    const Partition& parts = *step.partition;
    return OverlapEfficiency{.steps = 1,
                             .step_ns = step.span.length(),
                             .both_ns = parts.compute_ns + parts.exposed_comm_ns,
                             .least_ns = std::max(parts.compute_ns, parts.comm_ns),
                             .most_ns = parts.compute_ns + parts.comm_ns,
                             .hidden_ns = parts.overlap_ns,
                             .exposed_ns = parts.exposed_comm_ns};
}

std::optional<OverlapEfficiency> overlapOf(const RankFacts& rank) {
    OverlapEfficiency sum;
    for (const RankStep& step : rank.steps) {
        const std::optional<OverlapEfficiency> own = step.complete && !step.outlier ? overlapOf(step) : std::nullopt;
        if (own) {
            sum += *own;
        }
    }
    return sum.steps > 0 ? std::optional(sum) : std::nullopt;
}

}  // namespace rankscope
