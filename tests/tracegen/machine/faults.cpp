// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/faults.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/step_builder.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

DurationNs stepsLong(const Config& config, double steps) {
    return std::llround(static_cast<double>(expectedStep(config)) * steps);
}

RankSpec& faulty(Config& config) {
    return config.ranks[static_cast<std::size_t>(faultyRank(config))];
}

int ranksOnFirstHost(const Config& config) {
    int ranks = 0;
    while (ranks < config.rankCount() && config.hostOf(ranks) == 0) {
        ++ranks;
    }
    return ranks;
}

// Batches that together take so many steps more than the workers have.
void slowWorkers(Config& config, RankSpec& rank, double steps) {
    rank.loader.cpu_ns = stepsLong(config, steps * rank.loader.workers) - rank.loader.read_ns;
}

// ---- the runs that faults are planted in

// Much Python for each kernel, and little to load: a step of the host takes about half of the device's.
void hostMatters(Config& config, double /*strength*/) {
    constexpr double kMuchPython = 3.5;
    constexpr int kRanksAHost = 4;
    if (config.rankCount() / static_cast<int>(config.hosts.size()) < kRanksAHost) {
        config.hosts.resize(1);
    }
    for (RankSpec& rank : config.ranks) {
        rank.host_slowdown *= kMuchPython;
        rank.loader.workers = 2;
        rank.loader.cpu_ns = 3'000'000;
        rank.loader.read_ns = 2'000'000;
    }
}

// So much Python that all devices wait for their hosts, which wait for them at the end of each step. What stops a host
// now and then lasts as long as elsewhere.
void allHostsSlow(Config& config, double strength) {
    constexpr int kSlow = 16;
    hostMatters(config, strength);
    config.habits.logs_loss = true;
    config.noise.young_ns /= kSlow;
    config.noise.hiccup_ns /= kSlow;
    for (RankSpec& rank : config.ranks) {
        rank.host_slowdown = kSlow;
    }
}

void shallowQueue(Config& config, double /*strength*/) {
    for (RankSpec& rank : config.ranks) {
        rank.loader.workers = 2;
        rank.loader.read_ns = stepsLong(config, 0.2);
        rank.loader.cpu_ns = stepsLong(config, 0.8);
    }
}

void smallKernels(Config& config, double /*strength*/) {
    config.model.blocks = 6;
    config.model.device_scale = 0.6;
    config.model.graphs = false;
    config.steps = std::min(config.steps, 10);
}

void logsLoss(Config& config, double /*strength*/) {
    config.habits.logs_loss = true;
}

// Blocks of so many million parameters.
void largeModel(Config& config, double millions) {
    config.model.block_parameters = std::llround(millions * 1e6);
}

// ---- the faults

void fewWorkers(Config& config, double steps) {
    for (RankSpec& rank : config.ranks) {
        slowWorkers(config, rank, steps);
    }
}

void storageStalls(Config& config, double steps) {
    for (RankSpec& rank : config.ranks) {
        const int ahead = rank.loader.workers * rank.loader.prefetch;
        rank.loader.stalls = ReadStalls{6, stepsLong(config, ahead + steps)};
    }
}

void noWorkers(Config& config, double steps) {
    for (RankSpec& rank : config.ranks) {
        rank.loader.workers = 0;
        rank.loader.cpu_ns = stepsLong(config, steps * 0.75);
        rank.loader.read_ns = stepsLong(config, steps * 0.25);
    }
}

void fewCores(Config& config, double threads_a_core) {
    config.hosts.front().cores = std::max(1, static_cast<int>(std::lround(ranksOnFirstHost(config) / threads_a_core)));
}

void quota(Config& config, double cores_a_rank) {
    CpuQuota quota;
    quota.quota_ns = std::llround(cores_a_rank * ranksOnFirstHost(config) * static_cast<double>(quota.period_ns));
    config.hosts.front().quota = quota;
}

