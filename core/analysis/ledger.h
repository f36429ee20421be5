// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/device_work.h"
#include "core/analysis/facts.h"
#include "core/analysis/partition.h"

namespace rankscope {

/// Appends the ledger entries of one step of one rank (design 4.8): one for each cause and label, one for exposed
/// communication, one for each kind of exposed copy. Together with the step's compute they add up to the step.
void appendLedger(const RankTrace& rank, const DeviceWork& work, const Partitioner& partitioner, const RankStep& step,
                  std::uint32_t step_index, std::vector<LedgerEntry>& ledger);

}  // namespace rankscope
