// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/bridge_clocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/statistics.h"
#include "core/clock/match_ends.h"
#include "core/clock/match_table.h"

namespace rankscope {
namespace {

/// Domains grouped by the matches that connect them: islands in the order of their references.
struct Islands {
    std::vector<std::uint32_t> of_domain;
    std::vector<std::uint32_t> reference;  ///< by island: a domain
};

Islands islandsOf(const ClockFit& fit) {
    Islands islands;
    std::map<std::uint32_t, std::uint32_t> of_reference;
    for (const std::uint32_t reference : fit.reference) {
        const auto next = static_cast<std::uint32_t>(of_reference.size());
        const auto [at, is_new] = of_reference.try_emplace(reference, next);
        if (is_new) {
            islands.reference.push_back(reference);
        }
        islands.of_domain.push_back(at->second);
    }
    return islands;
}

/// The matches that do not end together, on the clocks of their islands.
std::vector<ClockMatch> onIslandClocks(const std::vector<ClockMatch>& matches,
                                       const std::vector<std::uint32_t>& domain_of_rank, const ClockFit& fit) {
    std::vector<ClockMatch> carried;
    for (const ClockMatch& match : matches) {
        if (match.ends_together) {
            continue;
        }
        carried.push_back(match);
        for (ClockMatch::Member& member : carried.back().members) {
            member.span = fit.clocks[domain_of_rank[member.rank]].toRun(FileSpan(member.span));
        }
    }
    return carried;
}

std::vector<TimeSpan> windowsOfIslands(const Islands& islands, const std::vector<TimeSpan>& window_of,
                                       const ClockFit& fit) {
    std::vector<TimeSpan> windows(islands.reference.size());
    for (std::size_t domain = 0; domain < window_of.size(); ++domain) {
        if (window_of[domain].empty()) {
            continue;
        }
        const TimeSpan own = fit.clocks[domain].toRun(FileSpan(window_of[domain]));
        TimeSpan& window = windows[islands.of_domain[domain]];
        window = window.empty()
                     ? own
                     : TimeSpan{std::min(window.start_ns, own.start_ns), std::max(window.end_ns, own.end_ns)};
    }
    return windows;
}

/// How the matches of one island connect it.
struct IslandWord {
    std::size_t matches = 0;
    std::size_t impossible = 0;  ///< a member ends before another has started
    double spread_ns = 0;        ///< robust spread of its ends around the middle of their matches
};

std::vector<IslandWord> wordsOf(const MatchTable& table, const std::vector<RankClock>& clocks) {
    std::vector<IslandWord> words(table.domains);
    std::vector<std::vector<double>> late(table.domains);
    const MatchEnds ends = matchEnds(table, clocks);
    for (std::size_t match = 0; match < table.size(); ++match) {
        TimeNs last_start_ns = std::numeric_limits<TimeNs>::min();
        TimeNs first_end_ns = std::numeric_limits<TimeNs>::max();
        for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
            const TimeSpan span = clocks[table.domain[i]].toRun(FileSpan(table.span[i]));
            last_start_ns = std::max(last_start_ns, span.start_ns);
            first_end_ns = std::min(first_end_ns, span.end_ns);
        }
        for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
            IslandWord& word = words[table.domain[i]];
            word.matches += 1;
            word.impossible += last_start_ns > first_end_ns ? 1U : 0U;
            late[table.domain[i]].push_back(ends.late_ns[i]);
        }
    }
    for (std::size_t island = 0; island < words.size(); ++island) {
        words[island].spread_ns = robustDeviation(std::move(late[island]));
    }
    return words;
}

/// The clock that applies `first` and then `second`.
RankClock composed(const RankClock& first, const RankClock& second) {
    RankClock clock = first;
    const RunTime between_ns = first.toRun(first.reference_ns);
    clock.offset_ns = second.toRun(FileTime(between_ns.plain())) - first.reference_ns.plain();
    clock.drift_ppm = first.drift_ppm + second.drift_ppm + first.drift_ppm * second.drift_ppm * 1e-6;
    return clock;
}

}  // namespace

ClockBridge bridgeIslands(const std::vector<ClockMatch>& matches, const std::vector<std::uint32_t>& domain_of_rank,
                          const std::vector<TimeSpan>& window_of, ClockFit& fit) {
    ClockBridge made;
    const Islands islands = islandsOf(fit);
    if (islands.reference.size() < 2) {
        return made;
    }
    std::vector<std::uint32_t> island_of_rank(domain_of_rank.size());
    std::ranges::transform(domain_of_rank, island_of_rank.begin(),
                           [&](std::uint32_t domain) { return islands.of_domain[domain]; });
    const MatchTable table =
        makeMatchTable(onIslandClocks(matches, domain_of_rank, fit), island_of_rank, islands.reference.size());
    if (table.size() == 0) {
        return made;
    }
    const ClockFit bridge = fitClocks(table, windowsOfIslands(islands, window_of, fit));
    const std::vector<IslandWord> words = wordsOf(table, bridge.clocks);
    fit.island.resize(fit.clocks.size());
    fit.in_island_ns.resize(fit.clocks.size());
    for (std::size_t domain = 0; domain < fit.clocks.size(); ++domain) {
        const std::uint32_t island = islands.of_domain[domain];
        const IslandWord& word = words[island];
        fit.island[domain] = island;
        fit.in_island_ns[domain] = fit.clocks[domain].uncertainty_ns.value_or(0);
        if (bridge.reference[island] == island || 2 * word.impossible > word.matches) {
            continue;
        }
        const RankClock own = fit.clocks[domain];
        RankClock& clock = fit.clocks[domain] = composed(own, bridge.clocks[island]);
        const double bridged_ns =
            static_cast<double>(bridge.clocks[island].uncertainty_ns.value_or(0)) + word.spread_ns;
        clock.method = ClockMethod::Fitted;
        clock.matches = bridge.clocks[island].matches;
        clock.uncertainty_ns = std::llround(std::hypot(static_cast<double>(fit.in_island_ns[domain]), bridged_ns));
        fit.reference[domain] = islands.reference[bridge.reference[island]];
        made.matches = std::max<std::size_t>(made.matches, clock.matches);
        made.spread_ns = std::max(made.spread_ns, static_cast<DurationNs>(std::llround(word.spread_ns)));
    }
    made.islands = static_cast<std::size_t>(std::ranges::count_if(
        islands.reference, [&](std::uint32_t reference) { return fit.reference[reference] != reference; }));
    return made;
}

}  // namespace rankscope
