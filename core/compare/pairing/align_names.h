// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rankscope {

/// No counterpart.
inline constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

/// For each place of `a` its place in `b`, or kNoPartner. Pairs as many equal names as possible without crossing pairs,
/// by Myers' shortest edit script (Algorithmica 1, 1986), in O((|a| + |b|) x edits). If more than `most_edits` places
/// are inserted or removed, the k-th of each name pairs with the k-th of that name instead. Such pairs may cross, and
/// take O(|a| + |b|).
[[nodiscard]] std::vector<std::uint32_t> alignNames(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                                    std::size_t most_edits);

}  // namespace rankscope
