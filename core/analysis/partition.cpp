// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/partition.h"

namespace rankscope {

Partitioner::Partitioner(const DeviceWork& work)
    : work_(work),
      exposed_comm_(work.communication.subtract(work.compute)),
      exposed_copy_(work.copy.subtract(work.compute).subtract(work.communication)),
      overlap_(work.communication.intersect(work.compute)) {}

Partition Partitioner::of(const TimeSpan& window) const {
    Partition p;
    p.compute_ns = work_.compute.clip(window).length();
    p.exposed_comm_ns = exposed_comm_.clip(window).length();
    p.exposed_copy_ns = exposed_copy_.clip(window).length();
    p.idle_ns = work_.busy.gapsIn(window).length();
    p.comm_ns = work_.communication.clip(window).length();
    p.copy_ns = work_.copy.clip(window).length();
    p.overlap_ns = overlap_.clip(window).length();
    return p;
}

}  // namespace rankscope
