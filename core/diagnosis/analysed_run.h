// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/device/name_rules.h"
#include "core/analysis/facts.h"
#include "core/analysis/memory/memory_formula.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/clock/run_clock.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/peer_links.h"
#include "core/trace/run.h"

namespace rankscope {

struct Wording;

/// A run with everything that is known of it. The window, the command line and the reports all read this.
struct AnalysedRun {
    std::shared_ptr<const Run> run;
    RunClock clock;
    RunFacts facts;
    Diagnosis diagnosis;
    LinkChoices links = {};  ///< as AnalysisOptions::links
};

struct AnalysisOptions {
    NameRules rules = NameRules::builtIn();
    unsigned threads = 0;      ///< 0: one for each core
    bool file_clocks = false;  ///< keep the files' own times instead of fitting one clock (design 4.6)
    /// By rank, as Run::ranks: clock offsets that the user typed. Missing entries and nothing: fit.
    std::vector<std::optional<DurationNs>> typed_offset_ns;
    RoleChoices roles;  ///< what the user says of process groups
    /// Which iterations of a server medians and prices are of; nothing: those that most time goes to.
    std::optional<IterationKind> iterations = {};
    EfficiencyOptions efficiency;  ///< what the user says of the job's work and its devices
    LinkChoices links;             ///< what the user says of the links between ranks
    /// Replay the run with other sizes of DDP's buckets (Diagnosis::buckets): up to eight replays.
    bool bucket_sizes = false;
    ModelSize model;  ///< what the user says of the model
    /// In which the findings are told; nullptr: in English.
    std::shared_ptr<const Wording> wording;
};

/// Aligns the clocks, computes all facts and diagnoses: the whole way from loaded traces to findings. Cancelled soon
/// after `stop` is requested. Fails where analyseFacts() does.
[[nodiscard]] Result<AnalysedRun> analyseRun(std::shared_ptr<const Run> run, const AnalysisOptions& options,
                                             const ProgressSink& progress, std::stop_token stop);

}  // namespace rankscope
