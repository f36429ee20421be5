// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

namespace rankscope {

/// A point in time in integer nanoseconds: since the Unix epoch if the file says so, else since the file's own zero.
using TimeNs = std::int64_t;
/// A length of time in integer nanoseconds.
using DurationNs = std::int64_t;

/// `factor` times a length of time, both zero or more, capped at the largest DurationNs. A damaged file may have events
/// 57 years apart, and a few times that exceeds 64 bits.
[[nodiscard]] constexpr DurationNs multiple(DurationNs factor, DurationNs length_ns) {
    DurationNs product_ns = 0;
    return __builtin_mul_overflow(factor, length_ns, &product_ns) ? std::numeric_limits<DurationNs>::max() : product_ns;
}

/// The half-open interval [start_ns, end_ns). Empty if end_ns <= start_ns.
struct TimeSpan {
    TimeNs start_ns = 0;
    TimeNs end_ns = 0;

    /// The length in nanoseconds; 0 if the span is empty or runs backwards, never below.
    [[nodiscard]] constexpr DurationNs length() const { return std::max<DurationNs>(0, end_ns - start_ns); }
    /// Whether it contains no instant: its end is not after its start.
    [[nodiscard]] constexpr bool empty() const { return end_ns <= start_ns; }
    /// Whether the instant `t` is in it; its start does, its end does not.
    [[nodiscard]] constexpr bool contains(TimeNs t) const { return start_ns <= t && t < end_ns; }
    /// Whether it shares an instant with `other`, if neither is empty; adjacent spans do not overlap.
    [[nodiscard]] constexpr bool overlaps(const TimeSpan& other) const {
        return start_ns < other.end_ns && other.start_ns < end_ns;
    }
    friend constexpr auto operator<=>(const TimeSpan&, const TimeSpan&) = default;
};

/// The part that two spans share. If they share nothing it is empty, and may end before it starts.
[[nodiscard]] constexpr TimeSpan intersect(const TimeSpan& a, const TimeSpan& b) {
    return {std::max(a.start_ns, b.start_ns), std::min(a.end_ns, b.end_ns)};
}

/// A point or a stretch of time on one kind of clock. It cannot be mixed up with one on another kind: the two do not
/// convert to each other, compare, or subtract. Made from plain times only explicitly, but converts to one anywhere.
template <class Time, class Clock>
class OnClock {
  public:
    constexpr OnClock() = default;
    constexpr explicit OnClock(const Time& time) : time_(time) {}
    template <class Other>
    requires(!std::same_as<Other, Clock>) explicit OnClock(const OnClock<Time, Other>&) = delete;

    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): reads as plain times, see above
    constexpr operator const Time&() const { return time_; }
    [[nodiscard]] constexpr const Time& plain() const { return time_; }

    friend constexpr bool operator==(const OnClock&, const OnClock&) = default;
    friend constexpr auto operator<=>(const OnClock&, const OnClock&) = default;

  private:
    Time time_{};
};

template <class Time, class A, class B>
requires(!std::same_as<A, B>) bool operator==(const OnClock<Time, A>&, const OnClock<Time, B>&) = delete;
template <class Time, class A, class B>
requires(!std::same_as<A, B>) std::strong_ordering operator<=>(const OnClock<Time, A>&,
                                                               const OnClock<Time, B>&) = delete;
template <class Time, class A, class B>
requires(!std::same_as<A, B>) DurationNs operator-(const OnClock<Time, A>&, const OnClock<Time, B>&) = delete;

// Every rank's file has its own clock, and a run has one clock for all of them. RankClock (core/clock/run_clock.h)
// converts between the two, with typed arguments and results. Elsewhere times are plain: facts and traces have only
// file times, as their headers say.

/// A time on the clock of one rank's file.
using FileTime = OnClock<TimeNs, struct FileClockTag>;
/// A time on the clock of the run, which all of its ranks share. Reports and rulers count from RunClock::base_ns.
using RunTime = OnClock<TimeNs, struct RunClockTag>;
/// A stretch of time on the clock of one rank's file.
using FileSpan = OnClock<TimeSpan, struct FileClockTag>;
/// A stretch of time on the clock of the run.
using RunSpan = OnClock<TimeSpan, struct RunClockTag>;

}  // namespace rankscope
