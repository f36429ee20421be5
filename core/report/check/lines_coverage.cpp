// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/report/check/check_context.h"
#include "core/report/check/check_limits.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

bool isUnread(const RankTrace& rank) {
    return rank.health.truncated || !rank.health.parse_issues.empty();
}

CheckLine filesLine(const CheckContext& context) {
    const Run& run = *context.run.run;
    std::size_t count = run.unreadable.size();
    std::uint64_t events = 0;
    CheckPlace place;
    for (RankPosition r{0}; r < run.ranks.size(); ++r) {
        count += run.ranks[r]->files.size();
        events += run.ranks[r]->health.events;
        if (!place.rank && isUnread(*run.ranks[r])) {
            place.rank = r;
        }
    }
    const std::size_t bad = unreadCount(run);
    CheckLine line = makeLine(context, CheckArea::Coverage, "files", bad > 0 ? CheckStatus::Look : CheckStatus::Ok,
                              {{"bad", formatCounted(bad, "file")},
                               {"files", formatCounted(count, "file")},
                               {"events", formatCounted(events, "event")}});
    line.value = static_cast<double>(bad);
    line.unit = Unit::Count;
    line.place = place;
    return line;
}

CheckLine ranksLine(const CheckContext& context) {
    const Run& run = *context.run.run;
    const std::size_t opened = run.ranks.size();
    const std::size_t missing = run.missing();
    const bool untold = missing == 0 && mayLackRanks(context.run);
    const CheckStatus status = missing > 0 && opened > 1 ? CheckStatus::Look
                               : missing > 0 || untold   ? CheckStatus::CannotTell
                                                         : CheckStatus::Ok;
    CheckLine line = makeLine(context, CheckArea::Coverage, "ranks", status,
                              {{"opened", formatCounted(opened, "rank")},
                               {"missing", formatCount(missing)},
                               {"world", formatCount(opened + missing)}},
                              untold                                     ? "untold"
                              : status == CheckStatus::Ok && opened == 1 ? "one"
                                                                         : std::string_view());
    line.value = static_cast<double>(opened);
    line.unit = Unit::Count;
    return line;
}

/// Contradictions in the records of all ranks that are not findings: "22 launch calls without a device record, 3 pieces
/// of device work without a launch call"; empty if there are none.
std::string oddRecords(const Run& run) {
    std::uint64_t launches = 0;
    std::uint64_t work = 0;
    for (const auto& rank : run.ranks) {
        launches += rank->health.unlinked_launches;
        work += rank->health.unlinked_device;
    }
    std::string text = launches > 0 ? formatCounted(launches, "launch call") + " without a GPU record" : "";
    if (work > 0) {
        text += (text.empty() ? "" : ", ") + formatCounted(work, "piece") + " of GPU work without a launch call";
    }
    return text;
}

/// Damage and contradictions in the records of single ranks.
CheckLine recordsLine(const CheckContext& context) {
    const std::optional<std::size_t> health = findingWith(context.run, {FindingId::TraceHealth});
    const Finding* const finding = health ? &context.run.diagnosis.findings[*health] : nullptr;
    const bool look = finding != nullptr && !finding->ranks.empty();
    std::uint64_t slices = 0;
    for (const auto& rank : context.run.run->ranks) {
        slices += rank->health.slices;
    }
    const std::string odd = oddRecords(*context.run.run);
    CheckLine line = makeLine(context, CheckArea::Coverage, "records", look ? CheckStatus::Look : CheckStatus::Ok,
                              {{"ranks", look ? rankList(*context.run.run, finding->ranks) : std::string()},
                               {"slices", formatCounted(slices, "slice")},
                               {"odd", odd}},
                              look || odd.empty() ? std::string_view() : "odd");
    line.place.finding = health;
    if (look) {
        line.place.rank = finding->ranks.front();
    }
    return line;
}

/// Steps that are incomplete, or missing on some ranks, without the first and the last of each window: those are often
/// cut.
std::vector<const RunStep*> innerHoles(const RunFacts& facts) {
    std::vector<const RunStep*> holes;
    for (std::size_t i = 1; i + 1 < facts.steps.size(); ++i) {
        const RunStep& step = facts.steps[i];
        if (step.opens || facts.steps[i + 1].opens) {
            continue;
        }
        if (!step.complete || std::ranges::any_of(step.by_rank, [](const auto& own) { return !own; })) {
            holes.push_back(&step);
        }
    }
    return holes;
}

