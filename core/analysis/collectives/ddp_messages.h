// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"
#include "core/trace/run.h"

namespace rankscope {

/// What DistributedDataParallel sends.
enum class DdpMessageKind : std::uint8_t {
    Bucket,   ///< an all-reduce of gradients, from the backward
    Buffers,  ///< a broadcast of the module's buffers, from DDP's forward: broadcast_buffers=True
};
[[nodiscard]] std::string_view ddpMessageKindName(DdpMessageKind kind);  ///< as in the JSON: "bucket"

/// A collective that DDP sent. Its members show when each rank was ready for it, and when each sent it.
struct DdpMessage {
    DdpMessageKind kind = DdpMessageKind::Bucket;
    CollectivePosition collective;
};

/// All messages, in the order of the collectives; none if DDP is not in use or no launches were recorded.
[[nodiscard]] std::vector<DdpMessage> ddpMessages(const Run& run, const RunFacts& facts);

/// Whether DDP's reducer launched it: from autograd, in no node except one that accumulates a gradient, or else from a
/// thread that does not mark the steps. SyncBatchNorm's own all-reduces are in other nodes.
[[nodiscard]] bool isSentByReducer(const RankTrace& rank, const RankFacts& facts, SliceRef launch);

}  // namespace rankscope
