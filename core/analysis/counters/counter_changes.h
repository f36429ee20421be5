// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/counters/counter_series.h"
#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// A step of a counter, up or down.
struct Change {
    TimeNs at_ns = 0;
    std::int64_t by = 0;
};
/// The changes of one counter of a rank, by device, in no order, on the clock of the rank's file.
using ChangesByDevice = std::map<std::int32_t, std::vector<Change>>;

/// Counts `amount` during `span`; amounts of 0 or less are ignored.
void addSpan(const TimeSpan& span, std::int64_t amount, std::vector<Change>& changes);
/// Bytes per second, rounded to whole bytes; 0 for zero length.
[[nodiscard]] std::int64_t rateOf(std::int64_t bytes, DurationNs ns);
/// The counter's values from its changes. O(n log n).
[[nodiscard]] CounterSeries seriesOf(CounterKind kind, std::int32_t device, std::vector<Change> changes);

/// The changes of each kind that a rank's trace and facts have; see CounterKind.
[[nodiscard]] ChangesByDevice kernelsInFlight(const RankTrace& trace);
[[nodiscard]] ChangesByDevice launchQueue(const RankTrace& trace);
/// Without copies inside a device: they are some hundred times as fast, and would hide all others.
[[nodiscard]] ChangesByDevice copyRate(const RankTrace& trace);
[[nodiscard]] ChangesByDevice collectiveRate(const RunFacts& facts, RankPosition rank);
/// The exposed communication of each step, as a constant share over the step.
[[nodiscard]] ChangesByDevice exposedShare(const RankFacts& facts);
/// Over all host threads; counted for `device`.
[[nodiscard]] ChangesByDevice hostThreads(const RankTrace& trace, std::int32_t device);
/// One of the allocator's totals, per device, without events of host memory or of unknown devices.
[[nodiscard]] std::vector<CounterSeries> allocatorSeries(const MemoryTable& memory, CounterKind kind,
                                                         const std::vector<std::int64_t>& totals);
/// The readings of clock, power and temperature, each valid until the next one. Those that name no device are of
/// `device`; without limits, which do not change.
[[nodiscard]] std::vector<CounterSeries> sensorSeries(const SensorTable& sensors, std::int32_t device);

}  // namespace rankscope
