// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/sensor_events.h"

#include "tests/support/loading.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(SensorEvents, AreRecognisedByTheirNames) {
    EXPECT_EQ(sensorOf("Power (W)", "Power (W)"), Sensor::Power);
    EXPECT_EQ(sensorOf("GPU 0", "power_limit"), Sensor::PowerLimit);
    EXPECT_EQ(sensorOf("Temperature (C)", "value"), Sensor::Temperature);
    EXPECT_EQ(sensorOf("GPU temp slowdown threshold", "C"), Sensor::TemperatureLimit);
    EXPECT_EQ(sensorOf("SM Clock (MHz)", "value"), Sensor::Clock);
    EXPECT_EQ(sensorOf("GPU 2", "sclk"), Sensor::Clock);
    EXPECT_EQ(sensorOf("AI Core Freq", "MHz"), Sensor::Clock);
}

TEST(SensorEvents, OfOtherThingsAreNone) {
    EXPECT_EQ(sensorOf("Memory clock (MHz)", "value"), std::nullopt);
    EXPECT_EQ(sensorOf("memory temperature", "C"), std::nullopt);
    EXPECT_EQ(sensorOf("CPU temperature", "C"), std::nullopt);
    EXPECT_EQ(sensorOf("queue length", "value"), std::nullopt);
}

TEST(SensorEvents, HaveTheirValuesInThousandths) {
    const auto values = sensorValues("GPU 0", R"({"power": 312.5, "sclk": "1410", "util": 99, "temp": 61})");
    ASSERT_EQ(values.size(), 3U);
    EXPECT_EQ(values[0].value, 312'500);
    EXPECT_EQ(values[1].value, 1'410'000);
    EXPECT_EQ(values[2].value, 61'000);
    EXPECT_EQ(sensorValues("SM clock", R"({"GHz": 1.98})").front().value, 1'980'000);
}

TEST(SensorEvents, GiveSharesInThousandthsOfAPercentIfTheyHaveThisUnit) {
    EXPECT_EQ(sensorOf("SM Active (%)", "value"), Sensor::Activity);
    EXPECT_EQ(sensorOf("GPU 0 Counters DRAM BW (%)", "value"), Sensor::Bandwidth);
    EXPECT_EQ(sensorOf("dram_active", "percent"), Sensor::Bandwidth);
    EXPECT_EQ(sensorOf("sm_active", "value"), std::nullopt) << "of 1 or of 100?";
    EXPECT_EQ(sensorOf("DRAM bandwidth (GB/s)", "value"), std::nullopt);
    EXPECT_EQ(sensorValues("SM Active (%)", R"({"value": 85.65117024487908})").front().value, 85'651);
    EXPECT_TRUE(sensorValues("SM Active (%)", R"({"value": 150})").empty());
}

TEST(SensorEvents, WithImpossibleValuesOrBrokenArgsAreLeftOut) {
    for (const char* args : {R"({"W": -3})", R"({"W": 1e9})", R"({"W": nan})", R"({"W": "hot"})", R"({"W")", "{", "",
                             R"({"W":)", R"({"W": })", R"(["W", 3])"}) {
        EXPECT_TRUE(sensorValues("Power", args).empty()) << args;
    }
}

TEST(SensorEvents, NameTheirGpu) {
    EXPECT_EQ(deviceInName("GPU 3 power"), 3);
    EXPECT_EQ(deviceInName("gpu_1.temp"), 1);
    EXPECT_EQ(deviceInName("power of device 12"), 12);
    EXPECT_EQ(deviceInName("GPU power"), -1);
    EXPECT_EQ(deviceInName("Power (W)"), -1);
}

TEST(SensorEvents, AreReadFromAFileWithTheirGpuAndTime) {
    const std::shared_ptr<const RankTrace> loaded = loadText(R"json({"traceEvents": [
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 3, "tid": 7, "ts": 10, "dur": 5,
         "args": {"device": 3, "stream": 7, "correlation": 1, "grid": [8, 1, 1], "block": [64, 1, 1]}},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 3, "tid": 7, "ts": 20, "dur": 5,
         "args": {"device": 3, "stream": 7, "correlation": 2, "grid": [9, 1, 1], "block": [64, 1, 1]}},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 3, "tid": 7, "ts": 30, "dur": 5,
         "args": {"device": 3, "stream": 7, "correlation": 3, "grid": [8,1,1], "block": [64,1,1]}},
        {"args": {"Power (W)": 650.5}, "ph": "C", "name": "Power (W)", "pid": 3, "ts": 22.5},
        {"ph": "C", "name": "Power (W)", "pid": 3, "ts": 12, "args": {"Power (W)": 600}},
        {"ph": "C", "name": "SM occupancy (%)", "pid": 3, "ts": 12, "args": {"value": 90}}
    ]})json");
    const RankTrace& trace = *loaded;
    ASSERT_EQ(trace.sensors.size(), 2U) << "in order of time";
    EXPECT_EQ(trace.sensors.at_ns[0], 12'000);
    EXPECT_EQ(trace.sensors.at_ns[1], 22'500);
    EXPECT_EQ(trace.sensors.value[1], 650'500);
    EXPECT_EQ(trace.sensors.device[0], 3);
    ASSERT_EQ(trace.tracks.size(), 1U);
    const auto& grids = trace.tracks[0].grids.value;
    ASSERT_EQ(grids.size(), 3U);
    EXPECT_NE(grids[0], grids[1]);
    EXPECT_EQ(grids[0], grids[2]) << "spaces make no other grid";
    ASSERT_EQ(trace.health.notes.size(), 1U);
    EXPECT_THAT(trace.health.notes[0], testing::HasSubstr("1 event is of kinds that are not shown"));
}

}  // namespace
}  // namespace rankscope::test
