// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/run_facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a counter of one device of a rank counts (docs/definitions/counters.md).
enum class CounterKind : std::uint8_t {
    KernelsInFlight,    ///< kernels that run at once, on all streams
    LaunchQueue,        ///< device work whose launch call has begun, but which has not started
    CollectiveRate,     ///< bytes per second of running transfers, if sizes are recorded
    CopyRate,           ///< bytes per second of running copies to and from the host, if sizes are recorded
    MemoryAllocated,    ///< bytes in tensors
    MemoryReserved,     ///< bytes reserved by the caching allocator
    ExposedShare,       ///< thousandths of the current step that are exposed communication
    HostThreads,        ///< host threads in a recorded call
    DeviceClock,        ///< readings of the clock of the device's multiprocessors, in kHz
    DevicePower,        ///< of its power, in mW
    DeviceTemperature,  ///< of its temperature, in thousandths of a degree Celsius
    DeviceActivity,     ///< of the share of its multiprocessors that have work, in thousandths of a percent
    DeviceBandwidth,    ///< of the used share of its memory's bandwidth, in thousandths of a percent
};
inline constexpr std::uint32_t kCounterKinds = 13;

/// The unit of a counter's values.
enum class CounterUnit : std::uint8_t {
    Count,
    Bytes,
    BytesPerSecond,
    Thousandths,
    Kilohertz,
    Milliwatts,
    Millidegrees,
    ThousandthsOfPercent
};

/// For people: "Kernels in flight".
[[nodiscard]] std::string_view counterTitle(CounterKind kind);
[[nodiscard]] CounterUnit counterUnit(CounterKind kind);
/// A value for people, with its unit: "3", "12.4 GB", "86.0 GB/s", "12 %".
[[nodiscard]] std::string formatCounter(CounterKind kind, std::uint64_t value);
/// The smallest round number that is at least `value`: 1, 2 or 5 times a power of ten; at least 1. For the end of a
/// scale.
[[nodiscard]] std::uint64_t roundedUp(std::uint64_t value);

/// A number that changes in time: value[i] is valid from at_ns[i] until the next change; before the first change it is
/// 0, and the last value is valid to the end of the trace. Struct of arrays.
struct CounterSeries {
    CounterKind kind = CounterKind::KernelsInFlight;
    std::int32_t device = -1;          ///< -1 for a whole run
    std::vector<TimeNs> at_ns;         ///< ascending, unique, on the clock of the rank's file; of a run on the run's
                                       ///< clock
    std::vector<std::uint64_t> value;  ///< each differs from the previous one

    /// The value at an instant. O(log changes).
    [[nodiscard]] std::uint64_t valueAt(TimeNs instant_ns) const;
};

/// The counters of a rank for which its trace has data, by kind and device. A collective counts during its transfer,
/// the last part of its span on each rank, if it was matched. O(n log n) in device work, launches and memory events.
[[nodiscard]] std::vector<CounterSeries> countersOf(const RankTrace& trace, const RunFacts& facts, RankPosition rank);

}  // namespace rankscope
