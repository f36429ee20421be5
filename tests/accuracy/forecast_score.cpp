// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/forecast_score.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/prices/price_remedy.h"
#include "tests/accuracy/recorded_run.h"
#include "tests/accuracy/score.h"
#include "tests/accuracy/shares.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/simulate.h"

namespace rankscope::accuracy {
namespace {

const Finding* findingOf(const AnalysedRun& run, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        const auto at = std::ranges::find_if(run.diagnosis.findings,
                                             [&id](const Finding& one) { return findingName(one.id) == id; });
        if (at != run.diagnosis.findings.end()) {
            return &*at;
        }
    }
    return nullptr;
}

void addForecast(const AnalysedRun& run, const Finding& finding, ForecastScore& score) {
    score.finding = findingName(finding.id);
    score.at_most = finding.at_most;
    // The change is made alone: another finding may have a part of what it saves then.
    const DurationNs of_others_ns = finding.overlap ? finding.overlap->alone_ns - finding.saving_ns : 0;
    score.saving_ns = finding.saving_ns + of_others_ns;
    score.ideal_ns = savingWithoutCost(finding) + of_others_ns;
    if (const std::optional<SavingRange> range = forecastOf(finding, run.facts.pricedStep())) {
        score.low_ns = range->low_ns + of_others_ns;
        score.high_ns = range->high_ns + of_others_ns;
    }
}

std::vector<DurationNs> pricedDurations(const AnalysedRun& run) {
    std::vector<DurationNs> durations;
    for (const RunStep* const step : pricedSteps(run.facts.steps)) {
        durations.push_back(step->duration_ns);
    }
    return durations;
}

/// How long step `step` of the window took.
DurationNs lengthOf(const tracegen::machine::TrueRun& run, std::size_t step) {
    return run.step_ends[step] - (step == 0 ? run.window_start_ns : run.step_ends[step - 1]);
}

AnalysedRun analyseRecording(const std::vector<std::filesystem::path>& paths) {
    return analyseAlone(loadRecording(paths));
}

std::string rangeOf(const ForecastScore& score) {
    return score.told() ? formatDuration(*score.low_ns) + " to " + formatDuration(*score.high_ns) : "none";
}

std::string rowOfScore(const ForecastScore& score) {
    const std::string row = "| " + score.name + " | ";
    if (!score.skipped.empty()) {
        return row + "skipped: " + score.skipped + " | - | - | - | - |\n";
    }
    if (score.finding.empty()) {
        return row + "no finding | - | - | " + formatDuration(score.measured_ns) + " | - |\n";
    }
    std::string measured = formatDuration(score.measured_ns);
    if (score.measured_median_ns) {
        measured += " (median " + formatDuration(*score.measured_median_ns) + ")";
    }
    return row + "`" + score.finding + "` | " + formatDuration(score.step_ns) + " | " +
           (score.at_most ? "up to " : "") + formatDuration(score.saving_ns) + " (" + rangeOf(score) + ") | " +
           measured + " | " +
           (!score.told()     ? "-"
            : score.inRange() ? "in"
                              : "**out**") +
           " |\n";
}

struct Share {
    std::size_t all = 0;
    std::size_t told = 0;
    std::size_t in_range = 0;
    std::vector<double> errors;   ///< of the forecast, in percent of what was measured
    std::vector<double> without;  ///< the same without the remedy's own cost
    std::vector<double> widths;   ///< of the range, in percent of the step

    void add(const ForecastScore& score) {
        ++all;
        told += score.told() ? 1U : 0U;
        in_range += score.inRange() ? 1U : 0U;
        if (score.told() && score.measured_ns > 0) {
            errors.push_back(std::abs(percentOf(score.saving_ns - score.measured_ns, score.measured_ns)));
            without.push_back(std::abs(percentOf(score.ideal_ns - score.measured_ns, score.measured_ns)));
            widths.push_back(percentOf(*score.high_ns - *score.low_ns, score.step_ns));
        }
    }
};

std::string medianText(std::vector<double> percents) {
    std::ranges::sort(percents);
    return percents.empty() ? "-" : percentText(percents[percents.size() / 2]);
}

std::string shareRow(const std::string& name, const Share& share) {
    return "| " + name + " | " + std::to_string(share.all) + " | " + std::to_string(share.told) + " | " +
           of(share.in_range, share.told) + " | " + medianText(share.widths) + " | " + medianText(share.errors) +
           " | " + medianText(share.without) + " |\n";
}

bool nineOfTen(std::span<const ForecastScore> scores, bool real) {
    Share share;
    for (const ForecastScore& score : scores) {
        if (score.real == real && score.skipped.empty()) {
            share.add(score);
        }
    }
    constexpr std::size_t kOfTen = 9;
    return 10 * share.in_range >= kOfTen * share.told;
}

}  // namespace

