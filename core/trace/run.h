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
    std::vector<std::shared_ptr<const RankTrace>> ranks;  ///< sorted by rank; ranks without a number in the order of
                                                          ///< the files
    /// Ranks of world_size, if that is known, without a file: the first few thousand of them, in order.
    std::vector<RankNumber> missing_ranks;
    std::uint64_t missing_count = 0;  ///< the number of missing ranks, also if missing_ranks does not list them all
    std::vector<Error> unreadable;    ///< files that could not be read, and why
    std::vector<Error> incomplete;    ///< files that could be read only in part: cut or damaged ones
    std::vector<std::string> notes;   ///< e.g. "The windows of the ranks differ by 3.1 ms."

    /// Which steps of digests were read in full, and what is known of the others, if all would take more memory than
    /// allowed; null if everything requested is read.
    std::shared_ptr<const ChosenSteps> chosen_steps;

    /// The number of ranks of the job without a file.
    [[nodiscard]] std::size_t missing() const {
        return std::max<std::size_t>(static_cast<std::size_t>(missing_count), missing_ranks.size());
    }
};

}  // namespace rankscope
