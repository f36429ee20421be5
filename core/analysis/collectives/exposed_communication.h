// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/device/device_work.h"
#include "core/analysis/facts.h"
#include "core/base/interval_set.h"

namespace rankscope {

/// Which collectives claim the time of one rank: spans that may overlap, each with its collective.
class CollectiveClaims {
  public:
    void add(const TimeSpan& span, CollectivePosition collective) { claims_.push_back({span, collective}); }
    /// Call once, after the last add().
    void sort();
    /// The union of all claims.
    [[nodiscard]] IntervalSet all() const;
    /// Cuts `span` into parts, and calls visit(part, collective) for each: the collective that started first owns an
    /// instant that several claim. Unclaimed instants are left out. O(log n + claims near the span).
    template <class Visit>
    void divide(const TimeSpan& span, const Visit& visit) const {
        auto claim = std::ranges::lower_bound(claims_, span.start_ns - longest_ns_, {}, &Claim::start);
        TimeNs at = span.start_ns;
        for (; claim != claims_.end() && at < span.end_ns && claim->span.start_ns < span.end_ns; ++claim) {
            const TimeSpan part = intersect({at, span.end_ns}, claim->span);
            if (!part.empty()) {
                visit(part, claim->collective);
                at = part.end_ns;
            }
        }
    }

  private:
    struct Claim {
        TimeSpan span;
        CollectivePosition collective;
        [[nodiscard]] TimeNs start() const { return span.start_ns; }
    };
    std::vector<Claim> claims_;  // sorted by start
    DurationNs longest_ns_ = 0;
};

/// Exposed communication of one rank's device, C - K, in three disjoint sets that fill it: an instant belongs to a
/// transfer if any collective transfers then; else to a collective that cannot be split; else to waiting. A kernel that
/// only waits is all waiting, unless its match shows a transfer.
struct ExposedCommunication {
    IntervalSet transfer;
    IntervalSet unsplit;
    IntervalSet wait;
    CollectiveClaims transfers;  ///< the collectives that claim the times of `transfer`, and more
    CollectiveClaims unsplits;
    CollectiveClaims waits;
    bool splittable = false;  ///< at least one of the rank's collectives can be split
};

/// A rank's part in a collective.
struct OwnPart {
    CollectivePosition collective;
    std::uint32_t member = 0;  ///< index in Collective::members
};

/// The parts of each rank, as Run::ranks, in all collectives, in the order of these.
[[nodiscard]] std::vector<std::vector<OwnPart>> partsOfRanks(const CollectiveFacts& facts, std::size_t ranks);

/// Splits the exposed communication of the rank with these parts and this work. O(n log n) in both.
[[nodiscard]] ExposedCommunication splitExposed(const std::vector<OwnPart>& parts, const DeviceWork& work,
                                                const CollectiveFacts& facts);

/// `partition` of `window`, with its exposed communication split; unchanged if none of the rank's collectives can be
/// split.
[[nodiscard]] Partition withSplit(Partition partition, const ExposedCommunication& exposed, const TimeSpan& window);

}  // namespace rankscope
