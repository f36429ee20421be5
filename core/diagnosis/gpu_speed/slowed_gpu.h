// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/gpu_speed/same_kernels.h"

namespace rankscope {

/// How fast one step's kernels are against the same kernels in the first steps of its recorded window.
struct StepPace {
    RankStepPosition step;
    double factor = 1;  ///< above 1: they take longer
};

/// A GPU that becomes slower as time goes on.
struct SlowedGpu {
    RankPosition rank;
    std::vector<StepPace> paces;                ///< of the steps that could be compared, in order; the first ones too
    std::vector<StepPace> slow;                 ///< the slow ones, against the first ones
    std::vector<RankStepPosition> first_steps;  ///< that the others are held against
    double factor = 1;                          ///< of the slow steps, the median
};

/// The GPUs whose kernels take longer as time goes on: of the same name, grid and block and, if they were recorded,
/// inputs, without communication and copies, and only those that ran alone on the GPU. In each recorded window:
/// - three steps or more in a row, behind the first two, are slower than each of the others (three or more): by three
///   times what steps differ by from one to the next, and by 1 %. Of several such rows the one that loses most;
/// - so are kernels with half of the compared time and of three kinds or more, in most of these steps;
/// - three quarters of the steps do the same work as the first ones, six or more of them.
/// So kernels that become faster (warm-up), and steps with other work (other shapes), are none.
[[nodiscard]] std::vector<SlowedGpu> slowedGpus(const RuleContext& context);
/// The same of one rank.
[[nodiscard]] std::optional<SlowedGpu> slowedGpu(const RuleContext& context, RankPosition rank);

/// All kernels of the slow steps take as long as in the first steps. Steps too slow to count for prices become like the
/// others. The change refers to the context.
[[nodiscard]] RunChange coolChange(const RuleContext& context, const std::vector<SlowedGpu>& gpus);

/// The same kernels on one rank against those of its peers in the same steps; nothing if their work is not the same in
/// most of `steps`, or most of it is not slower.
[[nodiscard]] std::optional<double> slowerThanPeers(const RuleContext& context, RankPosition rank,
                                                    const std::vector<RunStepPosition>& steps);

}  // namespace rankscope
