// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace rankscope {

/// A step of a rank, as the rank tells it alone: `step` of docs/digest.md. The parts are 0 where it has no device work.
struct StepTableCell {
    DurationNs length_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs exposed_comm_ns = 0;
    DurationNs idle_ns = 0;
    bool known = false;  ///< the rank has this step
};

/// All steps of all ranks that digests stand for, from their tables alone: nothing of a slice is unpacked for it.
struct StepTable {
    std::vector<RankNumber> ranks;     ///< ascending
    std::vector<std::int64_t> steps;   ///< numbers, ascending
    std::vector<StepTableCell> cells;  ///< by rank, then step

    [[nodiscard]] const StepTableCell& at(std::size_t rank, std::size_t step) const {
        return cells[rank * steps.size() + step];
    }
};

/// Reads the tables of these digests into one. Ranks whose number no file says are left out; of a rank that is in
/// several the last counts. Fails where one of them is no digest of this version, where the table is no plain one, and
/// where it has more steps than a map has room for.
[[nodiscard]] Result<StepTable> readStepTable(const std::vector<std::string>& digests);

}  // namespace rankscope