std::vector<RecordedPair> recordedPairs(const std::filesystem::path& traces, const std::filesystem::path& samples) {
    const std::filesystem::path workers = traces / "resnet50_workers";
    const std::string row = "first-workers";
    const std::string finding = "dataloader-stall";
    return {{"resnet50_workers", row, finding, {workers / "ZeroWorkers"}, {workers / "FourWorkers"}},
            {"resources/samples", row, finding, {samples / "ZeroWorkers"}, {samples / "FourWorkers"}}};
}

ForecastScore judge(const ForecastCase& one) {
    ForecastScore score;
    score.name = one.name;
    score.row = one.row;
    const tracegen::machine::TrueRun before = tracegen::machine::simulate(one.before);
    const tracegen::machine::TrueRun after = tracegen::machine::simulate(one.after);
    const AnalysedRun analysed = analyseSimulated(before);
    std::vector<DurationNs> old_ns;
    std::vector<DurationNs> less_ns;
    for (const RunStep* const step : pricedSteps(analysed.facts.steps)) {
        const auto at = static_cast<std::size_t>(step->index - before.config.first_step);
        old_ns.push_back(lengthOf(before, at));
        less_ns.push_back(lengthOf(before, at) - lengthOf(after, at));
    }
    score.step_ns = meanOf(old_ns);
    score.measured_ns = meanOf(less_ns);
    if (const Finding* const finding = findingOf(analysed, one.findings)) {
        addForecast(analysed, *finding, score);
    }
    return score;
}

ForecastScore judge(const RecordedPair& pair) {
    ForecastScore score;
    score.name = pair.name;
    score.row = pair.row;
    score.real = true;
    try {
        const AnalysedRun before = analyseRecording(pair.before);
        const AnalysedRun after = analyseRecording(pair.after);
        const std::vector<DurationNs> old_ns = pricedDurations(before);
        const std::vector<DurationNs> new_ns = pricedDurations(after);
        if (old_ns.empty() || new_ns.empty()) {
            throw std::runtime_error("no steps that a price is based on");
        }
        score.step_ns = meanOf(old_ns);
        score.measured_ns = score.step_ns - meanOf(new_ns);
        score.measured_median_ns = lowerMedian(old_ns) - lowerMedian(new_ns);
        if (const Finding* const finding = findingOf(before, {pair.finding})) {
            addForecast(before, *finding, score);
        }
    } catch (const std::runtime_error& error) {
        score.skipped = error.what();
    }
    return score;
}

bool holds(std::span<const ForecastScore> scores) {
    return nineOfTen(scores, true) && nineOfTen(scores, false);
}

std::string markdownOf(std::span<const ForecastScore> scores) {
    std::map<std::string, Share> by_row;
    Share simulated;
    Share real;
    std::string rows = "| pair | forecast by | step | saves (range) | measured | range |\n|---|---|---|---|---|---|\n";
    for (const ForecastScore& score : scores) {
        rows += rowOfScore(score);
        if (score.skipped.empty()) {
            (score.real ? real : simulated).add(score);
            if (!score.real) {
                by_row[score.row].add(score);
            }
        }
    }
    std::string text =
        "| remedy | pairs | with a forecast | in its range | width of the range, of the step | error, median | error "
        "without the remedy's cost |\n|---|---|---|---|---|---|---|\n";
    for (const auto& [row, share] : by_row) {
        text += shareRow(row, share);
    }
    return text + shareRow("all simulated", simulated) + shareRow("recorded", real) + "\n" + rows;
}

}  // namespace rankscope::accuracy
