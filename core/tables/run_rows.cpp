// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

struct RunRow {
    const AnalysedRun* run = nullptr;
};

std::int64_t slicesOf(const Run& run) {
    std::size_t slices = 0;
    for (const auto& rank : run.ranks) {
        for (const Track& track : rank->tracks) {
            slices += track.slices.size();
        }
    }
    return static_cast<std::int64_t>(slices);
}

template <class List>
Value sizeOf(const List& list) {
    return static_cast<std::int64_t>(list.size());
}

}  // namespace

Table runTable() {
    return declaredTable<RunRow>(
        "run", "One run: the traces of all ranks of a job.",
        {{{"run", Type::Text, "its name"}, runColumn<RunRow>().of},
         {{"ranks", Type::Integer, "how many were read"},
          [](const RunRow& row) { return sizeOf(row.run->run->ranks); }},
         {{"steps", Type::Integer, "how many it has"}, [](const RunRow& row) { return sizeOf(row.run->facts.steps); }},
         {{"slices", Type::Integer, "how many were recorded on all ranks"},
          [](const RunRow& row) { return Value(slicesOf(*row.run->run)); }},
         {{"findings", Type::Integer, "how many the diagnosis has"},
          [](const RunRow& row) { return sizeOf(row.run->diagnosis.findings); }},
         {{"base_ns", Type::Integer, "its first instant, on the run's clock; all times count from here"},
          [](const RunRow& row) { return Value(std::int64_t{row.run->clock.base_ns}); }}},
        [](const Runs& runs, DeclaredRows<RunRow>& rows, KeptTexts& /*kept*/) {
            for (const AnalysedRun* run : runs) {
                rows.add({run});
            }
        });
}

}  // namespace rankscope::tables
