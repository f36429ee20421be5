// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/what_if_run.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"
#include "core/diagnosis/frame/wording.h"
#include "core/diagnosis/prices/attribution.h"
#include "core/diagnosis/prices/price_remedy.h"
#include "core/whatif/contended_change.h"
#include "core/whatif/played_pipelines.h"
#include "core/whatif/refusal.h"
#include "core/whatif/step_parts.h"

namespace rankscope {

struct WhatIfRun::Parts {
    std::shared_ptr<const Run> run;
    std::shared_ptr<const AnalysisResult> analysed;
    std::shared_ptr<const Wording> wording;
};

namespace {

/// The context of rules, for one forecast.
class ForecastContext {
  public:
    ForecastContext(const Run& run, const AnalysisResult& analysed, const Wording& wording, const std::stop_token& stop)
        : pricer_(analysed.facts, analysed.clock, analysed.model, stop),
          attribution_(pricer_, analysed.facts, 1),
          context_{run,     analysed.facts, analysed.clock, analysed.work,
                   pricer_, attribution_,   wording.advice, wording.sentences} {}

    [[nodiscard]] const RuleContext& rules() const { return context_; }

  private:
    Pricer pricer_;
    Attribution attribution_;
    RuleContext context_;
};

/// The changes that have a plan for pipelines: "\"schedule:gpipe\" and \"micro_batches=8\"".
std::string namesOfPlans(std::span<const WhatIfChange> changes, const std::vector<WhatIfEffect>& effects) {
    std::string names;
    for (std::size_t i = 0; i < effects.size(); ++i) {
        if (effects[i].pipeline.any()) {
            names += (names.empty() ? "\"" : " and \"") + changes[i].text + "\"";
        }
    }
    return names;
}

void addTo(AddedTime& sum, const AddedTime& own) {
    sum.low_ns += own.low_ns;
    sum.likely_ns += own.likely_ns;
    sum.high_ns += own.high_ns;
}

/// All effects as one change, ready to be played.
ContendedChange playable(const RuleContext& context, const std::vector<WhatIfEffect>& effects) {
    RunChange joint = composed(effects);
    joint.as_others.clear();  // a forecast is of the steps that count; a price may have what others cost
    for (const WhatIfEffect& effect : effects) {
        if (effect.settle) {
            effect.settle(joint);
        }
    }
    const bool own = effects.empty() || std::ranges::any_of(effects, &WhatIfEffect::own_contention);
    return own ? ContendedChange{std::move(joint)} : withContention(context, std::move(joint));
}

/// The replayed step. Today's step is also of steps that follow no other, and so differs a little from the steps that
/// are replayed, by chance: as much less as the replayed steps vary less.
DurationNs replayedStep(const RuleContext& context, const RunChange& change, const ReplayedSaving& saving) {
    std::vector<DurationNs> today;
    for (const RunStep* const step : context.pricer.steady()) {
        today.push_back(step->duration_ns);
    }
    if (change.in_mean && context.facts.basis == StepBasis::Median) {
        return std::max<DurationNs>(0, meanOf(today) - saving.saved_ns);
    }
    const DurationNs typical_ns = typicalOf(context.facts.basis, std::move(today));
    const DurationNs apart_ns = context.facts.pricedStep() - typical_ns;
    const DurationNs varied_ns = context.pricer.replayedSaving({}, {}).step_uncertainty_ns.value_or(0);
    const DurationNs varies_ns = std::min(varied_ns, saving.step_uncertainty_ns.value_or(varied_ns));
    const double left = varied_ns > 0 ? static_cast<double>(varies_ns) / static_cast<double>(varied_ns) : 1.0;
    return std::max<DurationNs>(
        0, typical_ns - saving.saved_ns + static_cast<DurationNs>(left * static_cast<double>(apart_ns)));
}

/// How much longer a step is than a replay of the window shows, once the device has caught up with its CPU: it began
/// with work that was launched before. Only what the change adds: today's step may have the same.
DurationNs caughtUp(const RuleContext& context, const std::vector<ReplayedRank>& work, DurationNs played_ns) {
    const DurationNs today_ns = hostWorkPerStep(context, nullptr) - context.facts.pricedStep();
    const DurationNs then_ns = hostWorkPerStep(context, &work) - played_ns;
    return std::max<DurationNs>(0, then_ns - std::max<DurationNs>(0, today_ns));
}

/// Adds what a plan changes to the parts of a step that ends on rank `last`: its passes compute longer or shorter, and
/// the rest is waiting for other stages. If that is more than the step waits, idle time and computation become less.
void addPlayed(const PlayedPlan& planned, RankPosition last, StepParts& parts) {
    const auto more_ns = static_cast<DurationNs>((planned.busy[last] - 1) * static_cast<double>(parts.compute_ns));
    parts.compute_ns += more_ns;
    DurationNs left_ns = planned.added.likely_ns - more_ns;
    for (DurationNs* const part : {&parts.exposed_comm_ns, &parts.idle_ns, &parts.compute_ns}) {
        const DurationNs then_ns = std::max<DurationNs>(0, *part + left_ns);
        left_ns -= then_ns - *part;
        *part = then_ns;
    }
}

/// How far the mean step of another recording may be from a replayed one: because steps vary, and by
/// Pricer::kPrecision of the step. If too few steps show how they vary, as far as the change itself goes.
DurationNs errorOf(const RuleContext& context, const ReplayedSaving& saving) {
    const auto precision_ns =
        static_cast<DurationNs>(Pricer::kPrecision * static_cast<double>(context.facts.pricedStep()));
    return precision_ns + saving.step_uncertainty_ns.value_or(std::abs(saving.saved_ns));
}

}  // namespace

std::string_view forecastBoundWord(ForecastBound bound) {
    switch (bound) {
        case ForecastBound::Compute: return "compute";
        case ForecastBound::Communication: return "communication";
        case ForecastBound::Copies: return "copies";
        case ForecastBound::Idle: break;
    }
    return "idle";
}

ForecastBound Forecast::nextBound() const {
    const auto largest = std::max({after.compute_ns, after.exposed_comm_ns, after.exposed_copy_ns, after.idle_ns});
    return largest == after.compute_ns        ? ForecastBound::Compute
           : largest == after.exposed_comm_ns ? ForecastBound::Communication
           : largest == after.exposed_copy_ns ? ForecastBound::Copies
                                              : ForecastBound::Idle;
}

WhatIfRun::WhatIfRun(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
WhatIfRun::~WhatIfRun() = default;

const Run& WhatIfRun::run() const {
    return *parts_->run;
}
const RunFacts& WhatIfRun::facts() const {
    return parts_->analysed->facts;
}
const RunReplayModel& WhatIfRun::model() const {
    return parts_->analysed->model;
}

Result<std::shared_ptr<const WhatIfRun>> WhatIfRun::prepare(const AnalysedRun& run, const ProgressSink& progress,
                                                            std::stop_token stop) {
    const AnalysisOptions options = run.options ? *run.options : AnalysisOptions();
    if (run.replay) {
        return ready(run.run, run.replay, options);
    }
    return prepare(run.run, options, progress, std::move(stop));
}

Result<std::shared_ptr<const WhatIfRun>> WhatIfRun::prepare(std::shared_ptr<const Run> run,
                                                            const AnalysisOptions& options,
                                                            const ProgressSink& progress, std::stop_token stop) {
    Result<AnalysisResult> analysed = analyseFacts(*run, options, progress, std::move(stop));
    if (analysed.failed()) {
        return analysed.error();
    }
    if (analysed.cancelled()) {
        return Cancelled{};
    }
    return ready(std::move(run), std::make_shared<const AnalysisResult>(std::move(analysed).value()), options);
}

std::shared_ptr<const WhatIfRun> WhatIfRun::ready(std::shared_ptr<const Run> run,
                                                  std::shared_ptr<const AnalysisResult> analysed,
                                                  const AnalysisOptions& options) {
    auto parts = std::make_unique<Parts>();
    parts->run = std::move(run);
    parts->analysed = std::move(analysed);
    parts->wording = options.wording ? options.wording : Wording::builtIn();
    return std::shared_ptr<const WhatIfRun>(new WhatIfRun(std::move(parts)));
}

Result<std::vector<WhatIfEffect>> WhatIfRun::effectsOf(const RuleContext& context,
                                                       std::span<const WhatIfChange> changes) {
    if (const std::optional<Error> error = excludeOneAnother(changes)) {
        return *error;
    }
    if (context.pricer.steady().empty() || context.facts.pricedStep() <= 0) {
        return cannotTell("The run has no complete step, so nothing can be forecast.");
    }
    std::vector<WhatIfEffect> effects;
    for (const WhatIfChange& change : changes) {
        Result<WhatIfEffect> effect = change.kind->effect(context, change.values);
        if (effect.failed()) {
            return cannotTell("\"" + change.text + "\": " + effect.error().cause);
        }
        effects.push_back(std::move(effect).value());
    }
    if (const std::optional<Error> refused = cannotPlay(context, planOf(effects))) {
        return cannotTell(namesOfPlans(changes, effects) + ": " + refused->cause);
    }
    return effects;
}

Result<std::vector<ReplayedRank>> WhatIfRun::replayed(std::span<const WhatIfChange> changes,
                                                      const std::stop_token& stop) const {
    const ForecastContext context(*parts_->run, *parts_->analysed, *parts_->wording, stop);
    Result<std::vector<WhatIfEffect>> effects = effectsOf(context.rules(), changes);
    if (effects.failed()) {
        return effects.error();
    }
    std::vector<ReplayedRank> ranks =
        context.rules().pricer.replayedWork(playable(context.rules(), effects.value()).change);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    return ranks;
}

Result<Forecast> WhatIfRun::forecast(std::span<const WhatIfChange> changes, const std::stop_token& stop) const {
    const ForecastContext made(*parts_->run, *parts_->analysed, *parts_->wording, stop);
    const RuleContext& context = made.rules();
    Result<std::vector<WhatIfEffect>> effects = effectsOf(context, changes);
    if (effects.failed()) {
        return effects.error();
    }
    Forecast out;
    out.changes.assign(changes.begin(), changes.end());
    out.step_ns = context.facts.pricedStep();
    const ContendedChange joint = playable(context, effects.value());
    const ReplayedSaving saving = context.pricer.replayedSaving({}, joint.change);
    const std::vector<ReplayedRank>& work = saving.work;
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    AddedTime added = joint.error;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const WhatIfEffect& effect = effects.value()[i];
        out.at_most = out.at_most || effect.at_most;
        std::ranges::copy(effect.notes, std::back_inserter(out.notes));
        if (!effect.added) {
            continue;
        }
        const AddedTime own = effect.added({joint.change, saving.saved_ns});
        out.costs.push_back({changes[i].text, own});
        addTo(added, own);
    }
    const PipelinePlan plan = planOf(effects.value());
    const PlayedPlan planned = plan.any() ? playedPlan(context, work, plan) : PlayedPlan();
    addTo(added, planned.added);
    const DurationNs played_ns = replayedStep(context, joint.change, saving);
    const DurationNs caught_up_ns = changes.empty() ? 0 : caughtUp(context, work, played_ns);
    const DurationNs replayed_ns = played_ns + caught_up_ns;
    const DurationNs error_ns = changes.empty() ? 0 : errorOf(context, saving);
    if (!changes.empty() && !saving.step_uncertainty_ns) {
        out.notes.emplace_back(
            "Fewer than three steps count, so it is unknown how much steps vary: the range reaches as far as the "
            "change.");
    }
    out.forecast_ns = std::max<DurationNs>(0, replayed_ns + added.likely_ns);
    std::ranges::copy(
        notesOfPlan(context, plan, static_cast<double>(out.forecast_ns) / static_cast<double>(out.step_ns)),
        std::back_inserter(out.notes));
    if (out.forecast_ns < out.step_ns && std::ranges::any_of(context.work, hasWorkers)) {
        out.notes.emplace_back(
            "The workers of the DataLoader are assumed to keep up: how long they take for a batch was not recorded.");
    }
    // A window as short as this one may show the step before the device has caught up.
    out.low_ns = std::clamp<DurationNs>(played_ns + added.low_ns - error_ns, 0, out.forecast_ns);
    out.high_ns = std::max(out.forecast_ns, replayed_ns + added.high_ns + error_ns);
    if (out.at_most) {
        out.high_ns = std::max(out.high_ns, out.step_ns + error_ns);
    }
    out.before = partsOf(context, nullptr, out.step_ns);
    out.after = partsOf(context, &work, played_ns, joint.change.in_mean);
    out.after.idle_ns += caught_up_ns;
    if (plan.any()) {
        addPlayed(planned, rankThatEnds(context, &work), out.after);
    }
    out.after.added_ns += out.forecast_ns - out.after.total();
    return out;
}

}  // namespace rankscope
