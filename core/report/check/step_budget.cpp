// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/step_budget.h"

namespace rankscope::report {

std::optional<double> StepBudget::share(DurationNs part_ns) const {
    return step_ns > 0 ? std::optional(static_cast<double>(part_ns) / static_cast<double>(step_ns)) : std::nullopt;
}

DurationNs StepBudget::ofStep(DurationNs part_ns) const {
    return steps > 0 ? part_ns / static_cast<DurationNs>(steps) : 0;
}

StepBudget& StepBudget::operator+=(const StepBudget& other) {
    steps += other.steps;
    step_ns += other.step_ns;
    compute_ns += other.compute_ns;
    exposed_comm_ns += other.exposed_comm_ns;
    exposed_copy_ns += other.exposed_copy_ns;
    idle_ns += other.idle_ns;
    exposed_unsplit_ns += other.exposed_unsplit_ns;
    comm_ns += other.comm_ns;
    copy_ns += other.copy_ns;
    if (other.exposed_wait_ns) {
        exposed_wait_ns = exposed_wait_ns.value_or(0) + *other.exposed_wait_ns;
    }
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        idle_causes.ns[i] += other.idle_causes.ns[i];
    }
    return *this;
}

StepBudget budgetOf(const RankFacts& rank) {
    StepBudget sum;
    for (const RankStep& step : rank.steps) {
        if (!step.complete || step.outlier || !step.partition) {
            continue;
        }
        const Partition& part = *step.partition;
        StepBudget one;
        one.steps = 1;
        one.step_ns = step.span.length();
        one.compute_ns = part.compute_ns;
        one.exposed_comm_ns = part.exposed_comm_ns;
        one.exposed_copy_ns = part.exposed_copy_ns;
        one.idle_ns = part.idle_ns;
        one.exposed_wait_ns = part.exposed_wait_ns;
        one.exposed_unsplit_ns = part.exposed_unsplit_ns.value_or(part.exposed_wait_ns ? 0 : part.exposed_comm_ns);
        one.comm_ns = part.comm_ns;
        one.copy_ns = part.copy_ns;
        one.idle_causes = step.idle_causes;
        sum += one;
    }
    return sum;
}

}  // namespace rankscope::report
