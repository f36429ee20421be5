// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/charts.h"
#include "core/report/html/elements.h"
#include "core/report/html/svg.h"
#include "core/report/tables/step_parts.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

// Limits that keep the page of a long or large run readable: each column takes about a kilobyte.
constexpr std::size_t kMostBars = 512;            // for one step across the ranks
constexpr std::size_t kMostSmallCharts = 64;      // one per rank
constexpr std::size_t kMostColumns = 240;         // in each of these: as many as it has pixels
constexpr std::size_t kMostColumnsOfAll = 6'000;  // in all of them

std::string partText(const ChartPart& part, DurationNs whole) {
    const double share = whole > 0 ? static_cast<double>(part.ns) / static_cast<double>(whole) : 0.0;
    return fmt::format("{}, {} ({})", part.title, formatDuration(part.ns), formatPercent(share));
}

std::string partRect(const ChartPart& part, double x, double y, double width, double height) {
    const std::string out = svgRect(x, y, width, height, attribute("class", "f-" + part.colour));
    return part.waits ? out + svgRect(x, y, width, height, " class=\"hatched\"") : out;
}

/// A rank's step in a chart.
struct Row {
    RankPosition position;
    const RankStep* step = nullptr;
};

/// The ranks' parts of a step of the run, of all ranks with device work.
std::vector<Row> rowsOf(const AnalysedRun& run, const RunStep& step) {
    std::vector<Row> rows;
    for (RankPosition position{0}; position < step.by_rank.size(); ++position) {
        if (const RankStep* const own = run.facts.stepOf(step, position)) {
            const RankStep& of_rank = *own;
            if (of_rank.partition) {
                rows.push_back({position, &of_rank});
            }
        }
    }
    return rows;
}

/// The layout of horizontal bars; lower if there are many ranks.
struct BarLayout {
    explicit BarLayout(std::size_t rows) : row(rows > kMany ? 15 : 30), bar(rows > kMany ? 11 : 20) {}

    static constexpr std::size_t kMany = 24;
    static constexpr double kLabel = 92;  // left of the bars
    static constexpr double kTotal = 84;  // right of them
    static constexpr double kAxis = 26;   // below them
    static constexpr double kBars = kPageWidth - kLabel - kTotal;
    double row;
    double bar;
};

std::string barOf(const AnalysedRun& run, const Row& row, double top, const BarLayout& layout, double scale) {
    const DurationNs whole = row.step->span.length();
    double x = BarLayout::kLabel;
    const double y = top + (layout.row - layout.bar) / 2;
    const double baseline = top + layout.row / 2 + 4;
    const std::string label = rankLabel(*run.run->ranks[row.position], row.position);
    std::string out = svgText(BarLayout::kLabel - 12, baseline, "end", label, "label");
    for (const ChartPart& part : partsOf(*row.step)) {
        const double width = static_cast<double>(part.ns) * scale;
        out += element("g", " class=\"part\"",
                       svgTip(label + ": " + partText(part, whole)) + partRect(part, x, y, width, layout.bar));
        x += width;
    }
    return out + svgText(x + 8, baseline, "start", formatDuration(whole), "value") + "\n";
}

/// One column of a rank's small chart, growing upwards from `bottom`.
std::string columnOf(const RankStep& step, double x, double bottom, double width, double scale) {
    const DurationNs whole = step.span.length();
    std::string words = fmt::format("step {}, {}", step.index, formatDuration(whole));
    std::string rects;
    double y = bottom;
    for (const ChartPart& part : partsOf(step)) {
        const double height = static_cast<double>(part.ns) * scale;
        y -= height;
        rects += partRect(part, x, y, width, height);
        words += "; " + partText(part, whole);
    }
    if (!step.complete || step.outlier) {
        words += step.complete ? "; an outlier" : "; not complete";
    }
    return element("g", step.complete && !step.outlier ? " class=\"part\"" : " class=\"part odd\"",
                   svgTip(words) + rects);
}

