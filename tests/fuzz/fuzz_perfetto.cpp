// SPDX-License-Identifier: GPL-3.0-or-later
// Traces in Perfetto's format: read as ranks, and their events read back.
#include <nlohmann/json.hpp>

#include "core/ingest/load.h"
#include "core/ingest/perfetto/packet_cutter.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {
namespace {

/// Reads the events of some slices back, with all their args.
void readEventsBack(const RankTrace& rank) {
    constexpr SliceIndex kOfATrack = 4;
    for (std::uint32_t track = 0; track < rank.tracks.size() && track < kOfATrack; ++track) {
        for (SliceIndex i = 0; i < rank.tracks[track].slices.size() && i < kOfATrack; ++i) {
            const Result<std::string> text = readEventText(rank, {TrackId(track), i});
            demand(text.ok() && nlohmann::json::accept(text.value()), "the event of a slice is JSON");
        }
    }
}

}  // namespace

void fuzzPerfetto(Input input) {
    if (!perfetto::isPerfetto(textOf(input).substr(0, perfetto::kPerfettoFront))) {
        return;
    }
    LoadObserver nobody;
    LoadOptions options;
    options.threads = 1;
    FileSource file;
    file.path = writeWorkFile("fuzzed.pftrace", textOf(input));
    const Result<std::vector<RankTrace>> ranks = loadRanks(file, options, nobody, {});
    if (!ranks.ok()) {
        demand(!ranks.error().text().empty(), "a refused trace has a reason");
        return;
    }
    for (const RankTrace& rank : ranks.value()) {
        demand(rank.health.slices > 0, "a rank has slices");
        demand(rank.window.start_ns <= rank.window.end_ns, "a window does not end before it starts");
        readEventsBack(rank);
    }
}

}  // namespace rankscope::fuzz
