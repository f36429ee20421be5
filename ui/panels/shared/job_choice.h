// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// What the user enters about the job of a run, as with the command line's --params, --tokens, --peak-tflops and so on;
/// nothing where it is not entered.
struct JobChoice {
    ModelSize model;
    std::optional<double> tokens;           ///< per sample
    std::optional<double> batch;            ///< samples per step, over all ranks
    std::optional<double> model_flops;      ///< floating-point operations per sample, forward and backward
    std::optional<double> peak_tflops;      ///< peak of each device
    std::optional<double> inside_gb_per_s;  ///< speed of a link inside a host, in one direction
    std::optional<double> across_gb_per_s;  ///< speed of a link across hosts, in one direction

    friend bool operator==(const JobChoice&, const JobChoice&) = default;

    /// The analysis options for the choice.
    [[nodiscard]] EfficiencyOptions efficiency() const;
    /// Applies this to the options of an analysis.
    void applyTo(AnalysisOptions& options) const;
};

/// Why the entered values contradict each other.
enum class JobConflict : std::uint8_t {
    TokensWithoutParameters,  ///< tokens need the number of parameters
    FlopsAndTokens,           ///< the operations are entered in two ways
};
/// Nothing if there is no conflict.
[[nodiscard]] std::optional<JobConflict> conflictOf(const JobChoice& job);

}  // namespace rankscope::ui
