// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// What the time of a stretch of a critical path went to: the parts of PathTimes.
enum class PathKind : std::uint8_t {
    Compute,   ///< the device computes
    Transfer,  ///< it transfers, and nothing computes
    Copy,      ///< it copies, and does nothing else
    Idle,      ///< it is blocked, by PathStretch::cause
    Unknown,   ///< it is idle before work whose launch is not in the trace; or between two steps
    Unsplit,   ///< it communicates, which cannot be divided, or waits for an unknown rank
};

/// A stretch of a critical path, with one thing that it went to.
struct PathStretch {
    RankPosition rank;  ///< the rank that the path is on
    TimeSpan span;      ///< on the clock of that rank's file
    PathKind kind = PathKind::Unknown;
    Cause cause = Cause::Unrecorded;  ///< of PathKind::Idle
    /// Whose work it is: the rank itself; another one in a wait that did not turn the path, where it is what that
    /// rank did meanwhile.
    RankPosition worker;
    std::string_view label = {};  ///< as GapPart::label, of the worker; of PathKind::Idle
    SliceRef slice = {};          ///< of the worker's trace: the one that says most; invalid if there is none
    [[nodiscard]] DurationNs length() const { return span.length(); }
};

/// Adds the length of a stretch to the part that it belongs to.
void addStretch(const PathStretch& stretch, PathTimes& times);

/// Appends what the rank at `position` did in `window`, which is inside its step `step`, in order of time: the
/// stretches follow one another and fill the window. Nothing for a rank without device work. Of work they name no
/// slices yet. O(log n) in the intervals of the rank, and what is in the window.
void cutIntoStretches(const ExplainedRank& rank, RankPosition position, const RankStep& step, const TimeSpan& window,
                      std::vector<PathStretch>& out);

/// Adds the lengths of what cutIntoStretches() would append, without a list of it.
void addStretches(const ExplainedRank& rank, const RankStep& step, const TimeSpan& window, PathTimes& times);

}  // namespace rankscope
