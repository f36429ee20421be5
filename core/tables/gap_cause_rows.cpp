// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/gap_rows.h"

namespace rankscope::tables {
namespace {

struct CauseRow : PlacedGap {
    const GapPart* part = nullptr;
    const SlicePlaces* places = nullptr;

    [[nodiscard]] const TimeSpan& span() const { return part->span; }
};

}  // namespace

Table gapCauseTable() {
    return declaredTable<CauseRow, std::optional<SlicePlaces>>(
        "gap_cause", "A part of a gap with its cause; the parts of a gap add up to it.",
        joined<CauseRow>(
            {{{{"gap", Type::Integer, "gap.id", Access::Seek}, [](const CauseRow& row) { return Value(row.id); }}},
             placeColumns<CauseRow>(),
             {stepOfGapColumn<CauseRow>(),
              {{"cause", Type::Text, "what the GPU waits for: dataloader, launch, operator"},
               [](const CauseRow& row) { return Value(causeName(row.part->cause)); }},
              {{"label", Type::Text, "which operator, call or line of Python"},
               [](const CauseRow& row) { return Value::ofText(row.part->label); }}},
             timeColumns<CauseRow>(),
             {{{"evidence", Type::Integer, "slice.id of what shows it best", Access::Seek},
               [](const CauseRow& row) {
                   const SliceRefs& evidence = row.part->evidence;
                   return evidence.empty() ? Value() : row.places->idOf(*row.run, row.rank, evidence.front());
               }}}}),
        [](const Runs& runs, DeclaredRows<CauseRow>& rows, std::optional<SlicePlaces>& places) {
            places.emplace(runs);
            eachGap(runs, [&](const PlacedGap& gap) {
                for (const GapPart& part : gap.gap->parts) {
                    rows.add({gap, &part, &*places});
                }
            });
        });
}

}  // namespace rankscope::tables
