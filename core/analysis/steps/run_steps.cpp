// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/run_steps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>

#include "core/analysis/serving/tell_iterations.h"
#include "core/base/format.h"
#include "core/base/interval_set.h"

namespace rankscope {
namespace {

/// A step of the run before its duration is known.
struct Paired {
    RunStep step;
    TimeNs start_ns = 0;  ///< earliest of all members, on the run's clock
    TimeNs end_ns = 0;    ///< last of all members
    std::uint32_t group = 0;
};

/// The time that a rank's steps cover, on the run's clock.
TimeSpan stepsOf(const MeasuredRank& rank, const RankClock& clock) {
    TimeSpan covered;
    for (std::size_t s = 0; s < rank.steps.size(); ++s) {
        const TimeSpan span = clock.toRun(FileSpan(rank.steps[s].span));
        covered =
            s == 0 ? span : TimeSpan{std::min(covered.start_ns, span.start_ns), std::max(covered.end_ns, span.end_ns)};
    }
    return covered;
}

/// Which ranks were recorded at the same time, as the lowest rank of each group: ranks without a common moment belong
/// to different jobs, and their steps are not paired, whatever their numbers.
std::vector<std::uint32_t> recordedTogether(const std::vector<MeasuredRank>& ranks, const RunClock& clock) {
    std::vector<TimeSpan> covered;
    std::vector<RankPosition> order;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        covered.push_back(stepsOf(ranks[r], clock.ranks[r]));
        order.push_back(r);
    }
    std::ranges::sort(order, {}, [&](RankPosition r) { return covered[r].start_ns; });
    std::vector<std::uint32_t> group(ranks.size());
    TimeNs end_ns = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const RankPosition r = order[i];
        const bool apart = i == 0 || covered[r].start_ns >= end_ns;
        group[r] = apart ? r : group[order[i - 1]];
        end_ns = apart ? covered[r].end_ns : std::max(end_ns, covered[r].end_ns);
    }
    return group;
}

/// By rank: the shared numbers of its steps. If steps are only counted, each rank counts those that it recorded, and
/// the ranks may not have recorded the same windows: then the count of a window continues after the previous window's.
std::vector<std::vector<std::int64_t>> sharedNumbers(const std::vector<MeasuredRank>& ranks, const RunClock& clock) {
    std::vector<std::vector<TimeSpan>> windows;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        std::vector<TimeSpan>& own = windows.emplace_back();
        for (const TimeSpan& window : ranks[r].windows.all()) {
            own.push_back(clock.ranks[r].toRun(FileSpan(window)));
        }
    }
    const SharedWindows shared = shareWindows(windows);
    const auto window_of = [&](RankPosition r, const MeasuredStep& step) {
        return shared.count > 1 ? shared.number[r].at(step.window) : 0;
    };
    std::vector<std::int64_t> most(shared.count + 1, 0);  // number of steps of a window, at the index after its own
    std::optional<std::int64_t> first;                    // if only later steps were read
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        std::vector<std::int64_t> own(shared.count + 1, 0);
        if (!ranks[r].steps.empty()) {
            first = std::min(first.value_or(ranks[r].steps.front().index), ranks[r].steps.front().index);
        }
        for (const MeasuredStep& step : ranks[r].steps) {
            const std::uint32_t behind = window_of(r, step) + 1;
            most[behind] = std::max(most[behind], ++own[behind]);
        }
    }
    most.front() = first.value_or(0);
    std::partial_sum(most.begin(), most.end(), most.begin());
    std::vector<std::vector<std::int64_t>> numbers(ranks.size());
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        std::vector<std::int64_t> next(most.begin(), most.end());
        for (const MeasuredStep& step : ranks[r].steps) {
            const bool as_marked = shared.count == 1 || hasNumbers(ranks[r].step_source);
            numbers[r].push_back(as_marked ? step.index : next[window_of(r, step)]++);
        }
    }
    return numbers;
}

