// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/rule.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/example.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {

namespace {

/// "Operator code 3.1 ms, Launch calls 2.0 ms": the waits of other causes that a price shortens most.
std::string followsText(const RuleContext& context, const Price& price) {
    constexpr std::size_t kMostNamed = 3;
    std::vector<std::pair<DurationNs, std::string>> waits;
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        waits.emplace_back(price.follows.ns[i], causeTitle(static_cast<Cause>(i)));
    }
    waits.emplace_back(price.follows_communication_ns, context.sentences.fill("common.communication", {}));
    std::ranges::stable_sort(waits, std::ranges::greater(), [](const auto& wait) { return wait.first; });
    std::string text;
    for (std::size_t i = 0; i < kMostNamed && 10 * waits[i].first >= waits[0].first && waits[i].first > 0; ++i) {
        text += (text.empty() ? "" : ", ") + waits[i].second + " " + formatDuration(waits[i].first);
    }
    return text;
}

/// If a price saves more than its own time: which waits follow, and which part of that is not proven.
std::string beyondText(const RuleContext& context, const Price& price) {
    const std::string waits = followsText(context, price);
    if (waits.empty() || (price.beyond_ns <= 0 && price.unproven_ns <= 0)) {
        return {};
    }
    std::string text;
    if (price.beyond_ns > 0) {
        text +=
            context.sentences.fill("common.follows", {{"beyond", formatDuration(price.beyond_ns)}, {"waits", waits}});
    }
    if (price.unproven_ns > 0) {
        text += context.sentences.fill("common.unproven", {{"unproven", formatDuration(price.unproven_ns)}});
    }
    return text;
}

/// " In the same number of other steps it would save 49.0 ms to 57.0 ms per step (95 %).", if that range is wide.
std::string rangeText(const RuleContext& context, const Finding& finding) {
    if (finding.at_most) {
        return context.sentences.fill("common.at-most", {{"saving", formatDuration(finding.saving_ns)}});
    }
    if (!isToldAsRange(finding, context.facts.pricedStep())) {
        return {};
    }
    return context.sentences.fill("common.range", {{"low", formatDuration(finding.range->low_ns)},
                                                   {"high", formatDuration(finding.range->high_ns)}});
}

/// " Workers cost the training process 3.1 ms of that (0 ns to 12.0 ms) ...": the cost of the remedy itself.
std::string costText(const RuleContext& context, const Finding& finding) {
    if (!finding.cost) {
        return {};
    }
    const RemedyCost& cost = *finding.cost;
    const auto precision_ns =
        static_cast<DurationNs>(Pricer::kPrecision * static_cast<double>(context.facts.pricedStep()));
    const bool of_workers = cost.kind == RemedyKind::FirstWorkers || cost.kind == RemedyKind::MoreWorkers;
    if (cost.high_ns <= precision_ns) {
        return of_workers ? context.sentences.fill("remedy-cost.workers-hidden", {}) : std::string();
    }
    return context.sentences.fillFrom("remedy-cost." + std::string(remedyKindName(cost.kind)),
                                      {{"low", formatDuration(cost.low_ns)},
                                       {"likely", formatDuration(cost.likely_ns)},
                                       {"high", formatDuration(cost.high_ns)}});
}

std::string doubtText(const RuleContext& context, const Price& price, Doubt doubt) {
    const Sentences& say = context.sentences;
    const std::string steps = countText(price.steady_steps, "step");
    switch (doubt) {
        case Doubt::OneStep: return say.fill("confidence.one-step", {{"steps", steps}});
        case Doubt::SeldomSeen:
            return say.fill("confidence.seldom-seen", {{"seen", std::to_string(price.steady_seen)},
                                                       {"steps", std::to_string(price.steady_steps)}});
        case Doubt::TwoSteps: return say.fill("confidence.two-steps", {});
        case Doubt::BeyondOwn: return say.fill("confidence.beyond", {{"beyond", formatDuration(price.beyond_ns)}});
        case Doubt::FewVary: return say.fill("confidence.few-vary", {{"steps", steps}});
        case Doubt::RanksAlone: return say.fill("confidence.ranks-alone", {});
    }
    return {};
}

/// The reasons for the confidence: each doubt, or that there is none.
std::vector<std::string> confidenceText(const RuleContext& context, const Price& price, const Explanation& told,
                                        bool at_most) {
    std::vector<std::string> texts;
    for (const Doubt doubt : doubtsOf(price, context.facts.ranks.size())) {
        texts.push_back(doubtText(context, price, doubt));
    }
    if (at_most) {
        texts.push_back(context.sentences.fill("confidence.upper-bound", {}));
    }
    if (!told.doubt.empty()) {
        texts.push_back(told.doubt);
    }
    if (texts.empty()) {
        texts.push_back(context.sentences.fill("confidence.sure", {{"seen", std::to_string(price.steady_seen)},
                                                                   {"steps", std::to_string(price.steady_steps)}}));
    }
    // Elsewhere the steps in which it was seen are counted among all: the two numbers must not seem to contradict each
    // other.
    if (const std::size_t all = context.facts.steps.size(); price.steady_steps > 0 && price.steady_steps < all) {
        texts.push_back(context.sentences.fill(
            "confidence.left-out",
            {{"steps", std::to_string(all - price.steady_steps)}, {"all", countText(all, "step")}}));
    }
    return texts;
}

}  // namespace

