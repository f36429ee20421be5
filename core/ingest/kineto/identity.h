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

/// What the top-level keys say that is not believed.
struct IdentityReport {
    BoundsReport bounds;
    std::vector<std::string> notes;  ///< values that are nested too deep, without the file's name and full stop
};

/// `baseTimeNanoseconds`: what was subtracted from all times; 0 if the file does not say, or says what cannot be.
[[nodiscard]] TimeNs baseTime(const TopLevelKeys& keys, BoundsReport& report);

/// Fills rank, world size, host, groups, devices and metadata from the top-level keys. A broken value costs itself
/// only.
[[nodiscard]] IdentityReport readMetadata(const TopLevelKeys& keys, RankTrace& into);

/// Numbers the ranks of one file by the args of their collectives, where those name each of them and no two alike; else
/// leaves them as they are.
void numberByCollectives(std::vector<RankTrace>& traces);

/// The rank that the name of a file says: "rank3", "rank-3", "rank_3", "worker3" as a word of it.
[[nodiscard]] std::optional<RankNumber> rankByName(const std::string& name);

/// Where the metadata names no rank: takes it from the args of collectives, else from the file's or its folder's name;
/// and the host from the file's name where `host_name` is missing.
void guessIdentity(const FileSource& file, RankTrace& into);

}  // namespace rankscope
