// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/segment_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// By rank: whether it is one of `ranks`.
std::vector<bool> asSet(const std::vector<RankPosition>& ranks, std::size_t count) {
    std::vector<bool> set(count, false);
    for (const RankPosition rank : ranks) {
        set[rank] = true;
    }
    return set;
}

/// On how many members of each collective later work, or the host, stood still until its end.
std::vector<std::size_t> countBlocked(const RunReplayModel& model, std::size_t collectives) {
    std::vector<std::size_t> blocked(collectives);
    for (const ReplayModel& rank : model.ranks) {
        std::uint32_t counted = ReplayEvent::kNone;  // a collective may be several kernels
        for (const ReplayEvent& event : rank.events) {
            if (event.blocks && event.collective != ReplayEvent::kNone && event.collective != counted) {
                ++blocked[event.collective];
                counted = event.collective;
            }
        }
    }
    return blocked;
}

/// Finds the step of the run that launched an event.
class StepOfEvent {
  public:
    StepOfEvent(const std::vector<RunStep>& steps, std::size_t ranks) : steps_(steps), of_rank_(ranks) {}

    /// Nothing between steps.
    [[nodiscard]] std::optional<RunStepPosition> of(RankPosition rank, const ReplayEvent& event) {
        const std::optional<RankStepPosition> step = event.slot.step();
        if (!step) {
            return std::nullopt;
        }
        if (!of_rank_[rank]) {
            of_rank_[rank].emplace();
            for (RunStepPosition s{0}; s < steps_.size(); ++s) {
                if (const auto own = steps_[s].by_rank[rank]) {
                    of_rank_[rank]->try_emplace(*own, s);
                }
            }
        }
        const auto at = of_rank_[rank]->find(*step);
        return at == of_rank_[rank]->end() ? std::nullopt : std::optional(at->second);
    }

  private:
    const std::vector<RunStep>& steps_;
    std::vector<std::optional<std::unordered_map<RankStepPosition, RunStepPosition>>>
        of_rank_;  // where it was asked for
};

/// The blocking collectives of all ranks, in order, each with the step that launched it.
struct Blocking {
    CollectivePosition collective;
    std::optional<RunStepPosition> step;
};

std::vector<Blocking> blockingCollectives(const AlignedRun& facts, const RunReplayModel& model) {
    const std::vector<std::size_t> blocked = countBlocked(model, facts.collectives.collectives.size());
    const auto ranks = static_cast<std::size_t>(
        std::ranges::count_if(model.ranks, [](const ReplayModel& rank) { return !rank.events.empty(); }));
    StepOfEvent step_of(facts.steps, model.ranks.size());
    std::vector<Blocking> found;
    for (const ReplayRendezvous& rendezvous : model.rendezvous) {
        const std::size_t members = rendezvous.members.size();
        const bool again = !found.empty() && found.back().collective == rendezvous.collective;
        if (rendezvous.together && members == ranks && 2 * blocked[rendezvous.collective] >= members && !again) {
            const auto& first = rendezvous.members.front();
            const ReplayEvent& event = model.ranks[first.rank].events[first.event];
            found.push_back({rendezvous.collective, step_of.of(first.rank, event)});
        }
    }
    return found;
}

/// When each rank stood still in a collective.
std::vector<IntervalSet> standstills(std::span<const ExplainedRank> ranks, const RunReplayModel& model) {
    std::vector<IntervalSet> result;
    for (RankPosition r{0}; r < model.ranks.size(); ++r) {
        std::vector<TimeSpan> spans;
        for (const ReplayEvent& event : model.ranks[r].events) {
            if (event.communication && event.blocks) {
                spans.push_back(event.span);
            }
        }
        result.push_back(IntervalSet::unionOf(std::move(spans)).subtract(ranks[r].compute));
    }
    return result;
}

