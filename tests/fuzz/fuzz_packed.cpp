// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed files: what they hold is read once from its start, and once more in the middle, by what was noted then.
#include "core/ingest/load.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {
namespace {

constexpr SliceIndex kReadBack = 3;

void readBack(const RankTrace& trace) {
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const std::size_t slices = std::min<std::size_t>(trace.tracks[t].slices.size(), kReadBack);
        for (SliceIndex i = 0; i < slices; ++i) {
            (void)readEventText(trace, {TrackId(t), i});
        }
    }
}

void loadAll(const Discovery& found) {
    LoadOptions options;
    options.threads = 1;
    for (const RunSource& run : found.runs) {
        for (const FileSource& file : run.files) {
            LoadObserver observer;
            const Result<RankTrace> trace = loadFile(file, options, observer, {});
            if (trace.ok()) {
                readBack(trace.value());
            } else {
                demand(!trace.error().text().empty(), "a refused file has a reason");
            }
        }
    }
}

}  // namespace

void fuzzGzip(Input input) {
    loadAll(discoverRuns({writeWorkFile("rank0.json.gz", textOf(input))}));
}

void fuzzZip(Input input) {
    loadAll(discoverRuns({writeWorkFile("run.zip", textOf(input))}));
}

void fuzzTar(Input input) {
    loadAll(discoverRuns({writeWorkFile("run.tar", textOf(input))}));
}

}  // namespace rankscope::fuzz
