// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/trace/run.h"
#include "ui/panels/shared/job_choice.h"

namespace rankscope::ui {

/// The user's decisions about the clocks of a run; by default none.
struct ClockChoice {
    bool file_times = false;  ///< keep the files' own times; typed offsets have no effect then
    /// What to add to the times of a rank, by the rank's number, or by its position if no file has the number.
    std::map<RankNumber, DurationNs> typed_offset_ns;

    friend bool operator==(const ClockChoice&, const ClockChoice&) = default;
};

/// What the user chose about how a run is analysed.
struct AnalysisChoice {
    ClockChoice clocks;
    RoleChoices roles;                        ///< as AnalysisOptions::roles
    std::optional<IterationKind> iterations;  ///< as AnalysisOptions::iterations
    JobChoice job;
    std::optional<RunTime> base_ns = {};  ///< as ClockOptions::base_ns

    friend bool operator==(const AnalysisChoice&, const AnalysisChoice&) = default;
};

/// By the name of the run; an empty name means any run.
using AnalysisChoices = std::map<std::string, AnalysisChoice>;

/// The choice for the run of this name.
[[nodiscard]] inline AnalysisChoice choiceFor(const std::string& run, const AnalysisChoices& choices) {
    const auto named = choices.find(run);
    const auto any = choices.find({});
    return named != choices.end() ? named->second : any != choices.end() ? any->second : AnalysisChoice{};
}

/// The key of a rank in ClockChoice::typed_offset_ns.
[[nodiscard]] inline RankNumber clockKey(const Run& run, RankPosition rank) {
    return run.ranks[rank]->rank.value_or(RankNumber::standingIn(rank));
}

/// The typed offsets in the order of Run::ranks, for the analysis.
[[nodiscard]] inline std::vector<std::optional<DurationNs>> typedOffsets(const Run& run, const ClockChoice& choice) {
    std::vector<std::optional<DurationNs>> offsets(run.ranks.size());
    for (RankPosition i{0}; i < offsets.size() && !choice.file_times; ++i) {
        const auto at = choice.typed_offset_ns.find(clockKey(run, i));
        if (at != choice.typed_offset_ns.end()) {
            offsets[i] = at->second;
        }
    }
    return offsets;
}

/// Applies the user's choices to the analysis of `run`.
inline void heed(const AnalysisChoice& choice, const Run& run, AnalysisOptions& options) {
    options.clock.file_times = choice.clocks.file_times;
    options.clock.typed_offset_ns = typedOffsets(run, choice.clocks);
    options.clock.base_ns = choice.base_ns;
    options.roles = choice.roles;
    options.iterations = choice.iterations;
    choice.job.applyTo(options);
    options.bucket_sizes = true;  // the communication page and the reports need them
}

}  // namespace rankscope::ui
