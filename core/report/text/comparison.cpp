// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/blocks/parts.h"
#include "core/report/text/printer.h"
#include "core/report/words/summary.h"

namespace rankscope {
namespace {

using namespace report;

/// The sentences are too long for a column.
std::string differsText(const ComparisonView& view) {
    std::string out;
    for (const ConfigDifference& one : view.comparison.differs) {
        out += line(aspectWords(one.aspect) + ": " + one.a + " against " + one.b + ". " + one.what);
    }
    return out.empty() ? line("None that was recorded.") : out;
}

/// "saves 69.0 ms in A, nothing in B (-69.0 ms)"; if a run may have the finding too, only what the other one saves.
std::string savingsText(const FindingPair& pair) {
    if (pair.change == FindingChange::CannotTell) {
        return pair.a ? "saves " + formatDuration(pair.a_saving_ns) + " in A, unknown in B"
                      : "unknown in A, saves " + formatDuration(pair.b_saving_ns) + " in B";
    }
    return "saves " + (pair.a ? formatDuration(pair.a_saving_ns) : "nothing") + " in A, " +
           (pair.b ? formatDuration(pair.b_saving_ns) : "nothing") + " in B (" +
           signedDuration(pair.b_saving_ns - pair.a_saving_ns) + ")";
}

/// Titles may be long: names of kernels and lines of code.
std::string findingsText(const ComparisonView& view) {
    std::string out;
    for (const FindingPair& pair : view.comparison.findings) {
        out += line(std::string(findingChangeName(pair.change)) + ": " + comparedTitle(view, pair) + ": " +
                    savingsText(pair));
    }
    return out.empty() ? line("None in either run.") : out + lines(whatChangesGave(view)) + lines(findingNotes(view));
}

}  // namespace

std::string textComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    const ComparisonView view{a, b, comparison};
    const std::string headline = comparisonHeadline(comparison);
    std::string out = printable(comparisonTitle(view)) + "\n\n";
    out += headline + "\n" + std::string(headline.size(), '=') + "\n";
    out += line(comparisonVerdict(comparison)) + lines(recordingLines(view)) + lines(throughputLines(view)) +
           lines(judgedBy(view));
    out += "\n" + line("A: " + runSummary(a)) + line("B: " + runSummary(b)) + lines(leftOutLines(view));
    out += section("Other differences that matter") + differsText(view);
    out += textOf(comparedTimePart(view, Format::Text));
    out += section("Findings") + findingsText(view);
    return out + textOf(changeParts(view, Format::Text));
}

}  // namespace rankscope
