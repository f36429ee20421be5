// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/remote/child_process.h"
#include "core/remote/remote_options.h"
#include "core/remote/remote_path.h"

namespace rankscope {

/// Runs POSIX shell scripts on another machine, one connection each, over the user's ssh. It never asks: if ssh needs a
/// password, or a confirmation of a key, it fails (BatchMode).
class RemoteShell {
  public:
    RemoteShell(const RemotePath& remote, const RemoteOptions& options) : remote_(remote), options_(options) {}

    /// Where a script's streams go on this machine; as in ChildRequest.
    struct Streams {
        std::string input_file;
        std::string output_file;
        std::function<void(std::string_view)> on_error_line;
        std::function<void()> on_tick;
    };
    [[nodiscard]] ChildResult run(const std::string& script, const Streams& streams) const;

    /// The output of the script after the line `kBegin`, line by line: before it is what the user's shell prints at its
    /// start. An error if ssh failed, or if the script did not print that line.
    [[nodiscard]] Result<std::vector<std::string>> ask(const std::string& script) const;

    /// An error about this remote path.
    [[nodiscard]] Error error(std::string cause) const { return {remote_.text(), {}, std::move(cause)}; }

    static constexpr std::string_view kBegin = "rankscope-begins-here";
    /// The lines after `kBegin`; nothing if there is no such line.
    [[nodiscard]] static std::optional<std::vector<std::string>> linesBehindBegin(const std::string& printed);

  private:
    const RemotePath& remote_;
    const RemoteOptions& options_;
};

/// The path as a word of a script; "~/run" stays relative to the home folder.
[[nodiscard]] std::string pathWord(const RemotePath& remote);

}  // namespace rankscope
