// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <array>
#include <utility>

#include "core/base/format.h"
#include "core/report/blocks/parts.h"
#include "core/report/markdown/printer.h"
#include "core/report/tables/comparison_tables.h"
#include "core/report/words/comparison_outline.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kRowsShown = 100;
constexpr std::size_t kOutlineParts = 6;
constexpr std::size_t kOutlineFindings = 8;

/// A part that the reader unfolds; that nothing changed is said without that.
std::string changeMarkdown(const Part& part) {
    const auto* note = part.blocks.empty() ? nullptr : std::get_if<Note>(&part.blocks.front());
    return note == nullptr ? foldedMarkdown(part)
                           : markdownText(part.title + ":") + " " + paragraphMarkdown(note->text);
}

/// A table without rows, with the first `left` columns set to the left.
Table tableWith(const std::array<std::string_view, 4>& titles, std::size_t left) {
    return {{titles.begin(), titles.end()}, {}, left};
}

/// Where the time went, and what became of the findings.
std::string changesMarkdown(const ComparisonOutline& outline) {
    std::string out;
    if (!outline.parts.empty()) {
        Table parts = tableWith(kComparedPartTitles, 1);
        for (const ComparedPart& part : outline.parts) {
            parts.rows.push_back({part.title, formatDuration(part.a_ns), formatDuration(part.b_ns),
                                  signedDuration(part.differenceNs())});
        }
        out += tableMarkdown(parts) + "\n";
    }
    if (outline.findings.empty()) {
        return out;
    }
    Table findings = tableWith(kComparedFindingTitles, 2);
    for (const ComparedFinding& finding : outline.findings) {
        findings.rows.push_back(
            {std::string(changeTitle(finding.change)), finding.title, finding.a_saves, finding.b_saves});
    }
    const ShownRows cut = cutTo(findings, kOutlineFindings, "finding", "\"Findings\"");
    return out + tableMarkdown(cut.table) + "\n" + (cut.rest.empty() ? "" : paragraphMarkdown(cut.rest));
}

/// The same screen as on a terminal.
std::string answerMarkdown(const ComparisonOutline& outline) {
    std::string out = "# " + paragraphMarkdown(outline.answer);
    for (const std::string* line : {&outline.range, &outline.doubt}) {
        out += line->empty() ? std::string() : paragraphMarkdown(*line);
    }
    out += markdownBullets(outline.runs) + changesMarkdown(outline);
    return outline.differs.empty() ? out
                                   : out + markdownBullets({fmt::format("{}: {}", kAlsoDiffers, outline.differs)});
}

}  // namespace

std::string markdownComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    const ComparisonView view{a, b, comparison};
    std::string out = answerMarkdown(outlineOf(view, kOutlineParts)) + foldedMarkdown(comparedVerdictPart(view));
    if (!comparison.differs.empty()) {
        out += foldedMarkdown("Other differences that matter",
                              tableMarkdown(textsOf(comparedDiffersTable(view).withoutRuns(), kRowsShown)) + "\n");
    }
    out += foldedMarkdown(comparedTimePart(view, Format::Markdown));
    const DataTable findings =
        comparedFindingsTable(view).only({"change", "title", "a_saving_ns", "b_saving_ns", "difference_ns"});
    if (!findings.rows.empty()) {
        out += foldedMarkdown("Findings", tableMarkdown(textsOf(findings, kRowsShown)) + "\n" +
                                              markdownBullets(whatChangesGave(view)) +
                                              markdownBullets(findingNotes(view)));
    }
    for (const Part& part : changeParts(view, Format::Markdown)) {
        out += changeMarkdown(part);
    }
    return out;
}

}  // namespace rankscope
