// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/matrix.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/tracegen/dice.h"

namespace rankscope::accuracy {
namespace {

using tracegen::Config;
using tracegen::Dialect;
using tracegen::Dice;
using tracegen::Vendor;

/// One fault as the command line of tracegen spells it, its strengths from weak to strong. `R` stands for a rank.
struct Row {
    std::string_view name;
    std::array<std::string_view, 3> faults;
    int least_ranks = 2;
};

constexpr std::array<Row, 20> kRows = {{
    {"dataloader", {"dataloader:amount=25", "dataloader:amount=70", "dataloader:amount=150"}},
    {"cold-batches", {"cold-batches:amount=70", "cold-batches:amount=110", "cold-batches:amount=160"}, 3},
    {"slow-loader", {"slow-loader:ranks=R,amount=100", "slow-loader:ranks=R,amount=180", "slow-loader:ranks=R"}, 3},
    {"host-sync", {"host-sync:count=4", "host-sync:count=8", "host-sync:count=16"}},
    {"unpinned-memcpy", {"unpinned-memcpy:amount=6", "unpinned-memcpy:amount=3", "unpinned-memcpy:amount=1.5"}},
    {"slow-kernels",
     {"slow-kernels:ranks=R,amount=1.08", "slow-kernels:ranks=R", "slow-kernels:ranks=R,amount=1.4"},
     3},
    {"two-slow-ranks",
     {"slow-kernels:ranks=1+R,amount=1.08", "slow-kernels:ranks=1+R", "slow-kernels:ranks=1+R,amount=1.4"},
     8},
    {"uneven-work", {"uneven-work:amount=1.08", "uneven-work", "uneven-work:amount=1.4"}, 3},
    {"tiny-kernels", {"tiny-kernels:count=24", "tiny-kernels:count=36", "tiny-kernels"}},
    {"allocator", {"allocator:count=2", "allocator", "allocator:count=8"}},
    {"find-unused-parameters",
     {"find-unused-parameters:amount=2", "find-unused-parameters", "find-unused-parameters:amount=8"}},
    {"gradient-copies", {"gradient-copies", "gradient-copies:count=16", "gradient-copies:count=32"}},
    {"small-buckets", {"bucket-size:amount=0.75", "bucket-size:amount=0.5", "bucket-size:amount=0.25"}},
    {"large-buckets", {"bucket-size:amount=1000", "bucket-size:amount=1000", "bucket-size:amount=1000"}},
    {"slow-network", {"slow-network:amount=14", "slow-network:amount=10", "slow-network:amount=5"}},
    {"late-all-reduce", {"late-all-reduce", "late-all-reduce", "late-all-reduce"}},
    {"slow-collective", {"slow-collective:amount=25", "slow-collective", "slow-collective:amount=70"}},
    {"host-code", {"host-code:amount=14", "host-code:amount=20", "host-code:amount=40"}},
    {"named-host-code", {"host-code:amount=14", "host-code:amount=20", "host-code:amount=40"}},
    {"memory-pressure", {"memory-pressure:amount=0.95", "memory-pressure", "memory-pressure:amount=0.99"}},
}};

/// Two faults at once.
struct Pair {
    std::string_view first;
    std::string_view second;
};

constexpr std::array<Pair, 8> kPairs = {{
    {"dataloader:amount=40", "host-sync:amount=0"},
    {"dataloader", "slow-kernels:ranks=R,amount=1.3"},
    {"slow-kernels:ranks=R,amount=1.3", "host-sync"},
    {"find-unused-parameters", "gradient-copies:count=12"},
    {"unpinned-memcpy:amount=2", "allocator:count=6"},
    {"host-code:amount=25", "tiny-kernels"},
    {"slow-network", "slow-kernels:ranks=R,amount=1.3"},
    {"uneven-work:amount=1.3", "unpinned-memcpy:amount=2"},
}};

struct Files {
    std::string_view name;
    Vendor vendor;
    Dialect dialect;
};

constexpr std::array<Files, 3> kFiles = {{{"cuda", Vendor::Cuda, Dialect::Modern},
                                          {"rocm", Vendor::Rocm, Dialect::Modern},
                                          {"old", Vendor::Cuda, Dialect::Old}}};

tracegen::Fault faultFrom(std::string_view text, int ranks) {
    std::string spelled(text);
    for (auto at = spelled.find("=R"); at != std::string::npos; at = spelled.find("=R")) {
        spelled.replace(at + 1, 1, std::to_string(ranks / 2));
    }
    for (auto at = spelled.find("+R"); at != std::string::npos; at = spelled.find("+R")) {
        spelled.replace(at + 1, 1, std::to_string(ranks / 2 + 1));
    }
    return tracegen::parseFault(spelled);
}

void plantClocks(Config& config) {
    Dice dice(config.seed, {0xc10c});
    config.clocks.clear();
    for (int rank = 0; rank < config.ranks; ++rank) {
        constexpr DurationNs kOffsetMaxNs = 5'000'000;
        constexpr std::int64_t kDriftMaxPpb = 20'000;
        tracegen::RankClock clock;
        clock.offset_ns = dice.between(-kOffsetMaxNs, kOffsetMaxNs);
        clock.drift_ppm = static_cast<double>(dice.between(-kDriftMaxPpb, kDriftMaxPpb)) / 1000;
        config.clocks.push_back(clock);
    }
}

// A run whose step is paced by the device, with the host a third ahead of it.
Config usual(const Files& files, int ranks, std::uint64_t seed) {
    Config config;
    config.vendor = files.vendor;
    config.dialect = files.dialect;
    config.ranks = ranks;
    config.seed = seed;
    config.steps = 8;
    config.warmup_steps = 3;
    config.kernel_scale = 0.4;
    plantClocks(config);
    return config;
}

// As many kernels and operators a step as a ResNet-50 has.
void makeRealSize(Config& config) {
    config.layers = 120;
    config.kernel_scale = 0.2;
    config.steps = 6;
}

// What a row needs beside its fault.
void prepare(const Row& row, std::size_t strength, Config& config) {
    constexpr std::array<double, 3> kSlowerAndSlower = {95, 60, 35};
    if (row.name == "late-all-reduce" || row.name == "large-buckets") {
        config.bus_gb_per_s = kSlowerAndSlower.at(strength);
    }
    config.with_stack = row.name == "named-host-code";
    config.profile_memory = row.name == "memory-pressure";
    if (row.name == "gradient-copies") {
        // A launch for each gradient that is scaled: the device has to have enough else to do for the run without the
        // fault to be a healthy one.
        constexpr int kTypicalCount = 8;
        config.scaled_parameters = faultFrom(row.faults.at(strength), config.ranks).count;
        config.kernel_scale *= static_cast<double>(config.scaled_parameters) / kTypicalCount;
    }
}

void addFaults(std::vector<Case>& cases) {
    for (const Row& row : kRows) {
        for (std::size_t strength = 0; strength < row.faults.size(); ++strength) {
            for (const Files& files : kFiles) {
                for (const int ranks : {2, 4, 8, 64}) {
                    const bool large = ranks == 64;
                    if (ranks < row.least_ranks || (large && (strength != 1 || files.name != "cuda"))) {
                        continue;
                    }
                    Config config = usual(files, ranks, 100 + cases.size());
                    prepare(row, strength, config);
                    config.faults.push_back(faultFrom(row.faults.at(strength), ranks));
                    cases.push_back({std::string(row.name) + '/' + std::to_string(strength + 1) + '/' +
                                         std::string(files.name) + '/' + std::to_string(ranks),
                                     config});
                }
            }
        }
    }
}

void addRealSize(std::vector<Case>& cases) {
    for (const Row& row : kRows) {
        if (row.least_ranks > 4) {
            continue;
        }
        for (const Files& files : {kFiles[0], kFiles[1]}) {
            Config config = usual(files, 4, 100 + cases.size());
            makeRealSize(config);
            prepare(row, 1, config);
            config.faults.push_back(faultFrom(row.faults[1], 4));
            cases.push_back({"real-size/" + std::string(row.name) + '/' + std::string(files.name) + "/4", config});
        }
    }
}

/// DDP broadcasts the buffers of a model with batch norms in each forward: not all ranks wait for all others there.
void addBroadcasts(std::vector<Case>& cases) {
    for (const Row& row : kRows) {
        for (const Files& files : kFiles) {
            const int ranks = row.least_ranks > 4 ? row.least_ranks : 4;
            Config config = usual(files, ranks, 100 + cases.size());
            config.broadcast_buffers = true;
            prepare(row, 1, config);
            config.faults.push_back(faultFrom(row.faults[1], ranks));
            cases.push_back(
                {"broadcasts/" + std::string(row.name) + '/' + std::string(files.name) + '/' + std::to_string(ranks),
                 config});
        }
    }
}

void addPairs(std::vector<Case>& cases) {
    for (const Pair& pair : kPairs) {
        for (const Files& files : kFiles) {
            Config config = usual(files, 4, 100 + cases.size());
            config.faults = {faultFrom(pair.first, 4), faultFrom(pair.second, 4)};
            cases.push_back({"pair/" + std::string(tracegen::traitsOf(config.faults[0].kind).name) + '+' +
                                 std::string(tracegen::traitsOf(config.faults[1].kind).name) + '/' +
                                 std::string(files.name) + "/4",
                             config});
        }
    }
}

void addHealthy(std::vector<Case>& cases) {
    constexpr int kRuns = 100;
    for (int run = 0; run < kRuns; ++run) {
        const auto seed = std::uint64_t{10'000} + static_cast<std::uint64_t>(run);
        Dice dice(seed, {0x4ea1});
        const Files& files = kFiles.at(dice.below(kFiles.size()));
        constexpr std::array<int, 4> kRanks = {1, 2, 4, 8};
        Config config = usual(files, kRanks.at(dice.below(kRanks.size())), seed);
        config.steps = static_cast<int>(dice.between(5, 10));
        config.layers = static_cast<int>(dice.between(12, 40));
        config.kernel_scale = static_cast<double>(dice.between(40, 120)) / 100;
        if (run % 10 == 0) {
            makeRealSize(config);
        }
        config.broadcast_buffers = dice.below(2) == 0;
        config.scaled_parameters = static_cast<int>(dice.below(4));
        config.profile_memory = dice.below(3) == 0;
        config.with_stack = dice.below(3) == 0;
        if (dice.below(4) == 0) {
            config.clocks.clear();
        }
        cases.push_back(
            {"healthy/" + std::to_string(run + 1) + '/' + std::string(files.name) + '/' + std::to_string(config.ranks),
             config});
    }
}

}  // namespace

std::vector<Case> matrix() {
    std::vector<Case> cases;
    addFaults(cases);
    addRealSize(cases);
    addPairs(cases);
    addBroadcasts(cases);
    addHealthy(cases);
    return cases;
}

std::vector<Case> filtered(std::vector<Case> cases, const std::vector<std::string>& filters) {
    std::erase_if(cases, [&filters](const Case& one) {
        return !filters.empty() && std::ranges::none_of(filters, [&one](const std::string& filter) {
            return one.name.find(filter) != std::string::npos;
        });
    });
    return cases;
}

}  // namespace rankscope::accuracy
