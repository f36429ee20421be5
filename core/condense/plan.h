// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/load.h"

namespace rankscope {

/// A digest to make.
struct DigestTask {
    FileSource source;   ///< by its absolute path
    std::string digest;  ///< the file that it goes into
    std::string label;   ///< of the digest, below the folder of all: what people read
    /// Why nothing can be made of this path; empty if something can.
    std::string refused;
};

/// The digests to make in `folder` of the traces at `paths`, in an order that depends on these alone. A trace NAME
/// becomes NAME.digest: if it was named itself, directly in the folder; if it is below a named folder, at its place
/// below that; of several folders or archives, below one of their name. So the digests of a folder of runs are a folder
/// of runs. Paths that are no traces are tasks too, so that each of several processes that divide the tasks reports its
/// own. Digests below the folders are skipped: they may be those that were made before. Fails if two traces would
/// become one file.
[[nodiscard]] Result<std::vector<DigestTask>> planDigests(const std::vector<std::string>& paths,
                                                          const std::string& folder);

}  // namespace rankscope