std::vector<Paired> pairByIndex(const std::vector<MeasuredRank>& ranks, const RunClock& clock) {
    // A job that was restarted in the same window repeats its numbers: the second 5 pairs with the second 5.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, Paired> by_index;
    const std::vector<std::uint32_t> group = recordedTogether(ranks, clock);
    const std::vector<std::vector<std::int64_t>> numbers = sharedNumbers(ranks, clock);
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        std::map<std::int64_t, std::uint32_t> seen;
        for (RankStepPosition s{0}; s < ranks[r].steps.size(); ++s) {
            const MeasuredStep& step = ranks[r].steps[s];
            const TimeSpan span = clock.ranks[r].toRun(FileSpan(step.span));
            const std::int64_t number = numbers[r][s];
            auto [at, is_new] = by_index.try_emplace({group[r], seen[number]++, number});
            Paired& paired = at->second;
            if (is_new) {
                paired.step.index = number;
                paired.group = group[r];
                paired.step.by_rank.resize(ranks.size());
                paired.start_ns = span.start_ns;
                paired.end_ns = span.end_ns;
            }
            paired.step.by_rank[r] = s;
            paired.step.complete = paired.step.complete && step.complete;
            paired.start_ns = std::min(paired.start_ns, span.start_ns);
            paired.end_ns = std::max(paired.end_ns, span.end_ns);
        }
    }
    std::vector<Paired> steps;
    for (auto& [index, paired] : by_index) {
        steps.push_back(std::move(paired));
    }
    return steps;
}

/// The rank that waits least for others: collectives make all ranks of a step about equally long, and the step without
/// exposed communication is a rank's segment time.
RankPosition criticalRank(const RunStep& step, const std::vector<MeasuredRank>& ranks) {
    std::optional<RankPosition> critical;
    DurationNs longest = 0;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        if (const std::optional<RankStepPosition> at = step.of(r)) {
            const MeasuredStep& own = ranks[r].steps[*at];
            const DurationNs waited = own.partition ? own.partition->exposed_comm_ns : 0;
            if (!critical || own.span.length() - waited > longest) {
                longest = own.span.length() - waited;
                critical = r;
            }
        }
    }
    return critical.value_or(RankPosition());
}

/// The complete steps of the priced kind, as indices in `steps`, and which of them are long.
struct LongSteps {
    std::vector<std::size_t> judged;
    std::vector<DurationNs> durations;  ///< durations of the judged steps
    std::vector<bool> is_long;          ///< for each judged step
    std::vector<bool> opens;            ///< for each judged step: RunStep::opens
};

LongSteps findLongSteps(const std::vector<RunStep>& steps) {
    LongSteps found;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].complete && !steps[i].other_kind) {
            found.durations.push_back(steps[i].duration_ns);
            found.judged.push_back(i);
            found.opens.push_back(steps[i].opens);
        }
    }
    found.is_long = findOutliers(found.durations);
    return found;
}

/// Whether the long steps, except those that open a window, are few enough to say nothing about the run.
bool areFew(const LongSteps& found) {
    std::size_t steps = 0;
    std::size_t long_steps = 0;
    DurationNs time_ns = 0;
    DurationNs long_ns = 0;
    for (std::size_t i = 0; i < found.judged.size(); ++i) {
        if (found.opens[i] && found.is_long[i]) {
            continue;
        }
        ++steps;
        time_ns += found.durations[i];
        long_steps += found.is_long[i] ? 1U : 0U;
        long_ns += found.is_long[i] ? found.durations[i] : 0;
    }
    return static_cast<double>(long_steps) <= kMostLeftOut * static_cast<double>(steps) &&
           static_cast<double>(long_ns) <= kMostLeftOut * static_cast<double>(time_ns);
}

void markOutliers(std::vector<RunStep>& steps) {
    const LongSteps found = findLongSteps(steps);
    const bool few = areFew(found);
    const DurationNs median = lowerMedian(found.durations);
    for (std::size_t i = 0; i < found.judged.size(); ++i) {
        const bool opens = found.opens[i];
        if (!found.is_long[i] || !(few || opens)) {
            continue;
        }
        RunStep& step = steps[found.judged[i]];
        step.outlier = true;
        step.outlier_reason = "it took " + formatDuration(step.duration_ns) + " (median " + formatDuration(median) +
                              (opens ? "); the first step of a window often warms up" : ")");
    }
}

