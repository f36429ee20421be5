// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Bytes of a copy on a stream. CUDA's traces have them on the copy, ROCm's on the call that launched it. Nothing if
/// neither has them. O(log launches).
[[nodiscard]] std::optional<std::int64_t> copiedBytes(const RankTrace& rank, SliceRef copy);

}  // namespace rankscope