std::string stepsOfRank(const AnalysedRun& run, RankPosition position, DurationNs longest, std::size_t most_columns) {
    static constexpr double kChartWidth = 240;
    static constexpr double kChartHeight = 120;
    static constexpr double kBottom = kChartHeight - 18;
    static constexpr double kWidest = 30;
    const std::vector<RankStep>& steps = run.facts.ranks[position].steps;
    const double scale = (kBottom - 6) / static_cast<double>(longest);
    const std::vector<std::size_t> shown =
        longestOfRuns(steps.size(), most_columns, [&steps](std::size_t step) { return steps[step].span.length(); });
    const ColumnLayout layout(kChartWidth, shown.size(), kWidest);
    const auto number = [&](std::size_t column) {
        return svgText(layout.middle(column), kChartHeight - 4, "middle", std::to_string(steps[shown[column]].index),
                       "tick");
    };
    std::string out = svgLine(0, kBottom, kChartWidth, kBottom, "axis");
    for (std::size_t column = 0; column < shown.size(); ++column) {
        out += columnOf(steps[shown[column]], layout.left(column), kBottom, layout.width, scale) + "\n";
    }
    out += number(0) + (shown.size() > 1 ? number(shown.size() - 1) : "");
    const std::string label = rankLabel(*run.run->ranks[position], position);
    return element("figure", "",
                   element("figcaption", "", htmlText(label)) +
                       svgDrawing(kChartWidth, kChartHeight, label + ": where the time of each step went", out) +
                       mergedColumnsNote(steps.size(), shown.size())) +
           "\n";
}

/// A note that not all ranks are shown, if so.
std::string firstRanksNote(std::size_t shown, std::size_t all) {
    return shown == all ? std::string()
                        : paragraph(fmt::format("The first {} of {} ranks; all are in the CSV report.",
                                                formatCount(shown), formatCount(all)),
                                    "note");
}

bool hasDevice(const RankFacts& facts) {
    return std::ranges::any_of(facts.steps, [](const RankStep& step) { return step.partition.has_value(); });
}

}  // namespace

std::string stepAcrossRanks(const AnalysedRun& run, const RunStep& step) {
    std::vector<Row> rows = rowsOf(run, step);
    const std::size_t all = rows.size();
    rows.resize(std::min(all, kMostBars));
    DurationNs longest = 0;
    for (const Row& row : rows) {
        longest = std::max(longest, row.step->span.length());
    }
    if (longest <= 0) {
        return {};
    }
    const BarLayout layout(rows.size());
    const double scale = BarLayout::kBars / static_cast<double>(longest);
    const double bottom = layout.row * static_cast<double>(rows.size());
    std::string grid;
    for (const DurationNs tick : ticksOf(longest, 8)) {
        const double x = BarLayout::kLabel + static_cast<double>(tick) * scale;
        grid += svgLine(x, 0, x, bottom + 4, "grid") + svgText(x, bottom + 20, "middle", tickText(tick), "tick");
    }
    std::string bars;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        bars += barOf(run, rows[i], layout.row * static_cast<double>(i), layout, scale);
    }
    return element(
               "div", " class=\"chart\"",
               svgDrawing(kPageWidth, bottom + BarLayout::kAxis,
                          fmt::format("Step {}: where its time went on each rank", step.index), grid + "\n" + bars)) +
           "\n" + firstRanksNote(rows.size(), all);
}

std::string stepsOfEachRank(const AnalysedRun& run) {
    DurationNs longest = 0;
    for (const RankFacts& facts : run.facts.ranks) {
        for (const RankStep& step : facts.steps) {
            longest = std::max(longest, step.partition ? step.span.length() : 0);
        }
    }
    std::vector<RankPosition> ranks;
    for (RankPosition position{0}; longest > 0 && position < run.facts.ranks.size(); ++position) {
        if (hasDevice(run.facts.ranks[position])) {
            ranks.push_back(position);
        }
    }
    if (ranks.empty()) {
        return {};
    }
    const std::size_t shown = std::min(ranks.size(), kMostSmallCharts);
    const std::size_t most_columns = std::clamp<std::size_t>(kMostColumnsOfAll / shown, 1, kMostColumns);
    std::string out;
    for (std::size_t i = 0; i < shown; ++i) {
        out += stepsOfRank(run, ranks[i], longest, most_columns);
    }
    return element("div", " class=\"multiples\"", "\n" + out) + "\n" + firstRanksNote(shown, ranks.size());
}

std::string partsLegend(const AnalysedRun& run) {
    std::vector<ChartPart> parts;
    for (const RankFacts& facts : run.facts.ranks) {
        for (const RankStep& step : facts.steps) {
            for (const ChartPart& part : partsOf(step)) {
                if (std::ranges::find(parts, part.title, &ChartPart::title) == parts.end()) {
                    parts.push_back(part);
                }
            }
        }
    }
    std::ranges::stable_sort(parts, {}, &ChartPart::order);
    std::string items;
    for (const ChartPart& part : parts) {
        items += element("li", "",
                         element("i", attribute("class", "f-" + part.colour + (part.waits ? " hatched" : "")), "") +
                             htmlText(part.title)) +
                 "\n";
    }
    return items.empty() ? items : element("ul", " class=\"legend\"", "\n" + items) + "\n";
}

}  // namespace rankscope::report
