// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct NsInterval {
    DurationNs low = 0;
    DurationNs high = 0;
};
struct ShareInterval {
    double low = 0;
    double high = 0;
};

/// What the order of few samples says of B against A, whatever they are spread like. Positive: B takes longer.
struct RankTest {
    DurationNs shift_ns = 0;  ///< Hodges and Lehmann's: the median of all differences of a sample of B and one of A
    double p = 1;             ///< Mann and Whitney's, both sides, exact: over all ways to deal the samples to two runs
    double confidence = 0;    ///< of the intervals: the least at or above what was asked for
    NsInterval interval_ns;   ///< of the shift: the differences that this test does not refuse
    std::optional<ShareInterval> share_interval;  ///< the same of the ratio, less 1; nothing if a sample of A is 0
};

/// The smaller sample has this many at most, the larger this many: beyond, ranks are not worked out exactly.
inline constexpr std::size_t kMostOfFewer = 30;
inline constexpr std::size_t kMostOfMore = 250;

/// Tests two samples by their ranks, and gives the interval of `confidence` or a little more (Hodges and Lehmann, Ann.
/// Math. Statist. 34, 1963; Mann and Whitney, ibid. 18, 1947; samples that are equal share the mean of their ranks in
/// `p`). Nothing if even samples that do not overlap would not show it (3 against 3 at 95 %), or where there are
/// more than can be worked out. O(n^2 m) for n and m samples.
[[nodiscard]] std::optional<RankTest> testRanks(const std::vector<DurationNs>& a_ns,
                                                const std::vector<DurationNs>& b_ns, double confidence);

}  // namespace rankscope
