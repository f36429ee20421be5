// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/accuracy/forecast_cases.h"

namespace rankscope::accuracy {

/// Two recordings of one job, before and after a change, that a finding of the first forecasts.
struct RecordedPair {
    std::string name;
    std::string row;
    std::string finding;
    std::vector<std::filesystem::path> before;  ///< files or folders of one run
    std::vector<std::filesystem::path> after;
};
/// Those in the folder of real traces, and the sample that is in the source.
[[nodiscard]] std::vector<RecordedPair> recordedPairs(const std::filesystem::path& traces,
                                                      const std::filesystem::path& samples);

/// A forecast, and what the change really saved.
struct ForecastScore {
    std::string name;
    std::string row;
    bool real = false;
    std::string skipped;       ///< why there is nothing to compare, if so
    std::string finding;       ///< whose forecast it is; empty if the run has none of it
    bool at_most = false;      ///< the forecast is an upper bound
    DurationNs ideal_ns = 0;   ///< the saving without the remedy's own cost
    DurationNs saving_ns = 0;  ///< the forecast
    std::optional<DurationNs> low_ns;
    std::optional<DurationNs> high_ns;
    DurationNs step_ns = 0;      ///< mean of the steps that the price is based on
    DurationNs measured_ns = 0;  ///< what these take less in the mean; of recordings the difference of the means
    std::optional<DurationNs> measured_median_ns;  ///< of recordings the difference of the medians

    [[nodiscard]] bool told() const { return skipped.empty() && !finding.empty() && low_ns.has_value(); }
    [[nodiscard]] bool inRange() const { return told() && *low_ns <= measured_ns && measured_ns <= *high_ns; }
};

[[nodiscard]] ForecastScore judge(const ForecastCase& one);
/// Skipped, with the reason, where a file is missing or cannot be read.
[[nodiscard]] ForecastScore judge(const RecordedPair& pair);

/// Of all that are told, nine of ten are in their range, recordings and simulated pairs each.
[[nodiscard]] bool holds(std::span<const ForecastScore> scores);
/// A row a pair, and the shares, in Markdown.
[[nodiscard]] std::string markdownOf(std::span<const ForecastScore> scores);

}  // namespace rankscope::accuracy
