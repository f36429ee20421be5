// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rankscope {

/// Means: nothing corresponds.
inline constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

/// For each place of `a` its place in `b`, or kNoPartner, so that as many equal names as possible pair and no pairs
/// cross: the shortest edit script of Myers (Algorithmica 1, 1986). Takes O((|a| + |b|) x edits); if more than
/// `most_edits` places are inserted or removed, the k-th of a name pairs with the k-th of that name instead, which may
/// cross, in O(|a| + |b|).
[[nodiscard]] std::vector<std::uint32_t> alignNames(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                                    std::size_t most_edits);

}  // namespace rankscope
