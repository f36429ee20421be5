// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/join_run.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/collectives/collective_names.h"
#include "core/network/call_places.h"
#include "core/network/parts.h"
#include "core/network/ranks_of_logs.h"

namespace rankscope::network {
namespace {

/// A communicator that may be a process group, and what comparing their calls says.
struct Attempt {
    GroupJoin join;
    std::uint64_t agreeing = 0;
};

/// Whether all calls of a rank from the start of its communicator are known, in order.
bool isFromStart(const NcclLogs& logs, const NcclMember& member) {
    const NcclLogFile& file = logs.files[member.last_call.file];
    return member.rank >= 0 && file.cut == 0 && file.damage.empty();
}

/// Calls of a process group, by rank.
using GroupCalls = std::map<RankPosition, std::vector<TracedCall>>;

/// The collectives of each group that NCCL logs as one call, by rank in the order of their starts. None of a group with
/// collectives of unknown kind: these may be anything.
std::map<std::uint32_t, GroupCalls> callsOfGroups(const CollectiveFacts& facts, bool has_all_to_all) {
    std::map<std::pair<std::uint32_t, RankPosition>, std::vector<std::pair<TimeNs, TracedCall>>> timed;
    std::set<std::uint32_t> unknown;
    for (CollectivePosition c{0}; c < facts.collectives.size(); ++c) {
        const Collective& collective = facts.collectives[c];
        if (collective.kind == CollectiveKind::Unknown) {
            unknown.insert(collective.group);
        }
        if (!isOneCall(collective.kind, has_all_to_all) || collective.name.starts_with("gloo:")) {
            continue;
        }
        const bool has_bytes = collective.kind != CollectiveKind::Barrier;
        const TracedCall call{c, collective.kind, has_bytes ? collective.bytes : std::nullopt,
                              typesOf(collective.dtype), collective.sequence};
        for (const CollectiveMember& member : collective.members) {
            timed[{collective.group, member.rank}].emplace_back(member.span.start_ns, call);
        }
    }
    std::map<std::uint32_t, GroupCalls> out;
    std::erase_if(timed, [&unknown](const auto& calls) { return unknown.contains(calls.first.first); });
    for (auto& [key, calls] : timed) {
        std::ranges::stable_sort(calls, {}, &std::pair<TimeNs, TracedCall>::first);
        std::vector<TracedCall>& sorted = out[key.first][key.second];
        std::ranges::transform(calls, std::back_inserter(sorted), &std::pair<TimeNs, TracedCall>::second);
    }
    return out;
}

class Joiner {
  public:
    Joiner(const NcclLogs& logs, const Network& network, const Run& run, const RunFacts& facts)
        : logs_(logs), network_(network), facts_(facts.collectives) {
        for (const Job& job : network.jobs) {
            processes_.push_back(processesOf(logs, job, run));
        }
        for (const auto& rank : run.ranks) {
            numbers_.push_back(rank->rank);
        }
    }

    RunJoin join() {
        RunJoin out;
        const bool has_all_to_all = std::ranges::any_of(logs_.shapes, [](const NcclShape& shape) {
            return collectiveKindOf(shape.kind) == CollectiveKind::AllToAll;
        });
        for (const auto& [group, calls] : callsOfGroups(facts_, has_all_to_all)) {
            if (const std::optional<GroupJoin> join = joinGroup(group, calls)) {
                out.groups.push_back(*join);
            }
        }
        refuseShared(out.groups);
        for (const GroupJoin& join : out.groups) {
            if (join.state == JoinState::Joined) {
                addCallsOf(join, out);
            }
        }
        std::ranges::sort(out.calls, {}, &JoinedCall::collective);
        std::ranges::sort(out.places, {}, [](const CallPlace& place) { return std::pair(place.member, place.call); });
        return out;
    }

  private:
    [[nodiscard]] const Communicator& communicatorOf(const GroupJoin& join) const {
        return network_.jobs[join.job].communicators[join.communicator];
    }
    /// The member that a rank of the run is in a communicator, by rank; empty if the communicator is not of the group.
    [[nodiscard]] std::map<RankPosition, std::size_t> membersOf(std::size_t job, const Communicator& communicator,
                                                                std::uint32_t group) const;
    [[nodiscard]] std::optional<GroupJoin> joinGroup(std::uint32_t group, const GroupCalls& calls);
    [[nodiscard]] Attempt attempt(const GroupJoin& join, const GroupCalls& calls,
                                  const std::map<RankPosition, std::size_t>& members);
    [[nodiscard]] std::vector<RankCalls> callsIn(const GroupCalls& calls,
                                                 const std::map<RankPosition, std::size_t>& members,
                                                 const std::vector<LoggedShape>& shapes) const;
    [[nodiscard]] const std::vector<LoggedShape>& shapesAmong(std::int32_t ranks);
    void decideBySequence(GroupJoin& join, const std::vector<RankCalls>& ranks, PlaceFinder& finder,
                          const std::map<RankPosition, std::size_t>& members) const;
    static void refuseShared(std::vector<GroupJoin>& groups);
    void addCallsOf(const GroupJoin& join, RunJoin& out);

