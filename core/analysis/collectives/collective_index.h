// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Finds collectives by slice or by time. The index does not refer to the facts.
class CollectiveIndex {
  public:
    CollectiveIndex() = default;
    /// O(n log n) in the members of all collectives.
    explicit CollectiveIndex(const CollectiveFacts& facts);

    /// The collective that has a slice of `rank` as a kernel: one of CollectiveMember::slices. O(log n).
    [[nodiscard]] std::optional<CollectivePosition> ofKernel(RankPosition rank, SliceRef slice) const;
    /// The same, also for its operator: CollectiveMember::op. O(log n).
    [[nodiscard]] std::optional<CollectivePosition> of(RankPosition rank, SliceRef slice) const;
    /// The collectives in which `rank` takes part within a span of its file clock, by its start in them. O(log n +
    /// results), as long as a rank's collectives hardly overlap.
    [[nodiscard]] std::vector<CollectivePosition> within(RankPosition rank, const TimeSpan& span) const;

  private:
    struct Part {
        SliceRef slice;
        bool is_operator = false;  // a slice that is both comes first as a kernel
        CollectivePosition collective;
        friend auto operator<=>(const Part&, const Part&) = default;
    };
    struct Stay {
        TimeSpan span;
        TimeNs until_ns = 0;  // the latest end of this and all previous entries
        CollectivePosition collective;
    };
    struct OfRank {
        std::vector<Part> parts;  // sorted
        std::vector<Stay> stays;  // sorted by start
    };

    std::vector<OfRank> ranks_;
};

}  // namespace rankscope
