// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace rankscope::cli {

/// The part of a list for one of several processes: every `count`-th item, from the one at `index`.
struct Shard {
    std::size_t index = 0;  ///< below `count`
    std::size_t count = 1;
    [[nodiscard]] bool has(std::size_t place) const { return place % count == index; }
    friend bool operator==(const Shard&, const Shard&) = default;
};

/// The value of an environment variable; nothing if it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The part of this process. The first of these that is set decides:
///   `text`, "I/N" with I from 0 to N - 1 (--shard);
///   a task of a Slurm array: SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT, counted from SLURM_ARRAY_TASK_MIN in steps
///     of SLURM_ARRAY_TASK_STEP; if srun starts several processes in it, SLURM_PROCID of SLURM_NTASKS divides it again;
///   SLURM_PROCID of SLURM_NTASKS of a step of srun (SLURM_STEP_ID; a batch script has both too, but is no step);
///   OMPI_COMM_WORLD_RANK of OMPI_COMM_WORLD_SIZE;
///   JOB_COMPLETION_INDEX of an indexed job of Kubernetes, which does not show the number of parts.
/// `count` (--shards) overrides the number of parts in the environment. The id of an array's task is then its index,
/// even if the task runs again alone, as an array of one. If nothing is set: everything. Fails if a value is not a
/// number, or not below the count, or if the count is unknown.
[[nodiscard]] Result<Shard> shardOf(const std::string& text, std::optional<std::size_t> count,
                                    const Environment& environment);

/// The error for a text that is not "I/N".
[[nodiscard]] std::string whyNoPart(const std::string& text);

/// The environment of this process.
[[nodiscard]] Environment processEnvironment();

}  // namespace rankscope::cli
