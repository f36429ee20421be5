// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/host_domains.h"

#include <unordered_map>

namespace rankscope {

std::vector<ClockDomain> hostDomains(const Run& run) {
    std::vector<ClockDomain> domains;
    std::unordered_map<std::string, std::size_t> known;
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        const std::string& host = run.ranks[rank]->host;
        const auto place = host.empty() ? domains.size() : known.try_emplace(host, domains.size()).first->second;
        if (place == domains.size()) {
            domains.push_back({host, {}});
        }
        domains[place].ranks.push_back(rank);
    }
    return domains;
}

std::vector<std::uint32_t> domainOfRank(const std::vector<ClockDomain>& domains, std::size_t ranks) {
    std::vector<std::uint32_t> of_rank(ranks, 0);
    for (std::uint32_t domain = 0; domain < domains.size(); ++domain) {
        for (const std::uint32_t rank : domains[domain].ranks) {
            of_rank[rank] = domain;
        }
    }
    return of_rank;
}

}  // namespace rankscope
