// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counters/counter_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/calls/call_tree.h"
#include "core/analysis/gaps/host_names.h"
#include "core/trace/copied_bytes.h"

namespace rankscope {
namespace {

/// Adds the value from this instant on to a series; the last of several at one instant counts.
void addReading(TimeNs at_ns, std::uint64_t value, CounterSeries& series) {
    if (!series.at_ns.empty() && series.at_ns.back() == at_ns) {
        series.at_ns.pop_back();
        series.value.pop_back();
    }
    if (value != (series.value.empty() ? 0 : series.value.back())) {
        series.at_ns.push_back(at_ns);
        series.value.push_back(value);
    }
}

void addFilled(CounterKind kind, std::int32_t device, CounterSeries&& series, std::vector<CounterSeries>& all) {
    if (!series.at_ns.empty()) {
        series.kind = kind;
        series.device = device;
        all.push_back(std::move(series));
    }
}

/// Nothing for limits.
std::optional<CounterKind> sensorCounterOf(Sensor sensor) {
    switch (sensor) {
        case Sensor::Clock: return CounterKind::DeviceClock;
        case Sensor::Power: return CounterKind::DevicePower;
        case Sensor::Temperature: return CounterKind::DeviceTemperature;
        case Sensor::Activity: return CounterKind::DeviceActivity;
        case Sensor::Bandwidth: return CounterKind::DeviceBandwidth;
        case Sensor::PowerLimit:
        case Sensor::TemperatureLimit: break;
    }
    return std::nullopt;
}

}  // namespace

void addSpan(const TimeSpan& span, std::int64_t amount, std::vector<Change>& changes) {
    if (amount > 0 && !span.empty()) {
        changes.push_back({span.start_ns, amount});
        changes.push_back({span.end_ns, -amount});
    }
}

std::int64_t rateOf(std::int64_t bytes, DurationNs ns) {
    constexpr double kNsPerSecond = 1e9;
    return ns <= 0 ? 0 : std::llround(static_cast<double>(bytes) / static_cast<double>(ns) * kNsPerSecond);
}

CounterSeries seriesOf(CounterKind kind, std::int32_t device, std::vector<Change> changes) {
    std::ranges::sort(changes, {}, &Change::at_ns);
    CounterSeries series{kind, device, {}, {}};
    std::int64_t value = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const TimeNs at_ns = changes[i].at_ns;
        for (; i < changes.size() && changes[i].at_ns == at_ns; ++i) {
            value += changes[i].by;
        }
        const auto now = static_cast<std::uint64_t>(value);
        if (now != (series.value.empty() ? 0 : series.value.back())) {
            series.at_ns.push_back(at_ns);
            series.value.push_back(now);
        }
    }
    return series;
}

ChangesByDevice kernelsInFlight(const RankTrace& trace) {
    ChangesByDevice changes;
    for (const Track& track : trace.tracks) {
        for (SliceIndex i = 0; track.kind == TrackKind::Stream && i < track.slices.size(); ++i) {
            if (track.slices.category[i] == Category::Kernel) {
                addSpan(track.slices.span(i), 1, changes[track.device]);
            }
        }
    }
    return changes;
}

ChangesByDevice launchQueue(const RankTrace& trace) {
    ChangesByDevice changes;
    for (const Launch& launch : trace.launches.all()) {
        const TimeSpan queued{trace.span(launch.host).start_ns, trace.span(launch.device).start_ns};
        addSpan(queued, 1, changes[trace.track(launch.device).device]);
    }
    return changes;
}

