// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that nothing is wrong with: of different sizes and speeds, on different hosts, with the noise of real machines.
#include <cmath>

#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/step_builder.h"

namespace rankscope::tracegen::machine {
namespace {

double between(Dice& dice, double low, double high) {
    constexpr DurationNs kSteps = 1'000'000;
    return low + (high - low) * static_cast<double>(dice.between(0, kSteps)) / static_cast<double>(kSteps);
}

int whole(Dice& dice, int low, int high) {
    return static_cast<int>(dice.between(low, high));
}

bool chance(Dice& dice, int per_cent) {
    return dice.below(100) < static_cast<std::uint64_t>(per_cent);
}

void drawModel(Dice& dice, Config& config) {
    config.model.blocks = whole(dice, 6, 9);
    config.model.device_scale = between(dice, 1.3, 2.4);
    config.model.graphs = chance(dice, 15);
    config.model.step_marks = !chance(dice, 20);
    config.habits.logs_loss = chance(dice, 30);
    config.steps = whole(dice, 10, 16);
}

void drawRanks(Dice& dice, Config& config) {
    LoaderSpec loader;
    loader.workers = whole(dice, 3, 6);
    loader.cpu_ns = std::llround(static_cast<double>(expectedStep(config)) * loader.workers * between(dice, 0.2, 0.5));
    loader.spread_per_mille = whole(dice, 50, 300);
    DeviceSpec device;
    device.beside_communication = between(dice, 1.01, 1.12);
    for (RankSpec& rank : config.ranks) {
        rank.loader = loader;
        rank.device = device;
        rank.host_slowdown = between(dice, 0.95, 1.05);
    }
}

void drawNoise(Dice& dice, Config& config) {
    config.noise.host_per_mille = whole(dice, 50, 300);
    config.noise.kernel_per_mille = whole(dice, 8, 40);
    config.noise.rank_per_mille = whole(dice, 1, 8);
    config.noise.step_per_mille = whole(dice, 1, 15);
    config.noise.hiccups_per_mille = whole(dice, 0, 30);
    config.noise.hiccup_ns = whole(dice, 1'000'000, 6'000'000);
    config.noise.faults_per_mille = whole(dice, 0, 12);
    config.noise.young_per_mille = whole(dice, 0, 500);
    config.noise.young_ns = whole(dice, 200'000, 900'000);
    config.background.threads = whole(dice, 1, 8);
}

}  // namespace

Config healthyConfig(std::uint64_t seed, int ranks) {
    Dice dice(seed, {static_cast<std::uint64_t>(Key::Healthy)});
    Config config;
    config.seed = seed;
    config.ranks.resize(static_cast<std::size_t>(ranks));
    config.hosts.resize(ranks >= 4 && chance(dice, 50) ? 2 : 1);
    drawModel(dice, config);
    drawRanks(dice, config);
    drawNoise(dice, config);
    config.network.bytes_per_ns = between(dice, 90, 170);
    config.network.wander = between(dice, 0.01, 0.08);
    const int ranks_a_host = ranks / static_cast<int>(config.hosts.size());
    for (HostSpec& host : config.hosts) {
        host.cores = ranks_a_host * (config.ranks.front().loader.workers + 4) + config.background.threads;
    }
    return config;
}

}  // namespace rankscope::tracegen::machine