bool hasMarks(const RunFacts& facts) {
    return std::ranges::any_of(facts.ranks, [](const RankFacts& rank) {
        return !rank.steps.empty() && rank.step_source != StepSource::WholeWindow;
    });
}

CheckLine recordedSteps(const CheckContext& context) {
    const RunFacts& facts = context.run.facts;
    const auto steady = static_cast<std::size_t>(std::ranges::count_if(facts.steps, isSteady));
    const std::vector<const RunStep*> holes = innerHoles(facts);
    const bool marked = hasMarks(facts);
    const CheckStatus status = !marked || steady < kFewSteps ? CheckStatus::CannotTell
                               : !holes.empty()              ? CheckStatus::Look
                                                             : CheckStatus::Ok;
    CheckLine line = makeLine(context, CheckArea::Coverage, "recorded-steps", status,
                              {{"steady", formatCount(steady)},
                               {"all", formatCounted(facts.steps.size(), "step")},
                               {"holes", formatCounted(holes.size(), "step")},
                               {"share", formatPercent(facts.verdict.coverage.share())},
                               {"fewest", formatCount(kFewSteps)}},
                              marked ? std::string_view() : "unmarked");
    line.value = static_cast<double>(steady);
    line.unit = Unit::Count;
    line.limit = static_cast<double>(kFewSteps);
    if (!holes.empty()) {
        line.place.step = holes.front()->index;
        line.place.rank = holes.front()->critical_rank;
    }
    return line;
}

/// The word for a clock method, after the number of ranks that use it.
std::string_view methodWords(ClockMethod method) {
    switch (method) {
        case ClockMethod::SharedHost: return "of the same host";
        case ClockMethod::OneClock: return "found to be the same clock";
        case ClockMethod::Fitted: return "fitted";
        case ClockMethod::Typed: return "entered";
        case ClockMethod::FileTimes: break;
    }
    return "as in the file";
}

/// "1 as in the file, 2 fitted, 6 of the same host".
std::string methodsText(const RunClock& clock) {
    std::map<std::string_view, std::size_t> counts;
    for (const RankClock& rank : clock.ranks) {
        ++counts[methodWords(rank.method)];
    }
    std::string text;
    for (const auto& [method, count] : counts) {
        text += (text.empty() ? "" : ", ") + formatCount(count) + " " + std::string(method);
    }
    return text;
}

CheckLine clocksLine(const CheckContext& context) {
    const RunClock& clock = context.run.clock;
    if (clock.ranks.size() < 2) {
        return makeLine(context, CheckArea::Coverage, "clocks", CheckStatus::Ok, {}, "alone");
    }
    CheckPlace place;
    DurationNs worst_ns = 0;
    bool known = true;
    for (RankPosition r{0}; r < clock.ranks.size(); ++r) {
        known = known && clock.ranks[r].uncertainty_ns.has_value();
        const DurationNs own_ns = clock.ranks[r].uncertainty_ns.value_or(0);
        if (!place.rank || own_ns > worst_ns) {
            place.rank = r;
            worst_ns = own_ns;
        }
    }
    const DurationNs step_ns = context.run.facts.pricedStep();
    const std::string methods = methodsText(clock);
    if (!known || step_ns <= 0) {
        return makeLine(context, CheckArea::Coverage, "clocks", CheckStatus::CannotTell, {{"methods", methods}});
    }
    const double share = static_cast<double>(worst_ns) / static_cast<double>(step_ns);
    CheckLine line = makeLine(context, CheckArea::Coverage, "clocks", lookFrom(share, kMuchClockError),
                              {{"methods", methods},
                               {"worst", formatDuration(worst_ns)},
                               {"rank", rankText(context.run, *place.rank)},
                               {"share", formatPercent(share)},
                               {"limit", formatPercent(kMuchClockError)}});
    line.value = static_cast<double>(worst_ns);
    line.unit = Unit::Duration;
    line.limit = kMuchClockError * static_cast<double>(step_ns);
    line.place = place;
    return line;
}

}  // namespace

std::vector<CheckLine> coverageLines(const CheckContext& context) {
    return {filesLine(context), ranksLine(context), recordsLine(context), recordedSteps(context), clocksLine(context)};
}

}  // namespace rankscope::report
