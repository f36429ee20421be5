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

/// What a call of sends and receives sends to one rank, or receives from one.
struct CallMessage {
    bool sends = false;
    std::int32_t peer = -1;  ///< as recorded
    bool in_group = false;   ///< `peer` is a place in the process group, not a rank of the job
    std::int64_t elements = -1;
    std::string_view dtype;  ///< empty if not recorded
};

/// One rank's call of a collective, before it is matched. Texts are of the rank trace, which must outlive it.
struct CollectiveCall {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::string_view name;   ///< `Collective name`, else that of the operator, else the kernel's
    CollectiveArgs args;     ///< as recorded; all absent where nothing is
    std::string_view dtype;  ///< of `args`, else of the kernel's name; empty if neither has it
    /// Which of the rank's streams of communication it ran on, counted in the order of their numbers: tells
    /// communicators apart where nothing else does. The numbers themselves differ from rank to rank.
    std::uint32_t stream = 0;
    /// Where among the steps it was launched; nothing if the steps have no numbers that ranks share.
    std::optional<NumberedStepOrGap> step_or_gap;
    std::uint32_t window = 0;  ///< of the run (SharedWindows), where `step_or_gap` is in no step
    /// Of sends and receives, in their order; several where they were batched. Empty if the peers are not recorded.
    std::vector<CallMessage> messages;
    CollectiveMember part;  ///< but for `rank` and the waits
};

/// The collectives that one rank took part in, by start: kernels of communication that one operator launched are one
/// call, kernels without an operator a call each. On the host, `gloo:*` ranges are calls. Sends and receives whose
/// operators launch nothing are parts of a batch: they belong to the next kernel of sends and receives that their
/// thread launches.
[[nodiscard]] std::vector<CollectiveCall> collectCalls(const RankContext& work);

}  // namespace rankscope
