// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/remote/remote_options.h"
#include "core/remote/remote_path.h"

namespace rankscope {

/// The digests of a path on another machine, made there and copied here.
struct FetchedDigests {
    std::string path;          ///< path of the merged digest, in the cache folder; empty: there are no traces
    std::string companions;    ///< path of a zip with logs, dumps and snapshots, in the cache folder; empty: none
    std::uint64_t bytes = 0;   ///< the size of both
    std::uint64_t copied = 0;  ///< bytes that were transferred now: 0 if the cache was complete
    /// What the other machine's rankscope-cli reported about files that it could not read, or did not pack.
    std::vector<std::string> remarks;
};

/// Makes the digests of the traces at `remote` with the rankscope-cli of that machine, merges them there, and copies
/// the one file here. `remote` may also be a digest, or a folder with digests. It uses the user's own ssh: three
/// connections, or four with companions, none of which stays open. The machine keeps the digests in its user's cache
/// folder (~/.cache/rankscope), and makes only what has changed.
///
/// That rankscope-cli also packs companions at `remote` into a zip (core/companions/pack_companions.h), up to its
/// limit. Next to a digest X.digest, X.companions.zip is taken. If it is too old to pack them, a remark says so.
///
/// If the machine has no rankscope-cli that makes digests, the static one is sent. It is removed when the digests are
/// made, or when the connection breaks. An interrupted copy resumes, in this call or in a later one; the result is
/// compared with the checksum from the other machine (cksum of POSIX).
///
/// Errors say what to do: see whySshFailed(); the path is missing or unreadable there; there is no tool and none to
/// copy; the tool could read nothing, with its own words. Cancelled if RemoteOptions::stop ended it.
[[nodiscard]] Result<FetchedDigests> fetchDigests(const RemotePath& remote, const RemoteOptions& options);

/// Paths of this machine, and what is to be said about those of others.
struct FetchedPaths {
    std::vector<std::string> paths;  ///< each ssh://host/path is replaced by files in the cache, or left out
    std::vector<Error> failed;       ///< those that could not be fetched; after a stop, all that were not
    std::vector<Error> remarks;      ///< what is missing of those that were
};

/// Fetches the paths of other machines: the digests, then the companions of each.
[[nodiscard]] FetchedPaths fetchPaths(const std::vector<std::string>& paths, const RemoteOptions& options);

}  // namespace rankscope
