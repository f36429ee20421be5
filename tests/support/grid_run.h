// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// A job of data x pipeline x tensor ranks, numbered with tensor as the innermost dimension.
struct GridShape {
    std::int32_t data = 2;
    std::int32_t pipeline = 2;
    std::int32_t tensor = 2;
    std::set<std::int32_t> missing{};  ///< numbers of ranks that no file is of
    std::int32_t late_stage = -1;      ///< whose ranks are kGridLateNs late in each step
    std::int32_t steps = 2;
    bool memory = true;  ///< what each rank reserves is known: kGridBytes for each stage from the last on
};
inline constexpr DurationNs kGridStepNs = 10'000'000;
inline constexpr DurationNs kGridLateNs = 4'000'000;
inline constexpr DurationNs kGridTensorNs = 1'500'000;  ///< exposed of a rank's tensor group in a step
inline constexpr DurationNs kGridDataNs = 500'000;      ///< the same of its data group
inline constexpr std::int64_t kGridBytes = 10'000'000'000;

/// The run of this job, made by hand: a stream with a kernel and an all-reduce of its tensor group in each step, the
/// groups with their roles, and the grid that follows from them.
[[nodiscard]] std::shared_ptr<AnalysedRun> runOnAGrid(const GridShape& shape);

}  // namespace rankscope::test