    const NcclLogs& logs_;
    const Network& network_;
    const CollectiveFacts& facts_;
    std::vector<ProcessesOfRun> processes_;  ///< by job
    std::vector<std::optional<RankNumber>> numbers_;
    std::map<std::int32_t, std::vector<LoggedShape>> shapes_;  ///< by the number of ranks
    std::map<std::uint32_t, std::vector<RankCalls>> joined_;   ///< by group
};

const std::vector<LoggedShape>& Joiner::shapesAmong(std::int32_t ranks) {
    const auto [at, is_new] = shapes_.try_emplace(ranks);
    for (std::size_t i = 0; is_new && i < logs_.shapes.size(); ++i) {
        at->second.push_back(loggedShape(logs_.shapes[i], ranks));
    }
    return at->second;
}

std::map<RankPosition, std::size_t> Joiner::membersOf(std::size_t job, const Communicator& communicator,
                                                      std::uint32_t group) const {
    const CollectiveGroup& traced = facts_.groups[group];
    std::map<RankPosition, std::size_t> out;
    if (traced.size != communicator.ranks) {
        return out;
    }
    std::set<RankPosition> expected;
    for (const auto& [rank, process] : processes_[job].of_rank) {
        const std::optional<RankNumber>& number = numbers_[rank];
        if (number && std::ranges::binary_search(traced.ranks, *number)) {
            expected.insert(rank);
        }
    }
    for (const std::size_t index : communicator.members) {
        const auto at = processes_[job].rank_of.find(logs_.members[index].process);
        if (at == processes_[job].rank_of.end()) {
            continue;
        }
        if (expected.erase(at->second) == 0) {
            return {};
        }
        out.emplace(at->second, index);
    }
    return expected.empty() ? out : std::map<RankPosition, std::size_t>();
}

std::vector<RankCalls> Joiner::callsIn(const GroupCalls& calls, const std::map<RankPosition, std::size_t>& members,
                                       const std::vector<LoggedShape>& shapes) const {
    std::vector<RankCalls> out;
    for (const auto& [rank, member] : members) {
        const auto own = calls.find(rank);
        if (own == calls.end()) {
            continue;
        }
        RankCalls one;
        one.rank = rank;
        one.traced = own->second;
        one.member = member;
        const std::vector<std::uint32_t>& order = logs_.members[member].order;
        for (std::uint32_t at = 0; at < order.size(); ++at) {
            if (isOneCall(shapes[order[at]].kind, true)) {
                one.logged.push_back(order[at]);
                one.orders.push_back(at);
            }
        }
        out.push_back(std::move(one));
    }
    return out;
}

/// c10d counts the collectives of a group from 1, or in older versions from 0.
void Joiner::decideBySequence(GroupJoin& join, const std::vector<RankCalls>& ranks, PlaceFinder& finder,
                              const std::map<RankPosition, std::size_t>& members) const {
    std::set<std::int64_t> bases;
    for (const RankCalls& rank : ranks) {
        const NcclMember& member = logs_.members[members.at(rank.rank)];
        if (!isFromStart(logs_, member)) {
            return;
        }
        for (std::size_t at = 0; at < rank.traced.size(); ++at) {
            const std::int64_t sequence = rank.traced[at].sequence;
            bases.insert(sequence < 0 ? -1 : sequence - static_cast<std::int64_t>(rank.shift + at));
        }
    }
    if (bases.size() != 1 || *bases.begin() < 0) {
        return;
    }
    const auto base = static_cast<std::uint64_t>(*bases.begin());
    const bool fits_from_one = base > 0 && finder.fits(base - 1);
    if (fits_from_one != finder.fits(base)) {
        join.state = JoinState::Joined;
        join.first = fits_from_one ? base - 1 : base;
        join.by_sequence = true;
    }
}

Attempt Joiner::attempt(const GroupJoin& join, const GroupCalls& calls,
                        const std::map<RankPosition, std::size_t>& members) {
    Attempt out{join, 0};
    GroupJoin& found = out.join;
    const std::vector<LoggedShape>& shapes = shapesAmong(facts_.groups[found.group].size);
    std::vector<RankCalls> ranks = callsIn(calls, members, shapes);
    found.ranks = ranks.size();
    std::set<CollectivePosition> collectives;
    for (const RankCalls& rank : ranks) {
        std::ranges::transform(rank.traced, std::inserter(collectives, collectives.end()), &TracedCall::collective);
    }
    found.collectives = collectives.size();
    const auto member_of = [&](const RankCalls& rank) -> const NcclMember& {
        return logs_.members[members.at(rank.rank)];
    };
    if (ranks.empty() || std::ranges::all_of(ranks, [](const RankCalls& rank) { return rank.logged.empty(); })) {
        found.state = JoinState::NoCalls;
        return out;
    }
    if (std::ranges::any_of(ranks, [&](const RankCalls& rank) {
            return member_of(rank).is_repeated || !member_of(rank).order_is_whole;
        })) {
        found.state = JoinState::Incomplete;
        return out;
    }
    if (!alignRanks(ranks)) {
        found.state = JoinState::Unaligned;
        return out;
    }
    PlaceFinder finder(ranks, shapes);
    const CallPlaces places = finder.find();
    out.agreeing = places.agreeing;
    found.conflict = places.fitting.empty() ? places.conflict : std::nullopt;
    if (places.is_cut_off) {
        found.state = JoinState::TooMany;
    } else if (places.is_too_short) {
        found.state = JoinState::LogTooShort;
    } else if (places.fitting.empty()) {
        found.state = JoinState::CallDiffers;
    } else if (places.fitting.size() == 1) {
        found.state = JoinState::Joined;
        found.first = places.fitting.front();
    } else {
        found.state = JoinState::SeveralPlaces;
        decideBySequence(found, ranks, finder, members);
    }
    if (found.state == JoinState::Joined) {
        joined_[found.group] = std::move(ranks);
    }
    return out;
}

std::optional<GroupJoin> Joiner::joinGroup(std::uint32_t group, const GroupCalls& calls) {
    std::vector<Attempt> attempts;
    for (std::size_t job = 0; job < network_.jobs.size(); ++job) {
        for (std::size_t i = 0; i < network_.jobs[job].communicators.size(); ++i) {
            const auto members = membersOf(job, network_.jobs[job].communicators[i], group);
            if (!members.empty()) {
                GroupJoin join;
                join.group = group;
                join.job = job;
                join.communicator = i;
                attempts.push_back(attempt(join, calls, members));
            }
        }
    }
    if (attempts.empty()) {
        GroupJoin join;
        join.group = group;
        return facts_.groups[group].size == 1 ? std::nullopt : std::optional(join);
    }
    const auto known = std::ranges::count_if(attempts, [](const Attempt& one) { return one.join.isKnown(); });
    const auto best = std::ranges::max_element(attempts, {}, [](const Attempt& one) {
        return std::tuple(one.join.isKnown(), one.join.state != JoinState::NoCalls, one.agreeing);
    });
    GroupJoin join = best->join;
    join.state = known > 1 ? JoinState::Ambiguous : join.state;
    return join;
}

/// Two groups cannot be one communicator: c10d makes one for each.
void Joiner::refuseShared(std::vector<GroupJoin>& groups) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> groups_of;
    for (const GroupJoin& join : groups) {
        groups_of[{join.job, join.communicator}] += join.isKnown() ? 1U : 0U;
    }
    for (GroupJoin& join : groups) {
        if (join.isKnown() && groups_of[{join.job, join.communicator}] > 1) {
            join.state = JoinState::Ambiguous;
        }
    }
}

void Joiner::addCallsOf(const GroupJoin& join, RunJoin& out) {
    const std::vector<LoggedShape>& shapes = shapesAmong(facts_.groups[join.group].size);
    std::set<CollectivePosition> added;
    for (const RankCalls& rank : joined_[join.group]) {
        for (std::size_t at = 0; at < rank.traced.size(); ++at) {
            const std::uint64_t place = join.first + rank.shift + at;
            out.places.push_back({rank.member, rank.orders[place], rank.traced[at].collective});
            if (!added.insert(rank.traced[at].collective).second) {
                continue;
            }
            JoinedCall& call = out.calls.emplace_back();
            call.collective = rank.traced[at].collective;
            call.shape = rank.logged[place];
            call.bytes = shapes[call.shape].bytes;
            call.choice = choiceOf(logs_, logs_.shapes[call.shape]);
        }
    }
}

}  // namespace

const PathCost* RunJoin::costOf(std::size_t job, std::size_t finding) const {
    const auto at =
        std::ranges::find_if(costs, [&](const PathCost& cost) { return cost.job == job && cost.finding == finding; });
    return at == costs.end() ? nullptr : &*at;
}

RunJoin joinRun(const NcclLogs& logs, const Network& network, const Run& run, const RunFacts& facts) {
    RunJoin out = Joiner(logs, network, run, facts).join();
    out.costs = pathCosts(network, run, facts, out.groups);
    return out;
}

}  // namespace rankscope::network
