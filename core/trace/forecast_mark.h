// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/trace/run.h"

namespace rankscope {

/// Marks a rank's trace as part of a forecast with these changes, as they are written: "loader:ready; link:x2". Digests
/// keep the mark. `changes` is not empty.
void markAsForecast(RankTrace& trace, const std::string& changes);

/// The changes of which a run is a forecast, as they are written. Empty for recordings. Linear in ranks.
[[nodiscard]] std::string forecastChanges(const Run& run);

/// Whether a run is a forecast.
[[nodiscard]] inline bool isForecast(const Run& run) {
    return !forecastChanges(run).empty();
}

/// Puts the note that this is a forecast before all others, in place of an earlier one. None for recordings.
void noteForecast(Run& run);

}  // namespace rankscope
