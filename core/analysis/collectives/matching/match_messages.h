// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collective_calls.h"
#include "core/analysis/collectives/collectives.h"
#include "core/trace/run.h"

namespace rankscope {

/// A call of sends and receives whose peers are recorded, with where it was made.
struct MessageCall {
    RankPosition rank;
    std::uint32_t group = 0;
    const CollectiveGroup* members = nullptr;  ///< the members of that group
    const CollectiveCall* call = nullptr;
};

/// Why a message that a call sends or receives has no partner.
enum class LonelyMessage : std::uint8_t {
    None,         ///< every part has one
    PeerNotHere,  ///< the trace of the other rank is not among these
    NoPartner,    ///< the other rank is here, but has no call that fits
    Tangled,      ///< the partner would meet two calls of one rank, so no single collective can contain them
};

/// Calls that exchange messages, directly or through others: one call per rank.
struct Exchange {
    std::vector<std::size_t> calls;           ///< indices of the given calls, by rank
    std::vector<CollectiveMessage> messages;  ///< with indices in `calls`
    LonelyMessage lonely = LonelyMessage::None;
};

/// Pairs the sends of each rank with the receives of the other: within one process group, sender and receiver, in their
/// order, step by step if steps are numbered. NCCL does the same, since it has no tags. `Seq` and `Comms Id` do not
/// help: each rank counts its own sends and receives. If a step has more sends than receives or the reverse, because
/// windows differ, the shift that alignCalls() finds is used. Kernels with several messages join their calls.
///
/// `calls` are sorted by rank, and in their order within a rank. O(n log n) in the messages.
[[nodiscard]] std::vector<Exchange> matchMessages(const Run& run, const std::vector<MessageCall>& calls);

}  // namespace rankscope
