// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace rankscope {

/// A point in time in integer nanoseconds: since the Unix epoch where the file says so, else since the file's own zero.
using TimeNs = std::int64_t;
/// A length of time in integer nanoseconds.
using DurationNs = std::int64_t;

/// The half-open interval [start_ns, end_ns). Empty where end_ns <= start_ns.
struct TimeSpan {
    TimeNs start_ns = 0;
    TimeNs end_ns = 0;

    /// The length in nanoseconds; 0 where the span is empty or runs backwards, never below.
    [[nodiscard]] constexpr DurationNs length() const { return std::max<DurationNs>(0, end_ns - start_ns); }
    /// Whether it holds no instant: its end is not behind its start.
    [[nodiscard]] constexpr bool empty() const { return end_ns <= start_ns; }
    /// Whether the instant `t` lies in it; its start does, its end does not.
    [[nodiscard]] constexpr bool contains(TimeNs t) const { return start_ns <= t && t < end_ns; }
    /// Whether it shares an instant with `other`, where neither is empty; spans that only touch do not overlap.
    [[nodiscard]] constexpr bool overlaps(const TimeSpan& other) const {
        return start_ns < other.end_ns && other.start_ns < end_ns;
    }
    friend constexpr auto operator<=>(const TimeSpan&, const TimeSpan&) = default;
};

/// The part that two spans share. Where they share nothing it is empty, and may end before it starts.
[[nodiscard]] constexpr TimeSpan intersect(const TimeSpan& a, const TimeSpan& b) {
    return {std::max(a.start_ns, b.start_ns), std::min(a.end_ns, b.end_ns)};
}

}  // namespace rankscope
