// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/step_parts.h"

namespace rankscope::report {

std::vector<ChartPart> partsOf(const RankStep& step) {
    std::vector<ChartPart> parts;
    if (!step.partition) {
        return parts;
    }
    int order = 0;
    const auto add = [&parts, &order](ChartPart part) {
        part.order = order++;
        if (part.ns > 0) {
            parts.push_back(std::move(part));
        }
    };
    const Partition& partition = *step.partition;
    add({"compute", "Compute", partition.compute_ns});
    const DurationNs transfer = partition.exposed_transfer_ns.value_or(0);
    const DurationNs wait = partition.exposed_wait_ns.value_or(0);
    add({"communication", "Exposed communication: transfer", transfer});
    add({"communication", "Exposed communication: waiting", wait, true});
    add({"communication-unsplit", "Exposed communication: not divided", partition.exposed_comm_ns - transfer - wait});
    add({"copy", "Exposed copy", partition.exposed_copy_ns});
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        add({"cause-" + std::string(causeName(cause)), "Idle: " + std::string(causeTitle(cause)),
             step.idle_causes[cause]});
    }
    return parts;
}

}  // namespace rankscope::report
