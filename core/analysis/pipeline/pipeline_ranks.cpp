// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pipeline_ranks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace rankscope {
namespace {

std::map<RankNumber, RankPosition> positionsOf(const Run& run) {
    std::map<RankNumber, RankPosition> positions;
    for (RankPosition r{0}; r < run.ranks.size(); ++r) {
        positions.emplace(run.ranks[r]->rank.value_or(RankNumber::standingIn(r)), r);
    }
    return positions;
}

bool isOfPipeline(const Collective& collective, const ParallelismFacts& facts) {
    const auto role = facts.roleOfGroup(collective.group);
    return collective.kind == CollectiveKind::SendReceive && (!role || *role == Role::Pipeline || *role == Role::World);
}

/// Whether the ranks of a stage run it together: their communication is part of a pass.
bool isOfStage(const Collective& collective, const ParallelismFacts& facts) {
    const auto role = facts.roleOfGroup(collective.group);
    return role == Role::Tensor || role == Role::Sequence || role == Role::Expert;
}

void addPeers(const CollectiveMember& member, const RankTrace& trace, std::set<std::int32_t>& peers) {
    std::vector<SliceRef> slices = member.slices;
    slices.push_back(member.op);
    for (const SliceRef& slice : slices) {
        const CollectiveArgs* const args = slice.valid() ? trace.track(slice).collectives.find(slice.slice) : nullptr;
        for (const std::int32_t peer : {args != nullptr ? args->peer_src : -1, args != nullptr ? args->peer_dst : -1}) {
            if (peer >= 0) {
                peers.insert(peer);
            }
        }
    }
}

/// When its kernel moves data, as far as is known: not while it waits for others. If some members were not recorded,
/// they may have arrived even later, but the transfer is no longer than the shortest of the others.
TimeSpan transferOf(const Collective& collective, const CollectiveMember& member, const TimeSpan& kernel) {
    TimeNs begins_ns = member.span.start_ns + member.wait_ns.value_or(0);
    if (!member.wait_ns && collective.endsTogether()) {
        DurationNs shortest_ns = member.span.length();
        for (const CollectiveMember& other : collective.members) {
            shortest_ns = std::min(shortest_ns, other.span.length());
        }
        begins_ns = member.span.end_ns - shortest_ns;
    }
    return {std::max(kernel.start_ns, begins_ns), kernel.end_ns};
}

/// How long a rank waits in a send or receive for the last of its partners; nothing if unknown.
std::optional<PartnerWait> waitOf(const Collective& collective, const CollectiveMember& member) {
    const std::vector<CollectiveMember>& members = collective.members;
    if (!member.wait_ns || *member.wait_ns <= 0) {
        return std::nullopt;
    }
    std::uint32_t partner = member.waited_for;
    if (!collective.timed_by_clock && members.size() == 2) {
        partner = &member == members.data() ? 1 : 0;
    }
    const TimeSpan span{member.span.start_ns, member.span.start_ns + *member.wait_ns};
    return partner < members.size() ? std::optional(PartnerWait{span, members[partner].rank}) : std::nullopt;
}

}  // namespace

std::vector<Pipeline> pipelinesOf(const Run& run, const ParallelismFacts& facts) {
    const std::map<RankNumber, RankPosition> positions = positionsOf(run);
    std::set<std::vector<RankNumber>> known;
    std::vector<Pipeline> pipelines;
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
        const GroupRole& group = facts.groups[g];
        const bool pipeline = group.role == Role::Pipeline && group.whole && group.ranks.size() > 1;
        if (!pipeline || !known.insert(group.ranks).second) {
            continue;
        }
        Pipeline found;
        found.group = g;
        found.size = static_cast<std::int32_t>(group.ranks.size());
        for (std::size_t place = 0; place < group.ranks.size(); ++place) {
            if (const auto at = positions.find(group.ranks[place]); at != positions.end()) {
                found.ranks.push_back(at->second);
                found.places.push_back(static_cast<std::int32_t>(place));
            }
        }
        if (!found.ranks.empty()) {
            pipelines.push_back(std::move(found));
        }
    }
    return pipelines;
}

bool wrapsAround(const std::vector<RankNumber>& ranks, const RankExchanges& of_first) {
    const bool by_job = std::ranges::all_of(
        of_first.peers, [&](std::int32_t peer) { return std::ranges::binary_search(ranks, RankNumber(peer)); });
    const std::int32_t last = by_job ? ranks.back().value : static_cast<std::int32_t>(ranks.size()) - 1;
    return ranks.size() > 2 && of_first.peers.contains(last);
}

RankExchanges exchangesOf(const RunFacts& facts, RankPosition rank, const std::vector<OwnPart>& parts,
                          const RankTrace& trace) {
    RankExchanges exchanges;
    std::vector<TimeSpan> transfers;
    std::vector<TimeSpan> unsplit;
    for (const OwnPart& part : parts) {
        const Collective& collective = facts.collectives.collectives[part.collective];
        const CollectiveMember& member = collective.members[part.member];
        if (isOfPipeline(collective, facts.parallelism)) {
            addPeers(member, trace, exchanges.peers);
            const SliceRef host = member.op.valid() ? member.op : member.launch;
            if (host.valid()) {
                exchanges.called.push_back(trace.span(host).start_ns);
            }
            if (const auto wait = waitOf(collective, member)) {
                exchanges.waits.push_back(*wait);
            }
            continue;
        }
        const bool of_stage = isOfStage(collective, facts.parallelism);
        for (const SliceRef& slice : member.slices) {
            if (of_stage) {
                exchanges.inner.push_back(slice);
            }
            if (!member.waits_only) {
                (member.wait_ns ? transfers : unsplit).push_back(transferOf(collective, member, trace.span(slice)));
            }
        }
    }
    std::ranges::sort(exchanges.called);
    std::ranges::sort(exchanges.inner);
    std::ranges::sort(exchanges.waits, {}, [](const PartnerWait& wait) { return wait.span.start_ns; });
    const RankFacts& own = facts.ranks[rank];
    const IntervalSet sure = IntervalSet::unionOf(std::move(transfers)).unite(own.compute).unite(own.copy);
    exchanges.unsplit = IntervalSet::unionOf(std::move(unsplit)).subtract(sure);
    exchanges.work = sure.unite(exchanges.unsplit);
    return exchanges;
}

}  // namespace rankscope
