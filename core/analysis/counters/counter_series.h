// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/run_facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What is counted over time on one device of a rank (docs/definitions/counters.md).
enum class CounterKind : std::uint8_t {
    KernelsInFlight,  ///< kernels that run at once, on all streams
    LaunchQueue,      ///< device work whose launch call has begun and that has not
    CollectiveRate,   ///< bytes per second of the transfers that run, where sizes are recorded
    CopyRate,         ///< bytes per second of the copies to and from the host that run, where sizes are recorded
    MemoryAllocated,  ///< bytes in tensors
    MemoryReserved,   ///< bytes that the caching allocator holds
    ExposedShare,     ///< thousandths of the step around it that are exposed communication
    HostThreads,      ///< host threads that are in a recorded call
};
inline constexpr std::uint32_t kCounterKinds = 8;

/// What the values of a counter are.
enum class CounterUnit : std::uint8_t { Count, Bytes, BytesPerSecond, Thousandths };

/// For people: "Kernels in flight".
[[nodiscard]] std::string_view counterTitle(CounterKind kind);
[[nodiscard]] CounterUnit counterUnit(CounterKind kind);
/// A value for people, with its unit: "3", "12.4 GB", "86.0 GB/s", "12 %".
[[nodiscard]] std::string formatCounter(CounterKind kind, std::uint64_t value);
/// The least round value that is not below `value`: 1, 2 or 5 times a power of ten; at least 1. What a scale ends at.
[[nodiscard]] std::uint64_t roundedUp(std::uint64_t value);

/// A number that changes in time: from at_ns[i] on it is value[i], until the next change; before the first it is 0, and
/// the last one holds to the end of the trace. Struct of arrays.
struct CounterSeries {
    CounterKind kind = CounterKind::KernelsInFlight;
    std::int32_t device = -1;          ///< -1 of a whole run
    std::vector<TimeNs> at_ns;         ///< ascending, each once, on the clock of the rank's file; of a run on the run's
    std::vector<std::uint64_t> value;  ///< each other than the one before

    /// The value at an instant. O(log changes).
    [[nodiscard]] std::uint64_t valueAt(TimeNs instant_ns) const;
};

/// The counters of a rank that its trace has something for, by kind and device. A collective counts in its transfer,
/// the last part of its span on each rank, as far as it was matched. O(n log n) in device work, launches and memory
/// events.
[[nodiscard]] std::vector<CounterSeries> countersOf(const RankTrace& trace, const RunFacts& facts, RankPosition rank);

}  // namespace rankscope
