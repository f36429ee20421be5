// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/clock_domains.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "core/clock/fit_clocks.h"

namespace rankscope {

std::vector<ClockDomain> hostDomains(const Run& run) {
    std::vector<ClockDomain> domains;
    std::unordered_map<std::string, std::size_t> known;
    for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
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
        for (const RankPosition rank : domains[domain].ranks) {
            of_rank[rank] = domain;
        }
    }
    return of_rank;
}

DurationNs furthestOff(const RankClock& clock, const TimeSpan& window) {
    const auto off = [&](TimeNs file_ns) { return std::llabs(clock.toRun(FileTime(file_ns)) - file_ns); };
    return window.empty() ? std::llabs(clock.offset_ns) : std::max(off(window.start_ns), off(window.end_ns));
}

std::vector<bool> likeReference(const ClockFit& fit, const std::vector<TimeSpan>& window_of) {
    std::vector<bool> like(fit.clocks.size(), false);
    const auto is_fitted = [](const RankClock& clock) { return clock.method == ClockMethod::Fitted; };
    const auto fitted = std::ranges::count_if(fit.clocks, is_fitted);
    const double reach = std::sqrt(2 * std::log(20.0 * static_cast<double>(std::max<std::ptrdiff_t>(fitted, 1))));
    for (std::size_t domain = 0; domain < fit.clocks.size(); ++domain) {
        const RankClock& clock = fit.clocks[domain];
        const double doubt_ns = static_cast<double>(clock.uncertainty_ns.value_or(0));
        const auto off_ns = static_cast<double>(furthestOff(clock, window_of[domain]));
        like[domain] = is_fitted(clock) && off_ns <= doubt_ns * std::max(1.0, reach / kSureDeviations);
    }
    return like;
}

OneClockCheck checkOneClock(const Run& run, const std::vector<ClockMatch>& matches,
                            const std::vector<RankPosition>& ranks) {
    std::vector<std::uint32_t> place(run.ranks.size(), MatchTable::kLeaveOut);
    std::vector<TimeSpan> window_of;
    for (const RankPosition rank : ranks) {
        place[rank] = static_cast<std::uint32_t>(window_of.size());
        window_of.push_back(run.ranks[rank]->window);
    }
    const MatchTable table = makeMatchTable(matches, place, ranks.size());
    const ClockFit fit = fitClocks(table, window_of);
    const std::vector<bool> like = likeReference(fit, window_of);
    OneClockCheck check;
    check.matches = fit.matches;
    check.consistent = fit.matches > 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const RankClock& clock = fit.clocks[i];
        if (clock.method == ClockMethod::Fitted) {
            check.consistent = check.consistent && like[i];
            check.uncertainty_ns = std::max(check.uncertainty_ns, *clock.uncertainty_ns);
            if (const DurationNs off_ns = furthestOff(clock, window_of[i]); off_ns > check.furthest_ns) {
                check.furthest_ns = off_ns;
                check.furthest_rank = ranks[i];
            }
        }
    }
    check.impossible = !check.consistent && endsBeforeStart(table, fit.kept, std::vector<RankClock>(ranks.size())) > 0;
    return check;
}

}  // namespace rankscope
