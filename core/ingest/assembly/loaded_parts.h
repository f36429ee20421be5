// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/ingest/load.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The traces that were read from each file of a source, by RunSource::files.
using TracesOfFiles = std::vector<std::vector<std::shared_ptr<RankTrace>>>;

/// Traces that go into the same run: those of a file; in a merged digest, those of each trace in it, since it is read
/// like a folder of their digests.
struct LoadedPart {
    std::size_t file = 0;  ///< index in RunSource::files
    FileSource named;      ///< the file, or the trace in the digest, that gives the part's name
    std::vector<std::shared_ptr<RankTrace>> traces;
    std::set<std::string> left_out;  ///< files of the same trace
};

/// The loaded traces, in parts, each trace once: a digest next to its own trace, or to a file that it was merged into,
/// is not a second run. O(n log n) in traces.
[[nodiscard]] std::vector<LoadedPart> partsOf(const RunSource& source, TracesOfFiles loaded);

}  // namespace rankscope
