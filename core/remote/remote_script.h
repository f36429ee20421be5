// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/remote/remote_path.h"

namespace rankscope {

/// The output of POSIX cksum(1) for a file: "CRC BYTES".
struct Checksum {
    std::string text;
    std::uint64_t bytes = 0;
};
/// The last line of cksum's output; nothing if it is none.
[[nodiscard]] std::optional<Checksum> checksumOf(std::string_view printed);
/// That of a file of this machine; nothing if it cannot be read.
[[nodiscard]] std::optional<Checksum> checksumOfFile(const std::string& path);

/// Whether the path is a digest already: there is nothing to make.
[[nodiscard]] bool isDigestPath(const RemotePath& remote);

/// What is to be made there.
struct Wanted {
    std::optional<Checksum> tool;  ///< a program is sent on the script's standard input; nothing: it has one
    bool digests = true;
    bool companions = true;  ///< logs, dumps and snapshots, packed
};

/// The script that makes the one file of all digests, and the archive of companions, in the user's cache folder there.
/// It prints what madeIn() reads, or only kCutOff if the tool did not arrive whole, or kNotRun if it does not run.
[[nodiscard]] std::string makeScript(const RemotePath& remote, const Wanted& wanted);
inline constexpr std::string_view kCutOff = "cut-off";
inline constexpr std::string_view kNotRun = "not-run";

/// A file that was made there.
struct RemoteFile {
    std::string path;  ///< there
    Checksum sum;
};

/// What was made there.
struct Made {
    std::string key;  ///< the remote path, for names of files
    std::optional<RemoteFile> digest;
    std::optional<RemoteFile> companions;
    std::vector<std::string> remarks;  ///< what could not be read or packed, and why
};

/// Reads the lines that the script printed, and its error output. Nothing if it made neither file.
[[nodiscard]] std::optional<Made> madeIn(const RemotePath& remote, const std::vector<std::string>& lines,
                                         std::string_view errors);

}  // namespace rankscope
