// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/charts.h"
#include "core/report/html/elements.h"
#include "core/report/html/svg.h"

namespace rankscope::report {
namespace {

/// The chart of step times: columns upwards from kBottom, the median's label right of them.
constexpr double kHeight = 180;
constexpr double kBottom = kHeight - 24;
constexpr double kTop = 22;
constexpr double kColumns = kPageWidth - 92;
constexpr double kWidest = 72;
constexpr std::size_t kWithText = 16;
constexpr std::size_t kMostSteps = 1'000;  // more would be finer than the pixels

/// One of the run's steps as a column, with its length above and its number below if they fit.
std::string stepColumn(const RunStep& step, double middle, double width, double scale, bool with_text) {
    const bool odd = !step.complete || step.outlier;
    const double top = kBottom - static_cast<double>(step.duration_ns) * scale;
    const std::string words = fmt::format("step {}: {}{}{}", step.index, formatDuration(step.duration_ns),
                                          step.complete ? "" : ", not complete", step.outlier ? ", an outlier" : "");
    std::string out =
        element("g", odd ? " class=\"part odd\"" : " class=\"part\"",
                svgTip(words) + svgRect(middle - width / 2, top, width, kBottom - top, " class=\"column\""));
    if (with_text) {
        out += svgText(middle, top - 6, "middle", formatDuration(step.duration_ns), "value") +
               svgText(middle, kBottom + 16, "middle", std::to_string(step.index), "tick");
    }
    return out + "\n";
}

std::string medianLine(DurationNs median_ns, double scale) {
    const double y = kBottom - static_cast<double>(median_ns) * scale;
    return svgLine(0, y, kColumns, y, "median") + svgText(kColumns + 10, y - 2, "start", "median", "tick") +
           svgText(kColumns + 10, y + 13, "start", formatDuration(median_ns), "value");
}

}  // namespace

std::string stepTimes(const AnalysedRun& run) {
    const std::vector<RunStep>& steps = run.facts.steps;
    DurationNs longest = 0;
    for (const RunStep& step : steps) {
        longest = std::max(longest, step.duration_ns);
    }
    if (longest <= 0) {
        return {};
    }
    const double scale = (kBottom - kTop) / static_cast<double>(longest);
    const std::vector<std::size_t> shown =
        longestOfRuns(steps.size(), kMostSteps, [&steps](std::size_t step) { return steps[step].duration_ns; });
    const ColumnLayout layout(kColumns, shown.size(), kWidest);
    const bool with_text = steps.size() <= kWithText;
    std::string out = svgLine(0, kBottom, kColumns, kBottom, "axis");
    for (std::size_t column = 0; column < shown.size(); ++column) {
        out += stepColumn(steps[shown[column]], layout.middle(column), layout.width, scale, with_text);
    }
    if (!with_text) {
        for (const std::size_t column : {std::size_t{0}, shown.size() - 1}) {
            out += svgText(layout.middle(column), kBottom + 16, "middle", std::to_string(steps[shown[column]].index),
                           "tick");
        }
    }
    if (run.facts.median_step_ns > 0) {
        out += medianLine(run.facts.median_step_ns, scale);
    }
    return element("div", " class=\"chart\"",
                   svgDrawing(kPageWidth, kHeight, "How long each step of the run took", out)) +
           "\n" + mergedColumnsNote(steps.size(), shown.size());
}

std::string priceBar(const Finding& finding, const RunFacts& facts) {
    static constexpr double kLong = 100;
    static constexpr double kHigh = 4;
    const DurationNs step_ns = facts.pricedStep();
    if (step_ns <= 0) {
        return {};
    }
    const auto length = [step_ns](DurationNs ns) {
        return std::clamp(kLong * static_cast<double>(ns) / static_cast<double>(step_ns), 0.0, kLong);
    };
    const std::string words = "Of the " + std::string(stepBasisName(facts.basis)) + " step of " +
                              formatDuration(step_ns) + ": blocks " + formatDuration(finding.blocked_ns) + ", saves " +
                              formatDuration(finding.saving_ns);
    return element(
        "svg",
        R"( class="price" viewBox="0 0 100 4" preserveAspectRatio="none" role="img")" + attribute("aria-label", words),
        svgTip(words) + svgRect(0, 0, kLong, kHigh, " class=\"ground\"") +
            svgRect(0, 0, length(finding.blocked_ns), kHigh, " class=\"blocked\"") +
            svgRect(0, 0, length(finding.saving_ns), kHigh, " class=\"saved\""));
}

}  // namespace rankscope::report
