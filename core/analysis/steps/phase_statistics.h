// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "core/analysis/facts.h"
#include "core/base/statistics.h"

namespace rankscope {

/// One phase in short. Shares are sums over sums: of the phase's times over the steps' durations, 0 to 1; where phases
/// run beside one another they add up to more than 1.
struct PhaseStatistics {
    Statistics host;
    Statistics device;  ///< all zero on ranks without device work
    double host_share = 0;
    double device_share = 0;
};

/// Over the complete, steady-state steps of one rank. Nothing where there is none, or where the phase is not known.
[[nodiscard]] std::optional<PhaseStatistics> phaseStatistics(const RankFacts& facts, Phase phase);

/// Over ranks: each that shows the phase counts with its median step. So the spread says how far ranks differ, and not
/// how far steps do. Nothing if no rank shows it.
[[nodiscard]] std::optional<PhaseStatistics> phaseStatisticsOverRanks(std::span<const RankFacts> ranks, Phase phase);

}  // namespace rankscope
