// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/measure_bubble.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace rankscope {
namespace {

/// Kind, stage and micro-batch.
using PassKey = std::tuple<PassKind, std::int32_t, std::int32_t>;

/// When the passes of a step ended, on the run's clock.
class PassEnds {
  public:
    PassEnds(const RunClock& clock, const std::vector<RankStretch>& stretches, const PipelineStep& step,
             std::int32_t stages)
        : stages_(stages) {
        for (std::size_t r = 0; r < step.ranks.size(); ++r) {
            for (const PipelinePass& pass : step.ranks[r].passes) {
                const RunTime end_ns = clock.ranks[stretches[r].rank].toRun(FileTime(pass.span.end_ns));
                ends_.insert_or_assign({pass.kind, pass.stage, pass.micro_batch}, end_ns);
            }
        }
    }

    /// When the pass that a pass waits for had ended; nothing if it waits for none, or if that is not known.
    [[nodiscard]] std::optional<RunTime> neededBy(const PipelinePass& pass) const {
        PassKey needed;
        switch (pass.kind) {
            case PassKind::Forward: needed = {PassKind::Forward, pass.stage - 1, pass.micro_batch}; break;
            case PassKind::Backward:
                needed = pass.stage + 1 < stages_ ? PassKey{PassKind::Backward, pass.stage + 1, pass.micro_batch}
                                                  : PassKey{PassKind::Forward, pass.stage, pass.micro_batch};
                break;
            case PassKind::WeightGradient: needed = {PassKind::Backward, pass.stage, pass.micro_batch}; break;
        }
        const auto end = ends_.find(needed);
        return pass.stage < 0 || end == ends_.end() ? std::nullopt : std::optional(end->second);
    }

  private:
    std::int32_t stages_;
    std::map<PassKey, RunTime> ends_;
};

RunSpan windowOf(const RunClock& clock, const std::vector<RankStretch>& stretches, const PipelineStep& step) {
    RunTime start_ns(std::numeric_limits<TimeNs>::max());
    RunTime end_ns(std::numeric_limits<TimeNs>::min());
    for (std::size_t r = 0; r < step.ranks.size(); ++r) {
        const RankClock& own = clock.ranks[stretches[r].rank];
        for (const PipelinePass& pass : step.ranks[r].passes) {
            start_ns = std::min(start_ns, own.toRun(FileTime(pass.span.start_ns)));
            end_ns = std::max(end_ns, own.toRun(FileTime(pass.span.end_ns)));
        }
    }
    return RunSpan(TimeSpan{start_ns, std::max<TimeNs>(start_ns, end_ns)});
}

DurationNs& timeOf(PassKind kind, PipelineTimes& times) {
    switch (kind) {
        case PassKind::Forward: return times.forward_ns;
        case PassKind::Backward: return times.backward_ns;
        case PassKind::WeightGradient: return times.weight_gradient_ns;
    }
    return times.forward_ns;
}

/// Assigns each instant in `window` inside passes to its kind, or to several at once; returns all of them.
IntervalSet addPasses(const std::vector<PipelinePass>& passes, const TimeSpan& window, PipelineTimes& times) {
    std::vector<std::pair<TimeNs, std::size_t>> starts;
    std::vector<std::pair<TimeNs, std::size_t>> ends;
    std::vector<TimeSpan> spans;
    std::vector<TimeNs> cuts;
    for (const PipelinePass& pass : passes) {
        const TimeSpan inside = intersect(pass.span, window);
        if (!inside.empty()) {
            starts.emplace_back(inside.start_ns, static_cast<std::size_t>(pass.kind));
            ends.emplace_back(inside.end_ns, static_cast<std::size_t>(pass.kind));
            cuts.push_back(inside.start_ns);
            cuts.push_back(inside.end_ns);
            spans.push_back(inside);
        }
    }
    std::ranges::sort(starts);
    std::ranges::sort(ends);
    std::ranges::sort(cuts);
    std::array<std::size_t, kPassKinds> open{};
    std::size_t in_all = 0;
    auto start = starts.begin();
    auto end = ends.begin();
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        for (; start != starts.end() && start->first <= cuts[i]; ++start) {
            ++open[start->second];
            ++in_all;
        }
        for (; end != ends.end() && end->first <= cuts[i]; ++end) {
            --open[end->second];
            --in_all;
        }
        const DurationNs length_ns = cuts[i + 1] - cuts[i];
        if (in_all > 1) {
            times.overlapped_ns += length_ns;
        } else if (in_all == 1) {
            const auto kind = static_cast<std::size_t>(std::ranges::find(open, std::size_t{1}) - open.begin());
            timeOf(static_cast<PassKind>(kind), times) += length_ns;
        }
    }
    return IntervalSet::unionOf(std::move(spans));
}

TimeSpan steadyOf(const std::vector<PipelinePass>& passes) {
    TimeNs backward_ns = std::numeric_limits<TimeNs>::max();
    TimeNs forward_ns = std::numeric_limits<TimeNs>::min();
    for (const PipelinePass& pass : passes) {
        if (pass.kind == PassKind::Backward) {
            backward_ns = std::min(backward_ns, pass.span.start_ns);
        } else if (pass.kind == PassKind::Forward) {
            forward_ns = std::max(forward_ns, pass.span.end_ns);
        }
    }
    return backward_ns < forward_ns ? TimeSpan{backward_ns, forward_ns} : TimeSpan{backward_ns, backward_ns};
}

