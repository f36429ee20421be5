// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/job_choice.h"

namespace rankscope::ui {

EfficiencyOptions JobChoice::efficiency() const {
    EfficiencyOptions work;
    work.peak_tflops = peak_tflops;
    work.model_flops = model_flops;
    work.tokens = tokens;
    work.batch = batch;
    return work;
}

void JobChoice::applyTo(AnalysisOptions& options) const {
    options.model = model;
    options.efficiency = efficiency();
    options.links.inside_gb_per_s = inside_gb_per_s;
    options.links.across_gb_per_s = across_gb_per_s;
}

std::optional<JobConflict> conflictOf(const JobChoice& job) {
    if (job.tokens && job.model_flops) {
        return JobConflict::FlopsAndTokens;
    }
    return job.tokens && !job.model.parameters ? std::optional(JobConflict::TokensWithoutParameters) : std::nullopt;
}

}  // namespace rankscope::ui
