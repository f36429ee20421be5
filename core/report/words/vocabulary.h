// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/trace/rank_trace.h"

namespace rankscope {

// Words of the reports that no lower layer needs.

/// "distributed-info", "event-args", "process-name", "collective-args", "file-name", "folder-name", "order", "unknown".
[[nodiscard]] std::string_view rankOriginName(RankOrigin origin);
/// The path of a file; for a member of a zip "archive.zip:member".
[[nodiscard]] std::string fileLabel(const TraceFile& file);
/// "Ranks 0 and 3 ..." of "ranks 0 and 3 ...": a sentence that begins with ranks. Other texts stay: names of hosts.
[[nodiscard]] std::string ranksInCapital(std::string text);

}  // namespace rankscope
