// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/drawn_machine.h"

#include <algorithm>
#include <cmath>

#include "tests/tracegen/machine/faults.h"

namespace rankscope::accuracy {

using tracegen::machine::Config;

Config drawMachine(std::uint64_t seed, int ranks) {
    Config config = tracegen::machine::healthyConfig(seed, ranks);
    config.model.step_marks = true;
    config.model.graphs = false;
    config.steps = 10;
    return config;
}

void communicate(Lot& lot, Config& config) {
    config.ranks.resize(std::max<std::size_t>(2, config.ranks.size()));
    for (tracegen::machine::RankSpec& rank : config.ranks) {
        rank = config.ranks.front();
        rank.device.beside_communication = 1 + lot.evenly(0.0, 0.15);
    }
}

DurationNs stepsLongOf(const Config& config, double steps) {
    return std::llround(static_cast<double>(tracegen::machine::expectedStep(config)) * steps);
}

void giveCores(Config& config, int workers) {
    constexpr int kThreads = 4;
    const int ranks_a_host = config.rankCount() / static_cast<int>(config.hosts.size());
    for (tracegen::machine::HostSpec& host : config.hosts) {
        host.cores = ranks_a_host * (workers + kThreads) + config.background.threads;
    }
}

void drawCrowding(Lot& lot, Config& config, double busy_steps) {
    constexpr double kOfTraining = 2;  // the main and the autograd thread
    const double ranks_a_host = static_cast<double>(config.rankCount()) / static_cast<double>(config.hosts.size());
    const double crowding = lot.evenly(0.0, 0.33) / (ranks_a_host * (busy_steps + kOfTraining));
    for (tracegen::machine::HostSpec& host : config.hosts) {
        host.crowding = crowding;
    }
}

double withFreshPages(Lot& lot, double bytes_per_ns) {
    constexpr double kPage = 4096;
    return kPage / (kPage / bytes_per_ns + lot.evenly(50, 600));
}

}  // namespace rankscope::accuracy
