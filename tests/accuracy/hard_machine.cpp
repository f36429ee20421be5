// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tests/accuracy/hard_cases.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/step_builder.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::accuracy::hard {
namespace {

namespace m = tracegen::machine;

constexpr int kMachineSteps = 12;

/// What one fault changes about the machine.
using Change = std::function<void(m::Config& config)>;

const m::Fault& faultNamed(std::string_view name) {
    const auto found = std::ranges::find(m::allFaults(), name, &m::Fault::name);
    if (found == m::allFaults().end()) {
        throw std::logic_error("no fault is called " + std::string(name));
    }
    return *found;
}

m::Config usualMachine(std::uint64_t seed, int ranks) {
    m::Config config = m::healthyConfig(seed, ranks);
    config.model.step_marks = true;
    config.model.graphs = false;
    config.steps = kMachineSteps;
    return config;
}

std::vector<DurationNs> lengthsOf(const m::TrueRun& run) {
    std::vector<DurationNs> lengths;
    TimeNs start_ns = run.window_start_ns;
    for (const TimeNs end_ns : run.step_ends) {
        lengths.push_back(end_ns - start_ns);
        start_ns = end_ns;
    }
    return lengths;
}

/// Simulates with all changes, and without each of them.
Simulated simulatedMachine(const m::Config& config, const std::vector<Change>& changes) {
    const auto changed = [&](std::optional<std::size_t> without) {
        m::Config planted = config;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (i != without) {
                changes[i](planted);
            }
        }
        return m::simulate(planted);
    };
    const auto run = std::make_shared<m::TrueRun>(changed(std::nullopt));
    Simulated simulated;
    simulated.first_step = config.first_step;
    simulated.step_ns = lengthsOf(*run);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        simulated.without_ns.push_back(lengthsOf(changed(i)));
    }
    simulated.load = [run](tracegen::TimeGrid grid) {
        m::FileSpec files;
        files.grid = grid;
        return loadFiles(m::writeFiles(*run, files));
    };
    return simulated;
}

using Changes = std::function<std::vector<Change>(const m::Config& config)>;
Case machineCase(const std::string& row, const std::string& name, std::vector<Planted> faults, const m::Config& config,
                 const Changes& changes) {
    return {"machine/" + row + '/' + name, "machine, " + row, std::move(faults),
            [config, changes] { return simulatedMachine(config, changes(config)); }};
}

Planted plantedOnMachine(const m::Fault& fault, const m::Config& config) {
    Planted planted;
    planted.name = fault.name;
    planted.findings.assign(fault.findings.begin(), fault.findings.end());
    planted.ranks = m::ranksOf(fault, config);
    planted.moves = fault.hits == m::Hits::Somebody;
    return planted;
}

Change changeOf(const m::Fault& fault, double strength) {
    return [&fault, strength](m::Config& config) { fault.plant(config, strength); };
}

/// The strength at which a fault costs `target` of a step.
double strengthOf(const m::Fault& fault, const m::Config& config, double weak, double strong, double target) {
    const auto healthy = static_cast<double>(m::simulate(config).meanStep());
    return strengthFor(target, weak, strong, [&](double strength) {
        m::Config planted = config;
        fault.plant(planted, strength);
        return 1 - healthy / static_cast<double>(m::simulate(planted).meanStep());
    });
}

