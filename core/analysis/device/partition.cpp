// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/partition.h"

namespace rankscope {
namespace {

/// What a device did, as sets of instants.
struct DeviceSets {
    const IntervalSet& compute;
    const IntervalSet& communication;
    const IntervalSet& copy;
    const IntervalSet& overlap;
    const IntervalSet& exposed_communication;
    IntervalSet exposed_copy;  ///< inside the window
};

Partition partitionOf(const TimeSpan& window, const DeviceSets& sets) {
    Partition p;
    p.compute_ns = sets.compute.lengthIn(window);
    p.exposed_comm_ns = sets.exposed_communication.lengthIn(window);
    p.exposed_copy_ns = sets.exposed_copy.length();
    p.idle_ns = window.length() - p.compute_ns - p.exposed_comm_ns - p.exposed_copy_ns;
    p.comm_ns = sets.communication.lengthIn(window);
    p.copy_ns = sets.copy.lengthIn(window);
    p.overlap_ns = sets.overlap.lengthIn(window);
    return p;
}

}  // namespace

Partitioner::Partitioner(const DeviceWork& work)
    : work_(work),
      exposed_comm_(work.communication.subtract(work.compute)),
      exposed_copy_(work.copy.subtract(work.compute).subtract(work.communication)),
      overlap_(work.communication.intersect(work.compute)) {}

Partition Partitioner::of(const TimeSpan& window) const {
    return partitionOf(window, {.compute = work_.compute,
                                .communication = work_.communication,
                                .copy = work_.copy,
                                .overlap = overlap_,
                                .exposed_communication = exposed_comm_,
                                .exposed_copy = exposed_copy_.clip(window)});
}

Partition partitionOf(const RankFacts& rank, const TimeSpan& window) {
    const IntervalSet copy = rank.copy.clip(window);
    return partitionOf(
        window, {.compute = rank.compute,
                 .communication = rank.communication,
                 .copy = copy,
                 .overlap = rank.overlap,
                 .exposed_communication = rank.exposed_communication,
                 .exposed_copy = copy.subtract(rank.compute.clip(window)).subtract(rank.communication.clip(window))});
}

}  // namespace rankscope
