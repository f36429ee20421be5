// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device/device_work.h"
#include "core/analysis/gaps/host_names.h"
#include "core/analysis/gaps/host_threads.h"

namespace rankscope {

/// Ready work that an idle device starts later than this was held back. From the end of its launch call to its start on
/// an idle device work needs 1 to 25 us on every vendor's devices; the time slice that a device gives to one process
/// while others wait is 0.5 to 30 ms, and what is left of one at a chance instant is seldom shorter than this.
inline constexpr DurationNs kLeastHeldNs = 200'000;

/// Marks the work of one rank that its device held back (DeviceEvent::held_ns): it was launched, all work that had
/// begun before it had ended or was communication, and nothing on the device ended until it started, kLeastHeldNs or
/// more later. That is what work meets on a device that another process has for the moment.
///
/// One such start says little: a host function on the stream, an event of another process or a record that was lost
/// look the same. So nothing is marked unless it strikes again and again: five times or more, on an idle device, over
/// most of the window, kernels that compute, at places of the step that the device mostly passes without it. What is
/// late at the same place more often than not waits for something of its own, or for work that was not recorded; where
/// most is such, nothing is marked. Nor is anything where the launches of too many kernels have no device record, or
/// where the rank works on several devices, which may wait for each other.
///
/// Work that started as late without such a proof, on an idle device whose launch call had only just returned, is
/// marked as answered late (DeviceEvent::answer_ns): why is not recorded. O(n log n).
void markLateWork(const RankTrace& rank, const HostNames& names, const HostThreads& threads, DeviceWork& work);

}  // namespace rankscope
