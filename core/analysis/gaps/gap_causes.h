// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/facts.h"
#include "core/analysis/gaps/host_activity.h"

namespace rankscope {

/// A part of a gap, before it is clipped to a step and gets its texts.
struct CausePart {
    Cause cause = Cause::Unrecorded;
    TimeSpan span;
    StringId label;
    SliceRefs evidence;
    bool long_stretch = false;  ///< as in GapPart
    SliceRef code;
};

/// Divides the gaps of one device among their causes (design 4.4).
class GapCauses {
  public:
    /// A shorter gap between two queued kernels is the device's own switching time.
    static constexpr DurationNs kKernelToKernelNs = 5'000;
    /// Host and device clocks of one machine may differ by this much.
    static constexpr DurationNs kClockSlackNs = 5'000;
    /// Late host time of at least this many usual launch intervals is a long stretch.
    static constexpr DurationNs kLaunchesInLongStretch = 10;

    /// `stalls` as RankMeasures::stalls. All must outlive it.
    GapCauses(const RankTrace& rank, const HostNames& names, const HostThreads& threads,
              std::span<const HostStall> stalls, TrackId main_thread, DurationNs median_launch_interval_ns);

    /// Sets `parts` to those of `gap`, in order; they fill it. `before` is the work that ended when the gap began,
    /// `releasing` the first work after it; nullptr if there is none.
    void divide(const TimeSpan& gap, const DeviceEvent* before, const DeviceEvent* releasing,
                std::vector<CausePart>& parts) const;

  private:
    /// Whether the gap began when work ended that belongs to a step before those that were read, and so is left out.
    [[nodiscard]] bool followsLeftOut(const TimeSpan& gap, const DeviceEvent& releasing) const;
    void divideHostTime(TrackId thread, const TimeSpan& window, const TimeSpan& gap, const DeviceEvent* before,
                        std::vector<CausePart>& parts) const;
    /// Divides the time from the start of the launch call to the start on the device.
    void divideLatency(SliceRef launch, const TimeSpan& latency, std::vector<CausePart>& parts) const;
    /// What the thread does while `inner` is its innermost slice, from `at_ns` on.
    [[nodiscard]] HostActivity activityAt(TrackId thread, SliceIndex inner, TimeNs at_ns) const;
    [[nodiscard]] HostActivity stalled(const HostStall& stall) const;
    void markLongStretches(TrackId thread, std::vector<CausePart>& parts) const;
    /// The innermost code around more than half of `span`, on the thread or on its partners.
    [[nodiscard]] SliceRef codeAround(TrackId thread, const TimeSpan& span) const;
    /// The wait that had emptied the device's queue when the gap began, if any.
    [[nodiscard]] HostActivity drainedBy(TrackId thread, const TimeSpan& gap, const DeviceEvent* before) const;
    template <class Emit>
    void followThreads(const std::vector<TrackId>& threads, std::size_t at, const TimeSpan& window, const Emit& emit,
                       const HostActivity* fallback) const;

    const RankTrace& rank_;
    const HostNames& names_;
    const HostThreads& threads_;
    HostActivities activities_;
    std::span<const HostStall> stalls_;
    TrackId main_thread_;
    DurationNs long_stretch_ns_;
    std::vector<std::vector<TrackId>> teams_;  // by track: the thread itself, then its partners if it launches work
};

}  // namespace rankscope
