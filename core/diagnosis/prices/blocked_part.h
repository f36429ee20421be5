// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/frame/finding.h"

namespace rankscope {

/// The longest part of a gap, in the evidence's step, whose first proof is the evidence's slice. nullptr if the
/// evidence is about no gap.
[[nodiscard]] const GapPart* partBlockedBy(const RunFacts& facts, const Evidence& evidence);

/// The span of that part, on the rank's file clock; nothing if there is none.
[[nodiscard]] std::optional<TimeSpan> blockedBy(const RunFacts& facts, const Evidence& evidence);

}  // namespace rankscope
