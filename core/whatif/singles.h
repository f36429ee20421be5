// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/whatif/what_if_run.h"

namespace rankscope {

/// A kind of change that a run cannot tell, and why.
struct RefusedChange {
    std::string text;
    std::string reason;  ///< a whole sentence
};

/// The single changes of a run, each by itself.
struct SingleChanges {
    std::vector<Forecast> forecasts;  ///< the shortest forecast first
    std::vector<RefusedChange> refused;
};

/// Forecasts each kind with its typical value (WhatIfKind::typical), those without one left out. After a stop it has
/// what was forecast by then.
[[nodiscard]] SingleChanges trySingles(const WhatIfRun& run, const std::stop_token& stop = {});

/// The fewest changes whose forecast is at most `goal_ns`, and of these sets the one with the shortest forecast; of up
/// to three changes, from those of trySingles() that save something. Fails if none reaches it, with the best that was
/// found. At most some hundred forecasts.
[[nodiscard]] Result<Forecast> searchChanges(const WhatIfRun& run, DurationNs goal_ns,
                                             const std::stop_token& stop = {});

}  // namespace rankscope
