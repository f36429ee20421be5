// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace rankscope {

/// Writes `text` as the whole content of the file `path`. A reader sees the old content or the new one, never a part:
/// it is written to another file in the folder, flushed to the disk (fsync), checked, and renamed. A replaced file
/// keeps its permissions; a symbolic link stays, and its target is replaced.
///
/// Pipes and devices (a FIFO, /dev/null), "-" and the targets of standard output or standard error (/dev/stdout) cannot
/// be replaced: they are written directly.
///
/// Returns nothing on success. Else the error, with `path` and the system's reason ("cannot be written: No space left
/// on device"); the old content is then unchanged, and no other file is left.
[[nodiscard]] std::optional<Error> writeFileAtomically(const std::string& path, std::string_view text);

}  // namespace rankscope
