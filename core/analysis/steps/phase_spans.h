// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/phases.h"

namespace rankscope {

/// The stretches of each step of a rank, as RankFacts::steps, in order of launch: from the first start to the last end
/// of device work that was launched in forward, backward, optimizer or data, until work of another phase is launched.
/// Communication and work between phases are in none. On a rank without a device: of the host threads' segment time.
/// Linear in device work and marks, but for sorting the work of each step.
[[nodiscard]] std::vector<std::vector<PhaseSpan>> phaseSpans(const RankContext& work, const ExplainedRank& facts,
                                                             const PhaseMarks& marks);

}  // namespace rankscope
