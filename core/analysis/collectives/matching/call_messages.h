// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collective_calls.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The message that these args describe: "send" with a `Dst Rank`, "recv" with a `Src Rank`. In files older than these
/// args, `Rank` has the peer's place in the group. Nothing for other calls, or if the peer is missing.
[[nodiscard]] std::optional<CallMessage> messageOf(const RankTrace& trace, const CollectiveArgs& args);

/// The same from the name of c10d's range: "nccl:send 0->1", "nccl:recv 1<-0", with places in the group.
[[nodiscard]] std::optional<CallMessage> messageOfRange(std::string_view name);

/// Adds the messages of batches to their calls. c10d batches sends and receives: each operator of the batch only
/// describes its message, and one kernel for all is launched after the last operator, outside of all of them.
void addBatchedMessages(const RankTrace& trace, std::vector<CollectiveCall>& calls);

}  // namespace rankscope
