// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// One rank trace of the windows that were recorded one after the other on one rank (`schedule(repeat=...)`), in order
/// of time. The windows themselves stay as they are, since others may already be looking at them.
[[nodiscard]] std::shared_ptr<RankTrace> joinWindows(const std::vector<std::shared_ptr<RankTrace>>& windows);

}  // namespace rankscope
