// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// What the user says of the job of a run, as the command line's --params, --tokens, --peak-tflops and so on say it.
/// What is not said is nothing.
struct JobChoice {
    ModelSize model;
    std::optional<double> tokens;           ///< of a sample
    std::optional<double> batch;            ///< samples of a step, over all ranks
    std::optional<double> model_flops;      ///< floating-point operations of a sample, forward and backward
    std::optional<double> peak_tflops;      ///< of each device
    std::optional<double> inside_gb_per_s;  ///< of a link inside a host, in one direction
    std::optional<double> across_gb_per_s;  ///< of a link across hosts, in one direction

    friend bool operator==(const JobChoice&, const JobChoice&) = default;

    /// What the analysis takes from the choice.
    [[nodiscard]] EfficiencyOptions efficiency() const;
    /// Has a run analysed by this.
    void applyTo(AnalysisOptions& options) const;
};

/// Why what is said does not go together.
enum class JobConflict : std::uint8_t {
    TokensWithoutParameters,  ///< operations follow from both
    FlopsAndTokens,           ///< the operations are said twice
};
/// Nothing where it does.
[[nodiscard]] std::optional<JobConflict> conflictOf(const JobChoice& job);

}  // namespace rankscope::ui
