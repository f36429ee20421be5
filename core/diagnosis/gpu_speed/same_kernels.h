// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// A kernel of a step, with the keys that identify it in other steps and on other ranks.
struct StepKernel {
    /// A hash of its name, its grid and block, and the inputs of the product that launched it, as far as they were
    /// recorded.
    std::uint64_t kind = 0;
    std::uint32_t ordinal = 0;  ///< its position among the kernels of its kind in the step, in order of launch
    std::uint32_t event = 0;    ///< index in ReplayModel::events of its rank
    DurationNs ns = 0;
    bool alone = false;  ///< nothing else ran on the GPU at the same time, so nothing else slowed it down
};
/// The kernels of one step, without communication, sorted by kind and ordinal.
using StepKernels = std::vector<StepKernel>;

/// The kernels of each step of a rank, parallel to RankFacts::steps.
[[nodiscard]] std::vector<StepKernels> kernelsOfSteps(const RuleContext& context, RankPosition rank);

/// The median time of each kernel over several steps, if it is alone in half of them or more; `alone` says whether it
/// is. Without kinds that occur in different numbers in the steps: their work differs.
[[nodiscard]] StepKernels medianKernels(std::span<const StepKernels* const> steps);

/// The kernels of a step compared with the same kernels elsewhere.
struct KernelPace {
    double factor = 1;         ///< ratio of the total time of the same kernels: here divided by elsewhere
    DurationNs before_ns = 0;  ///< the total time of those kernels elsewhere
    double widespread = 0;     ///< the share of before_ns in kernels that are slower by half of `factor` or more
    double same_work = 0;      ///< the share of the step's kernel time in kinds that occur equally often elsewhere
    std::size_t kinds = 0;     ///< the number of compared kinds

    /// Whether both do the same work: enough of the step is of the same kinds, and enough of it could be compared.
    [[nodiscard]] bool comparable() const;
};
/// `reference` comes from medianKernels().
[[nodiscard]] KernelPace paceOf(const StepKernels& step, const StepKernels& reference);

}  // namespace rankscope