// Of the input.
std::vector<Fault> inputFaults() {
    return {
        {"few-workers",
         "the DataLoader's workers make fewer batches than the training needs",
         {"dataloader-stall"},
         Hits::AllRanks,
         {1.15, 1.5, 2.5},
         2,
         nullptr,
         fewWorkers},
        {"storage-stalls",
         "sometimes a batch is read very slowly, and the queue empties",
         {"dataloader-stall"},
         Hits::AllRanks,
         {2, 4, 8},
         2,
         shallowQueue,
         storageStalls},
        {"no-workers",
         "num_workers=0: the main thread makes each batch",
         {"dataloader-stall"},
         Hits::AllRanks,
         {0.15, 0.5, 1.5},
         2,
         logsLoss,
         noWorkers,
         nullptr,
         false,
         true},  // this machine's workers cost the training nothing, which no trace shows
        {"slow-workers-of-one",
         "the batches of one rank take longer",
         {"straggler-rank", "dataloader-stall"},
         Hits::OneRank,
         {1.15, 1.5, 2.5},
         4,
         nullptr,
         [](Config& config, double steps) { slowWorkers(config, faulty(config), steps); }},
    };
}

// Of the host, and of what the training loop does beside training.
std::vector<Fault> hostFaults() {
    return {
        {"few-cores",
         "more runnable threads than cores",
         {"host-stall"},
         Hits::FirstHost,
         {1.5, 2, 4},
         4,
         hostMatters,
         fewCores},
        {"container-quota",
         "a control group stops all threads until its period ends",
         {"host-stall"},
         Hits::FirstHost,
         {0.5, 0.4, 0.3},
         2,
         hostMatters,
         quota},
        {"collections",
         "full garbage collections of the main thread",
         {"host-stall", "step-spikes"},
         Hits::AllRanks,
         {0.5, 1, 3},
         2,
         logsLoss,
         [](Config& config, double steps) {
             config.habits.collector = Collector{4, stepsLong(config, steps), std::nullopt};
         }},
        {"collections-of-one",
         "full garbage collections of one rank's main thread",
         {"host-stall", "step-spikes"},
         Hits::OneRank,
         {0.5, 1, 3},
         4,
         logsLoss,
         [](Config& config, double steps) {
             config.habits.collector = Collector{4, stepsLong(config, steps), faultyRank(config)};
         }},
        {"checkpoints",
         "rank 0 saves the model every 5 steps",
         {"step-spikes"},
         Hits::RankZero,
         {1, 3, 8},
         2,
         logsLoss,
         [](Config& config, double steps) {
             config.habits.checkpoint = Checkpoint{5, stepsLong(config, steps)};
         }},
        {"evaluations",
         "all ranks evaluate every 5 steps",
         {"step-spikes"},
         Hits::AllRanks,
         {2, 5, 10},
         2,
         logsLoss,
         [](Config& config, double batches) {
             config.habits.evaluation = Evaluation{5, static_cast<int>(batches)};
         }},
    };
}

// Of one rank or another.
std::vector<Fault> rankFaults() {
    return {
        {"slow-device",
         "one GPU is slower",
         {"straggler-rank"},
         Hits::OneRank,
         {1.08, 1.2, 1.5},
         4,
         nullptr,
         [](Config& config, double factor) { faulty(config).device.slowdown = factor; }},
        {"slow-host",
         "one rank's CPU is slower",
         {"straggler-rank"},
         Hits::OneRank,
         {12, 16, 24},
         4,
         hostMatters,
         [](Config& config, double factor) { faulty(config).host_slowdown = factor; }},
        {"uneven-batches",
         "a different rank has more to compute in each step",
         {"moving-straggler"},
         Hits::Somebody,
         {1.1, 1.25, 1.5},
         4,
         nullptr,
         [](Config& config, double factor) { config.habits.uneven = UnevenBatches{factor}; }},
    };
}

