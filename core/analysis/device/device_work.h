// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/analysis/device/work_class.h"
#include "core/base/interval_set.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// A piece of device work with the host call that launched it.
struct DeviceEvent {
    /// `launched_ns` of work launched before the first launch in the file.
    static constexpr TimeNs kBeforeAll = std::numeric_limits<TimeNs>::min();

    TimeSpan span;
    SliceRef ref;
    SliceRef launch;  ///< invalid if the file does not show it
    TimeSpan call;    ///< the span of `launch`; empty if that is unknown
    /// Start of the launch call. If it is unknown: that of the previous work on the same stream, since streams keep the
    /// order; kBeforeAll at the start of a stream, and the nanosecond before the window at the start of each further
    /// window (core/trace/recorded_windows.h); its own start on a stream without any launch.
    TimeNs launched_ns = 0;
    /// How long it was ready before it started, while another process had the device; else 0, and until markLateWork()
    /// has run.
    DurationNs held_ns = 0;
    /// How much later than usual it started after its launch, on an idle device; 0 if it was on time or held back, and
    /// until markLateWork() has run.
    DurationNs answer_ns = 0;
    WorkClass work = WorkClass::None;
    bool waits_only = false;  ///< communication that only waits for other ranks, by the name rules
};

/// The work of one device of a rank.
struct DeviceWork {
    std::int32_t device = -1;                 ///< the device with most work; -1 if there is none
    std::vector<std::int32_t> other_devices;  ///< other devices of the rank with work
    std::vector<DeviceEvent> events;          ///< work of `device`, by start; without pieces of zero length
    std::vector<DeviceEvent> empty_events;    ///< pieces of zero length whose launch the file shows, by launch
    IntervalSet compute;
    IntervalSet communication;
    IntervalSet copy;
    IntervalSet busy;  ///< the union of the three above
};

/// The median time from the start of one launch call to that of the next; 0 with fewer than two.
[[nodiscard]] DurationNs medianLaunchInterval(const DeviceWork& work);

/// Gathers the device work of one rank: chooses the device with most of it (by summed durations; of equal ones the
/// lowest number), sorts its kernels and copies by start, with their launch calls, and unites them by class. `classes`
/// as from classifyWork(); `rules` say which communication only waits. Without device work, `device` is -1 and all else
/// empty. O(slices + events x streams): each stream is merged into the previous ones.
[[nodiscard]] DeviceWork collectDeviceWork(const RankTrace& rank, const WorkClasses& classes, const NameRules& rules);

}  // namespace rankscope
