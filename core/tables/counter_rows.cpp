// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counters/counter_series.h"
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

/// A value of a counter, or a reading of a sensor.
struct CounterRow : OfRank {
    std::string_view name;
    std::string_view unit;
    std::int32_t device = -1;
    TimeNs at_ns = 0;
    std::int64_t value = 0;
};

/// Empty for sensors: their readings are rows of their own.
std::string_view unitOf(CounterKind kind) {
    switch (counterUnit(kind)) {
        case CounterUnit::Count: return "count";
        case CounterUnit::Bytes: return "bytes";
        case CounterUnit::BytesPerSecond: return "bytes/s";
        case CounterUnit::Thousandths: return "thousandths";
        case CounterUnit::Kilohertz:
        case CounterUnit::Milliwatts:
        case CounterUnit::Millidegrees:
        case CounterUnit::ThousandthsOfPercent: break;
    }
    return {};
}

std::string_view nameOf(Sensor sensor) {
    switch (sensor) {
        case Sensor::Clock: return "GPU clock";
        case Sensor::Power: return "GPU power";
        case Sensor::Temperature: return "GPU temperature";
        case Sensor::PowerLimit: return "GPU power limit";
        case Sensor::TemperatureLimit: return "GPU temperature limit";
        case Sensor::Activity: return "SM active";
        case Sensor::Bandwidth: return "DRAM bandwidth";
    }
    return {};
}

std::string_view unitOf(Sensor sensor) {
    switch (sensor) {
        case Sensor::Clock: return "kHz";
        case Sensor::Power:
        case Sensor::PowerLimit: return "mW";
        case Sensor::Temperature:
        case Sensor::TemperatureLimit: return "thousandths of a degree Celsius";
        case Sensor::Activity:
        case Sensor::Bandwidth: return "thousandths of a percent";
    }
    return {};
}

void addCounters(const OfRank& rank, DeclaredRows<CounterRow>& rows) {
    for (const CounterSeries& series : countersOf(rank.trace(), rank.run->facts, rank.rank)) {
        for (std::size_t i = 0; i < series.at_ns.size() && !unitOf(series.kind).empty(); ++i) {
            rows.add({rank, counterTitle(series.kind), unitOf(series.kind), series.device, series.at_ns[i],
                      static_cast<std::int64_t>(series.value[i])});
        }
    }
}

void addSensors(const OfRank& rank, DeclaredRows<CounterRow>& rows) {
    const SensorTable& sensors = rank.trace().sensors;
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        rows.add({rank, nameOf(sensors.sensor[i]), unitOf(sensors.sensor[i]), sensors.device[i], sensors.at_ns[i],
                  sensors.value[i]});
    }
}

}  // namespace

Table counterTable() {
    return declaredTable<CounterRow>(
        "counter", "A value of a counter, valid until its next one, or a reading of a sensor.",
        joined<CounterRow>(
            {placeColumns<CounterRow>(),
             {{{"device", Type::Integer, "number of the GPU; null where not named"},
               [](const CounterRow& row) { return row.device < 0 ? Value() : Value(std::int64_t{row.device}); }},
              {{"name", Type::Text, "Kernels in flight, Memory allocated, GPU clock"},
               [](const CounterRow& row) { return Value(row.name); }},
              {{"at_ns", Type::Integer, "from the run's first instant, on the run's clock"},
               [](const CounterRow& row) { return Value(row.at(row.at_ns)); }},
              {{"value", Type::Integer, "in its unit"}, [](const CounterRow& row) { return Value(row.value); }},
              {{"unit", Type::Text, "count, bytes, bytes/s, thousandths, kHz, mW"},
               [](const CounterRow& row) { return Value(row.unit); }}}}),
        [](const Runs& runs, DeclaredRows<CounterRow>& rows, KeptTexts& /*kept*/) {
            eachRankOf(runs, [&rows](const OfRank& rank) {
                addCounters(rank, rows);
                addSensors(rank, rows);
            });
        });
}

}  // namespace rankscope::tables
