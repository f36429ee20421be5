// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

#include "core/analysis/device/name_rules.h"
#include "core/base/result.h"
#include "core/condense/plan.h"

namespace rankscope {

/// By what digests are made. One that was made by another version is made again.
struct DigestMaker {
    std::string tool;              ///< version of the program
    std::int64_t definitions = 0;  ///< version of what its numbers mean
    NameRules rules = NameRules::builtIn();
    unsigned threads = 1;  ///< that one digest may use
};

/// What became of a task.
struct MadeDigest {
    bool was_up_to_date = false;  ///< nothing was to be done
    std::size_t ranks = 0;
    std::uint64_t bytes = 0;       ///< of the digest
    std::uint64_t json_bytes = 0;  ///< of the trace, unpacked
};

/// Makes the digest of a task, unless it is there and of this trace: same size, and same time or same content. The file
/// is written under another name and renamed, so it is complete or not there; folders are made as needed. Reads the
/// trace once, and its bytes on disk once more. Memory is that of its ranks. Fails if the trace cannot be read, or the
/// digest not be written (Error::path is the digest then).
[[nodiscard]] Result<MadeDigest> makeDigest(const DigestTask& task, const DigestMaker& maker, std::stop_token stop);

}  // namespace rankscope
