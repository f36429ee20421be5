// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// How large a pipeline is.
struct PipelineShape {
    std::int32_t ranks = 0;            ///< p
    std::int32_t stages_per_rank = 1;  ///< v
    std::int32_t micro_batches = 0;    ///< m
    bool folded = false;               ///< each rank's second stage is on the way back: r and 2p-1-r
    [[nodiscard]] std::int32_t stages() const { return ranks * stages_per_rank; }
};

/// A pass of a schedule.
struct PassId {
    PassKind kind = PassKind::Forward;
    std::int32_t stage = 0;
    std::int32_t micro_batch = 0;
    friend auto operator<=>(const PassId&, const PassId&) = default;
};

/// The order in which the rank at `place` of a pipeline runs its passes by a schedule that has a fixed one: GPipe (its
/// backwards in the order of its forwards), 1F1B, interleaved 1F1B (stage = place + p x chunk, p micro-batches at a
/// time), zero bubble of one stage a rank (ZB-H1) and of two folded ones (ZB-V), DualPipe of two folded ones
/// (DualPipeV). Nothing if the shape does not fit: v is 1 but for those, p divides the micro-batches of interleaved
/// stages, and folded ones have 2p of them or more.
[[nodiscard]] std::optional<std::vector<PassId>> passOrder(Schedule schedule, const PipelineShape& shape,
                                                           std::int32_t place);

/// The share of the step that is bubble if all stages take the same time and hand over in none: (p-1)/(m+p-1) of GPipe
/// and 1F1B, (p-1)/(v m+p-1) of interleaved 1F1B. Nothing for others, whose bubble depends on what each pass takes.
[[nodiscard]] std::optional<double> theoryOf(Schedule schedule, const PipelineShape& shape);

/// What every stage takes of a micro-batch, and how long a hand-over from rank to rank takes.
struct PlayedTimes {
    std::vector<std::array<DurationNs, kPassKinds>> stages;  ///< by stage and PassKind
    DurationNs hand_over_ns = 0;
};

/// What a rank runs at a time: one pass, or several beside one another.
struct PlayedTurn {
    std::vector<PassId> passes;
    DurationNs length_ns = 0;
};

/// How long a step takes, from the start of its first pass to the end of its last, where each rank runs `orders` (by
/// rank) as soon as it is free and what its passes wait for has ended: the pass of the stage before, of a backward that
/// of the stage after. Nothing if they wait for one another in a circle. O(passes x ranks).
[[nodiscard]] std::optional<DurationNs> playTurns(const std::vector<std::vector<PlayedTurn>>& orders,
                                                  DurationNs hand_over_ns);
/// The same of one pass at a time.
[[nodiscard]] std::optional<DurationNs> playSchedule(const std::vector<std::vector<PassId>>& orders,
                                                     const PlayedTimes& times);

}  // namespace rankscope