/// Whether steps are few and differ: the lower median of four is the second smallest, which is below the mean by a
/// seventh of their range on average (0.297 of 2.06 standard deviations). So from a range of a twentieth on it matters
/// for prices of one per cent.
bool fewVary(const std::vector<RunStep>& steps) {
    constexpr std::size_t kFew = 8;
    constexpr double kRange = 0.05;
    std::vector<DurationNs> steady;
    for (const RunStep& step : steps) {
        if (isSteady(step)) {
            steady.push_back(step.duration_ns);
        }
    }
    if (steady.size() < 2 || steady.size() >= kFew) {
        return false;
    }
    const auto [least, most] = std::ranges::minmax(steady);
    return static_cast<double>(most - least) > kRange * static_cast<double>(lowerMedian(steady));
}

/// From this share of the median step on, time that it hides counts: what a late rank must cost for a finding.
constexpr double kLeastHidden = 0.03;

/// Whether a quarter of the steps, and at least three, differ from the median by more than chance: by kLeastHidden of
/// it, and by more than three robust standard deviations.
bool areOfTwoKinds(const std::vector<DurationNs>& durations, double median) {
    constexpr std::size_t kLeastOfAKind = 3;
    std::vector<double> off;
    for (const DurationNs ns : durations) {
        off.push_back(static_cast<double>(ns) - median);
    }
    const double least = std::max(kLeastHidden * median, 3 * robustDeviation(off));
    const auto others =
        static_cast<std::size_t>(std::ranges::count_if(off, [&](double ns) { return std::abs(ns) > least; }));
    return others >= kLeastOfAKind && 4 * others >= durations.size();
}

/// Whether the median step does not represent the run. If steps are of two kinds, one that the loader feeds in time and
/// one that it does not, the median is one of the two. The time that it hides, or adds, is judged like time that is
/// left out; of two kinds less of it counts, too.
bool medianHidesTooMuch(const std::vector<RunStep>& steps) {
    std::vector<DurationNs> durations;
    for (const RunStep* step : pricedSteps(steps)) {
        durations.push_back(step->duration_ns);
    }
    if (durations.empty()) {
        return false;
    }
    const auto median = static_cast<double>(lowerMedian(durations));
    const double off = std::abs(static_cast<double>(meanOf(durations)) - median);
    return off > kMostLeftOut * median || (off > kLeastHidden * median && areOfTwoKinds(durations, median));
}

/// From the first start to the last end of its members, on the run's clock.
TimeSpan coverOf(const RunStep& step, const std::vector<std::vector<TimeSpan>>& spans, const RunClock& clock) {
    std::optional<TimeSpan> cover;
    for (RankPosition r{0}; r < spans.size(); ++r) {
        const std::optional<RankStepPosition> at = step.of(r);
        if (at && !spans[r].empty()) {
            const TimeSpan span = clock.ranks[r].toRun(FileSpan(spans[r][*at]));
            cover = !cover ? span
                           : TimeSpan{std::min(cover->start_ns, span.start_ns), std::max(cover->end_ns, span.end_ns)};
        }
    }
    return cover.value_or(TimeSpan{});
}

/// When the step before `paired` ended on all of its members that know it, although it was not read.
std::optional<TimeNs> endBeforeFirst(const Paired& paired, const std::vector<MeasuredRank>& ranks,
                                     const RunClock& clock) {
    std::optional<TimeNs> end_ns;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        const std::optional<StepBefore>& before = ranks[r].step_before;
        if (before && paired.step.of(r) == RankStepPosition(0) && before->index + 1 == paired.step.index) {
            end_ns = std::max(end_ns, std::optional<TimeNs>(clock.ranks[r].toRun(FileTime(before->end_ns))));
        }
    }
    return end_ns;
}

