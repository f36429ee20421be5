// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ingest/bounds.h"
#include "core/ingest/load.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

using TopLevelKeys = std::vector<std::pair<std::string, std::string>>;

/// Values of the top-level keys that are not accepted.
struct IdentityReport {
    BoundsReport bounds;
    std::vector<std::string> notes;  ///< values that are nested too deep, without the file's name and full stop
};

/// `baseTimeNanoseconds`: what was subtracted from all times; 0 if the file does not have it, or if its value is
/// impossible.
[[nodiscard]] TimeNs baseTime(const TopLevelKeys& keys, BoundsReport& report);

/// Fills rank, world size, host, groups, devices and metadata from the top-level keys. A broken value affects only
/// itself.
[[nodiscard]] IdentityReport readMetadata(const TopLevelKeys& keys, RankTrace& into);

/// Numbers the ranks of one file by the args of their collectives, if these give each rank a different number; else
/// leaves them unchanged.
void numberByCollectives(std::vector<RankTrace>& traces);

/// The rank in the name of a file: "rank3", "rank-3", "rank_3", "worker3" as a separate word.
[[nodiscard]] std::optional<RankNumber> rankByName(const std::string& name);

/// The worker in the name that tensorboard_trace_handler gives a file, "<worker>.<time>.pt.trace.json"; empty for other
/// names. A worker without a name of its own is "<host>_<pid>".
[[nodiscard]] std::string workerByName(const std::string& name);

/// If the metadata has no rank, takes it from the args of collectives, else from the file's or its folder's name; takes
/// the host from the file's name if `host_name` is missing.
void guessIdentity(const FileSource& file, RankTrace& into);

}  // namespace rankscope
