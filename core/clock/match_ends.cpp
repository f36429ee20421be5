// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/match_ends.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Ends that are off by more than this many standard deviations belong to another collective. Real ends have a bounded
/// spread, so none of them is off by this much.
constexpr double kWrongDeviations = 6;
/// Real ends are up to 24 us apart (design 4.6) even if most are closer: none of these is wrong.
constexpr double kLeastDeviationNs = 4'200;
/// With more ends than this, every n-th is enough: their median separates wrong from right.
constexpr std::size_t kEnoughToTell = 1'024;
/// A domain's own scatter is used only from this many ends on.
constexpr std::size_t kEnoughEnds = 8;

double deviationOf(std::vector<double>& late) {
    const std::size_t stride = 1 + late.size() / kEnoughToTell;
    std::size_t thinned = 0;
    for (std::size_t i = 0; i < late.size(); i += stride) {
        late[thinned++] = late[i];
    }
    late.resize(thinned);
    return robustDeviation(late);
}

void placeEnds(const MatchTable& table, const std::vector<RankClock>& clocks, MatchEnds& ends) {
    std::vector<double> late;
    for (std::size_t match = 0; match < table.size(); ++match) {
        const std::size_t begin = table.first[match];
        const std::size_t end = table.first[match + 1];
        const TimeNs anchor = clocks[table.domain[begin]].toRun(FileTime(table.span[begin].end_ns));
        late.clear();
        for (std::size_t i = begin; i < end; ++i) {
            ends.late_ns[i] =
                static_cast<double>(clocks[table.domain[i]].toRun(FileTime(table.span[i].end_ns)) - anchor);
            late.push_back(ends.late_ns[i]);
        }
        const double middle = std::round(midMedian(late));
        ends.at_ns[match] = anchor + static_cast<DurationNs>(middle);
        for (std::size_t i = begin; i < end; ++i) {
            ends.late_ns[i] -= middle;
        }
    }
}

/// How much an end of each domain may be off.
std::vector<double> toleranceOf(const MatchTable& table, const MatchEnds& ends) {
    std::vector<std::vector<double>> late_of(table.domains);
    for (std::size_t i = 0; i < table.domain.size(); ++i) {
        late_of[table.domain[i]].push_back(ends.late_ns[i]);
    }
    std::vector<double> tolerance;
    for (std::vector<double>& late : late_of) {
        const double own = late.size() < kEnoughEnds ? 0 : deviationOf(late);
        tolerance.push_back(kWrongDeviations * std::max({own, ends.deviation_ns, kLeastDeviationNs}));
    }
    return tolerance;
}

}  // namespace

MatchEnds matchEnds(const MatchTable& table, const std::vector<RankClock>& clocks) {
    const std::size_t members = table.domain.size();
    MatchEnds ends;
    ends.at_ns.resize(table.size());
    ends.late_ns.resize(members);
    ends.kept.assign(members, 1);
    placeEnds(table, clocks, ends);
    if (members > 0) {
        // The ends of a match are measured relative to their own middle, which makes them seem closer than they are.
        const double freedom = static_cast<double>(members - table.size()) / static_cast<double>(members);
        std::vector<double> late = ends.late_ns;
        ends.deviation_ns = deviationOf(late) / std::sqrt(freedom);
    }
    const std::vector<double> tolerance = toleranceOf(table, ends);
    for (std::size_t i = 0; i < members; ++i) {
        ends.kept[i] = std::abs(ends.late_ns[i]) <= tolerance[table.domain[i]] ? 1 : 0;
    }
    findLastArriver(table, ends);
    return ends;
}

namespace {

/// Starts closer than this many standard deviations of ends may be in either order.
constexpr double kTieDeviations = 2;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// The kept members of a match that may have arrived last, given the clocks.
void findLast(const MatchTable& table, const MatchEnds& ends, std::size_t match, std::vector<std::size_t>& last) {
    const auto start_of = [&](std::size_t i) { return ends.late_ns[i] - static_cast<double>(table.span[i].length()); };
    double latest = -HUGE_VAL;
    for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
        latest = ends.kept[i] != 0 ? std::max(latest, start_of(i)) : latest;
    }
    last.clear();
    for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
        if (ends.kept[i] != 0 && start_of(i) >= latest - kTieDeviations * ends.deviation_ns) {
            last.push_back(i);
        }
    }
}

/// By member: the previous match of its domain, if there was no pause; kNone if there is none. Within one deviation of
/// ends a pause does not change an order that is certain.
std::vector<std::size_t> followedMatches(const MatchTable& table, const MatchEnds& ends) {
    std::vector<std::size_t> match_of(table.domain.size());
    for (std::size_t match = 0; match < table.size(); ++match) {
        std::fill(match_of.begin() + static_cast<std::ptrdiff_t>(table.first[match]),
                  match_of.begin() + static_cast<std::ptrdiff_t>(table.first[match + 1]), match);
    }
    std::vector<std::size_t> order(table.domain.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(table.domain[i], table.span[i].start_ns); });
    std::vector<std::size_t> followed(order.size(), kNone);
    for (std::size_t k = 1; k < order.size(); ++k) {
        const std::size_t before = order[k - 1];
        const std::size_t i = order[k];
        const auto pause = static_cast<double>(table.span[i].start_ns - table.span[before].end_ns);
        if (table.domain[before] == table.domain[i] && match_of[before] != match_of[i] &&
            std::abs(pause) <= ends.deviation_ns) {
            followed[i] = match_of[before];
        }
    }
    return followed;
}

