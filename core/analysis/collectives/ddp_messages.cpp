// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/ddp_messages.h"

#include <algorithm>
#include <optional>

namespace rankscope {
namespace {

bool isInForward(const RankTrace& rank, SliceRef launch) {
    const SliceTable& slices = rank.track(launch).slices;
    for (SliceIndex at = slices.parent[launch.slice]; at != kNoSlice; at = slices.parent[at]) {
        if (slices.name[at].valid() && rank.strings.view(slices.name[at]) == "DistributedDataParallel.forward") {
            return true;
        }
    }
    return false;
}

std::optional<DdpMessageKind> kindOf(const Run& run, const RunFacts& facts, const Collective& collective) {
    const auto launched = std::ranges::find_if(collective.members, [&](const CollectiveMember& member) {
        return member.launch.valid() && facts.ranks[member.rank].ddp.in_use;
    });
    if (launched == collective.members.end()) {
        return std::nullopt;
    }
    const RankTrace& rank = *run.ranks[launched->rank];
    // In a map of integers, DDP tells all ranks which parameters were used.
    if (collective.kind == CollectiveKind::AllReduce && collective.dtype != "Int" &&
        isSentByReducer(rank, facts.ranks[launched->rank], launched->launch)) {
        return DdpMessageKind::Bucket;
    }
    if (collective.kind == CollectiveKind::Broadcast && isInForward(rank, launched->launch)) {
        return DdpMessageKind::Buffers;
    }
    return std::nullopt;
}

}  // namespace

std::string_view ddpMessageKindName(DdpMessageKind kind) {
    return kind == DdpMessageKind::Bucket ? "bucket" : "broadcast_buffers";
}

std::vector<DdpMessage> ddpMessages(const Run& run, const RunFacts& facts) {
    std::vector<DdpMessage> messages;
    const std::vector<Collective>& collectives = facts.collectives.collectives;
    for (CollectivePosition c{0}; c < collectives.size(); ++c) {
        if (const auto kind = kindOf(run, facts, collectives[c])) {
            messages.push_back({*kind, c});
        }
    }
    return messages;
}

bool isSentByReducer(const RankTrace& rank, const RankFacts& facts, SliceRef launch) {
    const SliceTable& slices = rank.track(launch).slices;
    for (SliceIndex at = slices.parent[launch.slice]; at != kNoSlice; at = slices.parent[at]) {
        const std::string_view name = slices.name[at].valid() ? rank.strings.view(slices.name[at]) : "";
        if (name.find("Backward") != std::string_view::npos) {
            return false;
        }
        if (name.starts_with("autograd::engine::evaluate_function")) {
            return true;
        }
    }
    return launch.track != facts.main_thread;
}

}  // namespace rankscope
