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

/// A step of pipelines with a plan, against the replayed one.
struct PlayedPlan {
    AddedTime added;  ///< how much longer the step is
    /// How many times as long each rank computes, as RuleContext::run.ranks; empty without a plan.
    std::vector<double> busy = {};
};

/// Plays a plan. The schedule is played twice with the stage times of the
/// replay (as RuleContext::run.ranks; ranks without work keep the recorded times): as it is today, and as planned. The
/// difference is corrected by how far today's play is from the measured time at work, which is also its error. Of
/// several pipelines the longest counts.
[[nodiscard]] PlayedPlan playedPlan(const RuleContext& context, const std::vector<ReplayedRank>& replayed,
                                    const PipelinePlan& plan);

/// What a plan means on this run, as sentences: what it assumes, the size of the batch and its time per sample if a
/// step takes `change` times today's, the memory of activations.
[[nodiscard]] std::vector<std::string> notesOfPlan(const RuleContext& context, const PipelinePlan& plan, double change);

}  // namespace rankscope