std::size_t membersOf(const MatchTable& table, std::size_t match) {
    return table.first[match + 1] - table.first[match];
}

void findChains(const MatchTable& table, MatchEnds& ends) {
    const std::vector<std::size_t> followed = followedMatches(table, ends);
    std::vector<std::size_t> before(table.size(), kNone);
    for (std::size_t match = 0; match < table.size(); ++match) {
        const auto begin = followed.begin() + static_cast<std::ptrdiff_t>(table.first[match]);
        const auto end = followed.begin() + static_cast<std::ptrdiff_t>(table.first[match + 1]);
        const bool all_alike = std::all_of(begin, end, [&](std::size_t p) { return p == *begin; });
        const bool same_members = all_alike && *begin != kNone && membersOf(table, *begin) == membersOf(table, match);
        before[match] = same_members ? *begin : kNone;
    }
    ends.chain.resize(table.size());
    for (std::size_t match = 0; match < table.size(); ++match) {
        std::size_t head = match;
        // A match follows one that ended before it started, so this terminates; the bound is for damaged times.
        for (std::size_t steps = 0; before[head] != kNone && steps < table.size(); ++steps) {
            head = before[head] < match ? ends.chain[before[head]] : before[head];
        }
        ends.chain[match] = head;
    }
}

/// The kept members of a match that may have arrived last: those that may have arrived last at the first match of its
/// chain.
void findLastOfChain(const MatchTable& table, const MatchEnds& ends, std::size_t match,
                     std::vector<std::size_t>& last) {
    const std::size_t head = ends.chain[match];
    findLast(table, ends, head, last);
    if (head == match) {
        return;
    }
    std::size_t kept = 0;
    for (const std::size_t at_head : last) {
        for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
            if (ends.kept[i] != 0 && table.domain[i] == table.domain[at_head]) {
                last[kept++] = i;
                break;
            }
        }
    }
    last.resize(kept);
    if (last.empty()) {
        findLast(table, ends, match, last);
    }
}

/// Estimates who arrived last. Among starts that the clocks cannot distinguish, the member that is clearly last more
/// often is the more likely one. With equal shares, matches in which nothing changed would seem to prove that arriving
/// last makes no difference.
void shareLastPlace(const MatchTable& table, MatchEnds& ends) {
    std::vector<double> often(table.domains, 1);
    std::vector<std::size_t> last;
    for (std::size_t match = 0; match < table.size(); ++match) {
        findLastOfChain(table, ends, match, last);
        if (last.size() == 1) {
            often[table.domain[last.front()]] += 1;
        }
    }
    ends.last_arriver.assign(table.domain.size(), 0);
    for (std::size_t match = 0; match < table.size(); ++match) {
        findLastOfChain(table, ends, match, last);
        double sum = 0;
        for (const std::size_t i : last) {
            sum += often[table.domain[i]];
        }
        for (const std::size_t i : last) {
            ends.last_arriver[i] = often[table.domain[i]] / sum;
        }
    }
}

}  // namespace

void findLastArriver(const MatchTable& table, MatchEnds& ends) {
    findChains(table, ends);
    shareLastPlace(table, ends);
}

std::vector<double> doubtOfLast(const MatchTable& table, const MatchEnds& ends,
                                const std::vector<std::uint32_t>& reference_of) {
    std::vector<double> share(table.domains, 0);
    std::vector<double> matches(table.domains, 0);
    std::map<std::pair<std::size_t, std::uint32_t>, double> of_chain;
    for (std::size_t match = 0; match < table.size(); ++match) {
        const auto for_members = [&](const auto& use) {
            for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
                if (ends.kept[i] != 0) {
                    use(i, table.domain[i]);
                }
            }
        };
        for_members([&](std::size_t i, std::uint32_t domain) { share[domain] += ends.last_arriver[i]; });
        for_members([&](std::size_t, std::uint32_t domain) {
            const double own = share[domain];
            const double other = share[reference_of[domain]];
            matches[domain] += 1;
            // For the difference of two mutually exclusive cases: one arrived last, the other did, or neither.
            of_chain[{ends.chain[match], domain}] +=
                std::sqrt(std::max(own + other - (own - other) * (own - other), 0.0));
        });
        for_members([&](std::size_t, std::uint32_t domain) { share[domain] = 0; });
    }
    std::vector<double> doubt(table.domains, 0);
    for (const auto& [key, deviation] : of_chain) {
        doubt[key.second] += deviation * deviation;
    }
    for (std::size_t domain = 0; domain < table.domains; ++domain) {
        doubt[domain] /= std::max(matches[domain] * matches[domain], 1.0);
    }
    return doubt;
}

}  // namespace rankscope
