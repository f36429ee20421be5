// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/analysis/device/name_rules.h"
#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// What one rank tells by itself, with what it was made from.
struct AnalysedRank {
    RankContext work;
    MeasuredRank facts;
};

/// The facts that one rank tells alone: classes, device time, steps, partitions, gaps with their causes. The steps are
/// explained on `threads` threads.
[[nodiscard]] AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules,
                                       std::size_t threads = 1);

}  // namespace rankscope
