// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/gap_rows.h"

namespace rankscope::tables {
namespace {

struct GapRow : PlacedGap {
    const SlicePlaces* places = nullptr;

    [[nodiscard]] const TimeSpan& span() const { return gap->span; }
    [[nodiscard]] Value idOf(SliceRef slice) const { return places->idOf(*run, rank, slice); }
};

}  // namespace

Table gapTable() {
    return declaredTable<GapRow, std::optional<SlicePlaces>>(
        "gap", "A time in a step in which nothing runs on the GPU of a rank.",
        joined<GapRow>(
            {{idColumn<GapRow>()},
             placeColumns<GapRow>(),
             {stepOfGapColumn<GapRow>(),
              {{"device", Type::Integer, "number of the GPU"},
               [](const GapRow& row) { return row.gap->device < 0 ? Value() : Value(std::int64_t{row.gap->device}); }}},
             timeColumns<GapRow>(),
             {{{"next", Type::Integer, "slice.id of the GPU work that ends it", Access::Seek},
               [](const GapRow& row) { return row.idOf(row.gap->releasing); }},
              {{"launch", Type::Integer, "slice.id of the call that launched that work", Access::Seek},
               [](const GapRow& row) { return row.idOf(row.gap->launch); }}}}),
        [](const Runs& runs, DeclaredRows<GapRow>& rows, std::optional<SlicePlaces>& places) {
            places.emplace(runs);
            eachGap(runs, [&](const PlacedGap& gap) { rows.add({gap, &*places}); });
        });
}

}  // namespace rankscope::tables
