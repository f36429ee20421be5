// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/report/check/check_context.h"
#include "core/report/check/check_limits.h"
#include "core/report/check/hideable.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

CheckLine shareLine(CheckLine line, std::optional<double> value, double limit, CheckPlace place) {
    line.value = value;
    line.limit = limit;
    line.place = place;
    return line;
}

CheckLine findingsLine(const CheckContext& context) {
    const std::vector<Finding>& found = context.run.diagnosis.findings;
    if (context.run.facts.pricedStep() <= 0) {
        return makeLine(context, CheckArea::Budget, "findings", CheckStatus::CannotTell, {});
    }
    if (found.empty()) {
        const bool known = context.run.diagnosis.headline.known;
        return makeLine(context, CheckArea::Budget, "findings", known ? CheckStatus::Ok : CheckStatus::CannotTell, {},
                        known ? "none" : "unknown");
    }
    const Finding& first = found.front();
    CheckPlace place;
    place.finding = 0;
    if (!first.ranks.empty()) {
        place.rank = first.ranks.front();
    }
    if (!first.evidence.empty()) {
        place.rank = first.evidence.front().rank;
        place.step = first.evidence.front().step;
        place.slice = first.evidence.front().slice;
    }
    const bool unpriced = first.saving_ns <= 0;  // none has a price: its cost is not known, rather than zero
    const CheckStatus status = unpriced ? CheckStatus::Look : lookFrom(first.share, kDearFinding);
    return shareLine(makeLine(context, CheckArea::Budget, "findings", status,
                              {{"findings", formatCounted(found.size(), "finding")},
                               {"title", first.title},
                               {"saves", formatDuration(first.saving_ns)},
                               {"share", formatPercent(first.share)}},
                              unpriced            ? "unpriced"
                              : first.at_most     ? (found.size() == 1 ? "at-most-one" : "at-most")
                              : found.size() == 1 ? "one"
                                                  : std::string_view()),
                     first.share, kDearFinding, place);
}

/// A line about a part of the step, with its limit; `values` are those of its sentence besides the length.
CheckLine partLine(const CheckContext& context, std::string_view key, double limit, DurationNs part_ns,
                   const std::function<DurationNs(const StepBudget&)>& part) {
    const double share = context.budget.share(part_ns).value_or(0);
    CheckPlace place = placeOfMost(context, part);
    const std::string rank = place.rank ? rankText(context.run, *place.rank) : std::string();
    const std::string most =
        place.rank ? formatPercent(context.budgets[*place.rank].share(part(context.budgets[*place.rank])).value_or(0))
                   : std::string();
    const bool none = part_ns == 0;
    return shareLine(makeLine(context, CheckArea::Budget, key, lookFrom(share, limit),
                              {{"part", lengthText(context.budget, part_ns)},
                               {"limit", formatPercent(limit)},
                               {"rank", rank},
                               {"most", most}},
                              none ? "none" : std::string_view()),
                     share, limit, place);
}

/// A loader that was not recorded may still keep the GPU waiting.
CheckLine inputLine(const CheckContext& context) {
    if (loaderIsUnrecorded(context)) {
        return makeLine(context, CheckArea::Budget, "input", CheckStatus::CannotTell, {}, "unrecorded");
    }
    const auto input = [](const StepBudget& one) { return one.idle_causes[Cause::DataLoader]; };
    const DurationNs input_ns = input(context.budget);
    CheckLine line = partLine(context, "input", kMuchInput, input_ns, input);
    if (input_ns == 0 && std::ranges::none_of(context.run.facts.ranks,
                                              [](const RankFacts& rank) { return rank.phases.told[Phase::Data]; })) {
        line.text = makeLine(context, CheckArea::Budget, "input", CheckStatus::Ok, {}, "unseen").text;
    }
    line.place.finding = findingWith(context.run, {FindingId::DataloaderStall});
    return line;
}

CheckLine budgetLine(const CheckContext& context) {
    const StepBudget& budget = context.budget;
    const double share = budget.share(budget.compute_ns).value_or(0);
    const auto part = [&budget](DurationNs ns) { return lengthText(budget, ns); };
    CheckLine line =
        makeLine(context, CheckArea::Budget, "budget", share < kLittleCompute ? CheckStatus::Look : CheckStatus::Ok,
                 {{"step", formatDuration(budget.ofStep(budget.step_ns))},
                  {"steps", formatCounted(budget.steps, "step")},
                  {"compute", part(budget.compute_ns)},
                  {"communication", part(budget.exposed_comm_ns)},
                  {"copies", part(budget.exposed_copy_ns)},
                  {"idle", part(budget.idle_ns)},
                  {"all_communication", formatDuration(budget.ofStep(budget.comm_ns))},
                  {"all_copies", formatDuration(budget.ofStep(budget.copy_ns))},
                  {"in_turn", formatDuration(budget.ofStep(budget.withoutOverlap()))}});
    return shareLine(std::move(line), share, kLittleCompute,
                     placeOfMost(context, [](const StepBudget& one) { return one.step_ns - one.compute_ns; }));
}

