// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

/// What merging has made.
struct MergedDigests {
    std::size_t sources = 0;  ///< traces whose digests are in the file
    std::size_t ranks = 0;
    std::uint64_t bytes = 0;     ///< of the file
    std::vector<Error> refused;  ///< parts that cannot be read; nothing of them is in the file
};

/// Merges digests, merged ones too, into one file at `to`, written under another name and renamed. The result is the
/// same for any order and any number of steps of merging. If several parts have the same trace it is taken once: from
/// the digest of the trace's last change. Ranks are in the order of their traces' paths. Memory is that of one rank.
/// Fails if no part can be read, or the file not be written (Error::path is `to` then).
[[nodiscard]] Result<MergedDigests> mergeDigests(const std::vector<std::string>& parts, const std::string& to);

}  // namespace rankscope
