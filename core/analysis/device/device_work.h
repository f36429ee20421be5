// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/analysis/device/work_class.h"
#include "core/base/interval_set.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// A piece of device work with the host call behind it.
struct DeviceEvent {
    /// `launched_ns` of work that was launched before the first launch in the file.
    static constexpr TimeNs kBeforeAll = std::numeric_limits<TimeNs>::min();

    TimeSpan span;
    SliceRef ref;
    SliceRef launch;  ///< invalid if the file does not tell
    TimeSpan call;    ///< of `launch`; empty if that is unknown
    /// Start of the launch call. Where that is unknown: as the work before it on its stream, since streams keep the
    /// order; kBeforeAll at the front of a stream, and the nanosecond before the window at the front of each further
    /// window (core/trace/recorded_windows.h); its own start on a stream without any launch.
    TimeNs launched_ns = 0;
    /// How long it was ready before it started, on a device that somebody else had for that time; 0 elsewhere, and
    /// until markLateWork() has told.
    DurationNs held_ns = 0;
    /// How much later it started than this device usually answers a launch, though it had nothing to do; 0 elsewhere,
    /// of work that was held, and until markLateWork() has told.
    DurationNs answer_ns = 0;
    WorkClass work = WorkClass::None;
    bool waits_only = false;  ///< communication that does nothing but wait for other ranks, told by the name rules
};

/// What one device of a rank did.
struct DeviceWork {
    std::int32_t device = -1;                 ///< the device with most work; -1 if there is none
    std::vector<std::int32_t> other_devices;  ///< others of the rank with work of their own
    std::vector<DeviceEvent> events;          ///< of `device`, by start; without those of length zero
    std::vector<DeviceEvent> empty_events;    ///< these, as far as the file tells their launch, by launch
    IntervalSet compute;
    IntervalSet communication;
    IntervalSet copy;
    IntervalSet busy;  ///< the union of the three
};

/// The median time from the start of a launch call to that of the next; 0 if there are no two.
[[nodiscard]] DurationNs medianLaunchInterval(const DeviceWork& work);

/// Gathers the device work of one rank: chooses the device with most of it (the sum of its durations; of equal ones the
/// lowest number), puts its kernels and copies in order of start with their launch calls, and unites them by class.
/// `classes` as classifyWork makes them; `rules` tell which communication only waits. Without device work `device` is
/// -1 and all else empty. O(slices + events x streams): each stream is merged into those before it.
[[nodiscard]] DeviceWork collectDeviceWork(const RankTrace& rank, const WorkClasses& classes, const NameRules& rules);

}  // namespace rankscope
