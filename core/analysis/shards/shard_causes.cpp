// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/shard_causes.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/collectives/waits.h"
#include "core/analysis/shards/shard_units.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

ShardCause causeOfWait(HeldBy by) {
    switch (by) {
        case HeldBy::Launch: return ShardCause::HostLate;
        case HeldBy::Limiter: return ShardCause::Limited;
        case HeldBy::Compute: return ShardCause::SlowerRank;
        case HeldBy::Communication: return ShardCause::BehindAnother;
        case HeldBy::Unknown: return ShardCause::Unknown;
    }
    return ShardCause::Unknown;
}

/// Whether most of the exposed time would remain even with all computation there to hide it.
bool isTooLarge(DurationNs transfer_ns, DurationNs compute_ns, DurationNs exposed_ns) {
    return exposed_ns > 0 && transfer_ns > compute_ns && transfer_ns - compute_ns >= exposed_ns / 2;
}

std::string_view nameOf(const ShardFacts& shards, const ShardCollective& shard) {
    const ShardUnit& unit = shards.units[shard.unit];
    return unit.named ? std::string_view(unit.name) : std::string_view();
}

}  // namespace

ShardJudge::ShardJudge(const RunFacts& facts, const std::vector<RankContext>& work, const RunReplayModel& model,
                       const std::vector<std::map<CollectivePosition, IntervalSet>>& exposed, std::size_t threads)
    : facts_(facts), exposed_(exposed), views_(work.size()), order_(work.size()) {
    std::vector<char> has(work.size());
    for (CollectivePosition c{0}; c < facts.collectives.collectives.size(); ++c) {
        if (facts.parallelism.roleOf(c) == Role::Shard) {
            for (const CollectiveMember& member : facts.collectives.collectives[c].members) {
                has[member.rank] = 1;
            }
        }
    }
    forEachIndex(work.size(), threads, [&](std::size_t r) {
        if (has[r] != 0) {
            views_[r].emplace(work[r], model.ranks[r]);
        }
    });
}

void ShardJudge::orderOnRanks(const ShardFacts& shards) {
    for (std::uint32_t i = 0; i < shards.collectives.size(); ++i) {
        const Collective& collective = facts_.collectives.collectives[shards.collectives[i].collective];
        for (const CollectiveMember& member : collective.members) {
            order_[member.rank].push_back({i, &member, stepHolding(facts_.ranks[member.rank], member.span.start_ns)});
        }
    }
    place_.assign(shards.collectives.size(), 0);
    for (std::size_t r = 0; r < order_.size(); ++r) {
        std::ranges::stable_sort(order_[r], {}, [](const Last& part) { return part.member->span.start_ns; });
        for (std::size_t i = 0; i < order_[r].size(); ++i) {
            if (shards.collectives[order_[r][i].shard].last == RankPosition(r)) {
                place_[order_[r][i].shard] = i;
            }
        }
    }
}

void ShardJudge::judge(const std::vector<bool>& hooked, ShardFacts& shards) {
    for (ShardCollective& shard : shards.collectives) {
        const Collective& collective = facts_.collectives.collectives[shard.collective];
        if (collective.transfer_ns) {
            shard.last = collective.members[lastArriver(collective)].rank;
        }
    }
    orderOnRanks(shards);
    for (const ShardOperation operation : {ShardOperation::Gather, ShardOperation::Scatter}) {
        for (std::uint32_t i = 0; i < shards.collectives.size(); ++i) {
            const ShardCollective& shard = shards.collectives[i];
            if (!shard.last || shard.operation != operation) {
                continue;
            }
            if (operation == ShardOperation::Gather) {
                judgeGather(hooked[i], shards, order_[*shard.last], place_[i]);
            } else {
                judgeScatter(shards, order_[*shard.last], place_[i]);
            }
        }
    }
}

const ShardJudge::Last* ShardJudge::neighbour(const ShardFacts& shards, const std::vector<Last>& of_rank,
                                              std::size_t at, int direction) {
    const ShardOperation operation = shards.collectives[of_rank[at].shard].operation;
    for (std::size_t i = at + static_cast<std::size_t>(direction); i < of_rank.size();
         i += static_cast<std::size_t>(direction)) {
        if (of_rank[i].step != of_rank[at].step) {
            return nullptr;
        }
        if (shards.collectives[of_rank[i].shard].operation == operation) {
            return &of_rank[i];
        }
    }
    return nullptr;
}

TimeNs ShardJudge::useOf(const ShardFacts& shards, const Last& gather) const {
    const auto use =
        views_[gather.member->rank]->consumerOf(*gather.member, nameOf(shards, shards.collectives[gather.shard]));
    return use ? use->start_ns : gather.member->span.end_ns;
}

DurationNs ShardJudge::exposedTransfer(const ShardCollective& shard, const CollectiveMember& member) const {
    const auto set = exposed_[member.rank].find(shard.collective);
    const DurationNs transfer_ns = *facts_.collectives.collectives[shard.collective].transfer_ns;
    return set == exposed_[member.rank].end()
               ? 0
               : set->second.lengthIn({member.span.end_ns - transfer_ns, member.span.end_ns});
}

