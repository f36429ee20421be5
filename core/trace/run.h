// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The traces of all ranks of one job.
struct Run {
    std::string name;                                     ///< folder or file name, for people
    std::vector<std::shared_ptr<const RankTrace>> ranks;  ///< sorted by rank; without a rank, in order of the files
    std::vector<std::int32_t> missing_ranks;              ///< of world_size, where that is known
    std::vector<Error> unreadable;                        ///< files that could not be read, and why
    std::vector<std::string> notes;                       ///< e.g. "The windows of the ranks differ by 3.1 ms."
};

}  // namespace rankscope
