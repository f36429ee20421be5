// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/facts/fact.h"
#include "core/tables/declared_rows.h"

// All that a new fact takes: this file. Included once in a program of its own, for its tests.
namespace rankscope::test {
namespace {

struct RunOfRow {
    const AnalysedRun* run;
};

inline const tables::DeclaredFact kNewFact([] {
    using tables::Type;
    using tables::Value;
    tables::Table table = tables::declaredTable<RunOfRow>(
        "ranks_of_run", "One run, with the number of its ranks.",
        {{{"run", Type::Text, "the run that was counted"},
          [](const RunOfRow& row) { return Value(std::string_view(row.run->run->name)); }},
         {{"counted_ranks", Type::Integer, "how many ranks it has"},
          [](const RunOfRow& row) { return Value(static_cast<std::int64_t>(row.run->run->ranks.size())); }}},
        [](const tables::Runs& runs, tables::DeclaredRows<RunOfRow>& rows, tables::KeptTexts&) {
            for (const AnalysedRun* run : runs) {
                rows.add({run});
            }
        });
    return tables::Fact{std::move(table), "Ranks that were counted"};
});

}  // namespace
}  // namespace rankscope::test
