// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/sections.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/svg.h"
#include "core/report/tables/comparison_tables.h"

namespace rankscope::report {
namespace {

constexpr double kLabel = 260;  // left of the bars
constexpr double kTotal = 100;  // right of them
constexpr double kBars = kPageWidth - kLabel - kTotal;
constexpr double kRow = 28;
constexpr double kBar = 18;
constexpr std::size_t kNamesShown = 20;

std::string colourOf(const BreakdownRow& row) {
    switch (row.part) {
        case StepPart::Compute: return "compute";
        case StepPart::ExposedTransfer:
        case StepPart::ExposedWait: return "communication";
        case StepPart::ExposedUnsplit: return "communication-unsplit";
        case StepPart::ExposedCopy: return "copy";
        case StepPart::Idle: return "cause-" + std::string(causeName(row.cause));
    }
    return "compute";
}

std::string rowRect(const BreakdownRow& row, double x, double y, double width) {
    const std::string rect = svgRect(x, y, width, kBar, attribute("class", "f-" + colourOf(row)));
    return row.part == StepPart::ExposedWait ? rect + svgRect(x, y, width, kBar, " class=\"hatched\"") : rect;
}

/// One line of a chart: its name left, a text behind the bar.
std::string labelled(double top, const std::string& label, double behind, const std::string& value) {
    const double baseline = top + kRow / 2 + 4;
    return svgText(kLabel - 12, baseline, "end", label, "label") +
           svgText(behind + 8, baseline, "start", value, "value");
}

/// The mean step of one run as a bar of its parts.
std::string stackedBar(const Breakdown& breakdown, bool of_b, double top, double scale) {
    double x = kLabel;
    std::string out;
    for (const BreakdownRow& row : breakdown.rows) {
        const DurationNs ns = of_b ? row.b_ns : row.a_ns;
        const double width = static_cast<double>(ns) * scale;
        if (ns > 0) {
            out += element("g", " class=\"part\"",
                           svgTip(breakdownTitle(row) + ", " + formatDuration(ns)) +
                               rowRect(row, x, top + (kRow - kBar) / 2, width));
        }
        x += width;
    }
    return out + labelled(top, of_b ? "B" : "A", x, formatDuration(of_b ? breakdown.b_step_ns : breakdown.a_step_ns)) +
           "\n";
}

/// From A's step to B's, a line a part that differs: each bar starts where the one before has ended.
std::string waterfall(const Breakdown& breakdown, double top, double scale) {
    std::string out;
    double at = static_cast<double>(breakdown.a_step_ns) * scale;
    for (const BreakdownRow& row : breakdown.rows) {
        if (row.differenceNs() == 0) {
            continue;
        }
        const double to = at + static_cast<double>(row.differenceNs()) * scale;
        const double left = kLabel + std::min(at, to);
        const std::string change = signedDuration(row.differenceNs());
        out += element("g", " class=\"part\"",
                       svgTip(breakdownTitle(row) + ", " + change) +
                           rowRect(row, left, top + (kRow - kBar) / 2, std::abs(to - at))) +
               labelled(top, breakdownTitle(row), kLabel + std::max(at, to), change) + "\n";
        at = to;
        top += kRow;
    }
    return out;
}

std::string charts(const ComparisonView& view) {
    if (!view.comparison.breakdown) {
        return paragraph(breakdownNote(view));
    }
    const Breakdown& breakdown = *view.comparison.breakdown;
    const auto differing = static_cast<double>(
        std::ranges::count_if(breakdown.rows, [](const BreakdownRow& row) { return row.differenceNs() != 0; }));
    // Parts may first add and then take away, so the way may lead beyond both steps.
    DurationNs most = std::max(breakdown.a_step_ns, breakdown.b_step_ns);
    DurationNs at = breakdown.a_step_ns;
    for (const BreakdownRow& row : breakdown.rows) {
        at += row.differenceNs();
        most = std::max(most, at);
    }
    const double scale = kBars / static_cast<double>(std::max<DurationNs>(most, 1));
    const std::string drawing = stackedBar(breakdown, false, 0, scale) + waterfall(breakdown, kRow, scale) +
                                stackedBar(breakdown, true, kRow * (differing + 1), scale);
    return element(
               "div", " class=\"chart\"",
               svgDrawing(kPageWidth, kRow * (differing + 2), "From the mean step of A to B, part by part", drawing)) +
           "\n" + paragraph(breakdownNote(view), "note");
}

/// The first rows of a table without the names of the runs, which the page says above.
std::string shown(const DataTable& table, std::size_t rows, std::string_view caption) {
    DataTable first = table.withoutRuns();
    if (first.rows.empty()) {
        return {};
    }
    const std::size_t all = first.rows.size();
    first.rows.resize(std::min(rows, all));
    const std::string more =
        all > rows
            ? paragraph(fmt::format("The first {} of {} rows; all are in --csv.", rows, formatCount(all)), "note")
            : "";
    return element("h3", "", htmlText(caption)) + "\n" + htmlTable(first, caption) + more;
}

/// What changed of names; nothing where neither run has any.
std::string changedSection(const DataTable& names, std::string_view caption) {
    const DataTable changed = changedNames(names);
    return names.rows.empty() || !changed.rows.empty()
               ? shown(changed, kNamesShown, caption)
               : element("h3", "", htmlText(caption)) + "\n" + paragraph(kNothingChanged);
}

}  // namespace

std::string comparisonHtml(const ComparisonView& view, const std::string& prefix) {
    std::string out = element("p", " class=\"run-names\"", htmlText(comparisonTitle(view))) + "\n";
    out += element("h1", "", htmlText(comparisonHeadline(view.comparison))) + "\n";
    out += paragraph(comparisonVerdict(view.comparison), "verdict") + bulletList(throughputLines(view)) +
           bulletList(judgedBy(view));
    out += bulletList(leftOutLines(view));
    const std::string differs = shown(comparedDiffersTable(view), kNamesShown, "Other differences that matter");
    out += differs.empty() ? paragraph("No other difference was recorded.") : differs;
    out += element("h3", "", "Where the mean step time went") + "\n" + charts(view);
    out += shown(comparedPartsTable(view), kNamesShown, "The parts of the mean step");
    const std::string pictures = stepPictures(view);
    out += pictures.empty() ? "" : element("h3", "", "One step, A and B") + "\n" + pictures;
    out += shown(comparedFindingsTable(view), kNamesShown, "Findings") + bulletList(findingNotes(view));
    out += changedSection(comparedKernelsTable(view), "Kernels and copies that changed most");
    out += changedSection(comparedOperatorsTable(view), "Operators that changed most");
    out += shown(comparedCollectivesTable(view), kNamesShown, "Collectives");
    out +=
        shown(comparedRanksTable(view), kNamesShown, "Ranks, means over their steps") + bulletList(pairingLines(view));
    return element("article", attribute("id", prefix) + " class=\"run\"", "\n" + out) + "\n";
}

}  // namespace rankscope::report
