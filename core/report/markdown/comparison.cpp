// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/blocks/parts.h"
#include "core/report/markdown/printer.h"
#include "core/report/tables/comparison_tables.h"
#include "core/report/words/summary.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kRowsShown = 100;

/// A part that the reader unfolds; that nothing changed is said without that.
std::string changeMarkdown(const Part& part) {
    const auto* note = part.blocks.empty() ? nullptr : std::get_if<Note>(&part.blocks.front());
    return note == nullptr ? foldedMarkdown(part)
                           : markdownText(part.title + ":") + " " + paragraphMarkdown(note->text);
}

}  // namespace

std::string markdownComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    const ComparisonView view{a, b, comparison};
    // The verdict comes first: it is all that many readers of a pull request see.
    std::string out = "# " + paragraphMarkdown(comparisonHeadline(comparison));
    out += paragraphMarkdown(comparisonVerdict(comparison));
    out += markdownBullets(throughputLines(view));
    out += paragraphMarkdown(comparisonTitle(view) + ".");
    out += markdownBullets({"A: " + runSummary(a), "B: " + runSummary(b)});
    if (!comparison.differs.empty()) {
        out += "Other differences that matter:\n\n" +
               tableMarkdown(textsOf(comparedDiffersTable(view).withoutRuns(), kRowsShown)) + "\n";
    }
    const DataTable findings =
        comparedFindingsTable(view).only({"change", "title", "a_saving_ns", "b_saving_ns", "difference_ns"});
    if (!findings.rows.empty()) {
        out += tableMarkdown(textsOf(findings, kRowsShown)) + "\n" + markdownBullets(whatChangesGave(view)) +
               markdownBullets(findingNotes(view));
    }
    out += foldedMarkdown(comparedTimePart(view, Format::Markdown));
    for (const Part& part : changeParts(view, Format::Markdown)) {
        out += changeMarkdown(part);
    }
    return out + markdownBullets(leftOutLines(view)) + markdownBullets(judgedBy(view));
}

}  // namespace rankscope