void addPairsOfMachine(std::vector<Case>& cases) {
    struct Half {
        std::string_view name;
        bool loads;  ///< changes the DataLoader, which only one fault can
    };
    static constexpr std::array<Half, 9> kHalves = {{{"few-workers", true},
                                                     {"slow-workers-of-one", true},
                                                     {"collections", false},
                                                     {"checkpoints", false},
                                                     {"slow-device", false},
                                                     {"uneven-batches", false},
                                                     {"slow-network", false},
                                                     {"items", false},
                                                     {"pageable", false}}};
    for (std::size_t a = 0; a < kHalves.size(); ++a) {
        for (std::size_t b = a + 1; b < kHalves.size(); ++b) {
            if (kHalves.at(a).loads && kHalves.at(b).loads) {
                continue;
            }
            const m::Fault& first = faultNamed(kHalves.at(a).name);
            const m::Fault& second = faultNamed(kHalves.at(b).name);
            m::Config config = usualMachine(30'000 + a * 16 + b, 4);
            for (const m::Fault* const fault : {&first, &second}) {
                if (fault->prepare != nullptr) {
                    fault->prepare(config, fault->strengths[1]);
                }
            }
            cases.push_back(machineCase("two at once", std::string(first.name) + '+' + std::string(second.name),
                                        {plantedOnMachine(first, config), plantedOnMachine(second, config)}, config,
                                        [&first, &second](const m::Config&) {
                                            return std::vector<Change>{changeOf(first, first.strengths[1]),
                                                                       changeOf(second, second.strengths[1])};
                                        }));
        }
    }
}

/// A fault of the machine, and from which strength to which it gets worse.
struct Scale {
    std::string_view name;
    double weak = 0;
    double strong = 0;
};
constexpr std::array<Scale, 6> kScales = {{{"slow-device", 1.001, 1.5},
                                           {"uneven-batches", 1.001, 1.5},
                                           {"slow-host", 1, 24},
                                           {"items", 0, 24},
                                           {"slow-network", 60, 4},
                                           {"few-workers", 0.9, 2.5}}};

void addSmallFaultsOfMachine(std::vector<Case>& cases) {
    for (const auto& [row, share] : {std::pair("3 % of a step", 0.033), std::pair("5 % of a step", 0.053)}) {
        for (std::size_t k = 0; k < kScales.size(); ++k) {
            for (std::uint64_t number = 0; number < 2; ++number) {
                const Scale& scale = kScales.at(k);
                const m::Fault& fault = faultNamed(scale.name);
                m::Config config = usualMachine(31'000 + k * 2 + number, 4);
                if (fault.prepare != nullptr) {
                    fault.prepare(config, fault.strengths[1]);
                }
                cases.push_back(machineCase(
                    row, std::string(scale.name) + '/' + std::to_string(number + 1), {plantedOnMachine(fault, config)},
                    config, [&fault, scale, share](const m::Config& healthy) {
                        const double strength = strengthOf(fault, healthy, scale.weak, scale.strong, share);
                        return std::vector<Change>{changeOf(fault, strength)};
                    }));
            }
        }
    }
}

Planted lateRanks(std::string_view name, std::vector<std::int32_t> ranks, bool moves = false) {
    return {std::string(name), {moves ? "moving-straggler" : "straggler-rank"}, std::move(ranks), moves};
}

/// So many times as long in the steps from `first` to `last`, else as ever.
std::vector<double> inSteps(int first, int last, double factor) {
    std::vector<double> factors;
    for (int step = 0; step <= last; ++step) {
        factors.push_back(step < first ? 1 : factor);
    }
    return factors;
}

void addMachineFaultsInSomeSteps(std::vector<Case>& cases) {
    constexpr int kRank = 2;
    for (const auto& [row, last] : {std::pair("in 5 of 12 steps", 8), std::pair("in 8 of 12 steps", 11)}) {
        for (std::uint64_t number = 0; number < 3; ++number) {
            const double factor = 1.15 + 0.1 * static_cast<double>(number);
            const m::Config config = usualMachine(32'000 + number, 4);
            cases.push_back(machineCase(row, "slow device/" + std::to_string(number + 1),
                                        {lateRanks("slow device", {kRank})}, config, [=](const m::Config&) {
                                            return std::vector<Change>{[=](m::Config& planted) {
                                                planted.ranks[kRank].device.step_slowdowns = inSteps(4, last, factor);
                                            }};
                                        }));
            cases.back().faults.front().findings.emplace_back("gpu-slows-down");
            m::Config busy = usualMachine(32'100 + number, 4);
            faultNamed("slow-host").prepare(busy, 1);
            cases.push_back(machineCase(row, "slow host/" + std::to_string(number + 1),
                                        {lateRanks("slow host", {kRank})}, busy, [=](const m::Config&) {
                                            return std::vector<Change>{[=](m::Config& planted) {
                                                planted.ranks[kRank].host_step_slowdowns =
                                                    inSteps(4, last, 3 + 0.6 * static_cast<double>(number));
                                            }};
                                        }));
        }
    }
}

/// In each step the next rank.
void addStragglersThatMove(std::vector<Case>& cases) {
    for (const int ranks : {4, 8}) {
        for (const double factor : {1.06, 1.15, 1.3}) {
            const m::Config config = usualMachine(33'000 + static_cast<std::uint64_t>(ranks), ranks);
            std::vector<std::int32_t> all;
            for (int rank = 0; rank < ranks; ++rank) {
                all.push_back(rank);
            }
            cases.push_back(machineCase(
                "stragglers that move", std::to_string(ranks) + " ranks/" + std::to_string(factor).substr(0, 4),
                {lateRanks("slow device", all, true)}, config, [=](const m::Config&) {
                    return std::vector<Change>{[=](m::Config& planted) {
                        for (int step = 0; step < planted.steps; ++step) {
                            auto& own = planted.ranks[static_cast<std::size_t>(step * 3 % ranks)].device.step_slowdowns;
                            own.resize(static_cast<std::size_t>(step), 1);
                            own.push_back(factor);
                        }
                    }};
                }));
        }
    }
}

/// All four ranks of the second of three hosts.
void addOneSlowHost(std::vector<Case>& cases) {
    constexpr int kRanks = 12;
    for (std::uint64_t number = 0; number < 3; ++number) {
        m::Config config = usualMachine(34'000 + number, kRanks);
        config.hosts.resize(3, config.hosts.front());
        const std::vector<std::int32_t> ranks = {4, 5, 6, 7};
        const double step = static_cast<double>(number);
        cases.push_back(machineCase("one slow host of three", "devices/" + std::to_string(number + 1),
                                    {lateRanks("slow devices", ranks)}, config, [=](const m::Config&) {
                                        return std::vector<Change>{[=](m::Config& planted) {
                                            for (const std::int32_t rank : ranks) {
                                                planted.ranks[static_cast<std::size_t>(rank)].device.slowdown =
                                                    1.08 + 0.1 * step;
                                            }
                                        }};
                                    }));
        m::Config busy = config;
        for (m::RankSpec& rank : busy.ranks) {
            rank.host_slowdown *= 3.5;
        }
        cases.push_back(machineCase("one slow host of three", "cpus/" + std::to_string(number + 1),
                                    {lateRanks("slow CPUs", ranks)}, busy, [=](const m::Config&) {
                                        return std::vector<Change>{[=](m::Config& planted) {
                                            for (const std::int32_t rank : ranks) {
                                                planted.ranks[static_cast<std::size_t>(rank)].host_slowdown *= 3 + step;
                                            }
                                        }};
                                    }));
    }
}

void addThrottledMachines(std::vector<Case>& cases) {
    constexpr int kRank = 1;
    for (std::uint64_t number = 0; number < 6; ++number) {
        m::Config config = usualMachine(35'000 + number, 4);
        config.records_sensors = number % 2 == 0;
        const bool all = number >= 4;
        const double factor = 1.08 + 0.06 * static_cast<double>(number);
        std::vector<double> factors;
        for (int step = 0; step < kMachineSteps; ++step) {
            const double hot = std::clamp((step - 3) / (number < 2 ? 1.0 : 4.0), 0.0, 1.0);
            factors.push_back(1 + (factor - 1) * hot);
        }
        std::vector<std::int32_t> ranks;
        for (int rank = 0; rank < 4; ++rank) {
            if (all || rank == kRank) {
                ranks.push_back(rank);
            }
        }
        cases.push_back(machineCase(
            "throttled GPUs", std::to_string(number + 1),
            {{"throttling", {"gpu-slows-down", "straggler-rank"}, ranks, false}}, config, [=](const m::Config&) {
                return std::vector<Change>{[=](m::Config& planted) {
                    for (const std::int32_t rank : ranks) {
                        planted.ranks[static_cast<std::size_t>(rank)].device.step_slowdowns = factors;
                    }
                }};
            }));
    }
}

}  // namespace

std::vector<Case> machineCases() {
    std::vector<Case> cases;
    addPairsOfMachine(cases);
    addSmallFaultsOfMachine(cases);
    addMachineFaultsInSomeSteps(cases);
    addStragglersThatMove(cases);
    addOneSlowHost(cases);
    addThrottledMachines(cases);
    return cases;
}

}  // namespace rankscope::accuracy::hard
