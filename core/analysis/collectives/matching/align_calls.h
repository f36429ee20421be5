// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// What proves, without numbers, that two ranks' calls are the same collective: all that is recorded must be equal.
struct CallProof {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::string_view dtype;  ///< empty if not recorded
    std::int64_t in_elements = -1;
    std::int64_t out_elements = -1;
    std::string_view name;  ///< of the operator or kernel, where there is nothing else
    TimeSpan span;          ///< on the rank's file clock
    /// Of a message: its two ends come about together, but need not overlap. They tell shifts apart, and refuse none.
    bool ends_near = false;
};

/// Pairs the calls of two ranks by their order (design 4.5): after the shift of one against the other that fits best.
/// A shift fits if each pair it makes has equal proofs, and if some constant difference of the clocks lets every pair
/// overlap in time, as calls that end together do. Of several the one with most pairs is taken, then the one whose
/// ends scatter least. Returns pairs of indices; empty where no shift fits, or where two fit equally well. How far the
/// ends of more than 128 pairs scatter is known by 128 of them, spread evenly. O(n log n) in the calls of both.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> alignCalls(const std::vector<CallProof>& a,
                                                                          const std::vector<CallProof>& b);

}  // namespace rankscope
