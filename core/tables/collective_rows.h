// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/model_rows.h"

namespace rankscope::tables {

/// A collective with its numbers. Collectives and groups are numbered over all runs.
struct PlacedCollective {
    const AnalysedRun* run = nullptr;
    std::int64_t id = 0;
    std::int64_t group = 0;
    const Collective* collective = nullptr;
};

/// Calls `visit` with each collective of each run.
template <class Visit>
void eachCollective(const Runs& runs, const Visit& visit) {
    std::int64_t id = 0;
    std::int64_t groups = 0;
    for (const AnalysedRun* run : runs) {
        for (const Collective& collective : run->facts.collectives.collectives) {
            visit(PlacedCollective{run, id++, groups + collective.group, &collective});
        }
        groups += static_cast<std::int64_t>(run->facts.collectives.groups.size());
    }
}

}  // namespace rankscope::tables
