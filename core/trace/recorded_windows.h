// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct RankTrace;

/// When a rank was recorded. A profiler with `schedule(repeat=2)` and one that is started twice write a file for each
/// time. Between two of these windows is a hole: nothing was recorded there, so nothing that is measured reaches over
/// it. All times are on the clock of the rank's file.
class RecordedWindows {
  public:
    /// No window, and no hole.
    RecordedWindows() = default;
    /// The windows of its files; those that overlap or touch are one. O(n log n) in the files.
    explicit RecordedWindows(const RankTrace& trace);
    /// Windows that are known otherwise, in any order.
    explicit RecordedWindows(std::vector<TimeSpan> windows);

    /// In order of time, disjoint, none empty. Empty where nothing was recorded.
    [[nodiscard]] std::span<const TimeSpan> all() const { return windows_; }
    /// From the end of each window to the start of the next; one fewer than there are windows.
    [[nodiscard]] std::vector<TimeSpan> holes() const;
    /// Which window an instant belongs to: an instant in a hole belongs to the nearer one. O(log windows).
    [[nodiscard]] std::uint32_t indexOf(TimeNs at_ns) const;
    /// Whether a hole lies between two instants, in any order.
    [[nodiscard]] bool holeBetween(TimeNs a_ns, TimeNs b_ns) const { return indexOf(a_ns) != indexOf(b_ns); }
    /// How much was recorded from the start to the end of `span`.
    [[nodiscard]] DurationNs lengthIn(const TimeSpan& span) const;

  private:
    std::vector<TimeSpan> windows_;
    std::vector<TimeNs> borders_;  // the middles of the holes
};

/// Which windows of several ranks were recorded at the same time.
struct SharedWindows {
    /// By rank and window of it: the number of the window among those of the run, in order of time.
    std::vector<std::vector<std::uint32_t>> number;
    std::uint32_t count = 1;  ///< windows of the run
};

/// Where all ranks have as many windows, and as far apart, the first of each rank are the first of the run, and so on,
/// whatever their clocks. Else windows that overlap are one window of the run; where two of a rank would be, all are.
/// O(n log n) in the windows.
[[nodiscard]] SharedWindows shareWindows(const std::vector<std::vector<TimeSpan>>& ranks);

}  // namespace rankscope
