// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/critical_path.h"

namespace rankscope {

/// All stretches of a critical path of one kind; for PathKind::Idle of one cause.
struct PathPart {
    PathKind kind = PathKind::Unknown;
    Cause cause = Cause::Unrecorded;  ///< for PathKind::Idle
    DurationNs ns = 0;
    std::size_t longest = 0;  ///< the longest that names a slice, else the longest: an index in CriticalPath::stretches
};

/// The part of a critical path that is the work of one rank.
struct PathShare {
    RankPosition rank;
    DurationNs ns = 0;        ///< sum over the stretches with this PathStretch::worker
    std::uint32_t turns = 0;  ///< how often the path turned to this rank, because another one waited for it
    std::size_t longest = 0;  ///< as PathPart::longest
};

/// The sums of a path by kind and cause, the largest first. They add up to the length of its stretches.
[[nodiscard]] std::vector<PathPart> partsOfPath(const CriticalPath& path);
/// The sums by rank, the largest first, without ranks that are not on the path. They add up to the same.
[[nodiscard]] std::vector<PathShare> ranksOfPath(const CriticalPath& path);

}  // namespace rankscope
