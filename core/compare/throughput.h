// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/analysed_run.h"

namespace rankscope {

/// Tokens a second of iterations of one kind, in both runs; nothing in a run whose ranges do not count them.
struct ThroughputPair {
    std::optional<IterationKind> kind;
    std::optional<double> a;
    std::optional<double> b;
};

/// The kinds of iterations that both runs have, those of which either knows its tokens. Empty for runs that do not
/// serve: what a training step has of tokens no trace tells.
[[nodiscard]] std::vector<ThroughputPair> compareThroughput(const RunFacts& a, const RunFacts& b);

}  // namespace rankscope
