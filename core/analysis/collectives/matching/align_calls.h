// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// What proves, without numbers, that calls of two ranks are the same collective: everything recorded must be equal.
struct CallProof {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::string_view dtype;  ///< empty if not recorded
    std::int64_t in_elements = -1;
    std::int64_t out_elements = -1;
    std::string_view name;  ///< name of the operator or kernel, if nothing else is recorded
    TimeSpan span;          ///< on the rank's file clock
    /// For a message: its two ends are close in time, but need not overlap. Such ends help to choose between shifts,
    /// but rule out none.
    bool ends_near = false;
};

/// Pairs the calls of two ranks by their order (design 4.5), after the shift of one list against the other that fits
/// best. A shift fits if each pair has equal proofs, and if one constant clock difference lets all pairs overlap in
/// time, as calls that end together do. Of several shifts, the one with most pairs wins, then the one whose ends
/// scatter least. Returns pairs of indices; empty if no shift fits, or if two fit equally well. The scatter of more
/// than 128 pairs is measured on 128 of them, spread evenly. O(n log n) in the calls of both.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> alignCalls(const std::vector<CallProof>& a,
                                                                          const std::vector<CallProof>& b);

}  // namespace rankscope
