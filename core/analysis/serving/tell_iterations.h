// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// Says of each step of a rank which iteration of a server it is (StepIteration): by the ranges and functions that
/// begin in it, else by the kernels that were launched in it. Nothing is said of the steps of a job that does not
/// serve. Linear in the slices of host threads and the device's events.
void tellIterations(const RankContext& work, std::vector<MeasuredStep>& steps);

/// Gives each step of the run the kind that all its ranks show. Where there are several kinds, prices and medians are
/// of `wanted` where there are such, else of the one that most of the time goes to: complete steps of another are left
/// out of them, with the reason.
void separateKinds(const std::vector<MeasuredRank>& ranks, std::vector<RunStep>& steps,
                   std::optional<IterationKind> wanted);

}  // namespace rankscope
