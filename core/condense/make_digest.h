// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/analysis/device/name_rules.h"
#include "core/base/result.h"
#include "core/condense/plan.h"
#include "core/trace/run.h"

namespace rankscope {

/// The program that makes digests. A digest of another version is made again.
struct DigestMaker {
    std::string tool;              ///< version of the program
    std::int64_t definitions = 0;  ///< version of the definitions of its numbers
    NameRules rules = NameRules::builtIn();
    unsigned threads = 1;  ///< for one digest
};

/// The result of a task.
struct MadeDigest {
    bool was_up_to_date = false;  ///< there was nothing to do
    std::size_t ranks = 0;
    std::uint64_t bytes = 0;       ///< size of the digest
    std::uint64_t json_bytes = 0;  ///< size of the trace, unpacked
};

/// Makes the digest of a task, unless it exists and is of this trace: same size, and same time or same content. The
/// file is written under another name and renamed, so it is complete or absent; folders are made as needed. Reads the
/// trace once, and its bytes on disk once more. Needs memory for its ranks. Fails if the trace cannot be read, or if
/// the digest cannot be written (Error::path is then the digest).
[[nodiscard]] Result<MadeDigest> makeDigest(const DigestTask& task, const DigestMaker& maker, std::stop_token stop);

/// Writes a run that no file has as one digest with all its ranks. The file is complete or absent.
[[nodiscard]] std::optional<Error> writeDigest(const Run& run, const std::string& path, const DigestMaker& maker);

}  // namespace rankscope
