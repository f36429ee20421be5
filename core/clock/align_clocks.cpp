// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/clock/bridge_clocks.h"
#include "core/clock/clock_domains.h"
#include "core/clock/clock_notes.h"
#include "core/clock/fit_clocks.h"
#include "core/clock/run_clock.h"

namespace rankscope {
namespace {

/// The domains by the hosts' names, without those that the matches disprove. Adds notes about each to `clock`.
std::vector<ClockDomain> believedDomains(const Run& run, const std::vector<ClockMatch>& matches, RunClock& clock) {
    std::vector<ClockDomain> domains;
    std::vector<CheckedHost> checked;
    for (ClockDomain& domain : hostDomains(run)) {
        const OneClockCheck check =
            domain.ranks.size() > 1 ? checkOneClock(run, matches, domain.ranks) : OneClockCheck();
        if (check.matches > 0) {
            checked.push_back({domain, check});
            clock.one_clock = clock.one_clock.value_or(true) && check.consistent;
        }
        if (check.impossible) {
            for (const RankPosition rank : domain.ranks) {
                domains.push_back({domain.host, {rank}});
            }
        } else {
            domains.push_back(std::move(domain));
        }
    }
    std::ranges::sort(domains, {}, [](const ClockDomain& domain) { return domain.ranks.front(); });
    clock.notes = hostNotes(run, checked);
    return domains;
}

std::vector<TimeSpan> windowsOf(const Run& run, const std::vector<ClockDomain>& domains) {
    std::vector<TimeSpan> windows;
    for (const ClockDomain& domain : domains) {
        TimeSpan window;
        for (const RankPosition rank : domain.ranks) {
            const TimeSpan& own = run.ranks[rank]->window;
            if (!own.empty()) {
                window = window.empty()
                             ? own
                             : TimeSpan{std::min(window.start_ns, own.start_ns), std::max(window.end_ns, own.end_ns)};
            }
        }
        windows.push_back(window);
    }
    return windows;
}

/// If a rank's host is unknown and the fit cannot distinguish its clock from the reference's, the files' own times are
/// as good as any others and not invented: they are kept.
void keepOneClock(const MatchTable& table, const std::vector<ClockDomain>& domains,
                  const std::vector<TimeSpan>& window_of, ClockFit& fit) {
    const std::vector<bool> like = likeReference(fit, window_of);
    std::vector<RankClock> kept = fit.clocks;
    bool any = false;
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const std::optional<DurationNs> own_ns = kept[i].uncertainty_ns;
        if (like[i] && own_ns && domains[i].host.empty()) {
            kept[i].uncertainty_ns = *own_ns + furthestOff(kept[i], window_of[i]);
            kept[i].offset_ns = 0;
            kept[i].drift_ppm = 0;
            kept[i].method = ClockMethod::OneClock;
            any = true;
        }
    }
    if (any && endsBeforeStart(table, fit.kept, kept) <= fit.ends_before_start) {
        fit.clocks = std::move(kept);
    }
}

void putClocks(const std::vector<ClockDomain>& domains, const ClockFit& fit, RunClock& clock) {
    for (std::uint32_t i = 0; i < domains.size(); ++i) {
        const bool is_reference = fit.reference[i] == i;
        for (const RankPosition rank : domains[i].ranks) {
            RankClock& own = clock.ranks[rank];
            own = fit.clocks[i];
            own.domain = i;
            if (!fit.island.empty()) {
                own.island = fit.island[i];
                own.in_island_ns = fit.in_island_ns[i];
            }
            own.reference = domains[fit.reference[i]].ranks.front();
            if (is_reference && rank != own.reference) {
                own.method = ClockMethod::SharedHost;
                own.uncertainty_ns = kSharedClockNs;
            }
        }
    }
    for (RankPosition rank{0}; rank < clock.ranks.size(); ++rank) {
        const RankPosition reference = clock.ranks[rank].reference;
        if (reference != rank) {
            clock.ranks[reference].uncertainty_ns = 0;
        }
    }
}

/// The matches that all members end together.
std::vector<ClockMatch> exactOnes(const std::vector<ClockMatch>& matches) {
    std::vector<ClockMatch> exact;
    std::ranges::copy_if(matches, std::back_inserter(exact), &ClockMatch::ends_together);
    return exact;
}

void fitRanks(const Run& run, const std::vector<ClockMatch>& matches, RunClock& clock) {
    const std::vector<ClockMatch> exact = exactOnes(matches);
    const std::vector<ClockDomain> domains = believedDomains(run, exact, clock);
    const std::vector<std::uint32_t> domain_of_rank = domainOfRank(domains, run.ranks.size());
    const MatchTable table = makeMatchTable(exact, domain_of_rank, domains.size());
    const std::vector<TimeSpan> window_of = windowsOf(run, domains);
    ClockFit fit = fitClocks(table, window_of);
    const ClockBridge bridge = bridgeIslands(matches, domain_of_rank, window_of, fit);
    keepOneClock(table, domains, window_of, fit);
    for (const RankClock& domain : fit.clocks) {
        if (domain.method == ClockMethod::Fitted) {
            clock.one_clock = false;
        } else if (domain.method == ClockMethod::OneClock) {
            clock.one_clock = clock.one_clock.value_or(true);
        }
    }
    putClocks(domains, fit, clock);
    if (bridge.islands > 0) {
        clock.notes.push_back(bridgeNote(bridge));
    }
    for (std::string& note : runNotes(run, clock, fit)) {
        clock.notes.push_back(std::move(note));
    }
}

void takeTyped(const Run& run, const std::vector<std::optional<DurationNs>>& typed_ns, RunClock& clock) {
    std::vector<RankPosition> ranks;
    for (RankPosition rank{0}; rank < std::min(typed_ns.size(), clock.ranks.size()); ++rank) {
        if (const std::optional<DurationNs> offset_ns = typed_ns[rank]) {
            RankClock typed;
            typed.offset_ns = *offset_ns;
            typed.reference = clock.ranks[rank].reference;
            typed.domain = static_cast<std::uint32_t>(clock.ranks.size()) + rank;  // used by no other rank
            typed.method = ClockMethod::Typed;
            clock.ranks[rank] = typed;
            ranks.push_back(rank);
        }
    }
    if (!ranks.empty() && !clock.notes.empty()) {
        clock.notes.push_back(typedNote(run, ranks));
    }
}

/// Whether its window shows when something happened: that of a rank without slices does not.
bool tellsStart(const RankTrace& rank) {
    return !rank.window.empty() ||
           std::ranges::any_of(rank.tracks, [](const Track& track) { return track.slices.size() > 0; });
}

void findBase(const Run& run, RunClock& clock) {
    bool first = true;
    for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
        if (tellsStart(*run.ranks[rank])) {
            const RunTime start_ns = clock.ranks[rank].toRun(FileTime(run.ranks[rank]->window.start_ns));
            clock.base_ns = first ? start_ns : std::min(clock.base_ns, start_ns);
            first = false;
        }
    }
}

}  // namespace

RunClock alignClocks(const Run& run, const std::vector<ClockMatch>& matches, const ClockOptions& options) {
    RunClock clock;
    clock.ranks.resize(run.ranks.size());
    for (RankPosition rank{0}; rank < clock.ranks.size(); ++rank) {
        clock.ranks[rank].reference = rank;
        clock.ranks[rank].domain = rank;
    }
    if (!options.file_times) {
        fitRanks(run, matches, clock);
    }
    takeTyped(run, options.typed_offset_ns, clock);
    findBase(run, clock);
    clock.base_ns = options.base_ns.value_or(clock.base_ns);
    return clock;
}

}  // namespace rankscope
