// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace rankscope::cli {

/// The part of a list that one of several processes does: every `count`-th thing, beginning with the one at `index`.
struct Shard {
    std::size_t index = 0;  ///< below `count`
    std::size_t count = 1;
    [[nodiscard]] bool has(std::size_t place) const { return place % count == index; }
    friend bool operator==(const Shard&, const Shard&) = default;
};

/// The value of a variable of the environment; nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// Which part this process does. In this order:
///   `text`, "I/N" with I from 0 to N - 1, where it is not empty (--shard);
///   a task of a Slurm array: SLURM_ARRAY_TASK_ID, counted from SLURM_ARRAY_TASK_MIN in steps of
///     SLURM_ARRAY_TASK_STEP, of SLURM_ARRAY_TASK_COUNT; where srun starts several processes in it, SLURM_PROCID of
///     SLURM_NTASKS divides that again;
///   SLURM_PROCID of SLURM_NTASKS of a step of srun (SLURM_STEP_ID; a batch script has both too, and is alone);
///   OMPI_COMM_WORLD_RANK of OMPI_COMM_WORLD_SIZE;
///   JOB_COMPLETION_INDEX of an indexed job of Kubernetes, which does not show how many there are.
/// `count` (--shards), where it is given, is how many parts there are, whatever the environment says: then the id of an
/// array's task is its part as it is, also where that task runs again alone, as an array of one. Everything where
/// nothing says otherwise. Fails where a number is none, or is not below the count, or the count is not known.
[[nodiscard]] Result<Shard> shardOf(const std::string& text, std::optional<std::size_t> count,
                                    const Environment& environment);

/// What is said of a text that is typed for a part and is not "I/N".
[[nodiscard]] std::string whyNoPart(const std::string& text);

/// The environment of this process.
[[nodiscard]] Environment processEnvironment();

}  // namespace rankscope::cli
