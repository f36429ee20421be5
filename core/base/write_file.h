// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace rankscope {

/// Writes `text` as the whole content of the file `path`, so that a reader finds the old content or the new one, never
/// a part: it is written to a file beside it, flushed to the disk (fsync), checked, and renamed over it. A file that is
/// replaced keeps its permissions; a symbolic link stays, and what it points to is replaced.
///
/// Pipes and devices (a FIFO, /dev/null), "-" and whatever standard output or standard error already goes to
/// (/dev/stdout) cannot be replaced: they are written straight to.
///
/// Nothing where all went well. Else the error, with `path` and the system's reason ("cannot be written: No space left
/// on device"); the old content then stands as it was, and nothing is left beside it.
[[nodiscard]] std::optional<Error> writeFileAtomically(const std::string& path, std::string_view text);

}  // namespace rankscope
