// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/frame/advice.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/diagnosis/frame/judge_by_rules.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/frame/wording.h"
#include "core/diagnosis/prices/attribution.h"
#include "core/diagnosis/prices/forecast_buckets.h"

namespace rankscope {
namespace {

Diagnosis diagnose(const Run& run, const AnalysisResult& analysed, const Wording& wording,
                   const AnalysisOptions& options, const std::stop_token& stop) {
    const Pricer pricer(analysed.facts, analysed.clock, analysed.model, stop);
    Attribution attribution(pricer, analysed.facts, options.threads);
    const Sentences say = wording.sentences.with("typical", std::string(stepBasisName(analysed.facts.basis)));
    const Advice advice = wording.advice.of(purposeOf(analysed.facts), recorderOf(run));
    const RuleContext context{run, analysed.facts, analysed.clock, analysed.work, pricer, attribution, advice, say};
    Diagnosis diagnosis;
    diagnosis.prices = pricer.coverage();
    if (std::ranges::any_of(run.ranks, [](const auto& rank) { return rank->health.ranks_mixed; })) {
        findTraceHealth(context, diagnosis);  // other findings would be about no real rank
        diagnosis.headline = headlineOf(context, diagnosis);
        return diagnosis;
    }
    judgeByRules(context, stop, diagnosis);
    if (options.bucket_sizes && !stop.stop_requested()) {
        diagnosis.buckets = forecastBuckets(context);
    }
    settleFindings(analysed.facts, say, diagnosis);
    diagnosis.headline = headlineOf(context, diagnosis);
    return diagnosis;
}

}  // namespace

Result<AnalysedRun> analyseRun(std::shared_ptr<const Run> run, const AnalysisOptions& options,
                               const ProgressSink& progress, std::stop_token stop) {
    AnalysedRun result;
    Result<AnalysisResult> analysed = analyseFacts(*run, options, progress, stop);
    if (analysed.failed()) {
        return analysed.error();
    }
    if (analysed.cancelled()) {
        return Cancelled{};
    }
    const std::shared_ptr<const Wording> wording = options.wording ? options.wording : Wording::builtIn();
    result.diagnosis = diagnose(*run, analysed.value(), *wording, options, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    if (options.keep_replay) {
        result.facts = analysed.value().facts;
        result.clock = analysed.value().clock;
        result.replay = std::make_shared<const AnalysisResult>(std::move(analysed).value());
    } else {
        result.facts = std::move(analysed.value().facts);
        result.clock = std::move(analysed.value().clock);
    }
    result.run = std::move(run);
    result.links = options.links;
    result.options = std::make_shared<const AnalysisOptions>(options);
    return result;
}

}  // namespace rankscope