/// Whether some rank has a hole in its recording from one step of the run to another.
bool holeBetween(const RunStep& a, const RunStep& b, const std::vector<MeasuredRank>& ranks) {
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        const std::optional<RankStepPosition> of_a = a.of(r);
        const std::optional<RankStepPosition> of_b = b.of(r);
        if (of_a && of_b && ranks[r].steps[*of_a].window != ranks[r].steps[*of_b].window) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<const RunStep*> pricedSteps(const std::vector<RunStep>& steps) {
    constexpr std::size_t kEnough = 3;  // enough for a median by themselves
    std::vector<const RunStep*> steady;
    for (const RunStep& step : steps) {
        if (isSteady(step) && step.duration_ns > 0) {
            steady.push_back(&step);
        }
    }
    const auto follows = [](const RunStep* step) { return step->follows; };
    if (static_cast<std::size_t>(std::ranges::count_if(steady, follows)) >= kEnough) {
        std::erase_if(steady, std::not_fn(follows));
    }
    return steady;
}

StepBasis basisOf(const std::vector<RunStep>& steps) {
    if (fewVary(steps) || medianHidesTooMuch(steps)) {
        return StepBasis::Mean;
    }
    const LongSteps found = findLongSteps(steps);
    for (std::size_t i = 0; i < found.judged.size(); ++i) {
        if (found.is_long[i] && !steps[found.judged[i]].outlier) {
            return StepBasis::Mean;
        }
    }
    return StepBasis::Median;
}

std::vector<RunStep> pairSteps(const std::vector<MeasuredRank>& ranks, const RunClock& clock,
                               std::optional<IterationKind> kind) {
    std::vector<Paired> paired = pairByIndex(ranks, clock);
    std::vector<RunStep> steps;
    for (std::size_t i = 0; i < paired.size(); ++i) {
        const bool hole = i > 0 && holeBetween(steps.back(), paired[i].step, ranks);
        const bool follows = i > 0 && !hole && paired[i - 1].group == paired[i].group &&
                             paired[i - 1].step.index + 1 == paired[i].step.index;
        const std::optional<TimeNs> before_ns = follows ? std::nullopt : endBeforeFirst(paired[i], ranks, clock);
        // After a pause of the profiler the end of the previous step is far back.
        const TimeNs from_ns = follows ? paired[i - 1].end_ns : before_ns.value_or(paired[i].start_ns);
        paired[i].step.duration_ns = std::max<DurationNs>(0, paired[i].end_ns - from_ns);
        paired[i].step.follows = follows || before_ns;
        paired[i].step.before_ns = before_ns;
        paired[i].step.opens = (i == 0 || hole) && !before_ns;
        paired[i].step.critical_rank = criticalRank(paired[i].step, ranks);
        steps.push_back(std::move(paired[i].step));
    }
    separateKinds(ranks, steps, kind);
    markOutliers(steps);
    return steps;
}

DurationNs recordedTime(const std::vector<MeasuredRank>& ranks, const std::vector<RunStep>& steps,
                        const RunClock& clock) {
    std::vector<TimeSpan> windows;
    std::vector<std::vector<TimeSpan>> spans;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        for (const TimeSpan& window : ranks[r].windows.all()) {
            windows.push_back(clock.ranks[r].toRun(FileSpan(window)));
        }
        spans.emplace_back();
        for (const MeasuredStep& step : ranks[r].steps) {
            spans.back().push_back(step.span);
        }
    }
    std::vector<TimeSpan> pauses;
    std::optional<TimeNs> before_ns;
    std::optional<TimeNs> read_from_ns;
    bool is_part = false;
    for (const RunStep& step : steps) {
        const TimeSpan cover = coverOf(step, spans, clock);
        const TimeNs from_ns = step.before_ns.value_or(cover.start_ns);
        read_from_ns = std::min(from_ns, read_from_ns.value_or(from_ns));
        is_part = is_part || step.before_ns;
        if (before_ns && !step.follows && !step.opens) {
            pauses.push_back({*before_ns, cover.start_ns});
        }
        before_ns = cover.end_ns;
    }
    IntervalSet recorded = IntervalSet::unionOf(std::move(windows)).subtract(IntervalSet::unionOf(std::move(pauses)));
    if (is_part && !recorded.spans().empty()) {
        // Until then the device works on steps that were not read.
        const TimeSpan part{*read_from_ns, recorded.spans().back().end_ns};
        recorded =
            recorded.unite(IntervalSet::unionOf({{part.start_ns, recorded.spans().front().start_ns}})).clip(part);
    }
    return recorded.length();
}

std::vector<DurationNs> stepDurations(const std::vector<RunStep>& steps,
                                      const std::vector<std::vector<TimeSpan>>& spans, const RunClock& clock) {
    std::vector<DurationNs> result;
    TimeNs before_ns = 0;
    for (const RunStep& step : steps) {
        const TimeSpan cover = coverOf(step, spans, clock);
        const TimeNs from_ns = step.follows ? step.before_ns.value_or(before_ns) : cover.start_ns;
        result.push_back(std::max<DurationNs>(0, cover.end_ns - from_ns));
        before_ns = cover.end_ns;
    }
    return result;
}

}  // namespace rankscope
