// SPDX-License-Identifier: GPL-3.0-or-later
// Process groups, and the args of what runs in them.
#include <algorithm>

#include "tests/tracegen/kineto_writer.h"

namespace rankscope::tracegen {
namespace {

std::string listOf(const std::vector<int>& ranks, std::size_t most) {
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(most, ranks.size()); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    }
    return text + (ranks.size() > most ? ", ...]" : "]");
}

std::string_view nameOf(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::AllReduce: return "allreduce";
        case CollectiveKind::Broadcast: return "broadcast";
        case CollectiveKind::AllGather: return "_allgather_base";
        case CollectiveKind::ReduceScatter: return "_reduce_scatter_base";
        case CollectiveKind::AllToAll: return "all_to_allv";
        case CollectiveKind::Send: return "send";
        case CollectiveKind::Receive: break;
    }
    return "recv";
}

std::string_view nameOf(ElementType type) {
    return type == ElementType::Float ? "Float" : type == ElementType::Int ? "Int" : "BFloat16";
}

// From one member to the next, where that is always the same.
std::int64_t strideOf(const std::vector<int>& ranks) {
    const int stride = ranks.size() > 1 ? ranks[1] - ranks[0] : 1;
    for (std::size_t i = 1; i < ranks.size(); ++i) {
        if (ranks[i] - ranks[i - 1] != stride) {
            return -1;
        }
    }
    return stride;
}

}  // namespace

void KinetoWriter::writeDistributedInfo() {
    text_ += "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + std::to_string(rank_) +
             ", \"world_size\": " + std::to_string(config_.ranks);
    if (modern()) {
        std::string groups;
        std::size_t count = 0;
        const auto add = [&](const ProcessGroup& group) {
            groups += count++ == 0 ? "" : ", ";
            groups += "{\"pg_name\": \"" + group.name + "\", \"pg_desc\": \"" + group.description +
                      "\", \"backend_config\": \"cuda:nccl\", \"pg_size\": " + std::to_string(group.ranks.size()) +
                      ", \"ranks\": " + listOf(group.ranks, group.ranks.size()) + "}";
        };
        if (config_.groups.empty()) {
            add(all_ranks_);
        }
        for (const ProcessGroup& group : config_.groups) {
            if (std::ranges::binary_search(group.ranks, rank_)) {
                add(group);
            }
        }
        text_ += ", \"pg_count\": " + std::to_string(count) + ", \"pg_config\": [" + groups +
                 "], \"nccl_version\": \"2.22.3\"";
    }
    text_ += "},\n";
}

void KinetoWriter::collectiveArgs(const Event& event) {
    const CollectiveCall& call = event.collective;
    arg("Collective name", nameOf(call.kind));
    arg("In msg nelems", call.elements);
    arg("Out msg nelems", call.out());
    const ProcessGroup& group = config_.groups.empty() ? all_ranks_ : config_.groups.at(call.group);
    arg("Group size", static_cast<std::int64_t>(group.ranks.size()));
    arg("dtype", nameOf(call.type));
    arg("In split size", call.split_in.valid() ? names_.view(call.split_in) : "[]");
    arg("Out split size", call.split_out.valid() ? names_.view(call.split_out) : "[]");
    groupArgs(event, group);
}

void KinetoWriter::groupArgs(const Event& event, const ProcessGroup& group) {
    const CollectiveCall& call = event.collective;
    // Kineto cuts the list after 30 ranks.
    constexpr std::size_t kRanksShown = 30;
    arg("Process Group Name", group.name);
    arg("Process Group Description", group.description);
    arg("Process Group Ranks", listOf(group.ranks, kRanksShown));
    if (event.kind == EventKind::Operator) {
        // Of a message c10d tells the other one's number.
        arg("Rank", std::int64_t{group.placeOf(call.isMessage() ? call.peer : rank_)});
        arg("Global rank start", std::int64_t{group.ranks.front()});
        arg("Global rank stride", strideOf(group.ranks));
    }
    if (call.isMessage()) {
        arg(call.kind == CollectiveKind::Send ? "Dst Rank" : "Src Rank", std::int64_t{call.peer});
    }
    const auto sequence = static_cast<std::int64_t>(call.sequence);
    arg("Seq", sequence);
    // A hash of the group, the number and whether it is a message: the same on all members of a collective.
    constexpr std::int64_t kCommunicator = 0x5bd1e995;
    constexpr std::int64_t kGroupsApart = 1'000'003;
    constexpr std::int64_t kMessages = 500'000'000;
    const std::int64_t of_group = kGroupsApart * kGroupsApart * call.group + (call.isMessage() ? kMessages : 0);
    arg("Comms Id", kCommunicator * 1'000 + of_group + sequence);
}

}  // namespace rankscope::tracegen
