// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/forecast_cases.h"

#include <array>
#include <cmath>

#include "tests/accuracy/drawn_machine.h"

namespace rankscope::accuracy {
namespace {

using MachineConfig = tracegen::machine::Config;
using MachineRank = tracegen::machine::RankSpec;

MachineConfig drawn(Lot& lot, std::uint64_t seed) {
    constexpr std::array kRanks = {1, 2, 4, 8};
    return drawMachine(seed, kRanks.at(static_cast<std::size_t>(lot.whole(0, 3))));
}

MachineConfig ofDdp(Lot& lot, std::uint64_t seed) {
    MachineConfig config = drawn(lot, seed);
    communicate(lot, config);
    return config;
}

// ---- workers

ForecastCase firstWorkers(std::uint64_t seed) {
    Lot lot(seed);
    ForecastCase one{{}, "first-workers", {"dataloader-stall"}, drawn(lot, seed), {}};
    MachineConfig& before = one.before;
    const double batch = lot.evenly(0.15, 2.0);
    const double slow_host =
        lot.heads() ? 1.0 : lot.evenly(4.0, 16.0);  // half of them launch about as fast as they run
    const int workers = static_cast<int>(std::ceil(batch * 1.5)) + lot.whole(1, 3);
    before.model.pinned = lot.heads();
    before.habits.logs_loss = lot.heads();
    drawCrowding(lot, before, batch);
    giveCores(before, workers);
    for (MachineRank& rank : before.ranks) {
        rank.host_slowdown *= slow_host;
        rank.loader.workers = 0;
        rank.loader.cpu_ns = stepsLongOf(before, batch * 0.75);
        rank.loader.read_ns = stepsLongOf(before, batch * 0.25);
    }
    one.after = before;
    one.after.model.pageable_bytes_per_ns = withFreshPages(lot, before.model.pageable_bytes_per_ns);
    const DurationNs hand_over_ns = std::llround(lot.evenly(0.1e6, 2e6));
    for (MachineRank& rank : one.after.ranks) {
        rank.loader.workers = workers;
        rank.loader.hand_over_ns = hand_over_ns / static_cast<DurationNs>(std::max(1.0, slow_host));
    }
    return one;
}

ForecastCase moreWorkers(std::uint64_t seed) {
    Lot lot(seed);
    ForecastCase one{{}, "more-workers", {"dataloader-stall"}, drawn(lot, seed), {}};
    MachineConfig& before = one.before;
    const int workers = lot.whole(1, 3);
    const double slow = lot.evenly(1.15, 2.0);  // a batch takes so many steps more than there are workers
    const double slow_host = lot.heads() ? 1.0 : lot.evenly(4.0, 16.0);
    before.model.pinned = lot.heads();
    const double batch = slow * workers;
    drawCrowding(lot, before, batch);
    giveCores(before, 3 * workers + 2);
    for (MachineRank& rank : before.ranks) {
        rank.host_slowdown *= slow_host;
        rank.loader.workers = workers;
        rank.loader.read_ns = stepsLongOf(before, batch * 0.25);
        rank.loader.cpu_ns = stepsLongOf(before, batch * 0.75);
    }
    one.after = before;
    for (MachineRank& rank : one.after.ranks) {
        rank.loader.workers = 3 * workers + 2;
    }
    return one;
}

// ---- pinned memory

ForecastCase pinned(std::uint64_t seed) {
    constexpr std::uint64_t kWithoutWorkers = 3;  // every third
    Lot lot(seed);
    ForecastCase one{{}, "pinned-memory", {"unpinned-memcpy"}, drawn(lot, seed), {}};
    one.before.model.batch_bytes = std::int64_t{lot.whole(6, 48)} << 20U;
    one.before.model.pageable_bytes_per_ns = lot.evenly(1.5, 6);
    one.before.model.pinned = false;
    if (seed % kWithoutWorkers == 0) {
        for (MachineRank& rank : one.before.ranks) {
            rank.loader.workers = 0;
            rank.loader.cpu_ns = stepsLongOf(one.before, 0.05);
            rank.loader.read_ns = 0;
        }
    }
    one.after = one.before;
    one.after.model.pinned = true;
    const double copied_by_cpu = lot.evenly(3, 10);  // GB/s, from memory to memory
    for (MachineRank& rank : one.after.ranks) {
        rank.loader.main_pin_ns = std::llround(static_cast<double>(one.after.model.batch_bytes) / copied_by_cpu);
    }
    return one;
}

// ---- communication

ForecastCase overlap(std::uint64_t seed) {
    Lot lot(seed);
    ForecastCase one{{}, "overlap", {"exposed-communication", "bucket-size"}, ofDdp(lot, seed), {}};
    one.before.model.block_parameters = std::llround(lot.evenly(3e6, 9e6));
    one.before.network.bytes_per_ns = lot.evenly(30, 150);
    one.before.model.reduce_after_backward = true;
    one.after = one.before;
    one.after.model.reduce_after_backward = false;
    return one;
}

ForecastCase smallerBuckets(std::uint64_t seed) {
    Lot lot(seed);
    ForecastCase one{{}, "smaller-buckets", {"bucket-size", "exposed-communication"}, ofDdp(lot, seed), {}};
    one.before.model.block_parameters = std::llround(lot.evenly(3e6, 9e6));
    one.before.network.bytes_per_ns = lot.evenly(30, 150);
    one.before.model.bucket_mb = 1000;
    one.after = one.before;
    one.after.model.bucket_mb = 25;
    return one;
}

ForecastCase largerBuckets(std::uint64_t seed) {
    Lot lot(seed);
    ForecastCase one{{}, "larger-buckets", {"bucket-size"}, ofDdp(lot, seed), {}};
    one.before.model.blocks = lot.whole(8, 24);
    one.before.model.device_scale = lot.evenly(0.4, 1.2);
    one.before.model.block_parameters = std::llround(lot.evenly(1.1e6, 2.0e6));
    one.before.network.bytes_per_ns = lot.evenly(20, 150);
    one.before.network.latency_ns = std::llround(lot.evenly(50e3, 600e3));
    one.before.model.gradient_nodes = 4;
    one.before.model.bucket_mb = 2.5;  // of one or two tensors: two sizes, so that latency shows
    one.after = one.before;
    one.after.model.bucket_mb = 25;
    return one;
}

// ---- launches

ForecastCase graphs(std::uint64_t seed) {
    Lot lot(seed);
    ForecastCase one{{}, "graphs", {"launch-bound"}, drawn(lot, seed), {}};
    one.before.model.blocks = lot.whole(4, 8);
    one.before.model.device_scale = lot.evenly(0.5, 0.8);
    one.before.model.pieces = lot.whole(24, 48);
    for (MachineRank& rank : one.before.ranks) {
        rank.loader.cpu_ns = stepsLongOf(one.before, 0.5);  // of several workers: never late
        rank.loader.read_ns = 0;
    }
    one.after = one.before;
    one.after.model.pieces = 1;
    one.after.model.graphs = true;
    return one;
}

}  // namespace

std::vector<ForecastCase> forecastCases(std::uint64_t first_seed) {
    struct Kind {
        int count;
        ForecastCase (*make)(std::uint64_t seed);
    };
    constexpr std::uint64_t kApart = 1'000;
    std::vector<ForecastCase> cases;
    std::uint64_t seed = first_seed;
    for (const Kind& kind : {Kind{24, firstWorkers}, Kind{10, moreWorkers}, Kind{12, pinned}, Kind{10, overlap},
                             Kind{10, smallerBuckets}, Kind{10, largerBuckets}, Kind{6, graphs}}) {
        for (int number = 1; number <= kind.count; ++number) {
            cases.push_back(kind.make(seed + static_cast<std::uint64_t>(number)));
            cases.back().name = cases.back().row + '/' + std::to_string(number);
        }
        seed += kApart;
    }
    return cases;
}

}  // namespace rankscope::accuracy
