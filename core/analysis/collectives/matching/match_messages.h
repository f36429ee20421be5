// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collective_calls.h"
#include "core/analysis/collectives/collectives.h"
#include "core/trace/run.h"

namespace rankscope {

/// A call of sends and receives whose peers are recorded, with its place.
struct MessageCall {
    RankPosition rank;
    std::uint32_t group = 0;
    const CollectiveGroup* members = nullptr;  ///< of that group
    const CollectiveCall* call = nullptr;
};

/// Why some of what a call sends or receives has no partner.
enum class LonelyMessage : std::uint8_t {
    None,         ///< all has one
    PeerNotHere,  ///< the trace of the other rank is not among these
    NoPartner,    ///< the other rank is here, and has no call that fits
    Tangled,      ///< the partner meets two calls of one rank, so that no one collective holds them
};

/// Calls that exchange messages with one another, directly or not: one of a rank.
struct Exchange {
    std::vector<std::size_t> calls;           ///< indices of those given, by rank
    std::vector<CollectiveMessage> messages;  ///< with indices in `calls`
    LonelyMessage lonely = LonelyMessage::None;
};

/// Pairs the sends of each rank with the receives of the other: of one process group, sender and receiver, in their
/// order, step by step where steps are numbered. That is how NCCL does it, which knows no tags. `Seq` and `Comms Id` do
/// not help: each rank counts its own sends and receives. Where a step has more of one than of the other, because
/// windows differ, the shift counts that alignCalls() finds. Kernels that serve several messages bring their calls
/// together.
///
/// `calls` are by rank, and of a rank in their order. O(n log n) in the messages.
[[nodiscard]] std::vector<Exchange> matchMessages(const Run& run, const std::vector<MessageCall>& calls);

}  // namespace rankscope
