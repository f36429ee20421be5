// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/remote/remote_options.h"
#include "core/remote/remote_path.h"

namespace rankscope {

/// The digests of a path on another machine, made there and copied here.
struct FetchedDigests {
    std::string path;          ///< path of the merged digest, in the cache folder
    std::uint64_t bytes = 0;   ///< its size
    std::uint64_t copied = 0;  ///< bytes that were transferred now: 0 if the cache was complete
    std::string remark;  ///< what the other machine's rankscope-cli reported about files that it could not read; may be
                         ///< empty
};

/// Makes the digests of the traces at `remote` with the rankscope-cli of that machine, merges them there, and copies
/// the one file here. `remote` may also be a digest, or a folder with digests. It uses the user's own ssh: three
/// connections, none of which stays open. The machine keeps the digests in its user's cache folder
/// (~/.cache/rankscope), and makes only what has changed.
///
/// If the machine has no rankscope-cli that makes digests, the static one is sent. It is removed when the digests are
/// made, or when the connection breaks. An interrupted copy resumes, in this call or in a later one; the result is
/// compared with the checksum from the other machine (cksum of POSIX).
///
/// Errors say what to do: see whySshFailed(); the path is missing or unreadable there; there is no tool and none to
/// copy; the tool could read nothing, with its own words. Cancelled if RemoteOptions::stop ended it.
[[nodiscard]] Result<FetchedDigests> fetchDigests(const RemotePath& remote, const RemoteOptions& options);

}  // namespace rankscope
