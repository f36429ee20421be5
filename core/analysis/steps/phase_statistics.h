// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "core/analysis/facts.h"
#include "core/base/statistics.h"

namespace rankscope {

/// Statistics of one phase. Shares are sums over sums: the phase's times over the steps' durations, 0 to 1; if phases
/// run at the same time, shares add up to more than 1.
struct PhaseStatistics {
    Statistics host;
    Statistics device;  ///< all zero on ranks without device work
    double host_share = 0;
    double device_share = 0;
};

/// Over the complete, steady-state steps of one rank. Nothing if there is none, or if the phase is not known.
[[nodiscard]] std::optional<PhaseStatistics> phaseStatistics(const RankFacts& facts, Phase phase);

/// Over ranks: each rank with the phase counts with its median step. So the spread is between ranks, not between steps.
/// Nothing if no rank has it.
[[nodiscard]] std::optional<PhaseStatistics> phaseStatisticsOverRanks(std::span<const RankFacts> ranks, Phase phase);

}  // namespace rankscope