void judgeProblem(const RuleContext& context, const Problem& problem, Diagnosis& diagnosis) {
    const Price price =
        context.attribution.price(problem.id, problem.owned, problem.change, problem.reach, problem.claim);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    std::optional<Explanation> told = problem.explain(price);
    if (!told) {
        return;
    }
    Finding finding = makeFinding(problem.id, price, context.facts.ranks.size());
    if (finding.range) {
        finding.range->high_ns = std::min(finding.range->high_ns, context.facts.pricedStep());
    }
    const bool at_most = problem.at_most || price.at_most;
    if (at_most) {
        finding.at_most = true;
        finding.range.reset();
        finding.confidence = std::min(finding.confidence, Confidence::Medium);
    }
    if (problem.cost) {
        subtractCost(problem.cost(price), context.facts.pricedStep(), finding);
        if (finding.share < Pricer::kLeastShare) {
            return;
        }
    }
    finding.confidence = std::min(finding.confidence, told->at_most);
    finding.why_confidence = confidenceText(context, price, *told, at_most);
    finding.example = exampleOf(context, price);
    finding.coverage = context.pricer.coverage();
    finding.cause = told->cause;
    finding.cause_share = told->cause_share;
    finding.ranks = told->culprits ? std::move(*told->culprits) : finding.ranks;
    finding.title = told->title ? std::move(*told->title) : context.advice.title(finding.id);
    finding.why =
        std::move(told->why) + beyondText(context, price) + costText(context, finding) + rangeText(context, finding);
    finding.remedies = context.advice.remedies(finding.id, told->conditions);
    finding.evidence = told->evidence ? std::move(*told->evidence) : evidenceOf(context, price, problem.owned);
    diagnosis.findings.push_back(std::move(finding));
}

RunChange onAllRanks(ReplayChange change) {
    RunChange of_run;
    of_run.of_rank = [change = std::move(change)](RankPosition) { return change; };
    return of_run;
}

RunChange onEachRank(const RuleContext& context, ChangeOfRank change) {
    struct WorkedOut {
        std::once_flag once;
        ChangeOfRank change;
        std::vector<ReplayChange> of_ranks;
    };
    const auto state = std::make_shared<WorkedOut>();
    state->change = std::move(change);
    RunChange of_run;
    of_run.of_rank = [state, ranks = context.facts.ranks.size()](RankPosition rank) {
        std::call_once(state->once, [&] {
            for (RankPosition r{0}; r < ranks; ++r) {
                state->of_ranks.push_back(state->change(r));
            }
        });
        return state->of_ranks[rank];
    };
    return of_run;
}

std::string replayText(const RuleContext& context, const Price& price) {
    std::vector<DurationNs> measured;
    for (const RunStep* const step : context.pricer.steady()) {
        measured.push_back(step->duration_ns);
    }
    const std::size_t steps = measured.size();
    const DurationNs step_ns = typicalOf(context.facts.basis, std::move(measured));
    const std::string step = formatDuration(step_ns);
    const std::string new_step = formatDuration(step_ns - price.saving_ns);
    if (step == formatDuration(context.facts.pricedStep())) {
        return context.sentences.fill("common.replay", {{"new_step", new_step}, {"step", step}});
    }
    return context.sentences.fill("common.replay-of-priced",
                                  {{"new_step", new_step}, {"step", step}, {"steps", formatCounted(steps, "step")}});
}

std::string seenText(const RuleContext& context, const Price& price) {
    const std::size_t all = context.facts.steps.size();
    if (price.basis == StepBasis::Mean && price.least_seen_ns < price.most_seen_ns) {
        return context.sentences.fill("common.seen-with-range", {{"seen", std::to_string(price.steps.size())},
                                                                 {"steps", countText(all, "step")},
                                                                 {"least", formatDuration(price.least_seen_ns)},
                                                                 {"most", formatDuration(price.most_seen_ns)}});
    }
    return context.sentences.fill("common.seen",
                                  {{"seen", std::to_string(price.steps.size())}, {"steps", countText(all, "step")}});
}

const RankStep* stepAt(const RankFacts& rank, TimeNs at_ns) {
    const auto step = std::ranges::find_if(
        rank.steps, [at_ns](const RankStep& s) { return s.span.start_ns <= at_ns && at_ns < s.span.end_ns; });
    return step == rank.steps.end() ? nullptr : &*step;
}

DurationNs baselinePart(const Collective& collective, DurationNs transfer_ns) {
    if (!collective.baseline_transfer_ns || !collective.transfer_ns || *collective.transfer_ns <= 0) {
        return transfer_ns;
    }
    const double share =
        static_cast<double>(*collective.baseline_transfer_ns) / static_cast<double>(*collective.transfer_ns);
    return static_cast<DurationNs>(std::llround(share * static_cast<double>(transfer_ns)));
}

}  // namespace rankscope
