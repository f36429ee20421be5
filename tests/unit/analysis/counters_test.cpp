// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counters/counter_series.h"

#include "core/analysis/calls/call_tree.h"
#include "core/analysis/counters/counter_changes.h"
#include "core/analysis/stages.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// The facts of a run of one rank of which nothing is known that a counter asks for.
RunFacts factsOfOne() {
    RunFacts facts;
    facts.ranks.resize(1);
    facts.ranks[0].device = 0;
    return facts;
}

TEST(Counters, CountTheKernelsThatRunAtOnceOnAllStreams) {
    auto [builder, host, a] = threadAndStream("main");
    const std::uint32_t b = builder.stream("20");
    builder.kernel(host, 0, 1, a, "gemm", 10, 20);
    builder.kernel(host, 2, 1, b, "reduce", 20, 30);
    builder.kernel(host, 4, 1, a, "relu", 30, 5);
    const auto counters = countersOf(*builder.build(), factsOfOne(), RankPosition());
    const CounterSeries running = counterOf(counters, CounterKind::KernelsInFlight);
    EXPECT_THAT(running.at_ns, ElementsAre(10 * kUs, 20 * kUs, 35 * kUs, 50 * kUs))
        << "one ends where the next of its stream begins: nothing changes";
    EXPECT_THAT(running.value, ElementsAre(1, 2, 1, 0));
    EXPECT_EQ(running.valueAt(9 * kUs), 0U);
    EXPECT_EQ(running.valueAt(34 * kUs), 2U);
    EXPECT_EQ(running.valueAt(1'000 * kUs), 0U);
}

TEST(Counters, QueueWorkFromItsLaunchCallToItsStart) {
    auto [builder, host, stream] = threadAndStream("main");
    builder.kernel(host, 0, 1, stream, "gemm", 10, 20);
    builder.kernel(host, 2, 1, stream, "gemm", 30, 10);
    builder.kernel(host, 60, 1, stream, "late", 60, 10);
    const auto counters = countersOf(*builder.build(), factsOfOne(), RankPosition());
    const CounterSeries queue = counterOf(counters, CounterKind::LaunchQueue);
    EXPECT_THAT(queue.at_ns, ElementsAre(0, 2 * kUs, 10 * kUs, 30 * kUs)) << "what starts with its call never waits";
    EXPECT_THAT(queue.value, ElementsAre(1, 2, 1, 0));
}

TEST(Counters, HoldEachReadingOfASensorUntilTheNext) {
    SensorTable sensors;
    const auto add = [&sensors](std::int64_t at_us, Sensor sensor, std::int16_t device, std::int64_t value) {
        sensors.at_ns.push_back(at_us * kUs);
        sensors.sensor.push_back(sensor);
        sensors.device.push_back(device);
        sensors.value.push_back(value);
    };
    add(0, Sensor::PowerLimit, 0, 400'000);
    add(10, Sensor::Clock, 0, 1'410'000);
    add(20, Sensor::Clock, -1, 1'410'000);  // of the rank's GPU
    add(30, Sensor::Clock, 0, 1'200'000);
    add(30, Sensor::Temperature, 1, 64'500);
    add(30, Sensor::Activity, 0, 85'656);
    add(30, Sensor::Bandwidth, 0, 16'733);
    const auto counters = sensorSeries(sensors, 0);
    EXPECT_THAT(counterOf(counters, CounterKind::DeviceActivity).value, ElementsAre(85'656));
    EXPECT_THAT(counterOf(counters, CounterKind::DeviceBandwidth).value, ElementsAre(16'733));
    const CounterSeries clock = counterOf(counters, CounterKind::DeviceClock);
    EXPECT_THAT(clock.at_ns, ElementsAre(10 * kUs, 30 * kUs));
    EXPECT_THAT(clock.value, ElementsAre(1'410'000, 1'200'000));
    const CounterSeries temperature = counterOf(counters, CounterKind::DeviceTemperature);
    EXPECT_EQ(temperature.device, 1);
    EXPECT_TRUE(std::ranges::none_of(counters, [](const CounterSeries& s) {
        return s.kind == CounterKind::DevicePower;
    })) << "a limit is no reading";
    EXPECT_EQ(formatCounter(CounterKind::DeviceClock, 1'410'000), "1,410 MHz");
    EXPECT_EQ(formatCounter(CounterKind::DevicePower, 312'400), "312.4 W");
    EXPECT_EQ(formatCounter(CounterKind::DeviceTemperature, 64'500), "64.5 °C");
    EXPECT_EQ(formatCounter(CounterKind::DeviceActivity, 85'656), "85.7 %");
}

TEST(Counters, GiveTheRateOfCopiesWhoseSizeIsRecorded) {
    ModelBuilder builder;
    const std::uint32_t stream = builder.stream("7");
    const auto sized = builder.slice(stream, Category::Memcpy, "Memcpy HtoD", 10, 100);
    builder.bytes(sized, 1'000'000);
    builder.slice(stream, Category::Memcpy, "Memcpy DtoH", 200, 100);
    builder.bytes(builder.slice(stream, Category::Memcpy, "Memcpy DtoD", 400, 1), 1'000'000);
    const auto counters = countersOf(*builder.build(), factsOfOne(), RankPosition());
    const CounterSeries rate = counterOf(counters, CounterKind::CopyRate);
    EXPECT_THAT(rate.at_ns, ElementsAre(10 * kUs, 110 * kUs));
    EXPECT_THAT(rate.value, ElementsAre(10'000'000'000U, 0U))
        << "1 MB in 100 us; of the second the size is not known, and the third is no host copy";
    EXPECT_TRUE(counterOf(counters, CounterKind::KernelsInFlight).at_ns.empty()) << "nothing is better than zero";
}

TEST(Counters, TakeTheSizeOfACopyFromItsLaunchWhereTheCopyHasNone) {
    ModelBuilder builder;
    const std::uint32_t host = builder.thread("main");
    const auto call = builder.call(host, "hipMemcpyWithStream", 0, 120);
    builder.bytes(call, 1'000'000);
    builder.launch(call, builder.slice(builder.stream("0"), Category::Memcpy, "Memcpy HtoD (Host -> Device)", 10, 100));
    const auto counters = countersOf(*builder.build(), factsOfOne(), RankPosition());
    EXPECT_THAT(counterOf(counters, CounterKind::CopyRate).value, ElementsAre(10'000'000'000U, 0U)) << "as ROCm has it";
}

TEST(Counters, GiveTheRateOfCollectivesInTheirTransferAlone) {
    ModelBuilder builder;
    const std::uint32_t stream = builder.stream("20");
    builder.slice(stream, Category::Kernel, "ncclDevKernel_AllReduce", 10, 100);
    const auto trace = builder.build();
    RunFacts facts = factsOfOne();
    Collective collective;
    collective.bytes = 2'000'000;
    collective.transfer_ns = 40 * kUs;
    CollectiveMember member;
    member.span = {10 * kUs, 110 * kUs};
    collective.members = {member};
    facts.collectives.collectives = {collective};
    const CounterSeries rate = counterOf(countersOf(*trace, facts, RankPosition()), CounterKind::CollectiveRate);
    EXPECT_THAT(rate.at_ns, ElementsAre(70 * kUs, 110 * kUs));
    EXPECT_THAT(rate.value, ElementsAre(50'000'000'000U, 0U));
}

TEST(Counters, TellWhatTheAllocatorHolds) {
    ModelBuilder builder;
    builder.thread("main");
    builder.memory(10, 100, 500);
    builder.memory(20, 300, 500);
    builder.memory(30, 200, 800);
    const auto counters = countersOf(*builder.build(), factsOfOne(), RankPosition());
    EXPECT_THAT(counterOf(counters, CounterKind::MemoryAllocated).value, ElementsAre(100, 300, 200));
    const CounterSeries reserved = counterOf(counters, CounterKind::MemoryReserved);
    EXPECT_THAT(reserved.at_ns, ElementsAre(10 * kUs, 30 * kUs));
    EXPECT_THAT(reserved.value, ElementsAre(500, 800));
}

TEST(Counters, AreToldWithTheirUnitsAndOnRoundScales) {
    EXPECT_EQ(formatCounter(CounterKind::LaunchQueue, 1'234), "1,234");
    EXPECT_EQ(formatCounter(CounterKind::MemoryReserved, 1'500'000'000), "1.50 GB");
    EXPECT_EQ(formatCounter(CounterKind::CopyRate, 12'400'000'000), "12.4 GB/s");
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> rounded = {
        {0, 1}, {1, 1}, {2, 2}, {3, 5}, {6, 10}, {10, 10}, {11, 20}, {499, 500}, {501, 1'000}};
    for (const auto& [value, top] : rounded) {
        EXPECT_EQ(roundedUp(value), top) << value;
    }
    EXPECT_GE(roundedUp(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
}

TEST(Counters, ShowTheExposedShareOfEachStep) {
    RunFacts facts = factsOfOne();
    for (const DurationNs exposed_ns : {250 * kUs, DurationNs{0}, 100 * kUs}) {
        RankStep& step = facts.ranks[0].steps.emplace_back();
        const auto at = static_cast<TimeNs>(facts.ranks[0].steps.size() - 1) * 1'000 * kUs;
        step.span = {at, at + 1'000 * kUs};
        step.partition.emplace().exposed_comm_ns = exposed_ns;
    }
    ModelBuilder builder;
    builder.op(builder.thread("main"), "aten::mm", 0, 10);
    const auto counters = countersOf(*builder.build(), facts, RankPosition());
    const CounterSeries share = counterOf(counters, CounterKind::ExposedShare);
    EXPECT_THAT(share.at_ns, ElementsAre(0, 1'000 * kUs, 2'000 * kUs, 3'000 * kUs));
    EXPECT_THAT(share.value, ElementsAre(250, 0, 100, 0));
    EXPECT_EQ(formatCounter(CounterKind::ExposedShare, 250), "25 %");
}

TEST(Counters, CountTheHostThreadsThatAreInACall) {
    ModelBuilder builder;
    const std::uint32_t main = builder.thread("main");
    const std::uint32_t autograd = builder.thread("autograd");
    builder.op(main, "aten::linear", 0, 50);
    builder.op(main, "aten::mm", 10, 20);
    builder.op(main, "aten::add", 50, 10);
    builder.op(autograd, "MmBackward0", 40, 40);
    const auto counters = countersOf(*builder.build(), factsOfOne(), RankPosition());
    const CounterSeries threads = counterOf(counters, CounterKind::HostThreads);
    EXPECT_THAT(threads.at_ns, ElementsAre(0, 40 * kUs, 60 * kUs, 80 * kUs));
    EXPECT_THAT(threads.value, ElementsAre(1, 2, 1, 0)) << "calls inside, and right behind, are no thread more";
}

TEST(AllTraces, HaveCountersThatAddUpToWhatIsRecorded) {
    std::size_t checked = 0;
    for (const auto& path : allTraceFiles()) {
        SCOPED_TRACE(path.string());
        for (const auto& trace : loadAllRanks(path.string())) {
            std::map<std::int32_t, double> kernel_ns;  // by device
            const CallPart whole;
            const auto calls = callsIn(*runOf({trace}), std::span(&whole, 1), CallSource::Both, CallMeasure::Host, {});
            for (const Track& track : trace->tracks) {
                for (SliceIndex i = 0; track.kind == TrackKind::Stream && i < track.slices.size(); ++i) {
                    const bool kernel = track.slices.category[i] == Category::Kernel;
                    kernel_ns[track.device] += kernel ? static_cast<double>(track.slices.span(i).length()) : 0.0;
                }
            }
            for (const CounterSeries& series : countersOf(*trace, factsOfOne(), RankPosition())) {
                ASSERT_EQ(series.at_ns.size(), series.value.size());
                for (std::size_t i = 1; i < series.at_ns.size(); ++i) {
                    ASSERT_LT(series.at_ns[i - 1], series.at_ns[i]);
                    ASSERT_NE(series.value[i - 1], series.value[i]);
                }
                if (series.kind == CounterKind::KernelsInFlight) {
                    EXPECT_EQ(integral(series), kernel_ns[series.device]);
                }
                if (counterUnit(series.kind) != CounterUnit::Bytes) {
                    EXPECT_EQ(series.value.back(), 0U);
                }
                if (series.kind == CounterKind::HostThreads) {
                    EXPECT_EQ(integral(series), static_cast<double>(calls.value().root().total_ns));
                }
                if (series.kind == CounterKind::LaunchQueue) {
                    EXPECT_LE(std::ranges::max(series.value), trace->launches.all().size());
                }
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 40U);
}

}  // namespace
}  // namespace rankscope::test
