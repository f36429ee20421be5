// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/selection_table.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/tables/model_rows.h"
#include "core/tables/slice_places.h"
#include "core/tables/stored_rows.h"

namespace rankscope::tables {
namespace {

/// The ids of the slices that touch an area, in ascending order.
std::vector<std::uint64_t> slicesIn(const Runs& runs, const AreaOfRun& area) {
    std::vector<std::uint64_t> ids;
    if (area.run >= runs.size()) {
        return ids;
    }
    const AnalysedRun& run = *runs[area.run];
    const SlicePlaces places(runs);
    for (const SlicePlaces::OfTrack& track : places.tracks()) {
        const Area::Location here{track.rank, track.track};
        if (track.run != &run || !std::ranges::binary_search(area.area.tracks, here)) {
            continue;
        }
        const TimeSpan window = run.clock.ranks[track.rank].toFile(RunSpan(area.area.span));
        const SliceTable& slices = track.of().slices;
        for (SliceIndex i = 0; i < slices.size() && slices.start_ns[i] < window.end_ns; ++i) {
            if (slices.end_ns[i] > window.start_ns) {
                ids.push_back(track.first + i);
            }
        }
    }
    return ids;
}

}  // namespace

Table selectionTable(std::function<std::optional<AreaOfRun>()> area) {
    Table table = sliceTable();
    table.name = kSelectionTable;
    table.meaning = "A slice that touches the area that is marked on the timeline of the window; empty without one.";
    for (Column& column : table.columns) {
        column.access = Access::Scan;
    }
    table.make = [all = table.make, area = std::move(area)](const Runs& runs) -> std::unique_ptr<Rows> {
        const std::optional<AreaOfRun> chosen = area();
        return std::make_unique<SomeRows>(all(runs), chosen ? slicesIn(runs, *chosen) : std::vector<std::uint64_t>());
    };
    return table;
}

}  // namespace rankscope::tables
