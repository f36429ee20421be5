// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/compare/pairing/counterparts.h"

namespace rankscope {

/// What the device did between two pieces of work in one run, by name.
struct WorkShare {
    std::string_view name;  ///< lives as long as the run
    WorkClass work = WorkClass::None;
    std::size_t calls = 0;
    DurationNs ns = 0;  ///< sum of the parts in between, over all calls
};

/// What run B does while a device of run A is idle: between the counterpart of the last work before the gap and that of
/// the work that ends it.
struct GapCounterpart {
    RankPosition rank;            ///< of B
    SliceRef before;              ///< in B: the work before the stretch
    SliceRef after;               ///< in B: the work that ends the stretch
    TimeSpan span;                ///< from the end of `before` to the start of `after`, on the rank's file clock
    StretchParts parts;           ///< add up to the span
    std::vector<WorkShare> work;  ///< longest first
    std::string missing;          ///< why it cannot be determined, a sentence; else empty
};

/// `counterparts` must be those of these runs. O(slices of B's rank), plus the counterparts of two slices.
[[nodiscard]] GapCounterpart gapCounterpart(const AnalysedRun& a, const AnalysedRun& b, Counterparts& counterparts,
                                            GapLocation gap_of_a);

}  // namespace rankscope
