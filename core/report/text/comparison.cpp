// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/model/comparison_tables.h"
#include "core/report/model/summary.h"
#include "core/report/reports.h"
#include "core/report/text/lines.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kNamesShown = 8;
constexpr std::size_t kAll = 100;

/// The sentences are too long for a column.
std::string differsText(const ComparisonView& view) {
    std::string out;
    for (const ConfigDifference& one : view.comparison.differs) {
        out += line(std::string(aspectName(one.aspect)) + ": " + one.a + " against " + one.b + ". " + one.what);
    }
    return out.empty() ? line("Nothing that was recorded.") : out;
}

/// Titles may be long: names of kernels and lines of code.
std::string findingsText(const ComparisonView& view) {
    std::string out;
    for (const FindingPair& pair : view.comparison.findings) {
        out += line(std::string(findingChangeName(pair.change)) + ": " + comparedTitle(view, pair) + ": saves " +
                    (pair.a ? formatDuration(pair.a_saving_ns) : "–") + " in A, " +
                    (pair.b ? formatDuration(pair.b_saving_ns) : "–") + " in B (" +
                    signedDuration(pair.b_saving_ns - pair.a_saving_ns) + ")");
    }
    return out.empty() ? line("None in either run.") : out + lines(whatChangesGave(view)) + lines(findingNotes(view));
}

std::string table(std::string_view title, const DataTable& data, std::size_t rows) {
    const Table texts = textsOf(data.withoutRuns(), kAllRows);
    return texts.rows.empty() ? "" : "\n" + std::string(title) + "\n" + tableLines(cutTo(texts, rows, "row", "--csv"));
}

/// What changed of names; nothing where neither run has any.
std::string changesText(std::string_view title, const DataTable& names) {
    const DataTable changed = changedNames(names);
    return names.rows.empty()     ? ""
           : changed.rows.empty() ? "\n" + std::string(title) + "\n" + line(kNothingChanged)
                                  : table(title, changed, kNamesShown);
}

}  // namespace

std::string textComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    const ComparisonView view{a, b, comparison};
    const std::string headline = comparisonHeadline(comparison);
    std::string out = printable(comparisonTitle(view)) + "\n\n";
    out += headline + "\n" + std::string(headline.size(), '=') + "\n";
    out += line(comparisonVerdict(comparison)) + lines(throughputLines(view)) + lines(judgedBy(view));
    out += "\n" + line("A: " + runSummary(a)) + line("B: " + runSummary(b)) + lines(leftOutLines(view));
    out += "\nWhat else differs, and is part of it\n" + differsText(view);
    const std::string parts = table("Where the time of the mean step went", comparedPartsTable(view), kAll);
    out += (parts.empty() ? "\nWhere the time of the mean step went\n" : parts) + line(breakdownNote(view));
    out += "\nFindings\n" + findingsText(view);
    out += changesText("Kernels and copies that changed most", comparedKernelsTable(view));
    out += changesText("Operators that changed most, self time", comparedOperatorsTable(view));
    out += table("Collectives", comparedCollectivesTable(view), kAll);
    if (a.run->ranks.size() + b.run->ranks.size() > 2) {
        out += table("Ranks, means of their steps", comparedRanksTable(view), kAll) + lines(pairingLines(view));
    }
    return out;
}

}  // namespace rankscope
