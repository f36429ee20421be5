// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <stop_token>

#include "core/base/result.h"
#include "core/trace/run.h"
#include "core/whatif/what_if_run.h"

namespace rankscope {

/// The run as it would have been recorded with these changes: the same slices, moved to where the replay has them. It
/// can be analysed, drawn and compared like a recorded one; its name ends with " (forecast)", and its notes name the
/// changes and what the replay cannot play.
///
/// Device work is where the replay has it, and host time follows the replay's host, all threads of a rank alike. Work
/// that is left out has zero length. Fails as WhatIfRun::forecast(), and if the ranks cannot be replayed together.
/// Copies all ranks.
[[nodiscard]] Result<std::shared_ptr<const Run>> predictedRun(const WhatIfRun& run,
                                                              std::span<const WhatIfChange> changes,
                                                              const std::stop_token& stop = {});

}  // namespace rankscope
