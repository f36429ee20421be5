// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/counters/counter_series.h"
#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// A counter goes up or down.
struct Change {
    TimeNs at_ns = 0;
    std::int64_t by = 0;
};
/// The changes of one counter of a rank, by device, in no order, on the clock of the rank's file.
using ChangesByDevice = std::map<std::int32_t, std::vector<Change>>;

/// Counts `amount` for as long as `span` lasts; what is not above 0 counts nothing.
void addSpan(const TimeSpan& span, std::int64_t amount, std::vector<Change>& changes);
/// Bytes a second, to the whole byte; 0 for what has no length.
[[nodiscard]] std::int64_t rateOf(std::int64_t bytes, DurationNs ns);
/// The values that changes come to. O(n log n).
[[nodiscard]] CounterSeries seriesOf(CounterKind kind, std::int32_t device, std::vector<Change> changes);

/// The changes of each kind that a rank's trace and facts have; see CounterKind.
[[nodiscard]] ChangesByDevice kernelsInFlight(const RankTrace& trace);
[[nodiscard]] ChangesByDevice launchQueue(const RankTrace& trace);
/// Copies inside a device are some hundred times as fast, and left out: beside them nothing would be seen of the
/// others.
[[nodiscard]] ChangesByDevice copyRate(const RankTrace& trace);
[[nodiscard]] ChangesByDevice collectiveRate(const RunFacts& facts, RankPosition rank);
/// The exposed communication of each step, as a share that holds for all of it.
[[nodiscard]] ChangesByDevice exposedShare(const RankFacts& facts);
/// Of all host threads; they count for `device`.
[[nodiscard]] ChangesByDevice hostThreads(const RankTrace& trace, std::int32_t device);
/// One total of the allocator's, per device; events of the host's memory, and those that do not say it, are left out.
[[nodiscard]] std::vector<CounterSeries> allocatorSeries(const MemoryTable& memory, CounterKind kind,
                                                         const std::vector<std::int64_t>& totals);

}  // namespace rankscope
