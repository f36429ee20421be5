// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace/run.h"

namespace rankscope::test {

/// A message of one piece of work.
struct PieceMessage {
    bool sends = false;
    std::int32_t peer = 0;
};

/// One piece of what a rank does. The pieces of a rank follow one another: each starts 5 us after the one before.
struct Piece {
    enum class What : std::uint8_t { Compute, Reduce, Exchange };
    What what = What::Compute;
    double us = 0;                       ///< of compute; else of the transfer, once all that is waited for have come
    std::size_t group = 0;               ///< of Reduce: an index in MixedRun::groups
    std::vector<PieceMessage> messages;  ///< of Exchange; two or more are one batch, with one kernel
    bool buffered = false;               ///< of Exchange: who sends leaves after `us`, whoever has come
    std::int64_t elements = 1 << 20;
};

[[nodiscard]] Piece compute(double us);
[[nodiscard]] Piece reduce(std::size_t group, double us);
[[nodiscard]] Piece sendTo(std::int32_t peer, double us);
[[nodiscard]] Piece receiveFrom(std::int32_t peer, double us);
[[nodiscard]] Piece batch(std::vector<PieceMessage> messages, double us);

/// A run of ranks with programs, played by the rules of collectives alone: an all-reduce ends for all its members `us`
/// after the last has come, an exchange `us` after the last partner that it waits for. Knows nothing of replays.
struct MixedRun {
    std::vector<std::vector<std::int32_t>> groups;  ///< of Reduce: their ranks
    std::vector<std::vector<Piece>> programs;       ///< by rank: what it does in each step
    std::vector<std::vector<Piece>> first = {};     ///< the same in the first step, where that differs; as many pieces
    std::size_t steps = 3;
    bool one_host = false;  ///< else each rank's clock is off by an hour times its number, and its host unknown

    [[nodiscard]] std::shared_ptr<const Run> play() const;
};

/// The ranks in a grid of data x pipeline x tensor, tensor innermost: a step of 1F1B with `micro` micro-batches, in
/// which each stage sums up over its tensor group in each pass, and over its replicas at the end. `us` of a pass of
/// each rank; the backward takes twice as much.
[[nodiscard]] MixedRun gridRun(std::int32_t data, std::int32_t pipeline, std::int32_t tensor, std::int32_t micro,
                               const std::vector<double>& us);

}  // namespace rankscope::test
