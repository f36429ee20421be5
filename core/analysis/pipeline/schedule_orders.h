// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// The dimensions of a pipeline.
struct PipelineShape {
    std::int32_t ranks = 0;            ///< p
    std::int32_t stages_per_rank = 1;  ///< v
    std::int32_t micro_batches = 0;    ///< m
    bool folded = false;               ///< the stages go forth and back over the ranks: rank r has r and 2p-1-r
    [[nodiscard]] std::int32_t stages() const { return ranks * stages_per_rank; }
};

/// A pass of a schedule.
struct PassId {
    PassKind kind = PassKind::Forward;
    std::int32_t stage = 0;
    std::int32_t micro_batch = 0;
    friend auto operator<=>(const PassId&, const PassId&) = default;
};

/// The order in which the rank at `place` of a pipeline runs its passes, for schedules with a fixed order: GPipe (its
/// backwards in the order of its forwards), 1F1B, interleaved 1F1B (stage = place + p x chunk, p micro-batches at a
/// time), zero bubble with one stage per rank (ZB-H1) and with two folded ones (ZB-V), DualPipe with two folded ones
/// (DualPipeV). Nothing if the shape does not fit: v is 1 except for interleaved and folded schedules, p divides the
/// micro-batches of interleaved stages, and folded ones need 2p micro-batches or more.
[[nodiscard]] std::optional<std::vector<PassId>> passOrder(Schedule schedule, const PipelineShape& shape,
                                                           std::int32_t place);

/// The share of the step that is bubble if all stages take the same time and hand-overs take none: (p-1)/(m+p-1) for
/// GPipe and 1F1B, (p-1)/(v m+p-1) for interleaved 1F1B. Nothing for others, whose bubble depends on the times of their
/// passes.
[[nodiscard]] std::optional<double> theoryOf(Schedule schedule, const PipelineShape& shape);

/// The times of every stage per micro-batch, and of a hand-over from rank to rank.
struct PlayedTimes {
    std::vector<std::array<DurationNs, kPassKinds>> stages;  ///< by stage and PassKind
    DurationNs hand_over_ns = 0;
};

/// What a rank runs at once: one pass, or several together.
struct PlayedTurn {
    std::vector<PassId> passes;
    DurationNs length_ns = 0;
};

/// The simulated length of a step, from the start of its first pass to the end of its last. Each rank runs its `orders`
/// (by rank) as soon as it is free and the pass that it waits for has ended: that of the previous stage, for a backward
/// that of the next stage. Nothing if passes wait for each other in a circle. O(passes x ranks).
[[nodiscard]] std::optional<DurationNs> playTurns(const std::vector<std::vector<PlayedTurn>>& orders,
                                                  DurationNs hand_over_ns);
/// The same for orders of one pass at a time.
[[nodiscard]] std::optional<DurationNs> playSchedule(const std::vector<std::vector<PassId>>& orders,
                                                     const PlayedTimes& times);

}  // namespace rankscope
