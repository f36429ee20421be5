// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// What the device does in a stretch of a critical path: the parts of PathTimes.
enum class PathKind : std::uint8_t {
    Compute,   ///< the device computes
    Transfer,  ///< it transfers, and nothing computes
    Copy,      ///< it copies, and does nothing else
    Idle,      ///< it is blocked, by PathStretch::cause
    Unknown,   ///< it is idle before work whose launch is not in the trace; or between two steps
    Unsplit,   ///< its communication cannot be divided, or waits for an unknown rank
};

/// A stretch of a critical path of one kind.
struct PathStretch {
    RankPosition rank;  ///< the rank that the path is on
    TimeSpan span;      ///< on that rank's file clock
    PathKind kind = PathKind::Unknown;
    Cause cause = Cause::Unrecorded;  ///< for PathKind::Idle
    /// The rank that does the work: the rank itself, or another one in a wait that did not turn the path, for what that
    /// rank did at the same time.
    RankPosition worker;
    std::string_view label = {};  ///< as GapPart::label, of the worker; of PathKind::Idle
    SliceRef slice = {};          ///< in the worker's trace: the most significant slice; invalid if there is none
    [[nodiscard]] DurationNs length() const { return span.length(); }
};

/// Adds the length of a stretch to its part of `times`.
void addStretch(const PathStretch& stretch, PathTimes& times);

/// Appends what the rank at `position` did in `window`, which is inside its step `step`, in order of time: the
/// stretches are adjacent and fill the window. Nothing for a rank without device work. Stretches of work have no slices
/// yet. O(log n in the intervals of the rank + what is in the window).
void cutIntoStretches(const ExplainedRank& rank, RankPosition position, const RankStep& step, const TimeSpan& window,
                      std::vector<PathStretch>& out);

/// Adds the lengths of the stretches that cutIntoStretches() would append, without building the list.
void addStretches(const ExplainedRank& rank, const RankStep& step, const TimeSpan& window, PathTimes& times);

}  // namespace rankscope
