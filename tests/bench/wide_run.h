// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::bench {

/// A run of `ranks` ranks with `slices` slices in all, made in memory: each rank has a stream of compute, one of
/// communication and a thread with nested operators, 20 steps with their gaps, and the facts that the timeline draws.
/// It lasts 2 s whatever the number of slices.
[[nodiscard]] std::shared_ptr<const AnalysedRun> makeWideRun(std::uint32_t ranks, std::int64_t slices);

inline constexpr DurationNs kWideRunNs = 2'000'000'000;

}  // namespace rankscope::bench
