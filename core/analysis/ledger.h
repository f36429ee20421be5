// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/partition.h"
#include "core/analysis/rank_work.h"

namespace rankscope {

/// Appends the ledger entries of one step of one rank (design 4.8): one for each cause, label and code, one for exposed
/// communication, one for each kind of exposed copy. Together with the step's compute they add up to the step. A copy
/// goes by its own name, but those that DDP's reducer launches by the name of its range, as gap parts do.
void appendLedger(const RankWork& work, const Partitioner& partitioner, const RankStep& step, std::uint32_t step_index,
                  std::vector<LedgerEntry>& ledger);

}  // namespace rankscope
