// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>

#include "core/base/format.h"
#include "core/compare/compare_runs.h"
#include "core/report/text/screen_parts.h"
#include "core/report/words/comparison_outline.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kParts = 5;
constexpr std::size_t kFindings = 5;
constexpr std::size_t kMostComparisons = 20;

Ink inkOf(StepVerdict verdict) {
    switch (verdict) {
        case StepVerdict::Faster: return Ink::Good;
        case StepVerdict::Slower: return Ink::High;
        case StepVerdict::NoDifferenceSeen:
        case StepVerdict::CannotJudge: break;
    }
    return Ink::Medium;
}

/// Where the time went: the parts that changed most, and the whole.
void addParts(Screen& screen, const ComparisonOutline& outline) {
    if (outline.parts.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {{"mean step of a rank", false, 20}, {"A", true}, {"B", true}, {"B - A", true}};
    for (const ComparedPart& part : outline.parts) {
        const Ink ink = part.is_whole ? Ink::Bold : Ink::Plain;
        const Ink change = part.difference_ns < 0 ? Ink::Good : part.difference_ns > 0 ? Ink::High : Ink::Plain;
        table.rows.push_back({{part.title, ink},
                              {formatDuration(part.a_ns), ink},
                              {formatDuration(part.b_ns), ink},
                              {signedDuration(part.difference_ns), change}});
    }
    screen.table(table);
}

void addFindings(Screen& screen, const ComparisonOutline& outline) {
    if (outline.findings.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {{"change", false}, {"finding", false, 20}, {"saves in A", true}, {"saves in B", true}};
    for (std::size_t i = 0; i < std::min(kFindings, outline.findings.size()); ++i) {
        const ComparedFinding& finding = outline.findings[i];
        table.rows.push_back(
            {{std::string(finding.change)}, {finding.title, Ink::Bold}, {finding.a_saves}, {finding.b_saves}});
    }
    screen.table(table);
    addRestOf(screen, outline.findings.size() - table.rows.size(), "finding");
}

void addComparison(Screen& screen, const ComparisonOutline& outline) {
    screen.paragraph({"", Ink::Bold}, outline.answer, 2);
    if (!outline.range.empty()) {
        screen.paragraph({"  "}, outline.range, 1);
    }
    for (const std::string& run : outline.runs) {
        screen.line({{"  " + run, Ink::Dim}});
    }
    screen.gap();
    addParts(screen, outline);
    addFindings(screen, outline);
    if (!outline.parts.empty() || !outline.findings.empty()) {
        screen.gap();
    }
    if (!outline.differs.empty()) {
        addTitled(screen, "Also differs", outline.differs, 2);
    }
    if (!outline.doubt.empty()) {
        addTitled(screen, "Not shown", outline.doubt, 2);
    }
}

/// Several runs against one: a line each.
void addTable(Screen& screen, const std::vector<ComparisonOutline>& outlines) {
    ScreenTable table;
    table.columns = {{"run", false, 12}, {"step", true}, {"against " + outlines.front().a}, {"why", false, 16}};
    for (std::size_t i = 0; i < std::min(outlines.size(), kMostComparisons); ++i) {
        const ComparisonOutline& one = outlines[i];
        table.rows.push_back({{one.b, Ink::Bold}, {one.b_step}, {one.change, inkOf(one.verdict)}, {one.reason}});
    }
    screen.table(table);
    addRestOf(screen, outlines.size() - table.rows.size(), "run");
}

}  // namespace

std::string comparisonScreen(const ReportInput& input, const ScreenStyle& style) {
    std::vector<ComparisonOutline> outlines;
    for (const ComparedRuns& compared : input.comparisons) {
        outlines.push_back(outlineOf({*input.runs[compared.a], *input.runs[compared.b], *compared.comparison}, kParts));
    }
    Screen screen(style);
    if (outlines.size() == 1) {
        addComparison(screen, outlines.front());
    } else if (!outlines.empty()) {
        addTable(screen, outlines);
    }
    if (!outlines.empty()) {
        addTitled(screen, "More", "--full, --html comparison.html, --markdown comparison.md");
    }
    return screen.text();
}

}  // namespace rankscope
