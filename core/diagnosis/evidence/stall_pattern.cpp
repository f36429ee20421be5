// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/stall_pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace rankscope {
namespace {

constexpr std::size_t kLeastStalls = 6;
constexpr std::size_t kLeastOnGrid = 20;
constexpr double kTogether = 0.6;
constexpr double kTakeTurns = 0.9;
constexpr double kSameNumber = 0.6;
constexpr double kAlone = 0.8;
constexpr double kCoherence = 0.6;
constexpr std::array<DurationNs, 4> kTicks = {10'000'000, 4'000'000, 2'500'000, 1'000'000};

/// How close instants are to multiples of `grid_ns`, from a common offset: 1 on the grid, near 0 if they are anywhere.
/// It is the length of the mean of unit vectors (Rayleigh's test of uniformity).
double coherence(const std::vector<TimeNs>& instants, DurationNs grid_ns) {
    double x = 0;
    double y = 0;
    for (const TimeNs at_ns : instants) {
        const double phase = 2 * std::numbers::pi * static_cast<double>(at_ns % grid_ns) / static_cast<double>(grid_ns);
        x += std::cos(phase);
        y += std::sin(phase);
    }
    return instants.empty() ? 0 : std::hypot(x, y) / static_cast<double>(instants.size());
}

/// How long each number of ranks stalls at once, by that number.
std::vector<DurationNs> timeByStalled(const std::vector<RankPauses>& ranks, const TimeSpan& window) {
    std::vector<DurationNs> times(ranks.size() + 1);
    const std::vector<RunningRanks> changes = runningRanks(ranks, window);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const TimeNs until_ns = i + 1 < changes.size() ? changes[i + 1].at_ns : window.end_ns;
        times[ranks.size() - changes[i].running] += until_ns - changes[i].at_ns;
    }
    return times;
}

}  // namespace

std::optional<DurationNs> tickOf(const std::vector<TimeNs>& times) {
    if (times.size() < kLeastOnGrid) {
        return std::nullopt;
    }
    for (const DurationNs tick_ns : kTicks) {
        if (coherence(times, tick_ns) >= kCoherence) {
            return tick_ns;
        }
    }
    return std::nullopt;
}

StallPattern patternOf(const std::vector<RankPauses>& ranks, const TimeSpan& window, DurationNs recorded_ns) {
    StallPattern pattern;
    pattern.ranks = ranks.size();
    std::vector<TimeNs> starts;
    for (const RankPauses& pauses : ranks) {
        for (const TimeSpan& pause : pauses) {
            starts.push_back(pause.start_ns);
        }
    }
    const std::vector<DurationNs> times = timeByStalled(ranks, window);
    DurationNs any_ns = 0;
    for (std::size_t stalled = 1; stalled < times.size(); ++stalled) {
        any_ns += times[stalled];
    }
    if (any_ns <= 0 || recorded_ns <= 0) {
        return pattern;
    }
    const auto share = [any_ns](DurationNs ns) { return static_cast<double>(ns) / static_cast<double>(any_ns); };
    const std::size_t n = ranks.size();
    const auto longest = std::ranges::max_element(times.begin() + 1, times.end());
    pattern.running = n - static_cast<std::size_t>(longest - times.begin());
    pattern.running_share = share(*longest);
    const auto fewest = std::ranges::find_if(times.begin() + 1, times.end(), [](DurationNs ns) { return ns > 0; });
    pattern.most_running = n - static_cast<std::size_t>(fewest - times.begin());
    pattern.stalled_share = static_cast<double>(any_ns) / static_cast<double>(recorded_ns);
    pattern.grid_ns = tickOf(starts);
    if (starts.size() < kLeastStalls) {
        return pattern;
    }
    const double all = share(times[n]);
    const double one = share(times[1]);
    const bool take_turns = n >= 3 && 1 - one - all >= kTakeTurns && pattern.running_share >= kSameNumber;
    if (n >= 2 && all >= kTogether) {
        pattern.kind = StallKind::PausedTogether;
    } else if (take_turns || pattern.grid_ns) {
        pattern.kind = StallKind::MoreThreadsThanCores;
    } else if (n >= 3 && one >= kAlone) {
        pattern.kind = StallKind::OneThread;
    }
    return pattern;
}

std::vector<HostPauses> pausesOfHosts(const Run& run, const RunFacts& facts, const RunClock& clock) {
    std::map<std::string, HostPauses> hosts;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        const RankFacts& rank = facts.ranks[r];
        if (rank.steps.empty()) {
            continue;
        }
        const RankClock& of_rank = clock.ranks[r];
        const TimeSpan steps =
            of_rank.toRun(FileSpan(TimeSpan{rank.steps.front().host.start_ns, rank.steps.back().host.end_ns}));
        HostPauses& host = hosts[run.ranks[r]->host];
        host.window = host.ranks.empty() ? steps : intersect(host.window, steps);
        host.ranks.push_back(r);
        RankPauses& pauses = host.pauses.emplace_back();
        for (const HostStall& stall : rank.stalls) {
            pauses.push_back(of_rank.toRun(FileSpan(stall.span)));
            host.stalled_ns += stall.span.length();
        }
    }
    std::vector<HostPauses> listed;
    for (auto& [name, host] : hosts) {
        host.host = name;
        host.recorded_ns = host.window.length();
        for (const RankPosition r : host.ranks) {
            const TimeSpan of_rank = clock.ranks[r].toFile(RunSpan(host.window));
            host.recorded_ns = std::min(host.recorded_ns, facts.ranks[r].windows.lengthIn(of_rank));
        }
        listed.push_back(std::move(host));
    }
    return listed;
}

HostPattern worstHost(const RuleContext& context) {
    const std::vector<HostPauses> hosts = pausesOfHosts(context.run, context.facts, context.clock);
    const auto worst = std::ranges::max_element(hosts, {}, &HostPauses::stalled_ns);
    if (worst == hosts.end()) {
        return {};
    }
    return {worst->host, patternOf(worst->pauses, worst->window, worst->recorded_ns)};
}

}  // namespace rankscope
