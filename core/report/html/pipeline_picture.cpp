// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/html/svg.h"

namespace rankscope::report {
namespace {

constexpr double kStageLabel = 90;  // left of the rows
constexpr double kStageBars = kPageWidth - kStageLabel - 20;
constexpr double kStageRow = 26;
constexpr double kPassHeight = 20;
constexpr double kStageAxis = 26;     // below the rows
constexpr double kLeastPixels = 0.3;  // least width of a pass
constexpr double kDigit = 7;          // width of a digit in pixels
constexpr std::size_t kPassesShown = 4000;

/// One step of a pipeline, and the width of a nanosecond.
struct PipelinePicture {
    const AnalysedRun& run;
    const Pipeline& pipeline;
    const PipelineStep& step;

    [[nodiscard]] double perNs() const {
        return kStageBars / static_cast<double>(std::max<DurationNs>(1, step.window.plain().length()));
    }
    [[nodiscard]] double x(RankPosition rank, TimeNs file_ns) const {
        const TimeNs at = run.clock.ranks[rank].toRun(FileTime(file_ns)).plain() - step.window.plain().start_ns;
        return kStageLabel + std::clamp(static_cast<double>(at) * perNs(), 0.0, kStageBars);
    }
};

std::string_view colourOf(PassKind kind) {
    switch (kind) {
        case PassKind::Forward: return "f-pass-forward";
        case PassKind::Backward: return "f-pass-backward";
        case PassKind::WeightGradient: return "f-pass-weight-gradient";
    }
    return "f-pass-forward";
}

/// A pass with the number of its micro-batch, if it fits. Passes of a rank's later stages are hatched.
std::string drawnPass(const PipelinePicture& picture, RankPosition rank, const PipelinePass& pass, double y) {
    const double left = picture.x(rank, pass.span.start_ns);
    const double width = std::max(kLeastPixels, picture.x(rank, pass.span.end_ns) - left);
    const std::string number = pass.micro_batch >= 0 ? std::to_string(pass.micro_batch) : std::string();
    std::string words = std::string(passKindName(pass.kind)) + ", " + formatDuration(pass.span.length());
    words += pass.micro_batch >= 0 ? fmt::format(", stage {}, micro-batch {}", pass.stage, pass.micro_batch) : "";
    std::string out = svgTip(words) + svgRect(left, y, width, kPassHeight, attribute("class", colourOf(pass.kind)));
    if (pass.stage >= picture.pipeline.size) {
        out += svgRect(left, y, width, kPassHeight, " class=\"hatched\"");
    }
    if (!number.empty() && width > kDigit * static_cast<double>(number.size()) + 2) {
        out += svgText(left + width / 2, y + kPassHeight - 6, "middle", number,
                       pass.kind == PassKind::Backward ? "on-deep" : "on-bright");
    }
    return element("g", " class=\"part\"", out);
}

std::string timeAxis(const PipelinePicture& picture, double y) {
    constexpr int kTimeTicks = 8;
    std::string out = svgLine(kStageLabel, y, kStageLabel + kStageBars, y, "axis");
    for (const DurationNs tick : ticksOf(picture.step.window.plain().length(), kTimeTicks)) {
        const double x = kStageLabel + static_cast<double>(tick) * picture.perNs();
        out += svgLine(x, y, x, y + 4, "axis") + svgText(x, y + 18, "middle", tickText(tick), "tick");
    }
    return out;
}

}  // namespace

std::string pipelinePicture(const AnalysedRun& run, const Pipeline& pipeline) {
    if (pipeline.counted.empty()) {
        return {};
    }
    const PipelinePicture picture{run, pipeline, pipeline.steps[pipeline.counted.front()]};
    std::string rows;
    double y = 0;
    const std::size_t passes = std::max<std::size_t>(1, picture.step.ranks.front().passes.size());
    const std::size_t shown = std::min(std::max<std::size_t>(1, kPassesShown / passes), pipeline.ranks.size());
    for (std::size_t r = 0; r < shown; ++r) {
        const RankPosition rank = pipeline.ranks[r];
        rows += svgText(kStageLabel - 12, y + kPassHeight - 6, "end", rankLabel(*run.run->ranks[rank], rank), "label");
        for (const PipelinePass& pass : picture.step.ranks[r].passes) {
            rows += drawnPass(picture, rank, pass, y);
        }
        rows += "\n";
        y += kStageRow;
    }
    rows += timeAxis(picture, y);
    const std::string title =
        fmt::format("Step {} by stages and micro-batches", run.facts.steps[picture.step.step].index);
    std::string note =
        "Forwards, backwards and weight gradients each have a colour, with the number of their micro-batch. Hatched: a "
        "later stage of the rank.";
    note +=
        shown < pipeline.ranks.size() ? fmt::format(" The first {} of {} ranks.", shown, pipeline.ranks.size()) : "";
    return element("h4", "", htmlText(title)) + "\n" +
           element("div", " class=\"chart\"", svgDrawing(kPageWidth, y + kStageAxis, title, rows)) + "\n" +
           paragraph(note, "note");
}

}  // namespace rankscope::report
