// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/finding_rows.h"

#include "core/diagnosis/frame/worth.h"

namespace rankscope::tables {
namespace {

using FindingRow = PlacedFinding;

/// An end of the range of a saving; null without a range.
Value rangeEnd(const FindingRow& row, DurationNs SavingRange::*of) {
    const std::optional<SavingRange>& range = row.finding->range;
    return range ? Value((*range).*of) : Value();
}

}  // namespace

Table findingTable() {
    return declaredTable<FindingRow>(
        "finding", "One diagnosed problem, with its price.",
        {idColumn<FindingRow>(),
         runColumn<FindingRow>(),
         {{"number", Type::Integer, "its place in its run: 1 is the most expensive one"},
          [](const FindingRow& row) { return Value(row.number); }},
         {{"name", Type::Text, "its kind: dataloader-stall, launch-bound"},
          [](const FindingRow& row) { return Value(findingName(row.finding->id)); }},
         {{"title", Type::Text, "the cause, for people"},
          [](const FindingRow& row) { return Value(std::string_view(row.finding->title)); }},
         {{"severity", Type::Text, "low, medium or high"},
          [](const FindingRow& row) { return Value(severityName(row.finding->severity)); }},
         {{"confidence", Type::Text, "in its price: low, medium or high"},
          [](const FindingRow& row) { return Value(confidenceName(row.finding->confidence)); }},
         {{"saving_ns", Type::Integer, "what fixing it saves per step; up to, if at_most"},
          [](const FindingRow& row) { return Value(row.finding->saving_ns); }},
         {{"at_most", Type::Integer, "1 if no real change reaches the saving completely, else 0"},
          [](const FindingRow& row) { return flagValue(row.finding->at_most); }},
         {{"likely_saving_ns", Type::Integer, "what it likely saves per step"},
          [](const FindingRow& row) { return Value(likelySaving(*row.finding)); }},
         {{"saving_low_ns", Type::Integer, "lower end of the range of the saving; null without a range"},
          [](const FindingRow& row) { return rangeEnd(row, &SavingRange::low_ns); }},
         {{"saving_high_ns", Type::Integer, "upper end of that range"},
          [](const FindingRow& row) { return rangeEnd(row, &SavingRange::high_ns); }},
         {{"share", Type::Real, "saving over the step, 0 to 1"},
          [](const FindingRow& row) { return Value(row.finding->share); }},
         {{"blocked_ns", Type::Integer, "time per step that it owns"},
          [](const FindingRow& row) { return Value(row.finding->blocked_ns); }},
         {{"summary", Type::Text, "one sentence"},
          [](const FindingRow& row) { return Value::ofText(row.finding->summary); }},
         {{"why", Type::Text, "sentences with the numbers"},
          [](const FindingRow& row) { return Value::ofText(row.finding->why); }}},
        [](const Runs& runs, DeclaredRows<FindingRow>& rows, KeptTexts& /*kept*/) {
            eachFinding(runs, [&rows](const PlacedFinding& finding) { rows.add(finding); });
        });
}

}  // namespace rankscope::tables
