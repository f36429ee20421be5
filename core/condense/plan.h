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
    std::string digest;  ///< the digest's file
    std::string label;   ///< path of the digest, relative to the output folder, for people
    /// Why this path gives no digest; empty if it does.
    std::string refused;
};

/// The digests to make in `folder` of the traces at `paths`, in an order that depends only on these. A trace NAME
/// becomes NAME.digest: directly in the folder if it was named itself; at its place below a named folder, if it is in
/// one; with several folders or archives, below a folder of their name. So the digests of a folder of runs are a folder
/// of runs. Paths that are not traces are tasks too, so that each of several processes that divide the tasks reports
/// its own. Digests below the folders are skipped: they may be from an earlier call. Fails if two traces would become
/// one file.
[[nodiscard]] Result<std::vector<DigestTask>> planDigests(const std::vector<std::string>& paths,
                                                          const std::string& folder);

}  // namespace rankscope
