// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// How other machines are reached, and where their files are cached.
struct RemoteOptions {
    std::vector<std::string> ssh = {"ssh"};  ///< the program, with the user's options
    std::string cache_folder;                ///< created if it does not exist
    std::string static_tool;  ///< a static rankscope-cli for machines that have none; empty: not available
    /// How often an interrupted copy resumes before it fails, and how often a tool is sent; at least 1.
    int tries = 3;
    bool digests = true;     ///< make and fetch digests of the traces
    bool companions = true;  ///< fetch logs, dumps and snapshots of the job
    /// Called with the current activity, in words for a progress line. May be empty.
    std::function<void(std::string_view)> on_progress;
    std::stop_token stop{};  ///< ends the open connection, and opens no other
};

/// The options from the user's environment: RANKSCOPE_SSH names the ssh program, with options after spaces (as
/// GIT_SSH_COMMAND); the cache is rankscope/remote in XDG_CACHE_HOME or ~/.cache; RANKSCOPE_STATIC_CLI names the static
/// program. Else that is this program itself, if it is static, or rankscope-cli-static next to it.
[[nodiscard]] RemoteOptions remoteOptionsForUser();

/// Whether the file at `path` is a program that needs no dynamic loader: ELF, and no PT_INTERP.
[[nodiscard]] bool isStaticProgram(const std::string& path);

}  // namespace rankscope
