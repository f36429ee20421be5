// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/role_times.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"

namespace rankscope {
namespace {

/// A kernel of a collective, with its group.
struct RoleClaim {
    TimeSpan span;
    std::uint32_t group = 0;
    CollectivePosition collective;
    [[nodiscard]] TimeNs start() const { return span.start_ns; }
    /// Whether `other` owns an instant that both claim.
    friend bool operator<(const RoleClaim& claim, const RoleClaim& other) {
        return std::tuple(claim.span.end_ns, -claim.span.start_ns, -static_cast<std::int64_t>(claim.group),
                          -static_cast<std::int64_t>(claim.collective)) <
               std::tuple(other.span.end_ns, -other.span.start_ns, -static_cast<std::int64_t>(other.group),
                          -static_cast<std::int64_t>(other.collective));
    }
};

/// Assigns each instant in `claims`, sorted by start, to its owner.
std::map<CollectivePosition, std::vector<TimeSpan>> divide(const std::vector<RoleClaim>& claims) {
    std::map<CollectivePosition, std::vector<TimeSpan>> owned;
    std::priority_queue<RoleClaim> open;
    auto next = claims.begin();
    TimeNs at = std::numeric_limits<TimeNs>::min();
    while (next != claims.end() || !open.empty()) {
        if (open.empty()) {
            at = std::max(at, next->span.start_ns);
        }
        for (; next != claims.end() && next->span.start_ns <= at; ++next) {
            open.push(*next);
        }
        const RoleClaim owner = open.top();
        if (owner.span.end_ns <= at) {
            open.pop();  // all others that are open end no later
            continue;
        }
        const TimeNs until =
            next != claims.end() ? std::min(owner.span.end_ns, next->span.start_ns) : owner.span.end_ns;
        owned[owner.collective].push_back({at, until});
        at = until;
    }
    return owned;
}

bool isSteadyStep(const RankStep& step) {
    return step.complete && !step.outlier;
}

/// Counts the steps of the recorded members of each group; if its members are not known by number, of the ranks in its
/// collectives.
void countSteps(const Run& run, const CollectiveFacts& facts, ParallelismFacts& found) {
    std::map<RankNumber, std::size_t> counted;
    for (RankPosition r{0}; r < run.ranks.size(); ++r) {
        counted.emplace(run.ranks[r]->rank.value_or(RankNumber::standingIn(r)), found.ranks[r].counted);
    }
    for (GroupRole& group : found.groups) {
        for (const RankNumber rank : group.ranks) {
            const auto member = counted.find(rank);
            group.counted += member != counted.end() ? member->second : 0;
        }
    }
    std::map<std::uint32_t, std::set<RankPosition>> unnumbered;
    for (const Collective& collective : facts.collectives) {
        if (found.groups[collective.group].counted == 0) {
            for (const CollectiveMember& member : collective.members) {
                unnumbered[collective.group].insert(member.rank);
            }
        }
    }
    for (const auto& [group, members] : unnumbered) {
        for (const RankPosition member : members) {
            found.groups[group].counted += found.ranks[member].counted;
        }
    }
}

}  // namespace

std::map<CollectivePosition, IntervalSet> exposedByCollective(const RankFacts& rank, const CollectiveFacts& facts,
                                                              const std::vector<OwnPart>& parts,
                                                              const RankTrace& trace) {
    std::vector<RoleClaim> claims;
    for (const OwnPart& part : parts) {
        const Collective& collective = facts.collectives[part.collective];
        for (const SliceRef& slice : collective.members[part.member].slices) {
            if (const TimeSpan span = trace.span(slice); !span.empty()) {
                claims.push_back({span, collective.group, part.collective});
            }
        }
    }
    std::ranges::stable_sort(claims, {}, &RoleClaim::start);
    std::map<CollectivePosition, IntervalSet> exposed;
    for (auto& [collective, spans] : divide(claims)) {
        // Only exposed time nearby: searching all of it for each collective would be quadratic.
        const IntervalSet own = IntervalSet::unionOf(std::move(spans));
        if (own.spans().empty()) {
            continue;
        }
        const TimeSpan reach{own.spans().front().start_ns, own.spans().back().end_ns};
        exposed[collective] = own.intersect(rank.exposed_communication.clip(reach));
    }
    return exposed;
}

void timeRoles(const Run& run, const RunFacts& facts, ParallelismFacts& found, const std::vector<CollectiveSign>& signs,
               std::size_t threads) {
    const std::vector<std::vector<OwnPart>> parts = partsOfRanks(facts.collectives, run.ranks.size());
    std::vector<RankRoles>& ranks = found.ranks;
    ranks.resize(run.ranks.size());
    std::vector<std::map<CollectivePosition, DurationNs>> by_collective(ranks.size());
    forEachIndex(ranks.size(), threads, [&](std::size_t r) {
        const RankFacts& rank = facts.ranks[r];
        const bool any_steady = std::ranges::any_of(rank.steps, isSteadyStep);
        ranks[r].steps.resize(rank.steps.size());
        const auto exposed = exposedByCollective(rank, facts.collectives, parts[r], *run.ranks[r]);
        for (std::size_t s = 0; s < rank.steps.size(); ++s) {
            const bool counts = !any_steady || isSteadyStep(rank.steps[s]);
            for (const auto& [collective, set] : exposed) {
                const DurationNs ns = set.lengthIn(rank.steps[s].span);
                ranks[r].steps[s][found.roleOf(collective)] += ns;
                by_collective[r][collective] += counts ? ns : 0;
            }
            if (counts) {
                ranks[r].exposed += ranks[r].steps[s];
                ++ranks[r].counted;
            }
        }
    });
    countSteps(run, facts.collectives, found);
    for (const auto& of_rank : by_collective) {
        for (const auto& [collective, ns] : of_rank) {
            GroupRole& group = found.groups[facts.collectives.collectives[collective].group];
            group.exposed_ns += ns;
            const CollectiveSign& sign = signs[collective];
            const auto part = std::ranges::find_if(
                group.parts, [&](const GroupPart& one) { return one.role == sign.role && one.what == sign.what; });
            if (part != group.parts.end()) {
                part->exposed_ns += ns;
            }
        }
    }
}

}  // namespace rankscope
