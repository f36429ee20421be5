// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's devices, its network and its DataLoader, each by itself.

#include "tests/support/durations.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/device.h"
#include "tests/tracegen/machine/loader.h"

namespace rankscope::tracegen::machine {
namespace {

using test::kMs;
using test::kUs;

struct Bench {
    explicit Bench(const DeviceSpec& spec = {}, const NetworkSpec& speeds = {}, int ranks = 1)
        : network(queue, speeds, ranks) {
        for (int rank = 0; rank < ranks; ++rank) {
            devices.push_back(std::make_unique<Device>(
                queue, network, rank, spec,
                [this](const Event& event, const DeviceWork& /*work*/) { done.push_back(event); }));
        }
    }
    void runAll(TimeNs until = 10'000 * kMs) {
        while (queue.now() < until && queue.runOne()) {}
    }
    static DeviceWork work(Stream stream, DurationNs ns) {
        DeviceWork work;
        work.stream = stream;
        work.ns = ns;
        return work;
    }
    static DeviceWork collective(std::uint64_t sequence, std::int64_t elements) {
        DeviceWork work;
        work.stream = Stream::Communication;
        work.collective = {elements, sequence, CollectiveKind::AllReduce, ElementType::Float};
        return work;
    }

    EventQueue queue;
    Network network;
    std::vector<std::unique_ptr<Device>> devices;
    std::vector<Event> done;
};

TEST(MachineDevice, WorksFirstInFirstOutOnEachStream) {
    Bench bench;
    bench.devices[0]->submit(Bench::work(Stream::Compute, 50 * kUs), 5 * kUs);
    bench.devices[0]->submit(Bench::work(Stream::Compute, 10 * kUs), 0);
    bench.runAll();
    ASSERT_EQ(bench.done.size(), 2U);
    EXPECT_EQ(bench.done[0].start_ns, 5 * kUs);
    EXPECT_EQ(bench.done[0].end_ns, 55 * kUs);
    EXPECT_EQ(bench.done[1].start_ns, 56 * kUs) << "a pause of the stream's own lies between";
}

TEST(MachineDevice, LetsAStreamWaitForWhatAnEventRecorded) {
    Bench bench;
    Device& device = *bench.devices[0];
    device.submit(Bench::work(Stream::Compute, 50 * kUs), 0);
    device.record(Stream::Compute, 1);
    device.submit(Bench::work(Stream::Compute, 70 * kUs), 0);
    device.wait(Stream::Communication, 1);
    device.submit(Bench::work(Stream::Communication, 5 * kUs), 0);
    bench.runAll();
    ASSERT_EQ(bench.done.size(), 3U);
    EXPECT_EQ(bench.done[1].stream, Stream::Communication);
    EXPECT_EQ(bench.done[1].start_ns, bench.done[0].end_ns);
}

TEST(MachineDevice, TellsWhenThereIsRoomAndWhenAllIsOver) {
    DeviceSpec spec;
    spec.queue_depth = 2;
    Bench bench(spec);
    Device& device = *bench.devices[0];
    device.submit(Bench::work(Stream::Compute, 50 * kUs), 0);
    device.submit(Bench::work(Stream::Compute, 50 * kUs), 0);
    EXPECT_FALSE(device.hasRoom());
    TimeNs room = 0;
    TimeNs over = 0;
    device.whenRoom([&] { room = bench.queue.now(); });
    device.whenDone(std::nullopt, [&] { over = bench.queue.now(); });
    bench.runAll();
    EXPECT_EQ(room, bench.done[0].end_ns);
    EXPECT_EQ(over, bench.done[1].end_ns);
}

TEST(MachineDevice, ComputesMoreSlowlyBesideCommunication) {
    DeviceSpec spec;
    spec.beside_communication = 2;
    NetworkSpec speeds;
    speeds.latency_ns = 10 * kUs;
    speeds.wander = 0;
    speeds.bytes_per_ns = 4;
    Bench bench(spec, speeds, 2);
    bench.devices[0]->submit(Bench::work(Stream::Compute, 500 * kUs), 0);
    for (const auto& device : bench.devices) {
        device->submit(Bench::collective(1, 100'000), 0);
    }
    bench.runAll();
    ASSERT_EQ(bench.done.size(), 3U);
    const Event& kernel = bench.done[2];
    ASSERT_FALSE(kernel.collective.valid());
    DurationNs beside_ns = 0;
    for (const Event& event : bench.done) {
        beside_ns = event.collective.valid() ? std::max(beside_ns, event.end_ns) : beside_ns;
    }
    EXPECT_GT(kernel.end_ns, 500 * kUs + 40 * kUs);
    EXPECT_LE(kernel.end_ns, 500 * kUs + beside_ns / 2 + kUs);
}

TEST(MachineDevice, StartsNothingWhileSomebodyElseHasIt) {
    DeviceSpec spec;
    spec.neighbour = Neighbour{kMs, 2 * kMs, 2 * kMs};
    Bench bench(spec);
    bench.queue.at(1'500 * kUs, [&] { bench.devices[0]->submit(Bench::work(Stream::Compute, 50 * kUs), 0); });
    bench.runAll(20 * kMs);
    ASSERT_EQ(bench.done.size(), 1U);
    EXPECT_EQ(bench.done[0].start_ns, 3 * kMs);
}

TEST(MachineNetwork, BeginsWhenTheLastHasComeAndEndsNearlyTogether) {
    NetworkSpec speeds;
    speeds.wander = 0;
    speeds.bytes_per_ns = 10;
    Bench bench({}, speeds, 3);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        bench.queue.at(static_cast<TimeNs>(rank) * kMs,
                       [&, rank] { bench.devices[rank]->submit(Bench::collective(7, 1'000'000), 0); });
    }
    bench.runAll();
    ASSERT_EQ(bench.done.size(), 3U);
    const DurationNs moved_ns = 4 * 1'000'000 * 4 / 3 / 10;
    for (const Event& event : bench.done) {
        EXPECT_GE(event.end_ns, 2 * kMs + moved_ns + speeds.latency_ns * 8 / 10);
        EXPECT_LE(event.end_ns, 2 * kMs + moved_ns + speeds.latency_ns * 13 / 10 + speeds.tail_ns + 10);
    }
}

TEST(MachineNetwork, SharesItsSpeedAmongAllThatMoveAnything) {
    const auto lastEnd = [](int readers, std::uint64_t beside) {
        NetworkSpec speeds;
        speeds.wander = 0;
        speeds.read_share = 0.5;
        EventQueue queue;
        Network network(queue, speeds, 2);
        network.changeReaders(readers);
        TimeNs end = 0;
        for (std::uint64_t sequence = 1; sequence <= 1 + beside; ++sequence) {
            for (int rank = 0; rank < 2; ++rank) {
                const CollectiveCall call{30'000'000, sequence, CollectiveKind::AllReduce, ElementType::Float};
                network.join(call, rank, [&] { end = queue.now(); });
            }
        }
        while (queue.runOne()) {}
        return static_cast<double>(end);
    };
    EXPECT_NEAR(lastEnd(2, 0) / lastEnd(0, 0), 2, 0.1);
    EXPECT_NEAR(lastEnd(0, 1) / lastEnd(0, 0), 2, 0.1);
}

TEST(MachineLoader, DeliversInOrderAsFastAsItsWorkersTogether) {
    LoaderSpec spec;
    spec.workers = 3;
    spec.spread_per_mille = 0;
    spec.read_ns = 10 * kMs;
    spec.cpu_ns = 20 * kMs;
    EventQueue queue;
    Network network(queue, {}, 1);
    Scheduler scheduler(queue, {});
    Loader loader(queue, scheduler, network, spec, 0, 1);
    std::vector<TimeNs> taken;
    std::function<void()> again = [&] {
        taken.push_back(queue.now());
        if (taken.size() < 31) {
            loader.take(again);
        }
    };
    loader.take(again);
    while (queue.runOne()) {}
    ASSERT_EQ(taken.size(), 31U);
    // Three workers, 30 ms a batch each; one is up to 8 % slower than it should be.
    EXPECT_NEAR(static_cast<double>(taken.back() - taken.front()) / 30, 10e6, 1e6);
}

TEST(MachineLoader, MakesABatchThatStoragesHoldsUpLater) {
    LoaderSpec spec;
    spec.stalls = ReadStalls{4, 500 * kMs};
    int slow = 0;
    for (int batch = 0; batch < 40; ++batch) {
        slow += costOf(spec, 1, 0, 0, batch).read_ns > 400 * kMs ? 1 : 0;
        EXPECT_EQ(costOf(spec, 1, 0, 0, batch).read_ns > 400 * kMs, costOf(spec, 1, 1, 2, batch).read_ns > 400 * kMs);
    }
    EXPECT_EQ(slow, 10);
}

}  // namespace
}  // namespace rankscope::tracegen::machine
