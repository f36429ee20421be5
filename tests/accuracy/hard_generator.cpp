// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "tests/accuracy/hard_cases.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/simulate.h"

namespace rankscope::accuracy::hard {
namespace {

using GeneratorConfig = tracegen::Config;

constexpr int kGeneratorSteps = 12;
constexpr int kRanksOfHost = 8;

/// A kind of fault as tracegen spells it, without its amount, and from which amount to which it gets worse. `R` stands
/// for a rank.
struct Kind {
    std::string_view name;
    std::string_view spelled;
    std::string_view finding;
    std::string_view other;  ///< that is right as well
    double weak = 0;
    double strong = 0;
};

constexpr std::array<Kind, 9> kKinds = {{
    {"dataloader", "dataloader:", "dataloader-stall", "", 1, 60},
    {"host-sync", "host-sync:count=8,", "host-sync", "", 0.01, 1.5},
    {"slow-kernels", "slow-kernels:ranks=R,", "straggler-rank", "", 1.001, 1.5},
    {"allocator", "allocator:count=3,", "allocator-stall", "", 0.01, 4},
    {"host-code", "host-code:", "host-code", "", 0.1, 30},
    {"unpinned-memcpy", "unpinned-memcpy:", "unpinned-memcpy", "", 30, 0.8},
    {"slow-network", "slow-network:", "exposed-communication", "", 80, 4},
    {"uneven-work", "uneven-work:", "moving-straggler", "", 1.001, 1.5},
    {"throttling", "throttling:ranks=R,first=4,count=2,", "gpu-slows-down", "straggler-rank", 1.001, 1.6},
}};

GeneratorConfig usualConfig(int ranks, std::uint64_t seed) {
    GeneratorConfig config;
    config.ranks = ranks;
    config.seed = seed;
    config.steps = kGeneratorSteps;
    config.warmup_steps = 3;
    config.kernel_scale = 0.4;
    return config;
}

tracegen::Fault faultOf(const Kind& kind, int rank, double amount) {
    std::string spelled(kind.spelled);
    if (const auto at = spelled.find("=R"); at != std::string::npos) {
        spelled.replace(at + 1, 1, std::to_string(rank));
    }
    return tracegen::parseFault(spelled + "amount=" + std::to_string(amount));
}

class NoSink : public tracegen::EventSink {
  public:
    void take(int /*rank*/, std::span<const tracegen::Event> /*events*/) override {}
};

std::vector<DurationNs> stepsOfRun(const GeneratorConfig& config) {
    NoSink nothing;
    return tracegen::simulate(config, std::make_shared<StringPool>(), nothing).stepTimes();
}

/// The mean step of a window, but for the first, which nothing runs before.
double meanBehindFirst(const std::vector<DurationNs>& steps) {
    return static_cast<double>(std::accumulate(steps.begin() + 1, steps.end(), DurationNs{0})) /
           static_cast<double>(steps.size() - 1);
}

/// The fault at which a step takes longer by `target` of it.
tracegen::Fault faultOfShare(const GeneratorConfig& config, const Kind& kind, int rank, double target) {
    const double healthy = meanBehindFirst(stepsOfRun(config));
    const double amount = strengthFor(target, kind.weak, kind.strong, [&](double strength) {
        GeneratorConfig planted = config;
        planted.faults.push_back(faultOf(kind, rank, strength));
        return 1 - healthy / meanBehindFirst(stepsOfRun(planted));
    });
    return faultOf(kind, rank, amount);
}

std::vector<std::int32_t> allRanks(int ranks) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

Planted plantedOf(const Kind& kind, const tracegen::Fault& fault, int ranks) {
    Planted planted{std::string(kind.name), {std::string(kind.finding)}, allRanks(ranks), false};
    if (!kind.other.empty()) {
        planted.findings.emplace_back(kind.other);
    }
    if (!fault.ranks.empty()) {
        planted.ranks.assign(fault.ranks.begin(), fault.ranks.end());
    }
    planted.moves = fault.kind == tracegen::FaultKind::UnevenWork || fault.kind == tracegen::FaultKind::ColdBatches;
    return planted;
}

Simulated simulatedGenerator(const GeneratorConfig& config) {
    Simulated run;
    run.first_step = config.first_step;
    const auto result = std::make_shared<tracegen::RunResult>(tracegen::simulate(config));
    run.step_ns = result->stepTimes();
    for (std::size_t i = 0; i < config.faults.size(); ++i) {
        run.without_ns.push_back(stepsOfRun(tracegen::without(config, i)));
    }
    run.load = [result](tracegen::TimeGrid grid) {
        tracegen::RunResult written = *result;
        written.config.time_grid = grid;
        return loadSimulated(written);
    };
    return run;
}

/// Faults of these kinds, each made as strong as `plant` says when the run is simulated.
using Plant = std::function<void(GeneratorConfig& config)>;
Case generatorCase(const std::string& row, const std::string& name, std::vector<Planted> faults,
                   const GeneratorConfig& config, const Plant& plant) {
    return {"generator/" + row + '/' + name, "generator, " + row, std::move(faults), [config, plant] {
                GeneratorConfig planted = config;
                plant(planted);
                return simulatedGenerator(planted);
            }};
}

/// One fault of a kind that costs `share` of a step, from step `first` to step `last` of the window.
Case oneFault(const std::string& row, const std::string& name, const Kind& kind, const GeneratorConfig& config,
              double share, std::pair<int, int> steps = {0, kGeneratorSteps}) {
    const int rank = config.ranks / 2;
    return generatorCase(row, name, {plantedOf(kind, faultOf(kind, rank, kind.strong), config.ranks)}, config,
                         [&kind, rank, share, steps](GeneratorConfig& planted) {
                             tracegen::Fault fault = faultOfShare(planted, kind, rank, share);
                             if (steps.first > 0) {
                                 fault.first_step = steps.first;
                                 fault.last_step = steps.second;
                             }
                             planted.faults.push_back(fault);
                         });
}

void addPairsOfKinds(std::vector<Case>& cases) {
    constexpr double kShare = 0.08;
    for (std::size_t a = 0; a < kKinds.size(); ++a) {
        for (std::size_t b = a + 1; b < kKinds.size(); ++b) {
            const Kind& first = kKinds.at(a);
            const Kind& second = kKinds.at(b);
            const GeneratorConfig config = usualConfig(4, 20'000 + a * 16 + b);
            cases.push_back(generatorCase("two at once", std::string(first.name) + '+' + std::string(second.name),
                                          {plantedOf(first, faultOf(first, 1, first.strong), 4),
                                           plantedOf(second, faultOf(second, 2, second.strong), 4)},
                                          config, [&first, &second](GeneratorConfig& planted) {
                                              planted.faults = {faultOfShare(planted, first, 1, kShare),
                                                                faultOfShare(planted, second, 2, kShare)};
                                          }));
        }
    }
}

void addSmallFaults(std::vector<Case>& cases) {
    for (const auto& [row, share] : {std::pair("3 % of a step", 0.033), std::pair("5 % of a step", 0.053)}) {
        for (std::size_t k = 0; k < kKinds.size(); ++k) {
            for (std::uint64_t number = 0; number < 2; ++number) {
                cases.push_back(oneFault(row, std::string(kKinds.at(k).name) + '/' + std::to_string(number + 1),
                                         kKinds.at(k), usualConfig(4, 21'000 + k * 2 + number), share));
            }
        }
    }
}

void addFaultsInSomeSteps(std::vector<Case>& cases) {
    constexpr double kShare = 0.2;
    for (const auto& [row, last] : {std::pair("in 5 of 12 steps", 8), std::pair("in 8 of 12 steps", 11)}) {
        for (std::size_t k = 0; k + 1 < kKinds.size(); ++k) {  // the last one is throttling
            cases.push_back(oneFault(row, std::string(kKinds.at(k).name), kKinds.at(k), usualConfig(4, 22'000 + k),
                                     kShare, {4, last}));
            if (kKinds.at(k).name == "slow-kernels") {
                cases.back().faults.front().findings.emplace_back("gpu-slows-down");
            }
            if (kKinds.at(k).name == "slow-network") {  // slower than the same transfers of the other steps
                cases.back().faults.front().findings.emplace_back("slow-collective");
            }
        }
    }
}

void addMovingStragglers(std::vector<Case>& cases) {
    static constexpr std::array<Kind, 2> kMoving = {
        {{"uneven-work", "uneven-work:", "moving-straggler", "", 1.001, 1.5},
         {"cold-batches", "cold-batches:", "moving-straggler", "", 1, 400}}};
    for (const Kind& kind : kMoving) {
        for (const int ranks : {4, 8}) {
            for (const double share : {0.05, 0.15}) {
                cases.push_back(
                    oneFault("stragglers that move",
                             std::string(kind.name) + '/' + std::to_string(ranks) + (share < 0.1 ? "/5" : "/15"), kind,
                             usualConfig(ranks, 23'000 + static_cast<std::uint64_t>(ranks)), share));
            }
        }
    }
}

/// All eight ranks of the second of three hosts.
void addSlowHosts(std::vector<Case>& cases) {
    static constexpr std::array<Kind, 3> kOfHost = {
        {{"slow-kernels", "slow-kernels:", "straggler-rank", "", 1.001, 1.5},
         {"slow-loader", "slow-loader:", "straggler-rank", "dataloader-stall", 20, 600},
         {"host-code", "host-code:", "straggler-rank", "host-code", 0.1, 30}}};
    for (const Kind& kind : kOfHost) {
        for (const double share : {0.06, 0.2}) {
            const GeneratorConfig config = usualConfig(3 * kRanksOfHost, 24'000);
            const auto on_host = [](tracegen::Fault fault) {
                for (int rank = kRanksOfHost; rank < 2 * kRanksOfHost; ++rank) {
                    fault.ranks.push_back(rank);
                }
                return fault;
            };
            cases.push_back(
                generatorCase("one slow host of three", std::string(kind.name) + (share < 0.1 ? "/6" : "/20"),
                              {plantedOf(kind, on_host(faultOf(kind, 0, kind.strong)), config.ranks)}, config,
                              [&kind, share, on_host](GeneratorConfig& planted) {
                                  GeneratorConfig small = planted;
                                  small.ranks = kRanksOfHost;  // all ranks slow cost a step as much as one host of them
                                  planted.faults.push_back(on_host(faultOfShare(small, kind, 0, share)));
                              }));
        }
    }
}

void addThrottledGpus(std::vector<Case>& cases) {
    struct Throttled {
        std::string_view name;
        std::string_view spelled;
        bool sensors;
    };
    static constexpr std::array<Throttled, 8> kThrottled = {{
        {"late", "throttling:ranks=2,first=6,count=1,amount=1.25", true},
        {"early", "throttling:ranks=2,first=3,count=1,amount=1.25", true},
        {"ramp", "throttling:ranks=2,first=4,count=6,amount=1.3", true},
        {"ramp, no sensors", "throttling:ranks=2,first=4,count=6,amount=1.3", false},
        {"small", "throttling:ranks=2,first=4,count=2,amount=1.08", false},
        {"all ranks", "throttling:first=4,count=2,amount=1.2", true},
        {"all ranks, ramp", "throttling:first=4,count=8,amount=1.2", false},
        {"always", "throttling:ranks=2,amount=1.2", true},
    }};
    for (std::size_t k = 0; k < kThrottled.size(); ++k) {
        const Throttled& throttled = kThrottled.at(k);
        const tracegen::Fault fault = tracegen::parseFault(throttled.spelled);
        GeneratorConfig config = usualConfig(4, 25'000 + k);
        config.records_sensors = throttled.sensors;
        cases.push_back(generatorCase("throttled GPUs", std::string(throttled.name),
                                      {plantedOf(kKinds.back(), fault, config.ranks)}, config,
                                      [fault](GeneratorConfig& planted) { planted.faults.push_back(fault); }));
    }
}

void addHealthyRuns(std::vector<Case>& cases) {
    constexpr std::uint64_t kRuns = 24;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
        GeneratorConfig config = usualConfig(run % 3 == 0 ? 8 : 4, 26'000 + run);
        config.kernel_scale = 0.4 + 0.03 * static_cast<double>(run);
        config.records_sensors = run % 2 == 0;
        config.broadcast_buffers = run % 4 == 1;
        cases.push_back(generatorCase("nothing", std::to_string(run + 1), {}, config, [](GeneratorConfig&) {}));
    }
}

}  // namespace

std::vector<Case> generatorCases() {
    std::vector<Case> cases;
    addPairsOfKinds(cases);
    addSmallFaults(cases);
    addFaultsInSomeSteps(cases);
    addMovingStragglers(cases);
    addSlowHosts(cases);
    addThrottledGpus(cases);
    addHealthyRuns(cases);
    return cases;
}

}  // namespace rankscope::accuracy::hard
