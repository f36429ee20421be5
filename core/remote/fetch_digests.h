// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/remote/remote_options.h"
#include "core/remote/remote_path.h"

namespace rankscope {

/// The digests of a path of another machine, made there and copied here.
struct FetchedDigests {
    std::string path;          ///< of the merged digest, in the cache folder
    std::uint64_t bytes = 0;   ///< its size
    std::uint64_t copied = 0;  ///< bytes that came over the connection now: 0 where the cache had it all
    std::string remark;  ///< what the other machine's rankscope-cli said of files that it could not read; or empty
};

/// Makes the digests of the traces at `remote`, which may be a digest or a folder with digests already, by the
/// rankscope-cli of that machine, merges them there, and copies the one file here, all over the user's own ssh: three
/// connections, of which none stays open. What a machine has made before it keeps in its user's cache folder
/// (~/.cache/rankscope), and makes only what has changed.
///
/// A machine without a rankscope-cli that makes digests is sent the static one, which is removed from there when the
/// digests are made, or the connection breaks. A copy that was cut off goes on where it stood, in this call or in a
/// later one; the whole is held against the checksum that the other machine tells (cksum of POSIX).
///
/// Errors say what to do: see whySshFailed(); the path is missing or unreadable there; there is no tool and none to
/// copy; the tool found nothing that it could read, with its own words. Cancelled where RemoteOptions::stop ended it.
[[nodiscard]] Result<FetchedDigests> fetchDigests(const RemotePath& remote, const RemoteOptions& options);

}  // namespace rankscope
