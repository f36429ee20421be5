// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/what_if_score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/ingest/load.h"
#include "core/whatif/what_if_run.h"
#include "tests/accuracy/recorded_run.h"
#include "tests/accuracy/shares.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/simulate.h"

namespace rankscope::accuracy {
namespace {

std::shared_ptr<const WhatIfRun> preparedAlone(std::shared_ptr<const Run> run) {
    AnalysisOptions options;
    options.threads = 1;
    Result<std::shared_ptr<const WhatIfRun>> prepared = WhatIfRun::prepare(std::move(run), options, {}, {});
    if (!prepared.ok()) {
        throw std::runtime_error("the run cannot be analysed");
    }
    return std::move(prepared).value();
}

std::vector<WhatIfChange> readChanges(const std::vector<std::string>& texts) {
    std::vector<WhatIfChange> changes;
    for (const std::string& text : texts) {
        Result<WhatIfChange> change = parseWhatIf(text);
        if (!change.ok()) {
            throw std::runtime_error(change.error().cause);
        }
        changes.push_back(std::move(change).value());
    }
    return changes;
}

/// Returns the forecast, if the run can tell it.
std::optional<Forecast> tellForecast(const WhatIfRun& run, const std::vector<std::string>& texts, WhatIfScore& score) {
    const std::vector<WhatIfChange> changes = readChanges(texts);
    for (const WhatIfChange& change : changes) {
        score.changes += (score.changes.empty() ? "" : " ") + change.text;
    }
    const Result<Forecast> told = run.forecast(changes);
    if (!told.ok()) {
        score.refused = told.failed() ? told.error().cause : "cancelled";
        return std::nullopt;
    }
    const Forecast& forecast = told.value();
    score.at_most = forecast.at_most;
    score.step_ns = forecast.step_ns;
    score.forecast_ns = forecast.forecast_ns;
    score.low_ns = forecast.low_ns;
    score.high_ns = forecast.high_ns;
    return forecast;
}

/// Why a forecast is off, from the parts of the step in the run in which the change was made.
std::string causeOf(const Forecast& forecast, const tracegen::machine::TrueRun& after) {
    const auto made = preparedAlone(loadFiles(tracegen::machine::writeFiles(after, {})));
    const Result<Forecast> today = made->forecast({});
    if (!today.ok()) {
        return "unknown";
    }
    const StepParts& is = today.value().before;
    const StepParts& told = forecast.after;
    const std::array<std::pair<std::string_view, DurationNs>, 4> off = {
        {{"compute", told.compute_ns - is.compute_ns},
         {"exposed communication", told.exposed_comm_ns - is.exposed_comm_ns},
         {"exposed copies", told.exposed_copy_ns - is.exposed_copy_ns},
         {"idle time and costs", told.idle_ns + told.added_ns - is.idle_ns}}};
    const auto& [part, ns] = *std::ranges::max_element(off, {}, [](const auto& one) { return std::abs(one.second); });
    std::string cause = std::string(part) + " " + formatDuration(std::abs(ns)) + (ns > 0 ? " too long" : " too short");
    for (const WhatIfChange& change : forecast.changes) {
        cause += change.kind->leaves_out.empty() ? "" : "; left out: " + std::string(change.kind->leaves_out);
    }
    return cause;
}

/// How long step `step` of the window truly took.
DurationNs trueLength(const tracegen::machine::TrueRun& run, std::size_t step) {
    return run.step_ends[step] - (step == 0 ? run.window_start_ns : run.step_ends[step - 1]);
}

/// The mean step with the change: of the steps that prices are based on.
DurationNs trueStep(const RunFacts& facts, const tracegen::machine::TrueRun& after) {
    std::vector<DurationNs> lengths;
    for (const RunStep* const step : pricedSteps(facts.steps)) {
        lengths.push_back(trueLength(after, static_cast<std::size_t>(step->index - after.config.first_step)));
    }
    return lengths.empty() ? 0 : meanOf(lengths);
}

// ---- tables

struct KindSum {
    std::size_t cases = 0;
    std::size_t refused = 0;
    std::size_t in_range = 0;
    std::vector<double> errors;  ///< in percent of the step
    std::vector<double> widths;  ///< of the range, the same

