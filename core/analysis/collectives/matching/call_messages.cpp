// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/matching/call_messages.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace rankscope {
namespace {

std::string_view stringOf(const RankTrace& trace, StringId id) {
    return id.valid() ? trace.strings.view(id) : std::string_view();
}

/// A launch on one thread, and the index of its call.
using LaunchOfCall = std::pair<TimeNs, std::size_t>;

std::vector<LaunchOfCall> launchesOn(TrackId thread, const std::vector<CollectiveCall>& calls) {
    std::vector<LaunchOfCall> launches;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].part.launch.valid() && calls[i].part.launch.track == thread) {
            launches.emplace_back(calls[i].part.call.start_ns, i);
        }
    }
    std::ranges::sort(launches);
    return launches;
}

/// Adds what a batch's operators record, if its kernel does not.
void addMessage(CollectiveCall& call, const CallMessage& message, SliceRef op, const CollectiveArgs& args) {
    if (call.messages.empty()) {
        call.kind = CollectiveKind::SendReceive;
        call.dtype = call.dtype.empty() ? message.dtype : call.dtype;
        call.part.op = call.part.op.valid() ? call.part.op : op;
        if (!call.args.group_name.valid()) {
            call.args.group_name = args.group_name;
            call.args.group_description = args.group_description;
            call.args.group_ranks = args.group_ranks;
            call.args.group_size = args.group_size;
            call.args.global_start = args.global_start;
            call.args.global_stride = args.global_stride;
        }
    }
    call.messages.push_back(message);
}

}  // namespace

std::optional<CallMessage> messageOf(const RankTrace& trace, const CollectiveArgs& args) {
    const std::string_view name = stringOf(trace, args.name);
    const bool sends = name == "send";
    if (!sends && name != "recv") {
        return std::nullopt;
    }
    CallMessage message;
    message.sends = sends;
    message.peer = sends ? args.peer_dst : args.peer_src;
    if (message.peer < 0) {
        message.peer = args.rank;
        message.in_group = true;
    }
    message.elements = args.in_elements >= 0 ? args.in_elements : args.out_elements;
    message.dtype = stringOf(trace, args.dtype);
    return message.peer >= 0 ? std::optional(message) : std::nullopt;
}

std::optional<CallMessage> messageOfRange(std::string_view name) {
    const bool sends = name.starts_with("nccl:send ");
    if (!sends && !name.starts_with("nccl:recv ")) {
        return std::nullopt;
    }
    const std::size_t arrow = name.find(sends ? "->" : "<-");
    if (arrow == std::string_view::npos) {
        return std::nullopt;
    }
    CallMessage message;
    message.sends = sends;
    message.in_group = true;
    const char* const end = name.data() + name.size();
    const auto [after, error] = std::from_chars(name.data() + arrow + 2, end, message.peer);
    return error == std::errc() && message.peer >= 0 ? std::optional(message) : std::nullopt;
}

void addBatchedMessages(const RankTrace& trace, std::vector<CollectiveCall>& calls) {
    std::vector<bool> tells(calls.size());  // whether its own args have the peer
    for (std::size_t i = 0; i < calls.size(); ++i) {
        tells[i] = !calls[i].messages.empty();
    }
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const Track& track = trace.tracks[t];
        if (track.kind != TrackKind::CpuThread || track.collectives.size() == 0) {
            continue;
        }
        const std::vector<LaunchOfCall> launches = launchesOn(TrackId(t), calls);
        for (std::size_t i = 0; i < track.collectives.size(); ++i) {
            const SliceIndex op = track.collectives.slice[i];
            const std::optional<CallMessage> message = messageOf(trace, track.collectives.value[i]);
            const auto next = std::ranges::lower_bound(launches, track.slices.start_ns[op], {},
                                                       [](const LaunchOfCall& l) { return l.first; });
            if (!message || next == launches.end() || next->first < track.slices.span(op).end_ns) {
                continue;  // it launched its own kernel, or the window ends before the batch does
            }
            CollectiveCall& call = calls[next->second];
            const bool serves = call.kind == CollectiveKind::SendReceive || call.kind == CollectiveKind::Unknown;
            if (serves && !tells[next->second]) {
                addMessage(call, *message, {TrackId(t), op}, track.collectives.value[i]);
            }
        }
    }
}

}  // namespace rankscope
