// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

struct TrackRow : OfRank {
    std::int64_t id = 0;
    const Track* track = nullptr;

    [[nodiscard]] Value text(StringId of) const { return Value::ofText(trace().strings.view(of)); }
};

}  // namespace

Table trackTable() {
    return declaredTable<TrackRow>(
        "track", "One thread of the CPU, or one stream of a GPU: all slices on it are in one order.",
        joined<TrackRow>(
            {{idColumn<TrackRow>()},
             placeColumns<TrackRow>(),
             {{{"kind", Type::Text, "cpu-thread, stream, stream-annotation, stream-sync or other"},
               [](const TrackRow& row) { return Value(trackKindName(row.track->kind)); }},
              {{"name", Type::Text, "for people: stream 7"},
               [](const TrackRow& row) { return Value(std::string_view(row.track->name)); }},
              {{"process", Type::Text, "process id or device, as recorded"},
               [](const TrackRow& row) { return row.text(row.track->process); }},
              {{"lane", Type::Text, "thread id or stream, as recorded"},
               [](const TrackRow& row) { return row.text(row.track->lane); }},
              {{"device", Type::Integer, "number of the GPU; null of threads"},
               [](const TrackRow& row) {
                   return row.track->device < 0 ? Value() : Value(std::int64_t{row.track->device});
               }},
              {{"slices", Type::Integer, "how many it has"},
               [](const TrackRow& row) { return Value(static_cast<std::int64_t>(row.track->slices.size())); }}}}),
        [](const Runs& runs, DeclaredRows<TrackRow>& rows, KeptTexts& /*kept*/) {
            std::int64_t id = 0;
            eachRankOf(runs, [&](const OfRank& rank) {
                for (const Track& track : rank.trace().tracks) {
                    rows.add({rank, id++, &track});
                }
            });
        });
}

}  // namespace rankscope::tables
