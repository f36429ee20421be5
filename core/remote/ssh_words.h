// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/remote/remote_path.h"

namespace rankscope {

/// Why ssh did not reach a machine, and what to do, from what it printed: the key of the host is unknown or has
/// changed, a password is asked for, the name or the machine is not there, the connection broke off. For anything else,
/// ssh's own last words. `code` is ssh's exit code; nothing if ssh itself succeeded (it exits with 255 if it failed).
[[nodiscard]] std::optional<std::string> whySshFailed(const RemotePath& remote, int code, std::string_view printed);

/// Whether the connection was made, and then broke off: it may last longer the next time.
[[nodiscard]] bool brokeOff(int code, std::string_view printed);

/// The last line with something in it.
[[nodiscard]] std::string_view lastLine(std::string_view printed);

/// What rankscope-cli said first of a file that it could not read, with how many more it complained of: its last line
/// counts them only. Else the last line.
[[nodiscard]] std::string complaintIn(std::string_view printed);

}  // namespace rankscope
