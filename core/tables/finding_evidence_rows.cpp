// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/finding_rows.h"

namespace rankscope::tables {
namespace {

struct EvidenceRow : OfRank {
    std::int64_t finding = 0;
    const Evidence* evidence = nullptr;
    const SlicePlaces* places = nullptr;
};

}  // namespace

Table findingEvidenceTable() {
    return declaredTable<EvidenceRow, std::optional<SlicePlaces>>(
        "finding_evidence", "A slice that proves a finding.",
        joined<EvidenceRow>(
            {{{{"finding", Type::Integer, "finding.id", Access::Seek},
               [](const EvidenceRow& row) { return Value(row.finding); }}},
             placeColumns<EvidenceRow>(),
             {{{"step", Type::Integer, "number of the step", Access::Seek},
               [](const EvidenceRow& row) { return Value(row.evidence->step); }},
              {{"slice", Type::Integer, "slice.id of the proof; null if it is no single slice", Access::Seek},
               [](const EvidenceRow& row) { return row.places->idOf(*row.run, row.rank, row.evidence->slice); }},
              {{"note", Type::Text, "what it shows"},
               [](const EvidenceRow& row) { return Value::ofText(row.evidence->note); }}}}),
        [](const Runs& runs, DeclaredRows<EvidenceRow>& rows, std::optional<SlicePlaces>& places) {
            places.emplace(runs);
            eachFinding(runs, [&](const PlacedFinding& of) {
                for (const Evidence& evidence : of.finding->evidence) {
                    rows.add({{of.run, evidence.rank}, of.id, &evidence, &*places});
                }
            });
        });
}

}  // namespace rankscope::tables
