// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/shards/shards.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What the ranges around the launch of a gather or scatter say of it.
struct UnitNames {
    std::string_view unit;    ///< "layers.0"; empty if none says it. It lives as long as the trace.
    bool prefetched = false;  ///< it is launched ahead of its unit
    /// Whose range it is in: FSDP's, which would say that it is launched ahead; unknown where in none.
    ShardFramework framework = ShardFramework::Unknown;
};

/// The unit that a range of FSDP2 names: "layers.0" of "FSDP::all_gather (layers.0)", and of
/// "FSDP::backward_prefetch for layers.0"; nothing for other names, and for ranges of FSDP2 that name no unit.
[[nodiscard]] std::optional<std::string_view> unitOfRange(std::string_view range);

/// What the ranges around a host slice say, the innermost first: FSDP2's name the unit and what is launched ahead,
/// FSDP1's only the latter; recorded modules ("nn.Module: Block_3") name it where no range does.
[[nodiscard]] UnitNames unitNamesAround(const RankTrace& rank, SliceRef at);

/// Whether DeepSpeed ran on the rank: by the names of its functions and of its nodes of autograd.
[[nodiscard]] bool namesDeepSpeed(const RankTrace& rank);

/// Whether it is FSDP1's range around the host's wait until the memory of an earlier gather is free again
/// (`limit_all_gathers`).
[[nodiscard]] bool isRateLimiter(std::string_view range);
/// The unit whose gathered parameters FSDP2 copies out in this range, which is their first use; nothing for others.
[[nodiscard]] std::optional<std::string_view> unitOfCopyOut(std::string_view range);

}  // namespace rankscope
