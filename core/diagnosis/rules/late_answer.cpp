// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/stall_pattern.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace late_answer {
namespace {

/// How long idle devices take to start launched work: from the return of the launch call to the start.
struct Answers {
    std::vector<DurationNs> late_ns;    ///< of late starts
    std::vector<DurationNs> prompt_ns;  ///< of all other starts
    // How many late starts came after the device was idle for kPauseNs.
    std::size_t late_after_pause = 0;
    std::size_t prompt_after_pause = 0;

    [[nodiscard]] std::size_t count() const { return late_ns.size() + prompt_ns.size(); }
};

/// A device that was idle this long may have lowered its clocks.
constexpr DurationNs kPauseNs = 5'000'000;

Answers answersOf(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    Answers answers;
    for (const RankPosition rank : ranks) {
        TimeNs ended_ns = DeviceEvent::kBeforeAll;
        for (const DeviceEvent& event : context.work[rank].device.events) {
            const bool idle = ended_ns != DeviceEvent::kBeforeAll && ended_ns < event.call.start_ns;
            if (event.launch.valid() && idle) {
                const DurationNs latency_ns = std::max<DurationNs>(0, event.span.start_ns - event.call.end_ns);
                const bool after_pause = event.call.start_ns - ended_ns >= kPauseNs;
                const bool late = event.answer_ns > 0;
                (late ? answers.late_ns : answers.prompt_ns).push_back(latency_ns);
                (late ? answers.late_after_pause : answers.prompt_after_pause) += after_pause ? 1U : 0U;
            }
            ended_ns = std::max(ended_ns, event.span.end_ns);
        }
    }
    return answers;
}

/// What the late starts have in common, if the trace shows it: a key, and a condition of remedies.
enum class Pattern : std::uint8_t { Unknown, Grid, AfterPause };

Pattern patternOf(const Answers& answers, const std::optional<DurationNs>& tick_ns) {
    if (tick_ns) {
        return Pattern::Grid;
    }
    const std::size_t after_pause = answers.late_after_pause + answers.prompt_after_pause;
    const bool all_late = 10 * answers.late_after_pause >= 9 * after_pause;
    const bool only_these = 10 * answers.late_after_pause >= 9 * answers.late_ns.size();
    constexpr std::size_t kLeastPauses = 5;
    return answers.late_ns.size() >= kLeastPauses && all_late && only_these ? Pattern::AfterPause : Pattern::Unknown;
}

Explanation explain(const RuleContext& context, const Price& price) {
    const Sentences& say = context.sentences;
    const Answers answers = answersOf(context, price.ranks);
    std::optional<DurationNs> tick_ns = tickOf(answers.late_ns);
    // Delays that are all equal fit any time grid.
    if (tick_ns && 10 * (std::ranges::max(answers.late_ns) - std::ranges::min(answers.late_ns)) < 9 * *tick_ns) {
        tick_ns.reset();
    }
    const Pattern pattern = patternOf(answers, tick_ns);
    const std::string cause = pattern == Pattern::Grid
                                  ? say.fill("late-answer.grid", {{"tick", formatDuration(tick_ns.value_or(0))}})
                              : pattern == Pattern::AfterPause ? say.fill("late-answer.after-pause", {})
                                                               : say.fill("late-answer.unknown", {});
    return {
        .why = say.fill("late-answer.why",
                        {{"who", whoText(context, price.ranks)},
                         {"blocked", formatDuration(price.blocked_ns)},
                         {"late", formatCount(answers.late_ns.size())},
                         {"all", formatCount(answers.count())},
                         {"median", formatDuration(lowerMedian(answers.late_ns))},
                         {"longest", formatDuration(answers.late_ns.empty() ? 0 : std::ranges::max(answers.late_ns))},
                         {"usual", formatDuration(lowerMedian(answers.prompt_ns))},
                         {"cause", cause},
                         {"replay", replayText(context, price)}}),
        .conditions = {pattern == Pattern::Grid         ? "grid"
                       : pattern == Pattern::AfterPause ? "after-pause"
                                                        : "unknown"},
        .at_most = pattern == Pattern::Unknown ? Confidence::Low : Confidence::Medium,
        .doubt = say.fill("late-answer.doubt", {})};
}

}  // namespace
}  // namespace late_answer

std::vector<Problem> lateAnswers(const RuleContext& context) {
    using namespace late_answer;
    return {{.id = FindingId::LateAnswer,
             .owned = [](const LedgerEntry& e) { return e.owner == Owner::Blocked && e.cause == Cause::LateAnswer; },
             .change = onAllRanks({.prompt_device = true}),
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
