// SPDX-License-Identifier: GPL-3.0-or-later
// The faults of DDP's options, of collectives and of memory, as they show in the events.

#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/model.h"
#include "tests/tracegen/truth.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::tracegen {
namespace {

Config plantedInTwoRanks(std::string_view fault, Vendor vendor = Vendor::Cuda) {
    Config config = configOf(2, 3, {std::string(fault)});
    config.vendor = vendor;
    return config;
}

std::vector<Event> eventsNamed(const RunResult& run, std::string_view part, std::size_t rank = 0) {
    std::vector<Event> found;
    std::ranges::copy_if(run.events[rank], std::back_inserter(found), [&](const Event& event) {
        return run.names->view(event.name).find(part) != std::string_view::npos;
    });
    return found;
}

std::vector<Event> collectiveKernels(const RunResult& run, std::size_t rank = 0) {
    std::vector<Event> found;
    std::ranges::copy_if(run.events[rank], std::back_inserter(found), [](const Event& event) {
        return event.kind == EventKind::Kernel && event.collective.valid();
    });
    return found;
}

DurationNs shortest(const RunResult& run, std::uint64_t sequence) {
    DurationNs least = 0;
    for (std::size_t rank = 0; rank < run.events.size(); ++rank) {
        for (const Event& kernel : collectiveKernels(run, rank)) {
            const DurationNs length = kernel.end_ns - kernel.start_ns;
            if (kernel.collective.sequence == sequence && (least == 0 || length < least)) {
                least = length;
            }
        }
    }
    return least;
}

TEST(FindUnusedParameters, WalksTheGraphAndReducesAMapOfIntegers) {
    const RunResult run = simulate(plantedInTwoRanks("find-unused-parameters:amount=5,count=10"));
    const auto searches = eventsNamed(run, "torch.distributed.ddp.reducer::search_unused_parameters");
    ASSERT_EQ(searches.size(), 3U);
    EXPECT_NEAR(static_cast<double>(searches[0].end_ns - searches[0].start_ns), 5e6, 2e5);
    EXPECT_EQ(searches[0].thread, Thread::Main);
    std::vector<Event> maps = collectiveKernels(run);
    std::erase_if(maps, [](const Event& kernel) { return kernel.collective.type != ElementType::Int; });
    ASSERT_EQ(maps.size(), 3U);
    EXPECT_EQ(maps[0].collective.elements, 160);
    const auto up = eventsNamed(run, "Memcpy HtoD (Pinned -> Device)");
    const auto sent = std::ranges::find(up, 640, &Event::bytes);
    ASSERT_NE(sent, up.end());
    EXPECT_LE(sent->end_ns, maps[0].start_ns);
    const auto back = eventsNamed(run, "Memcpy DtoH (Device -> Pageable)");
    ASSERT_EQ(back.size(), 3U);
    EXPECT_GE(back[0].start_ns, maps[0].end_ns);
}

TEST(FindUnusedParameters, SaysTheTypeOfItsMap) {
    const RunResult run = simulate(plantedInTwoRanks("find-unused-parameters"));
    const auto file = nlohmann::json::parse(kinetoText(run, 1));
    const auto ints = std::ranges::count_if(file["traceEvents"], [](const nlohmann::json& event) {
        return event.value("cat", "") == "kernel" && event["args"].value("dtype", "") == "Int";
    });
    EXPECT_EQ(ints, 3);
}

TEST(GradientCopies, CopyEachGradientBackAndAreNotWhatScalesIt) {
    Config config = plantedInTwoRanks("gradient-copies:count=4", Vendor::Rocm);
    config.scaled_parameters = 4;
    const RunResult run = simulate(config);
    const std::size_t parameters = 4 * 16 * 3;
    EXPECT_EQ(eventsNamed(run, "torch::distributed::reducer::mul_out").size(), parameters);
    EXPECT_EQ(eventsNamed(run, "torch.distributed.ddp.reducer::copy_bucket_to_grad").size(), parameters);
    EXPECT_EQ(eventsNamed(run, "Memcpy DtoD (Device -> Device)").size(), parameters);
    const RunResult healed = simulate(without(config, 0));
    EXPECT_EQ(eventsNamed(healed, "torch::distributed::reducer::mul_out").size(), parameters);
    EXPECT_EQ(eventsNamed(healed, "copy_bucket_to_grad").size(), 0U);
}

TEST(BucketSize, SmallBucketsAreManyAndALargeOneIsLeftForTheEnd) {
    const auto buckets = [](std::string_view fault) { return makeModel(plantedInTwoRanks(fault)).buckets; };
    EXPECT_GT(buckets("bucket-size:amount=0.5").size(), 150U);
    EXPECT_GT(buckets("bucket-size:amount=1").size(), 80U);
    const auto large = buckets("bucket-size:amount=1000");
    ASSERT_EQ(large.size(), 2U);
    EXPECT_GT(large[1].elements * 4, 80'000'000);
    Config healthy = plantedInTwoRanks("bucket-size");
    healthy.faults.clear();
    for (const char* fault : {"bucket-size:amount=0.5", "bucket-size:amount=1000"}) {
        std::int64_t all = 0;
        for (const Bucket& bucket : buckets(fault)) {
            all += bucket.elements;
        }
        EXPECT_EQ(all, makeModel(healthy).parameters);
    }
}

TEST(SlowNetwork, LengthensAllTransfersByTheirBytes) {
    const RunResult slow = simulate(plantedInTwoRanks("slow-network:amount=9.5"));
    const RunResult healthy = simulate(without(slow.config, 0));
    const std::uint64_t sequence = collectiveKernels(slow).front().collective.sequence;
    const double ratio =
        static_cast<double>(shortest(slow, sequence)) / static_cast<double>(shortest(healthy, sequence));
    EXPECT_NEAR(ratio, 10, 1.5);
}

TEST(LateAllReduce, SendsNothingBeforeTheBackwardHasEnded) {
    const RunResult run = simulate(plantedInTwoRanks("late-all-reduce"));
    const auto sent = eventsNamed(run, "c10d::allreduce_");
    const auto last = eventsNamed(run, "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad");
    ASSERT_EQ(sent.size() % 3, 0U);
    EXPECT_GE(sent.front().start_ns, last[last.size() / 3 - 1].end_ns);
}

TEST(SlowCollective, SlowsOneBucketDownAndNotItsPeers) {
    const RunResult run = simulate(plantedInTwoRanks("slow-collective:amount=20,count=2"));
    const auto kernels = collectiveKernels(run);
    ASSERT_EQ(kernels[1].collective.elements, kernels[2].collective.elements);
    EXPECT_GT(shortest(run, kernels[2].collective.sequence), 10 * shortest(run, kernels[1].collective.sequence));
}

TEST(HostCode, IsANamedRangeBetweenForwardAndBackward) {
    Config config = plantedInTwoRanks("host-code:amount=12");
    config.with_stack = true;
    const RunResult run = simulate(config);
    const auto named = eventsNamed(run, "compute_metrics");
    std::vector<Event> range = named;
    std::erase_if(range, [](const Event& event) { return event.kind != EventKind::UserAnnotation; });
    ASSERT_EQ(range.size(), 3U);
    EXPECT_NEAR(static_cast<double>(range[0].end_ns - range[0].start_ns), 12e6, 4e5);
    EXPECT_EQ(std::ranges::count(named, EventKind::Python, &Event::kind), 3);
    EXPECT_LE(eventsNamed(run, "DistributedDataParallel.forward")[0].end_ns, range[0].start_ns);
}

TEST(MemoryPressure, HoldsNearlyAllOfTheDevice) {
    const auto reserved_share = [](const Config& config) {
        std::int64_t most = 0;
        const RunResult run = simulate(config);
        for (const Event& event : run.events[1]) {
            most = event.kind == EventKind::Memory ? std::max(most, event.reserved) : most;
            EXPECT_LE(event.allocated, event.reserved);
        }
        return static_cast<double>(most) / static_cast<double>(deviceBytes(config.vendor));
    };
    const Config full = plantedInTwoRanks("memory-pressure:amount=0.98", Vendor::Rocm);
    EXPECT_NEAR(reserved_share(full), 0.98, 1e-6);
    EXPECT_EQ(reserved_share(without(full, 0)), 0);
    Config room = without(full, 0);
    room.profile_memory = true;
    EXPECT_NEAR(reserved_share(room), 0.6, 1e-6);
}

TEST(MemoryPressure, WritesTheAllocatorsEventsAsInstants) {
    const auto file = nlohmann::json::parse(kinetoText(simulate(plantedInTwoRanks("memory-pressure")), 0));
    EXPECT_EQ(file["profile_memory"], 1);
    std::size_t seen = 0;
    for (const auto& event : file["traceEvents"]) {
        if (event["name"] == "[memory]") {
            ++seen;
            EXPECT_EQ(event["ph"], "i");
            EXPECT_EQ(event["args"]["Device Type"], 1);
            EXPECT_GT(event["args"]["Total Reserved"], event["args"]["Total Allocated"]);
        }
    }
    EXPECT_EQ(seen, 16U * 3 * 3);
}

TEST(BroadcastBuffers, LetNoRankComputeBeforeRankZeroHasSent) {
    Config config = plantedInTwoRanks("slow-kernels:ranks=0,amount=1.2");
    config.broadcast_buffers = true;
    config.faults[0].ranks = {0};
    const RunResult run = simulate(config);
    const auto first = eventsNamed(run, "Broadcast_RING", 0);
    const auto second = eventsNamed(run, "Broadcast_RING", 1);
    ASSERT_EQ(first.size(), 3U);
    ASSERT_EQ(second.size(), 3U);
    for (std::size_t step = 0; step < 3; ++step) {
        EXPECT_GT(second[step].end_ns, first[step].start_ns);
        EXPECT_EQ(second[step].collective.sequence, first[step].collective.sequence);
    }
    EXPECT_EQ(eventsNamed(run, "nccl:broadcast").size(), 6U);  // on the host, and on its stream
}

TEST(DdpFaults, EqualSeedsGiveEqualBytes) {
    for (const FaultTraits& traits : allFaultTraits()) {
        Config config = plantedInTwoRanks(traits.name);
        config.broadcast_buffers = true;
        config.profile_memory = true;
        EXPECT_EQ(kinetoText(simulate(config), 1), kinetoText(simulate(config), 1)) << traits.name;
    }
}

TEST(DdpFaults, AFaultOfTheWholeJobNamesNoRanks) {
    EXPECT_THROW((void)simulate(plantedInTwoRanks("slow-network:ranks=1")), std::invalid_argument);
    EXPECT_THROW((void)simulate(plantedInTwoRanks("bucket-size:first=1")), std::invalid_argument);
    EXPECT_NO_THROW((void)simulate(plantedInTwoRanks("find-unused-parameters:first=1")));
}

}  // namespace
}  // namespace rankscope::tracegen
