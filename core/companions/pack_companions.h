// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

/// How much content of companions is packed by default. Their text is a tenth of that when packed, or less.
inline constexpr std::uint64_t kMostPackedBytes = 1'000'000'000;

/// What was packed, and what was not.
struct PackedCompanions {
    std::size_t snapshots = 0;
    std::size_t logs = 0;
    std::size_t dumps = 0;
    std::uint64_t bytes = 0;      ///< size of the archive; 0: there are no companions, and it was not written
    std::vector<Error> left_out;  ///< files that do not fit, with their sizes, the largest first; and unreadable ones
};

/// Packs the companions at `path`, a folder, an archive or a companion itself, into the zip at `archive`: those that
/// takeCompanionsInside() finds, under their names below the folder. Together they have at most `most_bytes` of
/// content; the largest are left out. Opening the archive gives the same companions as the folder. Fails if the archive
/// cannot be written. Reads the first bytes of each file, and companions once; those in archives twice.
[[nodiscard]] Result<PackedCompanions> packCompanions(const std::string& path, const std::string& archive,
                                                      std::uint64_t most_bytes = kMostPackedBytes);

}  // namespace rankscope
