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

/// What the first bytes of a file say of one rank in it.
struct RankClaims {
    std::optional<RankNumber> rank;  ///< in the file, else in its name or its folder's
    std::optional<std::int32_t> world_size;
    /// The start of its first slice on the file's clock; nothing if it is not known.
    std::optional<TimeNs> start_ns = {};
    /// The base of its times is farther behind. The profiler takes the same one for months.
    bool without_base = false;
};
/// What the files of one folder, or of one folder in an archive, say: all ranks of all of them, in any order.
using FolderClaims = std::vector<RankClaims>;

/// Folders whose files may be of the same runs.
struct FoldersTogether {
    std::vector<std::size_t> folders;  ///< ascending places in what was asked for
    std::string why;                   ///< "their ranks complete one another"; empty for a folder alone
};

/// Which folders have to be read together, since a run may be spread over them. Two of them are if some ranks of both
///
/// - have different numbers, and none that is in both, in a job of the same size where that is known,
/// - or have no number at all, in both;
///
/// and begin within kRecordedTogether: of ranks without numbers that has to be known, of others not to be excluded.
/// Times with and without a base are of two versions of the profiler. That much the first bytes of files show. What is
/// read together is then decided by whole windows, steps and groups: tellRunsApart(). Independent of the order of
/// folders and of claims. O(folders squared) at worst.
[[nodiscard]] std::vector<FoldersTogether> foldersTogether(const std::vector<FolderClaims>& folders);

/// No ranks of one run begin farther apart: clocks of hosts are kept to minutes, and a trace of an hour cannot be
/// opened.
inline constexpr DurationNs kRecordedTogether = DurationNs{3600} * 1'000'000'000;

}  // namespace rankscope
