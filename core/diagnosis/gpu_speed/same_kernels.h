// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// A kernel of a step, told apart so that it is found again in other steps and on other ranks.
struct StepKernel {
    /// A hash of its name, of its grid and block, and of the inputs of the product that launched it: as far as they
    /// were recorded.
    std::uint64_t kind = 0;
    std::uint32_t ordinal = 0;  ///< among those of its kind in the step, in order of launch
    std::uint32_t event = 0;    ///< in ReplayModel::events of its rank
    DurationNs ns = 0;
    bool alone = false;  ///< nothing else ran on the GPU meanwhile, so nothing else slowed it
};
/// The kernels of one step, without communication, by kind and ordinal.
using StepKernels = std::vector<StepKernel>;

/// The kernels of each step of a rank, as RankFacts::steps.
[[nodiscard]] std::vector<StepKernels> kernelsOfSteps(const RuleContext& context, RankPosition rank);

/// What each kernel takes in the median of several steps, if it is alone in half of them or more; `alone` says whether.
/// Without kinds of which the steps have different numbers: their work differs.
[[nodiscard]] StepKernels medianKernels(std::span<const StepKernels* const> steps);

/// A step held against what its kernels take elsewhere.
struct KernelPace {
    double factor = 1;         ///< how many times as long the same kernels take, all together
    DurationNs before_ns = 0;  ///< what those kernels take elsewhere
    double widespread = 0;     ///< the share of before_ns in kernels that are slower by half of `factor` or more
    double same_work = 0;      ///< the share of the step's kernel time in kinds with as many kernels there
    std::size_t kinds = 0;     ///< how many kinds are compared

    /// Whether the two do the same work: enough of the step is of the same kinds, and enough of it could be compared.
    [[nodiscard]] bool comparable() const;
};
/// `reference` as medianKernels() gives it.
[[nodiscard]] KernelPace paceOf(const StepKernels& step, const StepKernels& reference);

}  // namespace rankscope
