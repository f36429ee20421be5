// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/shards/shards.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What the ranges around the launch of a gather or scatter say about it.
struct UnitNames {
    std::string_view unit;    ///< "layers.0"; empty if no range contains it. Valid as long as the trace.
    bool prefetched = false;  ///< it is launched ahead of its unit
    /// The framework whose range contains it: FSDP's would say that it is launched ahead; unknown if there is none.
    ShardFramework framework = ShardFramework::Unknown;
};

/// The unit in the name of an FSDP2 range: "layers.0" in "FSDP::all_gather (layers.0)", and in "FSDP::backward_prefetch
/// for layers.0"; nothing for other names, and for ranges of FSDP2 without a unit.
[[nodiscard]] std::optional<std::string_view> unitOfRange(std::string_view range);

/// What the ranges around a host slice say, the innermost first: FSDP2's have the unit and what is launched ahead,
/// FSDP1's only the latter; recorded modules ("nn.Module: Block_3") name the unit if no range does.
[[nodiscard]] UnitNames unitNamesAround(const RankTrace& rank, SliceRef at);

/// Whether DeepSpeed ran on the rank: by the names of its functions and autograd nodes.
[[nodiscard]] bool namesDeepSpeed(const RankTrace& rank);

/// Whether this is FSDP1's range in which the host waits until the memory of an earlier gather is free
/// (`limit_all_gathers`).
[[nodiscard]] bool isRateLimiter(std::string_view range);
/// The unit whose gathered parameters FSDP2 copies out in this range, which is their first use; nothing for other
/// ranges.
[[nodiscard]] std::optional<std::string_view> unitOfCopyOut(std::string_view range);

}  // namespace rankscope