ShardCause ShardJudge::causeOfGather(const ShardFacts& shards, const ShardCollective& shard, bool hooked,
                                     const RankView::Held& held) const {
    switch (held.by) {
        case HeldBy::Launch: return ShardCause::HostLate;
        case HeldBy::Limiter: return ShardCause::Limited;
        case HeldBy::Compute: return shard.prefetched ? ShardCause::Unknown : ShardCause::NoPrefetch;
        case HeldBy::Unknown: return ShardCause::Unknown;
        case HeldBy::Communication: break;
    }
    // After the scatter of the previous unit, which had to wait for that unit: if launched ahead, it would be before
    // it.
    const std::vector<Last>& parts = order_[*shard.last];
    const auto behind = std::ranges::find_if(parts, [&](const Last& part) {
        return std::ranges::find(part.member->slices, held.behind) != part.member->slices.end();
    });
    const bool behind_scatter =
        behind != parts.end() && shards.collectives[behind->shard].operation == ShardOperation::Scatter;
    return behind_scatter && hooked && !shard.prefetched ? ShardCause::NoPrefetch : ShardCause::BehindAnother;
}

void ShardJudge::judgeGather(bool hooked, ShardFacts& shards, const std::vector<Last>& of_rank, std::size_t at) const {
    const Last& own = of_rank[at];
    ShardCollective& shard = shards.collectives[own.shard];
    const RankView& view = *views_[own.member->rank];
    const RankView::Held held = view.held(*own.member);
    shard.wait_cause = causeOfWait(held.by);
    const Last* const before = neighbour(shards, of_rank, at, -1);
    if (before == nullptr) {
        shard.transfer_cause =
            shard.phase == Phase::Backward ? causeOfGather(shards, shard, hooked, held) : ShardCause::FirstUnit;
        return;
    }
    const DurationNs transfer_ns = *facts_.collectives.collectives[shard.collective].transfer_ns;
    shard.compute_ns = view.computeIn({useOf(shards, *before), useOf(shards, own)});
    shard.transfer_cause = isTooLarge(transfer_ns, *shard.compute_ns, exposedTransfer(shard, *own.member))
                               ? ShardCause::TooLarge
                               : causeOfGather(shards, shard, hooked, held);
}

void ShardJudge::judgeScatter(ShardFacts& shards, const std::vector<Last>& of_rank, std::size_t at) const {
    const Last& own = of_rank[at];
    ShardCollective& shard = shards.collectives[own.shard];
    const RankView& view = *views_[own.member->rank];
    shard.wait_cause = causeOfWait(view.held(*own.member).by);
    const Last* const behind = neighbour(shards, of_rank, at, +1);
    if (behind == nullptr) {
        shard.transfer_cause = ShardCause::LastUnit;
        return;
    }
    const TimeSpan& span = own.member->span;
    const DurationNs transfer_ns = *facts_.collectives.collectives[shard.collective].transfer_ns;
    shard.compute_ns = view.computeIn({span.start_ns, behind->member->span.start_ns});
    const auto set = exposed_[own.member->rank].find(shard.collective);
    if (isTooLarge(transfer_ns, *shard.compute_ns, exposedTransfer(shard, *own.member))) {
        shard.transfer_cause = ShardCause::TooLarge;
        return;
    }
    const bool open = set != exposed_[own.member->rank].end() && !set->second.empty();
    // A short copy may divide the exposed time: the longest piece is judged.
    const TimeNs from_ns =
        open ? std::ranges::max_element(set->second.spans(), {}, &TimeSpan::length)->start_ns : span.start_ns;
    const DeviceEvent* const next = view.computeFrom(from_ns);
    if (next == nullptr) {
        return;
    }
    if (next->launched_ns > from_ns) {
        shard.transfer_cause = ShardCause::HostLate;
        return;
    }
    // The computation waits for a gather at the same time as the scatter, or after it.
    const bool waits_for_late = std::ranges::any_of(of_rank, [&](const Last& part) {
        const ShardCollective& other = shards.collectives[part.shard];
        return other.operation == ShardOperation::Gather && other.transfer_cause == ShardCause::NoPrefetch &&
               part.member->span.start_ns < next->span.start_ns && part.member->span.end_ns > from_ns;
    });
    if (waits_for_late) {
        shard.transfer_cause = ShardCause::NoPrefetch;
    }
}

void ShardJudge::addConsumers(ShardFacts& shards) const {
    for (RankPosition r{0}; r < shards.ranks.size(); ++r) {
        for (ShardPart& part : shards.ranks[r].parts) {
            const ShardCollective& shard = shards.collectives[part.of];
            const CollectiveMember* const member = facts_.collectives.collectives[shard.collective].memberOf(r);
            if (shard.operation != ShardOperation::Gather || member == nullptr || !views_[r]) {
                continue;
            }
            if (const auto use = views_[r]->consumerOf(*member, nameOf(shards, shard))) {
                part.consumer = use->work;
                part.consumer_wait_ns = use->wait_ns;
            }
        }
    }
}

}  // namespace rankscope
