// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Fits latency and bandwidth to the transfer times of each kind of collective in each group (Hockney's model: time =
/// latency + bytes / bandwidth). Each size counts once, by the median of its transfers, and by the relative error, so
/// that small messages, which tell the latency, weigh as much as large ones. Slow collectives are left out. Where the
/// largest size is not at least twice the smallest, or larger messages do not take longer, there is no fit.
[[nodiscard]] std::vector<TransferFit> fitTransfers(const std::vector<Collective>& collectives);

}  // namespace rankscope
