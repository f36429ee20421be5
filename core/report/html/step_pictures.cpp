// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/sections.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/steps/typical_run_step.h"
#include "core/base/format.h"
#include "core/compare/pairing/step_alignment.h"
#include "core/report/html/elements.h"
#include "core/report/html/svg.h"

namespace rankscope::report {
namespace {

constexpr double kLabel = 90;  // left of the rows
constexpr double kBars = kPageWidth - kLabel - 20;
constexpr double kRow = 40;  // height of a rank's row
constexpr double kCompute = 15;
constexpr double kCommunication = 10;
constexpr double kCopy = 5;
constexpr double kAxis = 26;           // below the rows
constexpr double kMergedPixels = 0.7;  // parts that are closer are drawn as one
constexpr std::uint32_t kRanksShown = 8;
constexpr int kTicks = 8;

/// One step of one run, and the width of a nanosecond.
struct Picture {
    const AnalysedRun& run;
    const RunStep& step;
    TimeSpan span;  // relative to the run's base, on its clock
    double pixels_per_ns = 1;

    [[nodiscard]] double x(RankPosition rank, TimeNs file_ns) const {
        const TimeNs at = run.clock.ranks[rank].toRun(FileTime(file_ns)) - run.clock.base_ns - span.start_ns;
        return kLabel + std::clamp(static_cast<double>(at) * pixels_per_ns, 0.0, kBars);
    }
    /// The same span on the rank's own clock.
    [[nodiscard]] TimeSpan onFile(RankPosition rank) const {
        const RankClock& clock = run.clock.ranks[rank];
        return clock.toFile(RunSpan({span.start_ns + run.clock.base_ns, span.end_ns + run.clock.base_ns}));
    }
};

std::string lane(const Picture& picture, RankPosition rank, const IntervalSet& work, double y, double height,
                 std::string_view colour) {
    std::string out;
    double left = 0;
    double right = -1;
    const std::string attributes = attribute("class", "f-" + std::string(colour));
    const auto flush = [&] {
        if (right >= left) {
            out += svgRect(left, y, std::max(right - left, kMergedPixels), height, attributes);
        }
    };
    const IntervalSet inside = work.clip(picture.onFile(rank));
    for (const TimeSpan& span : inside.spans()) {
        const double from = picture.x(rank, span.start_ns);
        if (right < left || from > right + kMergedPixels) {
            flush();
            left = from;
        }
        right = picture.x(rank, span.end_ns);
    }
    flush();
    return out;
}

/// The parts of a rank's gaps inside the picture.
std::string gaps(const Picture& picture, RankPosition rank, double y) {
    const TimeSpan window = picture.onFile(rank);
    std::string out;
    for (const RankStep& step : picture.run.facts.ranks[rank].steps) {
        for (const Gap& gap : step.gaps) {
            for (const GapPart& part : gap.parts) {
                const TimeSpan span = intersect(part.span, window);
                const double left = picture.x(rank, span.start_ns);
                const double width = picture.x(rank, span.end_ns) - left;
                if (!span.empty() && width >= kMergedPixels) {
                    const std::string words =
                        std::string(causeTitle(part.cause)) + ", " + formatDuration(part.span.length());
                    const std::string colour = "f-cause-" + std::string(causeName(part.cause));
                    out += element("g", " class=\"part\"",
                                   svgTip(words) + svgRect(left, y, width, kCompute, attribute("class", colour)));
                }
            }
        }
    }
    return out;
}

std::string axis(double y, DurationNs longest, double pixels_per_ns) {
    std::string out = svgLine(kLabel, y, kLabel + kBars, y, "axis");
    for (const DurationNs tick : ticksOf(longest, kTicks)) {
        const double x = kLabel + static_cast<double>(tick) * pixels_per_ns;
        out += svgLine(x, y, x, y + 4, "axis") + svgText(x, y + 18, "middle", tickText(tick), "tick");
    }
    return out;
}

std::string drawn(const Picture& picture, const std::string& title, DurationNs longest) {
    std::vector<RankPosition> ranks;
    for (RankPosition r{0}; r < picture.step.by_rank.size() && ranks.size() < kRanksShown; ++r) {
        if (picture.step.by_rank[r]) {
            ranks.push_back(r);
        }
    }
    std::string out;
    double y = 0;
    for (const RankPosition rank : ranks) {
        const RankFacts& facts = picture.run.facts.ranks[rank];
        out += svgText(kLabel - 12, y + kRow / 2, "end", rankLabel(*picture.run.run->ranks[rank], rank), "label");
        out += gaps(picture, rank, y) + lane(picture, rank, facts.compute, y, kCompute, "compute");
        out += lane(picture, rank, facts.communication, y + kCompute + 1, kCommunication, "communication");
        out += lane(picture, rank, facts.copy, y + kCompute + kCommunication + 2, kCopy, "copy") + "\n";
        y += kRow;
    }
    out += axis(y, longest, picture.pixels_per_ns);
    const std::size_t all = picture.run.run->ranks.size();
    const std::string more =
        all > ranks.size() ? paragraph(fmt::format("The first {} of {} ranks.", ranks.size(), all), "note") : "";
    return element("h4", "", htmlText(title)) + "\n" +
           element("div", " class=\"chart\"", svgDrawing(kPageWidth, y + kAxis, title, out)) + "\n" + more;
}

}  // namespace

std::string typicalStepPicture(const AnalysedRun& run) {
    const std::optional<RunStepPosition> typical = typicalRunStep(run.facts);
    if (!typical) {
        return {};
    }
    const RunStep& step = run.facts.steps[*typical];
    const TimeSpan on_run = spanOnAllRanks(run.facts, run.clock, step);
    const TimeSpan span{on_run.start_ns - run.clock.base_ns, on_run.end_ns - run.clock.base_ns};
    if (span.length() <= 0) {
        return {};
    }
    const double pixels_per_ns = kBars / static_cast<double>(span.length());
    return drawn({run, step, span, pixels_per_ns}, fmt::format("Step {}", step.index), span.length());
}

std::string stepPictures(const ComparisonView& view) {
    const std::vector<StepPair> pairs = pairRunSteps(view.a, view.b, Counterparts(view.a, view.b));
    const auto typical = typicalPair(view.a, view.b, pairs);
    if (!typical) {
        return {};
    }
    const StepPair& pair = pairs[*typical];
    const auto longest = std::max<DurationNs>({pair.a_span.length(), pair.b_span.length(), 1});
    const double pixels_per_ns = kBars / static_cast<double>(longest);
    const RunStep& step_a = view.a.facts.steps[pair.a];
    const RunStep& step_b = view.b.facts.steps[pair.b];
    const auto title = [](const RunStep& step, const std::string& of) {
        return fmt::format("Step {} of {}", step.index, of);
    };
    return drawn({view.a, step_a, pair.a_span, pixels_per_ns}, title(step_a, "A, " + view.a.run->name), longest) +
           drawn({view.b, step_b, pair.b_span, pixels_per_ns}, title(step_b, "B, " + view.b.run->name), longest) +
           paragraph(
               "One scale, from the start of each step. Each rank has compute on top (another colour: why the GPU is "
               "idle), then communication, then copies.",
               "note");
}

}  // namespace rankscope::report
