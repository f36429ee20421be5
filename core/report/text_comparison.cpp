// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_summary.h"
#include "core/report/summary.h"
#include "core/report/text_report.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kWidth = 110;
constexpr std::size_t kIndent = 2;

std::string line(std::string_view text, std::size_t indent = kIndent) {
    return std::string(indent, ' ') + wrapped(text, indent, kWidth) + "\n";
}

std::string lines(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += line(text);
    }
    return out;
}

/// The sentences are too long for a column.
std::string differsText(const ComparisonView& view) {
    std::string out;
    for (const RunsDiffer& one : view.comparison.differs) {
        out += line(std::string(respectName(one.respect)) + ": " + one.a + " against " + one.b + ". " + one.what);
    }
    return out.empty() ? line("Nothing that was recorded.") : out;
}

/// Titles may be long: names of kernels and lines of code.
std::string findingsText(const ComparisonView& view) {
    const Table table = findingChangesTable(view);
    std::string out;
    for (const auto& row : table.rows) {
        out += line(row[0] + ": " + row[1] + ": saves " + row[2] + " in A, " + row[3] + " in B (" + row[4] + ")");
    }
    return out.empty() ? line("None in either run.") : out + lines(whatChangesGave(view)) + lines(findingNotes(view));
}

}  // namespace

std::string textComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    const ComparisonView view{a, b, comparison};
    std::string out = printable(comparisonTitle(view)) + "\n";
    out += line(comparisonVerdict(comparison));
    out += line("A: " + runSummary(a)) + line("B: " + runSummary(b));
    out += lines(leftOutLines(view)) + lines(judgedBy(view));
    out += "\nWhat else differs\n" + differsText(view);
    out += "\nWhere the time of the mean step went\n";
    if (const Table table = breakdownTable(view); !table.rows.empty()) {
        out += tableText(table, kIndent);
    }
    out += line(breakdownNote(view));
    return out + "\nFindings\n" + findingsText(view);
}

}  // namespace rankscope
