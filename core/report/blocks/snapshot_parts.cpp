// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"
#include "core/report/blocks/parts.h"
#include "core/report/words/snapshot_summary.h"

namespace rankscope::report {

std::vector<Part> partsOfSnapshot(const ReportedSnapshot& snapshot) {
    constexpr std::size_t kStacksShown = 12;
    if (snapshot.facts->devices.empty()) {
        return {};
    }
    std::vector<Part> parts = {{"Memory of each GPU", {Rows{snapshotDevices(snapshot)}}},
                               {"Memory by use", {Rows{snapshotParts(snapshot)}, Note{snapshotNote()}}}};
    if (snapshot.facts->has_stacks) {
        parts.push_back({"Memory by stack", {Rows{snapshotStacks(snapshot, kStacksShown)}}});
    }
    return parts;
}

}  // namespace rankscope::report
