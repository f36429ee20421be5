// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/model/comparison_tables.h"
#include "core/report/model/cut_table.h"
#include "core/report/model/summary.h"
#include "core/report/reports.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kNamesShown = 10;
/// Of a table whose rows add up, or of which there are few.
constexpr std::size_t kPartsShown = 100;

std::string bullets(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += "- " + markdownText(text) + "\n";
    }
    return out.empty() ? out : out + "\n";
}

/// A part that the reader unfolds; nothing where there is nothing in it.
std::string folded(std::string_view summary, const DataTable& table, std::size_t rows, const std::string& more = {}) {
    if (table.rows.empty()) {
        return {};
    }
    return "<details>\n<summary>" + htmlText(summary) + "</summary>\n\n" +
           cutMarkdown(cutTo(textsOf(table.withoutRuns(), kAllRows), rows, "row", "--csv")) + more + "</details>\n\n";
}

/// What changed of names; nothing where neither run has any.
std::string foldedChanges(const std::string& title, const DataTable& names) {
    const DataTable changed = changedNames(names);
    return names.rows.empty() || !changed.rows.empty()
               ? folded(title, changed, kNamesShown)
               : markdownText(title + ":") + " " + markdownText(kNothingChanged) + "\n\n";
}

}  // namespace

std::string markdownComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    const ComparisonView view{a, b, comparison};
    // The verdict comes first: it is all that many readers of a pull request see.
    std::string out = "# " + markdownText(comparisonHeadline(comparison)) + "\n\n";
    out += markdownText(comparisonVerdict(comparison)) + "\n\n";
    out += bullets(throughputLines(view));
    out += markdownText(comparisonTitle(view)) + ".\n\n";
    out += bullets({"A: " + runSummary(a), "B: " + runSummary(b)});
    if (!comparison.differs.empty()) {
        out += "What else differs:\n\n" + tableMarkdown(textsOf(comparedDiffersTable(view).withoutRuns(), 100)) + "\n";
    }
    const DataTable findings =
        comparedFindingsTable(view).only({"change", "title", "a_saving_ns", "b_saving_ns", "difference_ns"});
    if (!findings.rows.empty()) {
        out +=
            tableMarkdown(textsOf(findings, 100)) + "\n" + bullets(whatChangesGave(view)) + bullets(findingNotes(view));
    }
    out += folded("Where the time of the mean step went", comparedPartsTable(view), kPartsShown,
                  markdownText(breakdownNote(view)) + "\n\n");
    out += foldedChanges("Kernels and copies that changed most", comparedKernelsTable(view));
    out += foldedChanges("Operators that changed most", comparedOperatorsTable(view));
    out += folded("Collectives", comparedCollectivesTable(view), kNamesShown);
    if (a.run->ranks.size() + b.run->ranks.size() > 2) {
        out += folded("Ranks", comparedRanksTable(view), kNamesShown, bullets(pairingLines(view)));
    }
    return out + bullets(leftOutLines(view)) + bullets(judgedBy(view));
}

}  // namespace rankscope