CheckLine communicationLine(const CheckContext& context) {
    const StepBudget& budget = context.budget;
    if (!communicates(context.run)) {
        return makeLine(context, CheckArea::Budget, "exposed-communication", CheckStatus::Ok, {}, "alone");
    }
    const double share = budget.share(budget.exposed_comm_ns).value_or(0);
    CheckPlace place = placeOfMost(context, [](const StepBudget& one) { return one.exposed_comm_ns; });
    place.finding = findingWith(
        context.run, {FindingId::ExposedCommunication, FindingId::ShardGatherLate, FindingId::TensorCommunication,
                      FindingId::SlowCollective, FindingId::StragglerRank, FindingId::MovingStraggler});
    const double hidden = budget.comm_ns > 0
                              ? static_cast<double>(budget.hiddenCommunication()) / static_cast<double>(budget.comm_ns)
                              : 0;
    const bool undivided = budget.share(budget.exposed_unsplit_ns).value_or(0) >= kTellsUndivided;
    return shareLine(makeLine(context, CheckArea::Budget, "exposed-communication", lookFrom(share, kMuchCommunication),
                              {{"part", lengthText(budget, budget.exposed_comm_ns)},
                               {"waits", lengthText(budget, budget.exposed_wait_ns.value_or(0))},
                               {"undivided", lengthText(budget, budget.exposed_unsplit_ns)},
                               {"hidden", formatDuration(budget.ofStep(budget.hiddenCommunication()))},
                               {"all", formatDuration(budget.ofStep(budget.comm_ns))},
                               {"hidden_share", formatPercent(hidden)},
                               {"limit", formatPercent(kMuchCommunication)}},
                              budget.exposed_wait_ns ? (undivided ? "split-partly" : "split")
                              : undivided            ? "undivided"
                                                     : std::string_view()),
                     share, kMuchCommunication, place);
}

/// The reason for most of the exposed communication, as a sentence with a space before it, from the finding about it
/// that saves most; empty if there is none.
std::string whyExposed(const CheckContext& context) {
    for (const Finding& finding : context.run.diagnosis.findings) {
        if (const auto* const because = std::get_if<ExposedBecause>(&finding.cause)) {
            return context.words.fillFrom("overlap.because-" + std::string(exposedBecauseName(*because)),
                                          {{"share", formatPercent(finding.cause_share.value_or(0))}});
        }
    }
    return {};
}

/// The most that better overlap could save.
CheckLine overlapLine(const CheckContext& context) {
    const std::optional<Hideable> hideable = hideableOf(context.run.facts);
    if (!communicates(context.run)) {
        return makeLine(context, CheckArea::Budget, "overlap", CheckStatus::Ok, {}, "alone");
    }
    if (!hideable) {
        return makeLine(context, CheckArea::Budget, "overlap", CheckStatus::CannotTell, {});
    }
    const bool told = hideable->isTold(kMuchToHide);
    CheckLine line = makeLine(context, CheckArea::Budget, "overlap",
                              told ? lookFrom(hideable->share, kMuchToHide) : CheckStatus::CannotTell,
                              {{"efficiency", formatPercent(hideable->overlap.efficiency())},
                               {"wins", formatDuration(hideable->wins_ns)},
                               {"share", formatPercent(hideable->share)},
                               {"undivided", lengthText(context.budget, context.budget.exposed_unsplit_ns)},
                               {"least", formatDuration(hideable->least_ns)},
                               {"least_share", formatPercent(hideable->least_share)},
                               {"limit", formatPercent(kMuchToHide)}},
                              told ? std::string_view() : "undivided");
    line.text += whyExposed(context);
    return shareLine(std::move(line), told ? std::optional(hideable->share) : std::nullopt, kMuchToHide,
                     placeOfMost(context, [](const StepBudget& one) { return one.exposed_comm_ns; }));
}

/// The cause of most idle time of the device.
Cause firstCause(const CauseTimes& causes) {
    const auto at = std::ranges::max_element(causes.ns);
    return static_cast<Cause>(at - causes.ns.begin());
}

CheckLine idleLine(const CheckContext& context) {
    const StepBudget& budget = context.budget;
    const double share = budget.share(budget.idle_ns).value_or(0);
    const Cause first = firstCause(budget.idle_causes);
    return shareLine(makeLine(context, CheckArea::Budget, "idle", lookFrom(share, kMuchIdle),
                              {{"part", lengthText(budget, budget.idle_ns)},
                               {"cause", std::string(causeTitle(first))},
                               {"of_cause", lengthText(budget, budget.idle_causes[first])},
                               {"limit", formatPercent(kMuchIdle)}},
                              budget.idle_ns == 0 ? "none" : std::string_view()),
                     share, kMuchIdle, placeOfMost(context, [](const StepBudget& one) { return one.idle_ns; }));
}

}  // namespace

std::vector<CheckLine> budgetLines(const CheckContext& context) {
    std::vector<CheckLine> lines = {findingsLine(context)};
    if (context.budget.steps == 0) {
        for (const char* key : {"budget", "exposed-communication", "overlap", "copies", "input", "idle"}) {
            lines.push_back(makeLine(context, CheckArea::Budget, key, CheckStatus::CannotTell, {}));
        }
        return lines;
    }
    lines.push_back(budgetLine(context));
    lines.push_back(communicationLine(context));
    lines.push_back(overlapLine(context));
    const auto copies = [](const StepBudget& one) { return one.exposed_copy_ns; };
    lines.push_back(partLine(context, "copies", kMuchCopying, context.budget.exposed_copy_ns, copies));
    lines.back().place.finding = findingWith(context.run, {FindingId::UnpinnedMemcpy, FindingId::GradientCopies});
    lines.push_back(inputLine(context));
    lines.push_back(idleLine(context));
    return lines;
}

}  // namespace rankscope::report
