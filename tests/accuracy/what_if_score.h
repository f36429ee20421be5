// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "tests/accuracy/what_if_cases.h"

namespace rankscope::accuracy {

/// A forecast of changes, and the step of the run in which they were made.
struct WhatIfScore {
    std::string job;      ///< "launches/3"
    std::string kind;     ///< as MadeChange::kind
    std::string changes;  ///< all, with spaces between them
    int ranks = 0;
    bool real = false;    ///< of recordings
    std::string refused;  ///< why the run cannot tell it, if so
    std::string skipped;  ///< why there is nothing to compare, if so
    bool at_most = false;
    DurationNs step_ns = 0;  ///< today
    DurationNs forecast_ns = 0;
    DurationNs low_ns = 0;
    DurationNs high_ns = 0;
    DurationNs true_ns = 0;  ///< simulated: the mean step with the change; recorded: the second run's step
    /// Of a simulated forecast that is outside its range: the part of the step that is most off, and what the kinds of
    /// these changes say that they leave out.
    std::string cause;

    [[nodiscard]] bool told() const { return refused.empty() && skipped.empty(); }
    [[nodiscard]] bool inRange() const { return told() && low_ns <= true_ns && true_ns <= high_ns; }
    /// How far the forecast is off, in percent of today's step.
    [[nodiscard]] double error() const;
};

/// The forecasts of all changes of a job. Throws std::runtime_error where its files cannot be read.
[[nodiscard]] std::vector<WhatIfScore> judge(const WhatIfJob& job);

/// Two recordings of one job, and what was changed between them.
struct WhatIfPair {
    std::string name;
    std::vector<std::string> changes;
    std::filesystem::path before;
    std::filesystem::path after;
};
/// Those in the folder of real traces, and the sample that is in the source, each in both ways that its change can be
/// written.
[[nodiscard]] std::vector<WhatIfPair> whatIfPairs(const std::filesystem::path& traces,
                                                  const std::filesystem::path& samples);
/// Skipped, with the reason, where a file is missing or cannot be read.
[[nodiscard]] WhatIfScore judge(const WhatIfPair& pair);

/// The median error is below 5 % of the step, and the range holds nine of ten; simulated and recorded each.
[[nodiscard]] bool holds(std::span<const WhatIfScore> scores);
/// A row a case.
[[nodiscard]] std::string rowsOf(std::span<const WhatIfScore> scores);
/// A row a kind, then all that is outside its range, in Markdown.
[[nodiscard]] std::string markdownOf(std::span<const WhatIfScore> scores);

}  // namespace rankscope::accuracy
