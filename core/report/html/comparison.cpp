// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/blocks/parts.h"
#include "core/report/html/elements.h"
#include "core/report/html/printer.h"
#include "core/report/html/sections.h"
#include "core/report/tables/comparison_tables.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kComparedRows = 20;

/// The first rows of a table without the names of the runs, which the page says above.
std::string firstRows(const DataTable& table, std::string_view caption) {
    DataTable first = table.withoutRuns();
    if (first.rows.empty()) {
        return {};
    }
    const std::size_t all = first.rows.size();
    first.rows.resize(std::min(kComparedRows, all));
    const std::string more =
        all > kComparedRows
            ? paragraph(fmt::format("The first {} of {} rows; all are in --csv.", kComparedRows, formatCount(all)),
                        "note")
            : "";
    return htmlTable(first, caption) + more;
}

/// What changed of names; nothing where neither run has any.
std::string changedRows(const DataTable& names, std::string_view caption) {
    const DataTable rows = changedNames(names);
    return names.rows.empty() || !rows.rows.empty() ? firstRows(rows, caption) : paragraph(kNothingChanged);
}

/// A section of one table, whose caption is the title.
Section tableSection(std::string key, std::string title, const DataTable& table, const std::string& note = {}) {
    std::string rows = firstRows(table, title);
    return {std::move(key), std::move(title), rows.empty() ? std::string() : std::move(rows) + note};
}

Section namesSection(std::string key, std::string title, const DataTable& names) {
    std::string rows = changedRows(names, title);
    return {std::move(key), std::move(title), std::move(rows)};
}

std::vector<Section> comparedSections(const ComparisonView& view) {
    return {sectionOf("verdict", comparedVerdictPart(view)),
            tableSection("differs", "Other differences that matter", comparedDiffersTable(view)),
            tableSection("time", "Where the mean step time went", comparedPartsTable(view),
                         paragraph(breakdownNote(view), "note")),
            {"pictures", "One step, A and B", stepPictures(view)},
            tableSection("findings", "Findings", comparedFindingsTable(view),
                         bulletList(whatChangesGave(view)) + bulletList(findingNotes(view))),
            namesSection("kernels", "Kernels and copies that changed most", comparedKernelsTable(view)),
            namesSection("operators", "Operators that changed most", comparedOperatorsTable(view)),
            tableSection("collectives", "Collectives", comparedCollectivesTable(view)),
            tableSection("ranks", "Ranks, means over their steps", comparedRanksTable(view),
                         bulletList(pairingLines(view)))};
}

}  // namespace

std::string comparisonHtml(const ComparedPlace& place) {
    std::string parts;
    for (const Section& section : comparedSections(place.view)) {
        parts += sectionHtml(section, place.prefix);
    }
    return element("article", attribute("id", place.prefix + "top") + " class=\"run\"",
                   "\n" + element("header", "", "\n" + comparisonHeadHtml(place)) + "\n" + parts) +
           "\n";
}

}  // namespace rankscope::report
