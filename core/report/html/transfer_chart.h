// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/analysis/collectives/collectives.h"

namespace rankscope::report {

/// Transfer time over size, both on logarithmic axes: a dot per measured size, filled if it is on the line, and the
/// fitted line, which is light where latency takes more of it than bandwidth. `title` says what it shows.
[[nodiscard]] std::string transferChart(const TransferFit& fit, const std::string& title);

}  // namespace rankscope::report
