// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collectives.h"

#include <algorithm>

namespace rankscope {

std::string_view collectiveKindName(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::AllReduce: return "all-reduce";
        case CollectiveKind::AllGather: return "all-gather";
        case CollectiveKind::ReduceScatter: return "reduce-scatter";
        case CollectiveKind::AllToAll: return "all-to-all";
        case CollectiveKind::Broadcast: return "broadcast";
        case CollectiveKind::Reduce: return "reduce";
        case CollectiveKind::Gather: return "gather";
        case CollectiveKind::Scatter: return "scatter";
        case CollectiveKind::SendReceive: return "send-receive";
        case CollectiveKind::Barrier: return "barrier";
        case CollectiveKind::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view groupOriginName(GroupOrigin origin) {
    switch (origin) {
        case GroupOrigin::Configuration: return "configuration";
        case GroupOrigin::StartAndStride: return "start-and-stride";
        case GroupOrigin::RankList: return "rank-list";
        case GroupOrigin::World: return "world";
        case GroupOrigin::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view matchMethodName(MatchMethod method) {
    switch (method) {
        case MatchMethod::CommsId: return "comms-id";
        case MatchMethod::Sequence: return "sequence";
        case MatchMethod::Order: return "order";
        case MatchMethod::Unmatched: return "unmatched";
    }
    return "unmatched";
}

const CollectiveMember* Collective::memberOf(RankPosition rank) const {
    const auto at = std::ranges::lower_bound(members, rank, {}, &CollectiveMember::rank);
    return at != members.end() && at->rank == rank ? &*at : nullptr;
}

const SlowGroup* CollectiveFacts::slowGroup(std::uint32_t group) const {
    const auto at = std::ranges::lower_bound(slow_groups, group, {}, &SlowGroup::group);
    return at != slow_groups.end() && at->group == group ? &*at : nullptr;
}

}  // namespace rankscope
