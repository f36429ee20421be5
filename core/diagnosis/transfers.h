// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/facts.h"

namespace rankscope {

// What the rules on transfers share.

/// The step of a rank that holds an instant of its file clock; nullptr if none does.
[[nodiscard]] const RankStep* stepAt(const RankFacts& rank, TimeNs at_ns);

/// What of `transfer_ns`, the transfer of the collective or of one of its kernels, it would take at the baseline speed
/// of its peers; all of it where it is not slow.
[[nodiscard]] DurationNs baselinePart(const Collective& collective, DurationNs transfer_ns);

}  // namespace rankscope
