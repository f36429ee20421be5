// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rankscope::accuracy {

/// How many runs of a planted fault are known to be judged wrongly, at most, at any one resolution. What is awaited is
/// shown as all else is; only what is worse than that fails the command.
struct Awaited {
    std::size_t missed = 0;        ///< not found, or not first or second
    std::size_t wrong_ranks = 0;   ///< of those that are missed too
    std::size_t wrong_price = 0;   ///< the same; of the steps that it stands on
    std::size_t wrong_window = 0;  ///< the same; of all steps of the window, and bounds as forecasts

    /// Whether more is awaited than the price of steps that no price holds.
    [[nodiscard]] bool any() const { return missed + wrong_ranks + wrong_price > 0; }
};

/// Of a fault of allFaults(), in the whole matrix; nothing is awaited of most. docs/accuracy.md says why of each.
[[nodiscard]] Awaited awaitedOf(std::string_view fault);
/// The faults of which something is awaited.
[[nodiscard]] std::vector<std::string_view> awaitedFaults();

}  // namespace rankscope::accuracy
