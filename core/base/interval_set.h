// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// A set of instants as sorted, disjoint, non-touching, non-empty half-open intervals. All device-time facts are
/// lengths of such sets: never sums of durations, which count parallel work twice.
class IntervalSet {
  public:
    IntervalSet() = default;

    /// The union of `spans`, in any order, overlapping or empty.
    [[nodiscard]] static IntervalSet unionOf(std::vector<TimeSpan> spans);

    /// The intervals of the set in order of time: disjoint, not touching, none of them empty. Valid until the set
    /// changes.
    [[nodiscard]] std::span<const TimeSpan> spans() const& { return spans_; }
    void spans() const&& = delete;  ///< a loop over the spans of a temporary would read freed memory
    /// Whether the set contains no instant.
    [[nodiscard]] bool empty() const { return spans_.empty(); }

    /// Total length in nanoseconds.
    [[nodiscard]] DurationNs length() const;

    /// The union: the instants in either set. Linear in the intervals of both.
    [[nodiscard]] IntervalSet unite(const IntervalSet& other) const;
    /// The intersection: the instants in both sets. Linear in the intervals of both.
    [[nodiscard]] IntervalSet intersect(const IntervalSet& other) const;
    /// The difference: the instants of this set without those of `other`. Linear in the intervals of both.
    [[nodiscard]] IntervalSet subtract(const IntervalSet& other) const;
    /// The part inside `window`. Costs O(log n + result).
    [[nodiscard]] IntervalSet clip(const TimeSpan& window) const;
    /// The length of the part inside `window`. Costs O(log n + intervals there), and no memory.
    [[nodiscard]] DurationNs lengthIn(const TimeSpan& window) const;
    /// The part of `window` that is not in the set. Costs O(log n + result).
    [[nodiscard]] IntervalSet gapsIn(const TimeSpan& window) const;
    [[nodiscard]] bool contains(TimeNs t) const;

    friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

  private:
    std::vector<TimeSpan> spans_;
};

/// The length of the union of spans that are added one by one, in ascending order of start: overlapping parts count
/// once.
class UnionLength {
  public:
    /// Adds a span, which may be empty; returns by how much the union grew.
    DurationNs add(const TimeSpan& span) {
        const TimeNs from_ns = std::max(span.start_ns, until_ns_);
        const DurationNs more_ns = std::max<DurationNs>(0, span.end_ns - from_ns);
        until_ns_ = std::max(until_ns_, span.end_ns);
        length_ns_ += more_ns;
        return more_ns;
    }
    [[nodiscard]] DurationNs length() const { return length_ns_; }

  private:
    TimeNs until_ns_ = std::numeric_limits<TimeNs>::min();  ///< the latest end so far
    DurationNs length_ns_ = 0;
};

}  // namespace rankscope
