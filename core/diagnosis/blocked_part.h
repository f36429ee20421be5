// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/finding.h"

namespace rankscope {

/// Of the gaps of the evidence's step, the longest part that its slice is the first proof of, on the clock of the
/// rank's file; nothing where it is about no gap.
[[nodiscard]] std::optional<TimeSpan> blockedBy(const RunFacts& facts, const Evidence& evidence);

}  // namespace rankscope
