// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>
#include <span>

#include "core/base/format.h"
#include "core/compare/compare_runs.h"
#include "core/report/text/screen_parts.h"
#include "core/report/words/comparison_outline.h"

namespace rankscope {
namespace {

using namespace report;

/// What 24 lines have room for.
constexpr std::size_t kScreenParts = 5;
constexpr std::size_t kScreenFindings = 5;
constexpr std::size_t kLastFinding = 18;
constexpr std::size_t kMostComparisons = 20;

Ink inkOf(StepVerdict verdict) {
    switch (verdict) {
        case StepVerdict::Faster: return Ink::Good;
        case StepVerdict::Slower: return Ink::High;
        case StepVerdict::DifferenceOfRecordings:
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
    constexpr auto& kTitles = kComparedPartTitles;
    ScreenTable table;
    table.columns = {{std::string(kTitles[0]), false, 20},
                     {std::string(kTitles[1]), true},
                     {std::string(kTitles[2]), true},
                     {std::string(kTitles[3]), true}};
    for (const ComparedPart& part : outline.parts) {
        const Ink ink = part.is_whole ? Ink::Bold : Ink::Plain;
        const Ink change = part.differenceNs() < 0 ? Ink::Good : part.differenceNs() > 0 ? Ink::High : Ink::Plain;
        table.rows.push_back({{part.title, ink},
                              {formatDuration(part.a_ns), ink},
                              {formatDuration(part.b_ns), ink},
                              {signedDuration(part.differenceNs()), change}});
    }
    screen.table(table);
}

void addFindings(Screen& screen, const ComparisonOutline& outline) {
    if (outline.findings.empty()) {
        return;
    }
    constexpr auto& kTitles = kComparedFindingTitles;
    ScreenTable table;
    table.columns = {{std::string(kTitles[0]), false},
                     {std::string(kTitles[1]), false, 20},
                     {std::string(kTitles[2]), true},
                     {std::string(kTitles[3]), true}};
    const std::size_t room =
        kLastFinding - std::min(kLastFinding, screen.height() + 2);  // below titles, above the rest
    const std::size_t shown = std::min({kScreenFindings, room, outline.findings.size()});
    for (const ComparedFinding& finding : std::span(outline.findings).first(shown)) {
        table.rows.push_back({{std::string(changeTitle(finding.change))},
                              {finding.title, Ink::Bold},
                              {finding.a_saves},
                              {finding.b_saves}});
    }
    screen.table(table);
    addRestOf(screen, outline.findings.size() - table.rows.size(), "finding");
}

void addComparison(Screen& screen, const ComparisonOutline& outline) {
    screen.paragraph({"", Ink::Bold}, outline.answer, 2);
    for (const std::string* line : {&outline.range, &outline.doubt}) {
        if (!line->empty()) {
            screen.paragraph({"  "}, *line, 1);
        }
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
        addTitled(screen, kAlsoDiffers, outline.differs, 2);
    }
}

/// Several runs against one: a line each.
void addTable(Screen& screen, const std::vector<ComparisonOutline>& outlines) {
    const auto titles = comparedRunTitles(outlines.front().a);
    ScreenTable table;
    table.columns = {{titles[0], false, 12}, {titles[1], true}, {titles[2]}, {titles[3], false, 16}};
    for (std::size_t i = 0; i < std::min(outlines.size(), kMostComparisons); ++i) {
        const ComparisonOutline& one = outlines[i];
        table.rows.push_back({{one.b, Ink::Bold}, {one.b_step}, {one.change, inkOf(one.verdict)}, {one.reason}});
    }
    screen.table(table);
    addRestOf(screen, outlines.size() - table.rows.size(), "run");
    const auto doubted = std::ranges::find_if(outlines, [](const auto& one) { return !one.doubt.empty(); });
    if (doubted != outlines.end()) {
        screen.paragraph({"  "}, doubted->doubt, 1);
    }
}

}  // namespace

std::string comparisonScreen(const ReportInput& input, const ScreenStyle& style) {
    std::vector<ComparisonOutline> outlines;
    for (const ComparedRuns& compared : input.comparisons) {
        outlines.push_back(
            outlineOf({*input.runs[compared.a], *input.runs[compared.b], *compared.comparison}, kScreenParts));
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
