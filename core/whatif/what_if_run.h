// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/run_facts.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/whatif/change.h"

namespace rankscope {

/// Where the time of the priced step goes, on the device of the rank that ends it. The parts add up to the step.
struct StepParts {
    DurationNs compute_ns = 0;
    DurationNs exposed_comm_ns = 0;  ///< waits for other ranks included
    DurationNs exposed_copy_ns = 0;
    DurationNs idle_ns = 0;
    DurationNs added_ns = 0;  ///< what the replay cannot play: the likely cost of the remedies; may be negative
    [[nodiscard]] DurationNs total() const {
        return compute_ns + exposed_comm_ns + exposed_copy_ns + idle_ns + added_ns;
    }
};

/// What a change costs or adds beyond the replay, for its own line.
struct ChangeCost {
    std::string change;
    AddedTime added;
};

/// The largest part of a forecast step.
enum class ForecastBound : std::uint8_t { Compute, Communication, Copies, Idle };
/// "compute", "communication", "copies", "idle": the word in JSON and tables.
[[nodiscard]] std::string_view forecastBoundWord(ForecastBound bound);

/// The priced step with changes.
struct Forecast {
    std::vector<WhatIfChange> changes;
    DurationNs step_ns = 0;      ///< today: RunFacts::pricedStep()
    DurationNs forecast_ns = 0;  ///< with the changes; at least 0
    DurationNs low_ns = 0;       ///< the range holds the truth in 9 of 10 cases; low <= forecast <= high
    DurationNs high_ns = 0;
    bool at_most = false;  ///< the saving is an upper bound
    StepParts before;      ///< adds up to step_ns
    StepParts after;       ///< adds up to forecast_ns
    std::vector<ChangeCost> costs;
    std::vector<std::string> notes;  ///< whole sentences
    /// What bounds the step then.
    [[nodiscard]] ForecastBound nextBound() const;
};

/// A run prepared for forecasts: its facts, and what replays need. Immutable; forecasts may run on several threads.
class WhatIfRun {
  public:
    /// Analyses the facts of a run and keeps what replays need: about as much memory as its slices.
    [[nodiscard]] static Result<std::shared_ptr<const WhatIfRun>> prepare(std::shared_ptr<const Run> run,
                                                                          const AnalysisOptions& options,
                                                                          const ProgressSink& progress,
                                                                          std::stop_token stop);
    /// The same of a run that was analysed before, with the options of that time. At once if AnalysedRun::replay is
    /// there, else as long as the analysis.
    [[nodiscard]] static Result<std::shared_ptr<const WhatIfRun>> prepare(const AnalysedRun& run,
                                                                          const ProgressSink& progress = {},
                                                                          std::stop_token stop = {});
    ~WhatIfRun();
    WhatIfRun(const WhatIfRun&) = delete;
    WhatIfRun& operator=(const WhatIfRun&) = delete;

    /// The forecast of these changes together; none: today's step. Fails if two exclude each other, or if this run
    /// cannot tell one, with the reason. Each change costs what its effect costs to make, then five replays of the
    /// run.
    [[nodiscard]] Result<Forecast> forecast(std::span<const WhatIfChange> changes,
                                            const std::stop_token& stop = {}) const;

    /// The recorded run.
    [[nodiscard]] const Run& run() const;
    /// Its facts; valid as long as this.
    [[nodiscard]] const RunFacts& facts() const;
    /// Replays the run with these changes, without their costs; as Run::ranks, empty for ranks that were not replayed.
    [[nodiscard]] Result<std::vector<ReplayedRank>> replayed(std::span<const WhatIfChange> changes,
                                                             const std::stop_token& stop = {}) const;
    /// What the replays play; valid as long as this.
    [[nodiscard]] const RunReplayModel& model() const;

  private:
    struct Parts;
    explicit WhatIfRun(std::unique_ptr<const Parts> parts);
    [[nodiscard]] static std::shared_ptr<const WhatIfRun> ready(std::shared_ptr<const Run> run,
                                                                std::shared_ptr<const AnalysisResult> analysed,
                                                                const AnalysisOptions& options);
    [[nodiscard]] static Result<std::vector<WhatIfEffect>> effectsOf(const RuleContext& context,
                                                                     std::span<const WhatIfChange> changes);

    std::unique_ptr<const Parts> parts_;
};

}  // namespace rankscope