// Of the communication.
std::vector<Fault> networkFaults() {
    return {
        {"slow-network",
         "all collectives are slow",
         {"exposed-communication"},
         Hits::AllRanks,
         {12, 7, 4},
         2,
         nullptr,
         [](Config& config, double bytes_per_ns) { config.network.bytes_per_ns = bytes_per_ns; }},
        {"no-overlap",
         "the buckets are sent after the backward",
         {"exposed-communication"},
         Hits::AllRanks,
         {4, 6, 8},
         2,
         largeModel,
         [](Config& config, double) { config.model.reduce_after_backward = true; }},
        {"one-bucket",
         "bucket_cap_mb=1000",
         {"bucket-size", "exposed-communication"},
         Hits::AllRanks,
         {4, 6, 8},
         2,
         largeModel,
         [](Config& config, double) { config.model.bucket_mb = 1000; }},
    };
}

// Of what is on the device, and how it gets there.
std::vector<Fault> deviceFaults() {
    return {
        {"tiny-kernels",
         "element-wise work in many small kernels",
         {"launch-bound"},
         Hits::AllRanks,
         {20, 32, 48},
         2,
         smallKernels,
         [](Config& config, double pieces) { config.model.pieces = static_cast<int>(pieces); }},
        {"device-shared",
         "another process uses one rank's GPU",
         {"device-shared"},
         Hits::OneRank,
         {16, 8, 4},
         4,
         nullptr,
         [](Config& config, double every_ms) {
             faulty(config).device.neighbour = Neighbour{std::llround(every_ms * 1e6)};
         }},
        {"items",
         ".item() again and again in each step",
         {"host-sync"},
         Hits::AllRanks,
         {4, 10, 24},
         2,
         nullptr,
         [](Config& config, double count) { config.habits.items = static_cast<int>(count); }},
        {"pageable",
         "batches are copied from pageable memory",
         {"unpinned-memcpy"},
         Hits::AllRanks,
         {6, 12, 24},
         2,
         [](Config& config, double mib) { config.model.batch_bytes = std::llround(mib) * kMiB; },
         [](Config& config, double) { config.model.pinned = false; }},
    };
}

// Of one host among slow ones. These stand last: a run's chance goes by the place of its fault.
std::vector<Fault> slowHostFaults() {
    return {
        {"slowest-host",
         "all CPUs are slow, and one rank's is even slower",
         {"straggler-rank"},
         Hits::OneRank,
         {1.15, 1.3, 1.5},
         4,
         allHostsSlow,
         [](Config& config, double factor) { faulty(config).host_slowdown *= factor; }},
    };
}

}  // namespace

const std::vector<Fault>& allFaults() {
    static const std::vector<Fault> faults = [] {
        std::vector<Fault> all;
        for (const auto& some : {inputFaults(), hostFaults(), rankFaults(), networkFaults(), deviceFaults(),
                                 slowHostFaults(), jobFaults()}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }();
    return faults;
}

int faultyRank(const Config& config) {
    return static_cast<int>(config.seed % static_cast<std::uint64_t>(config.rankCount()));
}

std::vector<std::int32_t> ranksOf(const Fault& fault, const Config& config) {
    if (fault.hits == Hits::Named) {
        return fault.who(config);
    }
    std::set<std::int32_t> ranks;
    for (int rank = 0; rank < config.rankCount(); ++rank) {
        const bool hit = fault.hits == Hits::AllRanks || (fault.hits == Hits::OneRank && rank == faultyRank(config)) ||
                         (fault.hits == Hits::RankZero && rank == 0) ||
                         (fault.hits == Hits::FirstHost && config.hostOf(rank) == 0);
        if (hit) {
            ranks.insert(rank);
        }
    }
    for (int step = 0; fault.hits == Hits::Somebody && step < config.steps; ++step) {
        ranks.insert(turnOf(config, step));
    }
    return {ranks.begin(), ranks.end()};
}

DurationNs expectedStep(const Config& config) {
    constexpr DurationNs kBlockNs = 1'900'000;
    constexpr DurationNs kRestNs = 2'000'000;
    return std::llround(static_cast<double>(kBlockNs * config.model.blocks + kRestNs) * config.model.device_scale);
}

}  // namespace rankscope::tracegen::machine