ChangesByDevice copyRate(const RankTrace& trace) {
    const HostNames names(trace);
    ChangesByDevice changes;
    for (const Track& track : trace.tracks) {
        for (SliceIndex i = 0; track.kind == TrackKind::Stream && i < track.slices.size(); ++i) {
            const StringId name = track.slices.name[i];
            const bool counts = track.slices.category[i] == Category::Memcpy &&
                                (names.copiesToDevice(name) || names.copiesToHost(name));
            const SliceRef copy{TrackId(static_cast<std::uint32_t>(&track - trace.tracks.data())), i};
            if (const auto bytes = counts ? copiedBytes(trace, copy) : std::nullopt) {
                const TimeSpan span = track.slices.span(i);
                addSpan(span, rateOf(*bytes, span.length()), changes[track.device]);
            }
        }
    }
    return changes;
}

ChangesByDevice collectiveRate(const RunFacts& facts, RankPosition rank) {
    ChangesByDevice changes;
    for (const Collective& collective : facts.collectives.collectives) {
        const CollectiveMember* const member = collective.memberOf(rank);
        if (member != nullptr && collective.bytes && collective.transfer_ns) {
            const DurationNs transfer_ns = *collective.transfer_ns;
            const TimeSpan transfer{member->span.end_ns - transfer_ns, member->span.end_ns};
            addSpan(transfer, rateOf(*collective.bytes, transfer_ns), changes[facts.ranks[rank].device]);
        }
    }
    return changes;
}

ChangesByDevice exposedShare(const RankFacts& facts) {
    constexpr DurationNs kWhole = 1'000;
    ChangesByDevice changes;
    TimeNs until_ns = std::numeric_limits<TimeNs>::min();
    for (const RankStep& step : facts.steps) {
        const TimeSpan alone{std::max(step.span.start_ns, until_ns), step.span.end_ns};
        if (step.partition && !alone.empty()) {
            const DurationNs share = step.partition->exposed_comm_ns * kWhole / step.span.length();
            addSpan(alone, share, changes[facts.device]);
            until_ns = alone.end_ns;
        }
    }
    return changes;
}

ChangesByDevice hostThreads(const RankTrace& trace, std::int32_t device) {
    ChangesByDevice changes;
    for (const Track& track : trace.tracks) {
        const SliceTable& slices = track.slices;
        TimeSpan inside;  // time inside calls, without a break
        for (SliceIndex i = 0; track.kind == TrackKind::CpuThread && i < slices.size(); ++i) {
            if (!isCall(CallSource::Both, slices.category[i], trace.strings.view(slices.name[i]))) {
                continue;
            }
            if (inside.empty() || slices.start_ns[i] > inside.end_ns) {
                addSpan(std::exchange(inside, slices.span(i)), 1, changes[device]);
            }
            inside.end_ns = std::max(inside.end_ns, slices.end_ns[i]);
        }
        addSpan(inside, 1, changes[device]);
    }
    return changes;
}

std::vector<CounterSeries> allocatorSeries(const MemoryTable& memory, CounterKind kind,
                                           const std::vector<std::int64_t>& totals) {
    std::map<std::int32_t, CounterSeries> by_device;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.device[i] >= 0 && totals[i] >= 0) {
            addReading(memory.at_ns[i], static_cast<std::uint64_t>(totals[i]), by_device[memory.device[i]]);
        }
    }
    std::vector<CounterSeries> all;
    for (auto& [device, series] : by_device) {
        addFilled(kind, device, std::move(series), all);
    }
    return all;
}

std::vector<CounterSeries> sensorSeries(const SensorTable& sensors, std::int32_t device) {
    std::map<std::pair<CounterKind, std::int32_t>, CounterSeries> by_kind;
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        const std::optional<CounterKind> kind = sensorCounterOf(sensors.sensor[i]);
        const std::int32_t of_device = sensors.device[i] < 0 ? device : std::int32_t{sensors.device[i]};
        if (kind && of_device >= 0 && sensors.value[i] >= 0) {
            addReading(sensors.at_ns[i], static_cast<std::uint64_t>(sensors.value[i]), by_kind[{*kind, of_device}]);
        }
    }
    std::vector<CounterSeries> all;
    for (auto& [of, series] : by_kind) {
        addFilled(of.first, of.second, std::move(series), all);
    }
    return all;
}

}  // namespace rankscope
