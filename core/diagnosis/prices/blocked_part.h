// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/frame/finding.h"

namespace rankscope {

/// Of the gaps of the evidence's step, the longest part that its slice is the first proof of; nullptr if it is about no
/// gap.
[[nodiscard]] const GapPart* partBlockedBy(const RunFacts& facts, const Evidence& evidence);

/// The span of that part, on the clock of the rank's file; nothing if there is none.
[[nodiscard]] std::optional<TimeSpan> blockedBy(const RunFacts& facts, const Evidence& evidence);

}  // namespace rankscope
