// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace/run.h"

namespace rankscope::test {

/// The all-reduce of rankThatIs().
inline constexpr const char* kReduction = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/// What one rank does in a step, in microseconds from its start.
struct Doing {
    double loader_us = 0;   ///< the batch comes so late
    double compute_us = 0;  ///< then one kernel of this length
    double arrives_us = 0;  ///< when its all-reduce starts
    double length_us = 1000;
};

/// A rank of `world` with a step for each, numbered from 5 on: the batch, a kernel, an all-reduce that ends at 900 us,
/// and a kernel to the end of the step.
[[nodiscard]] std::shared_ptr<const RankTrace> rankThatIs(std::int32_t number, const std::vector<Doing>& steps,
                                                          std::int32_t world = 2);

/// Two ranks with so many steps of a millisecond. Rank 1 gets its batch 400 us late in each, computes for 395 us and
/// comes to the all-reduce at 800 us; rank 0 waits for it there from 305 us on.
[[nodiscard]] std::shared_ptr<const Run> runWithALateRank(std::size_t steps);

}  // namespace rankscope::test
