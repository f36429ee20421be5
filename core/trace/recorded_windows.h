// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct RankTrace;

/// When a rank was recorded. A profiler with `schedule(repeat=2)`, and one that is started twice, write a file each
/// time. Between two of these windows is a hole: nothing was recorded there, so no measured span crosses it. All times
/// are on the clock of the rank's file.
class RecordedWindows {
  public:
    /// No windows, and no holes.
    RecordedWindows() = default;
    /// The windows of its files; those that overlap or touch are one. O(n log n) in the files.
    explicit RecordedWindows(const RankTrace& trace);
    /// Windows from another source, in any order.
    explicit RecordedWindows(std::vector<TimeSpan> windows);

    /// In order of time, disjoint, none empty. Empty if nothing was recorded.
    [[nodiscard]] std::span<const TimeSpan> all() const { return windows_; }
    /// From the end of each window to the start of the next; one fewer than there are windows.
    [[nodiscard]] std::vector<TimeSpan> holes() const;
    /// Which window an instant belongs to: an instant in a hole belongs to the nearer one. O(log windows).
    [[nodiscard]] std::uint32_t indexOf(TimeNs at_ns) const;
    /// Whether there is a hole between two instants, in any order.
    [[nodiscard]] bool holeBetween(TimeNs a_ns, TimeNs b_ns) const { return indexOf(a_ns) != indexOf(b_ns); }
    /// How much of `span` was recorded.
    [[nodiscard]] DurationNs lengthIn(const TimeSpan& span) const;

  private:
    std::vector<TimeSpan> windows_;
    std::vector<TimeNs> borders_;  // the middles of the holes
};

/// Which windows of several ranks were recorded at the same time.
struct SharedWindows {
    /// By rank and its window: the number of the window among those of the run, in order of time.
    std::vector<std::vector<std::uint32_t>> number;
    std::uint32_t count = 1;  ///< windows of the run
};

/// If all ranks have equally many windows, equally far apart, the first windows of all ranks are the first of the run,
/// and so on, whatever their clocks. Else windows that overlap are one window of the run; if two windows of a rank
/// would then be one, all are one. O(n log n) in the windows.
[[nodiscard]] SharedWindows shareWindows(const std::vector<std::vector<TimeSpan>>& ranks);

}  // namespace rankscope
