// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/replay/run_replay.h"
#include "core/base/result.h"
#include "core/diagnosis/frame/rule.h"
#include "core/whatif/effect.h"

namespace rankscope {

/// Why the pipelines of a run cannot be played by a plan; nothing if they can.
[[nodiscard]] std::optional<Error> cannotPlay(const RuleContext& context, const PipelinePlan& plan);

/// How much longer a step is with a plan than as replayed. The schedule is played twice with the stage times of the
/// replay (as RuleContext::run.ranks; ranks without work keep the recorded times): as it is today, and as planned. The
/// difference is corrected by how far today's play is from the measured time at work, which is also its error. Of
/// several pipelines the longest counts.
[[nodiscard]] AddedTime addedByPlan(const RuleContext& context, const std::vector<ReplayedRank>& replayed,
                                    const PipelinePlan& plan);

/// What a plan means on this run, as sentences: what it assumes, the size of the batch, the memory of activations.
[[nodiscard]] std::vector<std::string> notesOfPlan(const RuleContext& context, const PipelinePlan& plan);

}  // namespace rankscope
