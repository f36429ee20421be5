// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/finding_walk.h"

#include <algorithm>
#include <vector>

namespace rankscope::ui {

std::optional<FindingStop> nextStop(const OpenRuns& runs, const std::optional<FindingStop>& now, int direction) {
    std::vector<FindingStop> stops;
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
        const std::vector<Finding>& findings = runs[run]->diagnosis.findings;
        for (std::uint32_t f = 0; f < findings.size(); ++f) {
            stops.push_back({{run, f}, FindingLook::OnStep});
            if (!findings[f].evidence.empty()) {
                stops.push_back({{run, f}, FindingLook::AtPlace});
            }
        }
    }
    if (stops.empty()) {
        return {};
    }
    const auto count = static_cast<std::ptrdiff_t>(stops.size());
    std::ptrdiff_t at = direction > 0 ? -1 : count;
    if (const auto found = now ? std::ranges::find(stops, *now) : stops.end(); found != stops.end()) {
        at = found - stops.begin();
    }
    return stops[static_cast<std::size_t>((at + direction + count) % count)];
}

}  // namespace rankscope::ui
