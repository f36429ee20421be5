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

/// What the order of few samples says of B against A, for any distribution. Positive: B takes longer.
struct RankTest {
    DurationNs shift_ns = 0;  ///< Hodges and Lehmann: the median of all differences between a sample of B and one of A
    double p = 1;             ///< Mann and Whitney, two-sided and exact: over all ways to deal the samples to two runs
    double confidence = 0;    ///< of the intervals: the smallest possible one that is not below the one asked for
    NsInterval interval_ns;   ///< of the shift: the differences that the test does not reject
    std::optional<ShareInterval> share_interval;  ///< the same for the ratio, minus 1; nothing if a sample of A is 0
};

/// The most samples in the smaller and in the larger run: above these, exact ranks take too long.
inline constexpr std::size_t kMostOfFewer = 30;
inline constexpr std::size_t kMostOfMore = 250;

/// Tests two samples by their ranks, with an interval of at least `confidence` (Hodges and Lehmann, Ann. Math. Statist.
/// 34, 1963; Mann and Whitney, ibid. 18, 1947). Equal samples share the mean of their ranks in `p`. Nothing if even
/// samples that do not overlap would not show a difference (3 against 3 at 95 %), or if there are too many samples.
/// O(n^2 m) for n and m samples.
[[nodiscard]] std::optional<RankTest> testRanks(const std::vector<DurationNs>& a_ns,
                                                const std::vector<DurationNs>& b_ns, double confidence);

}  // namespace rankscope
