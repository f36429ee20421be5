// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "core/report/blocks/parts.h"
#include "core/report/tables/comparison_tables.h"

namespace rankscope::report {
namespace {

/// Of a table whose rows add up, or that has few rows.
constexpr std::size_t kPartsShown = 100;

Part comparedPart(std::string title, const DataTable& data, std::size_t rows) {
    Part part{std::move(title)};
    if (!data.rows.empty()) {
        part.blocks = {Rows{textsOf(data.withoutRuns(), kAllRows), {rows, "row", "--csv"}}};
    }
    return part;
}

/// What changed of names; nothing where neither run has any.
Part changedPart(std::string title, const DataTable& names, std::size_t rows) {
    Part part = comparedPart(std::move(title), changedNames(names), rows);
    if (part.blocks.empty() && !names.rows.empty()) {
        part.blocks = {Note{std::string(kNothingChanged)}};
    }
    return part;
}

}  // namespace

Part comparedVerdictPart(const ComparisonView& view) {
    Part part{"The verdict in full", {Note{comparisonVerdict(view.comparison)}}};
    for (std::vector<std::string> lines :
         {recordingLines(view), throughputLines(view), judgedBy(view), leftOutLines(view)}) {
        if (!lines.empty()) {
            part.blocks.emplace_back(Points{std::move(lines)});
        }
    }
    return part;
}

Part comparedTimePart(const ComparisonView& view, Format format) {
    Part part = comparedPart("Where the mean step time went", comparedPartsTable(view), kPartsShown);
    if (format == Format::Text || !part.blocks.empty()) {
        part.blocks.emplace_back(Note{breakdownNote(view)});
    }
    return part;
}

std::vector<Part> changeParts(const ComparisonView& view, Format format) {
    const bool text = format == Format::Text;
    const std::size_t names = text ? 8 : 10;
    const std::size_t rows = text ? kPartsShown : names;
    std::vector<Part> parts = {
        changedPart("Kernels and copies that changed most", comparedKernelsTable(view), names),
        changedPart(text ? "Operators that changed most, self time" : "Operators that changed most",
                    comparedOperatorsTable(view), names),
        comparedPart("Collectives", comparedCollectivesTable(view), rows)};
    if (view.a.run->ranks.size() + view.b.run->ranks.size() > 2) {
        parts.push_back(comparedPart(text ? "Ranks, means over their steps" : "Ranks", comparedRanksTable(view), rows));
        if (!parts.back().blocks.empty()) {
            parts.back().blocks.emplace_back(Points{pairingLines(view)});
        }
    }
    return parts;
}

}  // namespace rankscope::report
