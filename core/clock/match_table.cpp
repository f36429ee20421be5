// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/match_table.h"

#include <algorithm>

namespace rankscope {

MatchTable makeMatchTable(const std::vector<ClockMatch>& matches, const std::vector<std::uint32_t>& domain_of_rank,
                          std::size_t domains) {
    MatchTable table;
    table.domains = domains;
    for (const ClockMatch& match : matches) {
        const std::size_t begin = table.first.back();
        for (const ClockMatch::Member& member : match.members) {
            if (member.rank < domain_of_rank.size() && domain_of_rank[member.rank] != MatchTable::kLeaveOut) {
                table.domain.push_back(domain_of_rank[member.rank]);
                table.span.push_back(member.span);
            }
        }
        const auto of_match = table.domain.begin() + static_cast<std::ptrdiff_t>(begin);
        const bool says_nothing =
            std::adjacent_find(of_match, table.domain.end(), std::not_equal_to<>()) == table.domain.end();
        if (says_nothing) {
            table.domain.resize(begin);
            table.span.resize(begin);
        } else {
            table.first.push_back(table.domain.size());
        }
    }
    return table;
}

}  // namespace rankscope
