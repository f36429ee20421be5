// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// Sets for each step of a rank which iteration of a server it is (StepIteration): by the ranges and functions that
/// begin in it, else by the kernels that were launched in it. Does nothing if the job does not serve. Linear in the
/// slices of host threads and the device's events.
void tellIterations(const RankContext& work, std::vector<MeasuredStep>& steps);

/// Sets for each step of the run the kind that all its ranks show. If there are several kinds, prices and medians are
/// of `wanted` if it exists, else of the kind with most time: complete steps of other kinds are left out, with the
/// reason.
void separateKinds(const std::vector<MeasuredRank>& ranks, std::vector<RunStep>& steps,
                   std::optional<IterationKind> wanted);

}  // namespace rankscope
