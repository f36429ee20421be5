// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/base/time.h"

namespace rankscope::tracegen {

/// Chance that is the same everywhere: integers only, no distribution of the standard library, no clock.
/// A Dice is named by its keys (seed, rank, step, what for), so one more draw in one place shifts no other place:
/// a run with a fault and the run without it draw the same numbers for all they share.
class Dice {
  public:
    Dice(std::uint64_t seed, std::initializer_list<std::uint64_t> keys) : state_(mix(seed)) {
        for (const std::uint64_t key : keys) {
            state_ = mix(state_ ^ mix(key + kGolden));
        }
    }

    /// The next 64 random bits (splitmix64, public domain, Sebastiano Vigna).
    std::uint64_t next() {
        state_ += kGolden;
        return mix(state_);
    }
    /// A number from 0 to `bound` - 1; the bias of the remainder is below 1e-12 for the bounds used here.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }
    /// A number from `low` to `high`, both included.
    DurationNs between(DurationNs low, DurationNs high) {
        return low + static_cast<DurationNs>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    /// `centre`, give or take `per_mille` thousandths of it.
    DurationNs around(DurationNs centre, std::int64_t per_mille) {
        return centre + centre * between(-per_mille, per_mille) / 1000;
    }

  private:
    static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;

    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    std::uint64_t state_;
};

/// What a Dice is for: its last key but the index.
enum class Draw : std::uint64_t {
    Model,
    Step,
    Forward,
    Backward,
    Optimizer,
    Collective,
    Batch,
    Turn,
    HostSync,
    Allocator,
    Copy,
    GradientCopy,
    UsedMap,
    Broadcast,
    HostCode,
};

}  // namespace rankscope::tracegen
