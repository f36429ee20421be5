// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/facts.h"
#include "core/analysis/gaps/host_activity.h"

namespace rankscope {

/// A part of a gap, before it is clipped to a step and put into words.
struct CausePart {
    Cause cause = Cause::Unrecorded;
    TimeSpan span;
    StringId label;
    SliceRefs evidence;
    bool long_stretch = false;  ///< as GapPart's
    SliceRef code;
};

/// Divides the gaps of one device among their causes (design 4.4).
class GapCauses {
  public:
    /// A gap below this between two queued kernels is the device's own hand-over.
    static constexpr DurationNs kKernelToKernelNs = 5'000;
    /// By so much may host and device clocks of one machine disagree here.
    static constexpr DurationNs kClockSlackNs = 5'000;
    /// From this many usual intervals between launches on, late host time is a long stretch.
    static constexpr DurationNs kLaunchesInLongStretch = 10;

    /// `stalls` as RankMeasures::stalls. All must outlive it.
    GapCauses(const RankTrace& rank, const HostNames& names, const HostThreads& threads,
              std::span<const HostStall> stalls, TrackId main_thread, DurationNs median_launch_interval_ns);

    /// Sets `parts` to those of `gap`, in order; they fill it. `before` is the work that ended when it began,
    /// `releasing` the first work after it; nullptr if there is none.
    void divide(const TimeSpan& gap, const DeviceEvent* before, const DeviceEvent* releasing,
                std::vector<CausePart>& parts) const;

  private:
    /// Whether the gap began when work of the same device ended that was left out with the steps before those read.
    [[nodiscard]] bool followsLeftOut(const TimeSpan& gap, const DeviceEvent& releasing) const;
    void divideHostTime(TrackId thread, const TimeSpan& window, const TimeSpan& gap, const DeviceEvent* before,
                        std::vector<CausePart>& parts) const;
    /// From the start of the launch call to the start on the device.
    void divideLatency(SliceRef launch, const TimeSpan& latency, std::vector<CausePart>& parts) const;
    /// What the thread is in while `inner` is its innermost slice, from `at_ns` on.
    [[nodiscard]] HostActivity activityAt(TrackId thread, SliceIndex inner, TimeNs at_ns) const;
    [[nodiscard]] HostActivity stalled(const HostStall& stall) const;
    void markLongStretches(TrackId thread, std::vector<CausePart>& parts) const;
    /// The innermost code around more than half of `span`, of the thread or of those that work with it.
    [[nodiscard]] SliceRef codeAround(TrackId thread, const TimeSpan& span) const;
    /// The wait that had emptied the device's queue when the gap began, if there was one.
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
    std::vector<std::vector<TrackId>> teams_;  // by track: itself, then the partners of a thread that puts work
};

}  // namespace rankscope
