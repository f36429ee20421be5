// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/steps/step_or_gap.h"

namespace rankscope {

/// A message of a call of sends and receives: to one rank, or from one.
struct CallMessage {
    bool sends = false;
    std::int32_t peer = -1;  ///< as recorded
    bool in_group = false;   ///< `peer` is a place in the process group, not a rank of the job
    std::int64_t elements = -1;
    std::string_view dtype;  ///< empty if not recorded
};

/// One rank's call of a collective, before matching. Its texts belong to the rank's trace, which must outlive it.
struct CollectiveCall {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::string_view name;   ///< `Collective name`, else the operator's name, else the kernel's
    CollectiveArgs args;     ///< as recorded; all absent if nothing is recorded
    std::string_view dtype;  ///< from `args`, else from the kernel's name; empty if neither contains it
    /// The index of the stream that it ran on, among the rank's communication streams by number: distinguishes
    /// communicators if nothing else does. The stream numbers themselves differ from rank to rank.
    std::uint32_t stream = 0;
    /// The step that it was launched in, or the gap between steps; nothing if the steps have no numbers that ranks
    /// share.
    std::optional<NumberedStepOrGap> step_or_gap;
    std::uint32_t window = 0;  ///< the recorded window of the run (SharedWindows), if `step_or_gap` is in no step
    /// The messages of sends and receives, in their order; several if they were batched. Empty if the peers are not
    /// recorded.
    std::vector<CallMessage> messages;
    CollectiveMember part;  ///< complete except for `rank` and the waits
};

/// The collectives that one rank took part in, by start. Communication kernels launched by one operator are one call;
/// kernels without an operator are one call each. On the host, `gloo:*` ranges are calls. Sends and receives whose
/// operators launch nothing are parts of a batch: they belong to the next send/receive kernel that their thread
/// launches.
[[nodiscard]] std::vector<CollectiveCall> collectCalls(const RankContext& work);

}  // namespace rankscope
