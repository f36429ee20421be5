// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

/// The result of merging.
struct MergedDigests {
    std::size_t sources = 0;  ///< traces whose digests are in the file
    std::size_t ranks = 0;
    std::uint64_t bytes = 0;     ///< size of the file
    std::vector<Error> refused;  ///< parts that cannot be read; the file contains nothing of them
};

/// Merges digests, also merged ones, into one file at `to`, written under another name and renamed. The result does not
/// depend on the order or the number of merging steps. If several parts have the same trace, the digest of its last
/// change is used. Ranks are in the order of their traces' paths. Needs memory for one rank. Fails if no part can be
/// read, or if the file cannot be written (Error::path is then `to`).
[[nodiscard]] Result<MergedDigests> mergeDigests(const std::vector<std::string>& parts, const std::string& to);

}  // namespace rankscope
