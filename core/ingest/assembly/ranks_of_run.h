// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

// The last step of loading: how the traces of a run's files become its ranks.

/// How to open a trace that is not read as a part of a run: the end of a sentence. One in a file with others cannot be
/// opened by itself.
[[nodiscard]] std::string openItself(const RankTrace& trace);

/// Makes Run::ranks of the traces of a run's files, in their order: ranks by number, then those without one. Windows of
/// one rank, or of one process without a rank (provenSameProcess()), become one trace. If no trace has a number, they
/// are numbered by the order of the files; a single one stays without a rank. What does not continue a rank is in
/// Run::unreadable. With `some_steps` (only some steps were read) each file whose steps are only counted was counted by
/// itself, so only the first of a rank is used. The traces do not change, since others may already use them. Joining
/// costs in proportion to the windows; they are given back rank by rank, unless others use them.
void takeRanks(std::vector<std::shared_ptr<RankTrace>> traces, bool some_steps, Run& run);

}  // namespace rankscope
