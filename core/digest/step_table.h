// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace rankscope {

/// A step of a rank, from that rank alone: `step` of docs/digest.md. The parts are 0 if it has no device work.
struct StepTableCell {
    DurationNs length_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs exposed_comm_ns = 0;
    DurationNs idle_ns = 0;
    bool known = false;     ///< the rank has this step
    bool complete = false;  ///< and the step is complete in its trace
    DurationNs exposed_copy_ns = 0;
    /// The part of the step without waiting for communication: the rank's own work and blocked time.
    [[nodiscard]] DurationNs own() const { return length_ns - exposed_comm_ns; }
};

/// All steps of all ranks in digests, from their tables alone, without unpacking slices.
struct StepTable {
    std::vector<RankNumber> ranks;     ///< ascending
    std::vector<std::int64_t> steps;   ///< numbers, ascending
    std::vector<StepTableCell> cells;  ///< by rank, then step

    /// Both are positions, below the number of ranks and of steps.
    [[nodiscard]] const StepTableCell& at(std::size_t rank, std::size_t step) const {
        return cells[rank * steps.size() + step];
    }
};

/// Reads the tables of these digests into one. Ranks without a number are left out; if several digests have a rank, the
/// last one counts. Fails if one of them is not a digest of this version, if its table is not a plain table, or if it
/// has more steps than a map has room for.
[[nodiscard]] Result<StepTable> readStepTable(const std::vector<std::string>& digests);

/// A rank's trace as listed in a digest: `rank` of docs/digest.md.
struct DigestedRank {
    std::optional<RankNumber> rank;  ///< nothing if no file has it
    std::uint64_t slices = 0;
    std::optional<std::int32_t> world_size = {};
    TimeNs start_ns = 0;  ///< start of its window, on the file's clock
};
/// The ranks of these digests, in their order. Fails if one of them is not a digest of this version.
[[nodiscard]] Result<std::vector<DigestedRank>> readDigestedRanks(const std::vector<std::string>& digests);

/// The main cause for which the device of `rank` is idle in the step of that number, from this rank alone: a name of
/// `step_cause`. Empty if no table has it. Reads the whole table.
[[nodiscard]] std::string mostIdleCause(const std::vector<std::string>& digests, RankNumber rank, std::int64_t step);

}  // namespace rankscope
