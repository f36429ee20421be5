// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/restart.h"

#include <cmath>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen {
namespace {

enum class OfStart : std::uint64_t { Gpu = 1, Links, Clock, Neighbours };

Dice diceFor(const Config& config, OfStart what, std::uint64_t index = 0) {
    constexpr std::uint64_t kStarts = 0x57A2'7000U;  // apart from what steps draw
    return {config.chanceSeed(), {kStarts, static_cast<std::uint64_t>(what), index}};
}

/// 0 to 1, without 1.
double share(Dice& dice) {
    return static_cast<double>(dice.next() >> 11U) * 0x1.0p-53;
}

double normalOf(Dice dice) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += share(dice);
    }
    return sum;
}

void drawPlacement(Config& config) {
    constexpr double kSlowestGpu = 0.02;
    constexpr double kWorstLinks = 0.15;
    for (int rank = 0; rank < config.ranks; ++rank) {
        Dice dice = diceFor(config, OfStart::Gpu, static_cast<std::uint64_t>(rank));
        Fault gpu = parseFault("slow-kernels");
        gpu.ranks = {rank};
        gpu.amount = 1 + kSlowestGpu * share(dice);
        if (config.fault(FaultKind::SlowKernels, rank, 0) == nullptr) {
            config.faults.push_back(gpu);
        }
    }
    Dice links = diceFor(config, OfStart::Links);
    config.bus_gb_per_s *= 1 - kWorstLinks * share(links);
}

void drawNeighbours(Config& config) {
    constexpr double kMean = 0.01;
    Dice dice = diceFor(config, OfStart::Neighbours);
    const double longer = 1 - kMean * std::log1p(-share(dice));
    for (Fault& fault : config.faults) {
        if (fault.kind == FaultKind::HostCode) {
            fault.amount *= longer;
        }
    }
}

}  // namespace

Config startedAgain(Config config, std::uint64_t start) {
    constexpr double kClocksApart = 0.01;
    config.rerun = start;
    drawPlacement(config);
    config.kernel_scale *= 1 + kClocksApart * normalOf(diceFor(config, OfStart::Clock));
    drawNeighbours(config);
    return config;
}

}  // namespace rankscope::tracegen
