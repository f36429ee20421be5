// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/whatif/change.h"

namespace rankscope {

std::string whatIfOf(const Finding& finding, const Run& run) {
    switch (finding.id) {
        case FindingId::DataloaderStall: return "loader:ready";
        case FindingId::LaunchBound: return "launch:graphs";
        case FindingId::GpuSlowsDown: return "cool";
        case FindingId::StageImbalance: return "stages:even";
        case FindingId::StragglerRank: {
            const bool is_one = finding.ranks.size() == 1 && run.ranks[finding.ranks.front()]->rank;
            return is_one ? fmt::format("rank={}:like-median", run.ranks[finding.ranks.front()]->rank->value)
                          : std::string();
        }
        default: return {};
    }
}

}  // namespace rankscope