/// From the end of `before` until a rank is ready for `after`; nothing where a member does not tell when it was.
std::optional<StragglerSegment> segmentBetween(const Collective& before, const Collective& after,
                                               const std::vector<IntervalSet>& still) {
    StragglerSegment segment;
    segment.window.resize(still.size());
    segment.segment_ns.resize(still.size());
    for (const CollectiveMember& member : after.members) {
        const CollectiveMember* const from = before.memberOf(member.rank);
        if (from == nullptr || !member.ready_ns) {
            return std::nullopt;
        }
        TimeSpan& window = segment.window[member.rank];
        window = {from->span.end_ns, std::max(from->span.end_ns, *member.ready_ns)};
        segment.segment_ns[member.rank] = window.length() - still[member.rank].clip(window).length();
    }
    return segment;
}

/// The rows of every rank: its segment time and its lateness, step by step.
void addSegmentTimes(StragglerFacts& facts, std::size_t ranks) {
    std::map<RunStepPosition, std::vector<SegmentTime>> steps;
    for (const StragglerSegment& segment : facts.segments) {
        std::vector<SegmentTime>& of_step = steps[segment.step];
        of_step.resize(ranks);
        const DurationNs shortest_ns = std::ranges::min(segment.segment_ns);
        for (RankPosition r{0}; r < ranks; ++r) {
            of_step[r].step = segment.step;
            of_step[r].segment_ns += segment.segment_ns[r];
            of_step[r].late_ns += segment.segment_ns[r] - shortest_ns;
        }
    }
    facts.ranks.resize(ranks);
    for (RankPosition r{0}; r < ranks; ++r) {
        facts.ranks[r].rank = r;
        for (const auto& [step, of_step] : steps) {
            facts.ranks[r].steps.push_back(of_step[r]);
        }
    }
}

double meanOf(const std::vector<double>& values) {
    return values.empty() ? 0.0
                          : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Median, mean, z-score and saving of every rank over the steady-state steps.
void addMeasures(StragglerFacts& facts, const AlignedRun& run) {
    std::vector<double> means;
    std::vector<std::vector<DurationNs>> own_of(facts.ranks.size());
    std::vector<std::vector<DurationNs>> savings_of(facts.ranks.size());
    for (std::size_t i = 0; i < facts.ranks.front().steps.size(); ++i) {
        const RunStepPosition step = facts.ranks.front().steps[i].step;
        if (!isSteady(run.steps[step])) {
            continue;
        }
        const auto own_of_step = [&](const RankLateness& rank) { return rank.steps[i].segment_ns; };
        const DurationNs longest_ns = own_of_step(*std::ranges::max_element(facts.ranks, {}, own_of_step));
        const std::vector<DurationNs> savings = savingOfEach(facts, step);
        for (RankLateness& rank : facts.ranks) {
            own_of[rank.rank].push_back(own_of_step(rank));
            savings_of[rank.rank].push_back(savings[rank.rank]);
            rank.last_steps += own_of_step(rank) == longest_ns ? 1U : 0U;
        }
    }
    for (RankLateness& rank : facts.ranks) {
        std::vector<DurationNs>& own = own_of[rank.rank];
        means.push_back(meanOf({own.begin(), own.end()}));
        rank.segment_ns = lowerMedian(std::move(own));
        rank.saving_ns = lowerMedian(std::move(savings_of[rank.rank]));
        rank.throughput_lost =
            run.median_step_ns > 0 ? static_cast<double>(rank.saving_ns) / static_cast<double>(run.median_step_ns) : 0;
    }
    const double mean = meanOf(means);
    std::vector<double> squares;
    for (const double value : means) {
        squares.push_back((value - mean) * (value - mean));
    }
    const double deviation = std::sqrt(meanOf(squares));
    for (RankLateness& rank : facts.ranks) {
        rank.over_mean = mean > 0 ? means[rank.rank] / mean : 0;
        if (deviation > 0) {
            rank.z_score = (means[rank.rank] - mean) / deviation;
        }
    }
}

}  // namespace