/// When a rank waits in its sends and receives for a partner that is in a pass, on its file clock. A pass that
/// continues after the partner has come did not delay it.
IntervalSet waitsForPasses(const RunClock& clock, const std::vector<RankStretch>& stretches, const PipelineStep& step,
                           const RankStretch& own, const TimeSpan& window) {
    const RankClock& own_clock = clock.ranks[own.rank];
    std::vector<TimeSpan> waits;
    for (const PartnerWait& wait : own.exchanges->waits) {
        if (wait.span.start_ns >= window.end_ns) {
            break;
        }
        const auto partner = std::ranges::find(stretches, wait.partner, &RankStretch::rank);
        if (partner == stretches.end() || intersect(wait.span, window).empty()) {
            continue;
        }
        for (const PipelinePass& pass : step.ranks[static_cast<std::size_t>(partner - stretches.begin())].passes) {
            const RunSpan held = clock.ranks[partner->rank].toRun(FileSpan(pass.span));
            const TimeSpan on_own = own_clock.toFile(held).plain();
            if (on_own.end_ns <= wait.span.end_ns + kSharedClockNs) {
                waits.push_back(intersect(on_own, wait.span));
            }
        }
    }
    return IntervalSet::unionOf(std::move(waits));
}

/// Divides the rest of a rank's window among the causes.
class BubbleDivider {
  public:
    /// `awaited`: when the rank waits for a partner that is in a pass.
    BubbleDivider(const RankClock& clock, const PassEnds& ends, const IntervalSet& awaited, RankPipelineStep& rank)
        : clock_(&clock), ends_(&ends), awaited_(&awaited), rank_(&rank) {}

    void add(const TimeSpan& span) {
        const auto next = std::ranges::lower_bound(rank_->passes, span.end_ns, {},
                                                   [](const PipelinePass& pass) { return pass.span.start_ns; });
        if (next == rank_->passes.end()) {
            put(span, BubbleCause::Drain, std::nullopt);
            return;
        }
        const auto before = static_cast<std::size_t>(next - rank_->passes.begin());
        const std::optional<RunTime> needed_ns = ends_->neededBy(*next);
        TimeNs there_ns = span.end_ns;
        if (needed_ns) {
            there_ns = std::clamp<TimeNs>(clock_->toFile(*needed_ns), span.start_ns, span.end_ns);
        }
        put({span.start_ns, there_ns}, regionOf(span), before);
        const TimeSpan behind{there_ns, span.end_ns};
        TimeNs at_ns = there_ns;
        for (const IntervalSet awaited = awaited_->clip(behind); const TimeSpan& wait : awaited.spans()) {
            put({at_ns, wait.start_ns}, BubbleCause::HandOver, before);
            put(wait, regionOf(span), before);
            at_ns = wait.end_ns;
        }
        put({at_ns, span.end_ns}, BubbleCause::HandOver, before);
    }

  private:
    [[nodiscard]] BubbleCause regionOf(const TimeSpan& span) const {
        const TimeSpan& steady = rank_->steady;
        if (span.end_ns <= steady.start_ns) {
            return BubbleCause::WarmUp;
        }
        return span.start_ns >= steady.end_ns ? BubbleCause::Drain : BubbleCause::StageWait;
    }

    void put(const TimeSpan& span, BubbleCause cause, std::optional<std::size_t> before) {
        if (span.empty()) {
            return;
        }
        rank_->times.bubble[static_cast<std::size_t>(cause)] += span.length();
        BubblePart* const last = rank_->bubble.empty() ? nullptr : &rank_->bubble.back();
        if (last != nullptr && last->cause == cause && last->before == before && last->span.end_ns == span.start_ns) {
            last->span.end_ns = span.end_ns;
        } else {
            rank_->bubble.push_back({span, cause, before});
        }
    }

    const RankClock* clock_;
    const PassEnds* ends_;
    const IntervalSet* awaited_;
    RankPipelineStep* rank_;
};

}  // namespace

void measureBubble(const RunClock& clock, const std::vector<RankStretch>& stretches, std::int32_t stages,
                   PipelineStep& step) {
    step.window = windowOf(clock, stretches, step);
    const PassEnds ends(clock, stretches, step, stages);
    for (std::size_t r = 0; r < step.ranks.size(); ++r) {
        RankPipelineStep& rank = step.ranks[r];
        const RankClock& own = clock.ranks[stretches[r].rank];
        const TimeSpan window = own.toFile(step.window).plain();
        rank.steady = steadyOf(rank.passes);
        const IntervalSet passes = addPasses(rank.passes, window, rank.times);
        const RankExchanges& exchanges = *stretches[r].exchanges;
        const IntervalSet other = exchanges.work.clip(window).subtract(passes);
        rank.times.other_ns = other.length();
        rank.times.unsplit_ns = exchanges.unsplit.clip(window).subtract(passes).length();
        rank.times.idle_in_passes_ns = passes.subtract(exchanges.work).length();
        const IntervalSet awaited = waitsForPasses(clock, stretches, step, stretches[r], window);
        BubbleDivider divider(own, ends, awaited, rank);
        const IntervalSet bubble = passes.unite(other);
        for (const IntervalSet gaps = bubble.gapsIn(window); const TimeSpan& gap : gaps.spans()) {
            divider.add(gap);
        }
        const DurationNs inside_ns = intersect(window, stretches[r].step).length();
        rank.times.outside_ns = stretches[r].step.length() - inside_ns;
        rank.times.beyond_ns = window.length() - inside_ns;
    }
}

}  // namespace rankscope
