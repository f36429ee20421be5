// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/critical_path.h"

namespace rankscope {

/// What a critical path went to: all stretches of one kind, of PathKind::Idle those of one cause.
struct PathPart {
    PathKind kind = PathKind::Unknown;
    Cause cause = Cause::Unrecorded;  ///< of PathKind::Idle
    DurationNs ns = 0;
    std::size_t longest = 0;  ///< in CriticalPath::stretches: the longest that names a slice, else the longest
};

/// What of a critical path is the work of one rank.
struct PathShare {
    RankPosition rank;
    DurationNs ns = 0;        ///< of the stretches whose PathStretch::worker it is
    std::uint32_t turns = 0;  ///< how often the path turned to it, since another rank waited for it
    std::size_t longest = 0;  ///< as PathPart::longest
};

/// The sums of a path by what it went to, the largest first. They add up to the length of its stretches.
[[nodiscard]] std::vector<PathPart> partsOfPath(const CriticalPath& path);
/// The sums by rank, the largest first; without ranks that have nothing of it. They add up to the same.
[[nodiscard]] std::vector<PathShare> ranksOfPath(const CriticalPath& path);

}  // namespace rankscope
