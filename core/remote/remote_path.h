// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace rankscope {

/// A file or folder of another machine that ssh reaches: ssh://[user@]host[:port]/path.
struct RemotePath {
    std::string user;         ///< empty: the user in ssh's own configuration
    std::string host;         ///< a name, an address, or a `Host` of the user's ssh configuration
    std::optional<int> port;  ///< 1 to 65535; nothing: the port in ssh's own configuration
    std::string path;         ///< absolute, or relative to the home folder: "/scratch/run", "~/run"

    /// For ssh: "user@host".
    [[nodiscard]] std::string destination() const;
    /// As the user entered it, with escapes resolved: "ssh://user@host:22/path".
    [[nodiscard]] std::string text() const;
};

/// Whether the user means another machine: the text begins with "ssh://".
[[nodiscard]] bool isRemotePath(std::string_view text);

/// Reads "ssh://[user@]host[:port]/path". "/~/" at the start of the path is the home folder, as in git; "%20" and the
/// like are the bytes that they encode (RFC 3986, section 2.1). An IPv6 address is in square brackets. An error names
/// what is wrong. Hosts or users that ssh would take for an option, and control characters, are refused.
[[nodiscard]] Result<RemotePath> parseRemotePath(std::string_view text);

}  // namespace rankscope
