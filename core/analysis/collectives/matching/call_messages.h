// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collective_calls.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The message that args are of: "send" with a `Dst Rank`, "recv" with a `Src Rank`. Before these were written, `Rank`
/// held the peer's place in the group. Nothing if they are of no such call, or the peer is missing.
[[nodiscard]] std::optional<CallMessage> messageOf(const RankTrace& trace, const CollectiveArgs& args);

/// The same by the name of c10d's range: "nccl:send 0->1", "nccl:recv 1<-0", places in the group.
[[nodiscard]] std::optional<CallMessage> messageOfRange(std::string_view name);

/// Adds to the calls of batches what their operators send and receive. c10d groups them: each operator of the batch
/// only says what it wants, and the kernel that does it all is launched after the last of them, outside of these.
void addBatchedMessages(const RankTrace& trace, std::vector<CollectiveCall>& calls);

}  // namespace rankscope
