// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/device/partition.h"
#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// The input of the ledger of one rank.
struct LedgerSource {
    const RankContext& work;
    RankPosition rank;
    const Partitioner& partitioner;
    const ExposedCommunication& exposed;
    const CollectiveFacts& collectives;
};

/// The ledger entries of one step of one rank (design 4.8). With the step's compute, they add up to the step:
/// - one for each cause, label and code of its gaps,
/// - one for each rank that it waited for and what that rank did,
/// - one for each name and group of exposed transfers, and of communication that cannot be split,
/// - one for each name of exposed copies. Copies that DDP's reducer launches get the name of its range, as parts of
///   gaps do.
[[nodiscard]] StepLedger makeLedger(const LedgerSource& source, const RankStep& step, RankStepPosition step_position);

}  // namespace rankscope