    void add(const WhatIfScore& score) {
        ++cases;
        refused += score.refused.empty() ? 0U : 1U;
        if (score.told()) {
            in_range += score.inRange() ? 1U : 0U;
            errors.push_back(score.error());
            widths.push_back(percentOf(score.high_ns - score.low_ns, score.step_ns));
        }
    }
};

std::string atShare(std::vector<double> values, std::size_t of_ten) {
    std::ranges::sort(values);
    return values.empty() ? "-" : percentText(values[std::min(values.size() - 1, values.size() * of_ten / 10)]);
}

std::string kindRow(const std::string& name, const KindSum& sum) {
    constexpr std::size_t kMiddle = 5;
    constexpr std::size_t kMost = 9;
    return "| " + name + " | " + std::to_string(sum.cases) + " | " + atShare(sum.errors, kMiddle) + " | " +
           atShare(sum.errors, kMost) + " | " + of(sum.in_range, sum.errors.size()) + " | " +
           atShare(sum.widths, kMiddle) + " | " + std::to_string(sum.refused) + " |\n";
}

std::string caseRow(const WhatIfScore& score) {
    const std::string row = "| " + score.job + " | `" + score.changes + "` | ";
    if (!score.skipped.empty()) {
        return row + "skipped: " + score.skipped + " | - | - | - | - |\n";
    }
    if (!score.refused.empty()) {
        return row + "refused: " + score.refused + " | - | - | - | - |\n";
    }
    return row + formatDuration(score.step_ns) + " | " + (score.at_most ? "at least " : "") +
           formatDuration(score.forecast_ns) + " (" + formatDuration(score.low_ns) + " to " +
           formatDuration(score.high_ns) + ") | " + formatDuration(score.true_ns) + " | " + percentText(score.error()) +
           " | " + (score.cause.empty() ? "-" : score.cause) + " |\n";
}

bool holdsOf(std::span<const WhatIfScore> scores, bool real) {
    constexpr double kMostError = 5;
    constexpr std::size_t kOfTen = 9;
    KindSum sum;
    for (const WhatIfScore& score : scores) {
        if (score.real == real && score.skipped.empty()) {
            sum.add(score);
        }
    }
    std::ranges::sort(sum.errors);
    return sum.errors.empty() ||
           (sum.errors[sum.errors.size() / 2] < kMostError && 10 * sum.in_range >= kOfTen * sum.errors.size());
}

}  // namespace

double WhatIfScore::error() const {
    return std::abs(percentOf(forecast_ns - true_ns, step_ns));
}

std::vector<WhatIfScore> judge(const WhatIfJob& job) {
    const tracegen::machine::TrueRun before = tracegen::machine::simulate(job.before);
    const auto run = preparedAlone(loadFiles(tracegen::machine::writeFiles(before, {})));
    std::vector<WhatIfScore> scores;
    for (const MadeChange& made : job.made) {
        WhatIfScore& score = scores.emplace_back();
        score.job = job.name;
        score.kind = made.kind;
        score.ranks = job.before.rankCount();
        if (const std::optional<Forecast> forecast = tellForecast(*run, made.changes, score)) {
            const tracegen::machine::TrueRun after = tracegen::machine::simulate(made.after);
            score.true_ns = trueStep(run->facts(), after);
            score.cause = score.inRange() ? "" : causeOf(*forecast, after);
        }
    }
    return scores;
}

std::vector<WhatIfPair> whatIfPairs(const std::filesystem::path& traces, const std::filesystem::path& samples) {
    const std::filesystem::path workers = traces / "resnet50_workers";
    std::vector<WhatIfPair> pairs;
    for (const char* change : {"loader:ready", "loader:workers=4"}) {
        pairs.push_back({"resnet50_workers", {change}, workers / "ZeroWorkers", workers / "FourWorkers"});
        pairs.push_back({"resources/samples", {change}, samples / "ZeroWorkers", samples / "FourWorkers"});
    }
    return pairs;
}

WhatIfScore judge(const WhatIfPair& pair) {
    WhatIfScore score;
    score.job = pair.name;
    score.kind = "recorded";
    score.real = true;
    try {
        const auto before = preparedAlone(loadRecording({pair.before}));
        const auto after = preparedAlone(loadRecording({pair.after}));
        score.ranks = static_cast<int>(before->run().ranks.size());
        (void)tellForecast(*before, pair.changes, score);
        score.true_ns = after->facts().pricedStep();
    } catch (const std::runtime_error& error) {
        score.skipped = error.what();
    }
    return score;
}

bool holds(std::span<const WhatIfScore> scores) {
    return holdsOf(scores, false) && holdsOf(scores, true);
}

std::string rowsOf(std::span<const WhatIfScore> scores) {
    std::string rows;
    for (const WhatIfScore& score : scores) {
        rows += score.kind + " " + caseRow(score);
    }
    return rows;
}

std::string markdownOf(std::span<const WhatIfScore> scores) {
    std::map<std::string, KindSum> by_kind;
    KindSum simulated;
    KindSum real;
    std::string outside;
    std::string recorded;
    std::map<std::string, std::size_t> refusals;
    for (const WhatIfScore& score : scores) {
        if (score.real) {
            recorded += caseRow(score);
        }
        if (!score.skipped.empty()) {
            continue;
        }
        (score.real ? real : simulated).add(score);
        if (!score.real) {
            by_kind[score.kind].add(score);
        }
        outside += score.told() && !score.inRange() && !score.real ? caseRow(score) : "";
        if (!score.refused.empty()) {
            ++refusals[score.refused.substr(score.refused.find(": ") + 2)];
        }
    }
    std::string text =
        "| change | cases | error, median | error, 90 % | in its range | width of the range | refused |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const auto& [kind, sum] : by_kind) {
        text += kindRow(kind, sum);
    }
    text += kindRow("all simulated", simulated) + kindRow("recorded", real);
    const std::string head =
        "| change | today | forecast (range) | truth | error | most off |\n|---|---|---|---|---|---|---|\n";
    text += "\nRecorded pairs:\n\n| pair " + head + recorded;
    text += "\nOutside their range:\n\n| job " + head + outside;
    text += "\nRefused:\n\n";
    for (const auto& [why, count] : refusals) {
        text += "- " + std::to_string(count) + ": " + why + "\n";
    }
    return text;
}

}  // namespace rankscope::accuracy
