// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/chosen_steps.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The traces of all ranks of one job.
struct Run {
    std::string name;                                     ///< folder or file name, for people
    std::vector<std::shared_ptr<const RankTrace>> ranks;  ///< sorted by rank; without a rank, in order of the files
    /// Ranks of world_size, where that is known, that no file is of: the first few thousand of them, in order.
    std::vector<RankNumber> missing_ranks;
    std::uint64_t missing_count = 0;  ///< how many ranks are missing, also where missing_ranks does not list them all
    std::vector<Error> unreadable;    ///< files that could not be read, and why
    std::vector<Error> incomplete;    ///< files that could be read only in part: cut or damaged ones
    std::vector<std::string> notes;   ///< e.g. "The windows of the ranks differ by 3.1 ms."

    /// Which steps of digests were read in full, and what is known of the others, if all would take more memory than
    /// allowed; null if all that was asked for is read.
    std::shared_ptr<const ChosenSteps> chosen_steps;

    /// How many ranks of the job no file is of.
    [[nodiscard]] std::size_t missing() const {
        return std::max<std::size_t>(static_cast<std::size_t>(missing_count), missing_ranks.size());
    }
};

}  // namespace rankscope
