// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/model_rows.h"

namespace rankscope::tables {

/// A finding with its number over all runs.
struct PlacedFinding {
    const AnalysedRun* run = nullptr;
    std::int64_t id = 0;
    std::int64_t number = 0;  ///< in its run, from 1: the most expensive one
    const Finding* finding = nullptr;
};

/// Calls `visit` with each finding of each run.
template <class Visit>
void eachFinding(const Runs& runs, const Visit& visit) {
    std::int64_t id = 0;
    for (const AnalysedRun* run : runs) {
        std::int64_t number = 0;
        for (const Finding& finding : run->diagnosis.findings) {
            visit(PlacedFinding{run, id++, ++number, &finding});
        }
    }
}

}  // namespace rankscope::tables
