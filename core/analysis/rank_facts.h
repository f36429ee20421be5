// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/analysis/facts.h"
#include "core/analysis/name_rules.h"
#include "core/analysis/rank_work.h"

namespace rankscope {

/// The facts of one rank with what they were made from.
struct AnalysedRank {
    RankWork work;
    RankFacts facts;
    std::vector<LedgerEntry> ledger;  ///< LedgerEntry::rank is left to the caller
};

/// All facts of one rank: classes, device time, steps, partitions, gaps with their causes, and its ledger. The steps
/// are explained on `threads` threads.
[[nodiscard]] AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules,
                                       std::size_t threads = 1);

}  // namespace rankscope
