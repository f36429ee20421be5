// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/remote/remote_path.h"

namespace rankscope {

/// Why ssh did not reach a machine, and what to do, from its output: the key of the host is unknown or has changed, a
/// password is required, the name or the machine does not exist, the connection was lost. For anything else, ssh's own
/// last words. `code` is ssh's exit code; nothing if ssh itself succeeded (it exits with 255 if it failed).
[[nodiscard]] std::optional<std::string> whySshFailed(const RemotePath& remote, int code, std::string_view printed);

/// Whether the connection was made, and then lost: it may last longer the next time.
[[nodiscard]] bool brokeOff(int code, std::string_view printed);

/// The last line that is not empty.
[[nodiscard]] std::string_view lastLine(std::string_view printed);

/// The first complaint of rankscope-cli about a file that it could not read, with the number of further ones (its last
/// line only counts them). Nothing if it had none.
[[nodiscard]] std::optional<std::string> firstComplaintIn(std::string_view printed);
/// The same, or the last line if there is none.
[[nodiscard]] std::string complaintIn(std::string_view printed);

}  // namespace rankscope
