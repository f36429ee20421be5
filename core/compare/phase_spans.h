// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/phases.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// A stretch of a step that belongs to one phase; on the rank's file clock.
struct PhaseSpan {
    Phase phase = Phase::Forward;
    TimeSpan span;
};

/// The stretches of each step of a rank, as RankFacts::steps, in order of launch: from the first start to the last end
/// of device work that was launched in forward, backward, optimizer or data, until work of another phase is launched.
/// Communication and work between phases are in none. On a rank without a device: of the host threads' own time. Linear
/// in slices and device work, but for sorting.
[[nodiscard]] std::vector<std::vector<PhaseSpan>> phaseSpans(const std::shared_ptr<const RankTrace>& rank,
                                                             const RankFacts& facts);

}  // namespace rankscope
