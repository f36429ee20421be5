// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// Ranks that run on one clock, as far as the traces name their hosts.
struct ClockDomain {
    std::string host;                  ///< empty where unknown: such a rank is a domain of its own
    std::vector<std::uint32_t> ranks;  ///< indices in Run::ranks, ascending
};

/// The clock domains of a run, by their lowest rank.
[[nodiscard]] std::vector<ClockDomain> hostDomains(const Run& run);

/// The domain of each rank.
[[nodiscard]] std::vector<std::uint32_t> domainOfRank(const std::vector<ClockDomain>& domains, std::size_t ranks);

}  // namespace rankscope
