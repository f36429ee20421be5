// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// What the first bytes of a file show about one of its ranks.
struct RankClaims {
    std::optional<RankNumber> rank;  ///< from the file, else from its name or its folder's
    std::optional<std::int32_t> world_size;
    /// The start of its first slice on the file's clock; nothing if unknown.
    std::optional<TimeNs> start_ns = {};
    /// The base of its times comes later in the file. The profiler uses the same base for months.
    bool without_base = false;
};
/// The claims of the files of one folder, or of one folder in an archive: all ranks of all of them, in any order.
using FolderClaims = std::vector<RankClaims>;

/// Folders whose files may be of the same runs.
struct FoldersTogether {
    std::vector<std::size_t> folders;  ///< ascending indices into the argument
    std::string why;                   ///< "their ranks complete one another"; empty for a single folder
};

/// Which folders have to be read together, since a run may be spread over them. Two of them are, if some of their ranks
///
/// - have different numbers in the two folders, none in both, in a job of the same size if that is known,
/// - or have no number in either;
///
/// and begin within kRecordedTogether. For ranks without numbers that must be known; for others it must not be
/// excluded. Times with and without a base come from two versions of the profiler. The first bytes of files show only
/// this much. What is read together is then decided by whole windows, steps and groups: tellRunsApart(). Independent of
/// the order of folders and of claims. O(folders squared) at worst.
[[nodiscard]] std::vector<FoldersTogether> foldersTogether(const std::vector<FolderClaims>& folders);

/// The ranks of one run begin within this: clocks of hosts are kept to minutes, and a trace of an hour cannot be
/// opened.
inline constexpr DurationNs kRecordedTogether = DurationNs{3600} * 1'000'000'000;

}  // namespace rankscope
