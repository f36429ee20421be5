// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device/device_work.h"
#include "core/analysis/gaps/host_names.h"
#include "core/analysis/gaps/host_threads.h"

namespace rankscope {

/// Ready work that an idle device starts later than this was held back. From the end of its launch call to its start on
/// an idle device, work needs 1 to 25 us on the devices of every vendor. The time slice that a device gives to one
/// process while others wait is 0.5 to 30 ms, and the rest of a slice at a random instant is seldom shorter than this.
inline constexpr DurationNs kLeastHeldNs = 200'000;

/// Marks the work of one rank that its device held back (DeviceEvent::held_ns): it was launched, all earlier work had
/// ended or was communication, and nothing on the device ended until it started, kLeastHeldNs or more later. Work sees
/// this while another process has the device.
///
/// One such start says little: a host function on the stream, an event of another process or a lost record look the
/// same. So work is marked only if it happens again and again: five times or more, on an idle device, over most of the
/// window, to kernels that compute, at places of the step that the device usually passes without it. Work that is late
/// at the same place more often than not waits for something of its own, or for work that was not recorded; if most of
/// it is like that, nothing is marked. Nothing is marked either if the launches of too many kernels have no device
/// record, or if the rank works on several devices, which may wait for each other.
///
/// Work that started as late without such a proof, on an idle device whose launch call had only just returned, is
/// marked as answered late (DeviceEvent::answer_ns): the reason is not recorded. O(n log n).
void markLateWork(const RankTrace& rank, const HostNames& names, const HostThreads& threads, DeviceWork& work);

}  // namespace rankscope