DurationNs medianSegmentTime(const StragglerSegment& segment, const std::vector<RankPosition>& slow) {
    const std::vector<bool> is_slow = asSet(slow, segment.segment_ns.size());
    std::vector<DurationNs> others;
    for (RankPosition r{0}; r < segment.segment_ns.size(); ++r) {
        if (!is_slow[r]) {
            others.push_back(segment.segment_ns[r]);
        }
    }
    return lowerMedian(std::move(others));
}

// The median of the others is never longer than the longest of them, so where some ranks take it, the longest segment
// time then is that of the others: the median itself need not be known.

std::vector<DurationNs> prefixSavings(const StragglerFacts& facts, RunStepPosition step,
                                      const std::vector<RankPosition>& ranking) {
    const std::vector<bool> ranked = asSet(ranking, facts.ranks.size());
    std::vector<DurationNs> savings(ranking.size(), 0);
    std::vector<DurationNs> longest_without(ranking.size());  // by how many of the ranking are left out, less one
    for (const StragglerSegment& segment : facts.segmentsOf(step)) {
        DurationNs longest_ns = 0;
        for (RankPosition r{0}; r < segment.segment_ns.size(); ++r) {
            longest_ns = ranked[r] ? longest_ns : std::max(longest_ns, segment.segment_ns[r]);
        }
        for (std::size_t k = ranking.size(); k-- > 0;) {
            longest_without[k] = longest_ns;
            longest_ns = std::max(longest_ns, segment.segment_ns[ranking[k]]);
        }
        for (std::size_t k = 0; k < ranking.size(); ++k) {
            savings[k] += longest_ns - longest_without[k];
        }
    }
    return savings;
}

std::vector<DurationNs> savingOfEach(const StragglerFacts& facts, RunStepPosition step,
                                     const std::vector<RankPosition>& already) {
    const std::vector<bool> left_out = asSet(already, facts.ranks.size());
    std::vector<DurationNs> savings(facts.ranks.size(), 0);
    for (const StragglerSegment& segment : facts.segmentsOf(step)) {
        DurationNs longest_ns = 0;
        DurationNs second_ns = 0;
        std::size_t longest = 0;
        for (RankPosition r{0}; r < segment.segment_ns.size(); ++r) {
            const DurationNs segment_ns = left_out[r] ? 0 : segment.segment_ns[r];
            if (segment_ns > longest_ns) {
                second_ns = longest_ns;
                longest_ns = segment_ns;
                longest = r;
            } else {
                second_ns = std::max(second_ns, segment_ns);
            }
        }
        savings[longest] += longest_ns - second_ns;
    }
    return savings;
}

StragglerFacts findStragglerFacts(const AlignedRun& run, std::span<const ExplainedRank> ranks,
                                  const RunReplayModel& model) {
    StragglerFacts found;
    if (std::ranges::any_of(model.ranks, [](const ReplayModel& rank) { return rank.events.empty(); })) {
        return found;
    }
    const std::vector<Blocking> blocking = blockingCollectives(run, model);
    const std::vector<IntervalSet> still = standstills(ranks, model);
    for (std::size_t i = 1; i < blocking.size(); ++i) {
        if (!blocking[i].step) {
            continue;
        }
        std::optional<StragglerSegment> segment =
            segmentBetween(run.collectives.collectives[blocking[i - 1].collective],
                           run.collectives.collectives[blocking[i].collective], still);
        if (segment) {
            segment->collective = blocking[i].collective;
            segment->step = *blocking[i].step;
            found.segments.push_back(*std::move(segment));
        }
    }
    std::ranges::stable_sort(found.segments, {}, &StragglerSegment::step);
    if (!found.segments.empty()) {
        addSegmentTimes(found, ranks.size());
        addMeasures(found, run);
    }
    return found;
}

}  // namespace rankscope
