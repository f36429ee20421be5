// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device/device_work.h"
#include "core/analysis/facts.h"

namespace rankscope {

/// Where the time of `window` (on the rank's file clock) went on the rank's device; the four parts add up to its length
/// exactly. Exposed communication is not split. On a rank without device work all of it is idle. O(log n + the work
/// inside the window).
[[nodiscard]] Partition partitionOf(const RankFacts& rank, const TimeSpan& window);

/// The sets behind the partition of design 4.3, computed once for a device and then cut to any window.
class Partitioner {
  public:
    explicit Partitioner(const DeviceWork& work);

    /// Where the time of `window` went. The four parts add up to its length exactly.
    [[nodiscard]] Partition of(const TimeSpan& window) const;
    /// C - K: communication without computation at the same time.
    [[nodiscard]] const IntervalSet& exposedCommunication() const { return exposed_comm_; }
    /// C n K.
    [[nodiscard]] const IntervalSet& overlap() const { return overlap_; }
    /// M - K - C: copies without anything else at the same time.
    [[nodiscard]] const IntervalSet& exposedCopy() const { return exposed_copy_; }

  private:
    const DeviceWork& work_;
    IntervalSet exposed_comm_;
    IntervalSet exposed_copy_;
    IntervalSet overlap_;
};

}  // namespace rankscope
