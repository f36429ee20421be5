// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Finds collectives by what a rank recorded of them. The index holds nothing of the facts themselves.
class CollectiveIndex {
  public:
    CollectiveIndex() = default;
    /// O(n log n) in the members of all collectives.
    explicit CollectiveIndex(const CollectiveFacts& facts);

    /// The collective that a slice of `rank` is a kernel of: one of CollectiveMember::slices. O(log n).
    [[nodiscard]] std::optional<CollectivePosition> ofKernel(RankPosition rank, SliceRef slice) const;
    /// The same, or whose operator it is: CollectiveMember::op. O(log n).
    [[nodiscard]] std::optional<CollectivePosition> of(RankPosition rank, SliceRef slice) const;
    /// Those in which `rank` takes part inside a stretch of its file clock, by when it starts them. O(log n) and what
    /// it finds, as long as a rank's collectives hardly overlap.
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
        TimeNs until_ns = 0;  // the latest end of this and all before it
        CollectivePosition collective;
    };
    struct OfRank {
        std::vector<Part> parts;  // sorted
        std::vector<Stay> stays;  // by start
    };

    std::vector<OfRank> ranks_;
};

}  // namespace rankscope
