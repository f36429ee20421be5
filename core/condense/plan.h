// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/load.h"

namespace rankscope {

/// A digest that is to be made.
struct DigestTask {
    FileSource source;   ///< by its absolute path
    std::string digest;  ///< the file that it goes into
    std::string label;   ///< of the digest, below the folder of all: what people read
    /// Why nothing can be made of this path; empty where something can.
    std::string refused;
};

/// What is to be made of the traces at `paths` in `folder`, in an order that depends on these alone. A trace NAME
/// becomes NAME.digest: one that was named itself, right in the folder; one below a folder that was named, where it
/// stands below that; of several folders or archives, below one of their name. So the digests of a folder of runs are a
/// folder of runs. Paths that are no traces are tasks too, so that each of several processes that divide the tasks
/// complains of its own. Digests below the folders are passed over: they may be those that were made before. Fails
/// where two traces would become one file.
[[nodiscard]] Result<std::vector<DigestTask>> planDigests(const std::vector<std::string>& paths,
                                                          const std::string& folder);

}  // namespace rankscope
