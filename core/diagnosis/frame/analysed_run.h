// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "core/analysis/facts.h"
#include "core/analysis/facts_options.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/clock/run_clock.h"
#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/prices/peer_links.h"
#include "core/trace/run.h"

namespace rankscope {

struct AnalysisResult;  // core/analysis/run_facts.h
struct Wording;
struct AnalysisOptions;

/// A run with all its facts and findings. The window, the command line and the reports read this.
struct AnalysedRun {
    std::shared_ptr<const Run> run;
    RunClock clock;
    RunFacts facts;
    Diagnosis diagnosis;
    LinkChoices links = {};                               ///< as AnalysisOptions::links
    std::shared_ptr<const AnalysisOptions> options = {};  ///< how it was analysed; null in runs made by hand
    std::shared_ptr<const AnalysisResult> replay = {};    ///< for forecasts; null unless AnalysisOptions::keep_replay
};

/// How a run is analysed: options of its facts, and of the diagnosis.
struct AnalysisOptions : FactsOptions {
    LinkChoices links;  ///< what the user enters about the links between ranks
    /// Replay the run with other sizes of DDP's buckets (Diagnosis::buckets): up to eight replays.
    bool bucket_sizes = false;
    /// Keep what forecasts need (AnalysedRun::replay): about as much memory as the slices.
    bool keep_replay = false;
    /// The language of the findings; nullptr: English.
    std::shared_ptr<const Wording> wording;
};

/// Aligns the clocks, computes all facts and diagnoses: everything from loaded traces to findings. Stops soon after
/// `stop` is requested. Fails where analyseFacts() does.
[[nodiscard]] Result<AnalysedRun> analyseRun(std::shared_ptr<const Run> run, const AnalysisOptions& options,
                                             const ProgressSink& progress, std::stop_token stop);

}  // namespace rankscope
