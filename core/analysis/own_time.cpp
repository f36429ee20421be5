// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/own_time.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/analysis/run_steps.h"

namespace rankscope {
namespace {

bool contains(const std::vector<std::uint32_t>& ranks, std::uint32_t rank) {
    return std::ranges::find(ranks, rank) != ranks.end();
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

/// The step of the run that launched the event; nothing between steps.
std::optional<std::uint32_t> stepOf(const std::vector<RunStep>& steps, std::uint32_t rank, const ReplayEvent& event) {
    if (event.slot % 2 == 0) {
        return std::nullopt;
    }
    const auto at = std::ranges::find_if(steps, [&](const RunStep& s) { return s.by_rank[rank] == event.slot / 2; });
    return at == steps.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(at - steps.begin()));
}

/// The blocking collectives of all ranks, in order, each with the step that launched it.
struct Blocking {
    std::uint32_t collective = 0;
    std::optional<std::uint32_t> step;
};

std::vector<Blocking> blockingCollectives(const RunFacts& facts, const RunReplayModel& model) {
    const std::vector<std::size_t> blocked = countBlocked(model, facts.collectives.collectives.size());
    const auto ranks = static_cast<std::size_t>(
        std::ranges::count_if(model.ranks, [](const ReplayModel& rank) { return !rank.events.empty(); }));
    std::vector<Blocking> found;
    for (const ReplayMeeting& meeting : model.meetings) {
        const std::size_t members = meeting.members.size();
        const bool again = !found.empty() && found.back().collective == meeting.collective;
        if (meeting.together && members == ranks && 2 * blocked[meeting.collective] >= members && !again) {
            const auto& first = meeting.members.front();
            const ReplayEvent& event = model.ranks[first.rank].events[first.event];
            found.push_back({meeting.collective, stepOf(facts.steps, first.rank, event)});
        }
    }
    return found;
}

/// When each rank stood still in a collective.
std::vector<IntervalSet> standstills(const RunFacts& facts, const RunReplayModel& model) {
    std::vector<IntervalSet> result;
    for (std::size_t r = 0; r < model.ranks.size(); ++r) {
        std::vector<TimeSpan> spans;
        for (const ReplayEvent& event : model.ranks[r].events) {
            if (event.communication && event.blocks) {
                spans.push_back(event.span);
            }
        }
        result.push_back(IntervalSet::unionOf(std::move(spans)).subtract(facts.ranks[r].compute));
    }
    return result;
}

/// From the end of `before` until a rank is ready for `after`; nothing where a member does not tell when it was.
std::optional<OwnTimeSegment> segmentBetween(const Collective& before, const Collective& after,
                                             const std::vector<IntervalSet>& still) {
    OwnTimeSegment segment;
    segment.window.resize(still.size());
    segment.own_ns.resize(still.size());
    for (const CollectiveMember& member : after.members) {
        const CollectiveMember* const from = before.memberOf(member.rank);
        if (from == nullptr || !member.ready_ns) {
            return std::nullopt;
        }
        TimeSpan& window = segment.window[member.rank];
        window = {from->span.end_ns, std::max(from->span.end_ns, *member.ready_ns)};
        segment.own_ns[member.rank] = window.length() - still[member.rank].clip(window).length();
    }
    return segment;
}

/// The rows of every rank: its own time and its lateness, step by step.
void addOwnTimes(StragglerFacts& facts, std::size_t ranks) {
    std::map<std::uint32_t, std::vector<OwnTime>> steps;
    for (const OwnTimeSegment& segment : facts.segments) {
        std::vector<OwnTime>& of_step = steps[segment.step];
        of_step.resize(ranks);
        const DurationNs shortest_ns = std::ranges::min(segment.own_ns);
        for (std::size_t r = 0; r < ranks; ++r) {
            of_step[r].step = segment.step;
            of_step[r].own_ns += segment.own_ns[r];
            of_step[r].late_ns += segment.own_ns[r] - shortest_ns;
        }
    }
    facts.ranks.resize(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
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

/// Median, mean, z-score and saving of every rank over the ordinary steps.
void addMeasures(StragglerFacts& facts, const RunFacts& run) {
    std::vector<double> means;
    for (RankLateness& rank : facts.ranks) {
        std::vector<DurationNs> own;
        std::vector<DurationNs> savings;
        for (std::size_t i = 0; i < rank.steps.size(); ++i) {
            if (!isOrdinary(run.steps[rank.steps[i].step])) {
                continue;
            }
            own.push_back(rank.steps[i].own_ns);
            savings.push_back(segmentSaving(facts, rank.steps[i].step, {rank.rank}));
            const bool last = std::ranges::all_of(
                facts.ranks, [&](const RankLateness& other) { return other.steps[i].own_ns <= own.back(); });
            rank.last_steps += last ? 1U : 0U;
        }
        means.push_back(meanOf({own.begin(), own.end()}));
        rank.own_ns = medianOf(std::move(own));
        rank.saving_ns = medianOf(std::move(savings));
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

DurationNs usualOwnTime(const OwnTimeSegment& segment, const std::vector<std::uint32_t>& slow) {
    std::vector<DurationNs> others;
    for (std::uint32_t r = 0; r < segment.own_ns.size(); ++r) {
        if (!contains(slow, r)) {
            others.push_back(segment.own_ns[r]);
        }
    }
    return medianOf(std::move(others));
}

DurationNs segmentSaving(const StragglerFacts& facts, std::uint32_t step, const std::vector<std::uint32_t>& slow,
                         const std::vector<std::uint32_t>& already) {
    std::vector<std::uint32_t> changed = slow;
    changed.insert(changed.end(), already.begin(), already.end());
    DurationNs saving_ns = 0;
    for (const OwnTimeSegment& segment : facts.segmentsOf(step)) {
        const DurationNs usual_ns = usualOwnTime(segment, changed);
        DurationNs before_ns = 0;
        DurationNs after_ns = 0;
        for (std::uint32_t r = 0; r < segment.own_ns.size(); ++r) {
            const DurationNs own_ns = segment.own_ns[r];
            before_ns = std::max(before_ns, contains(already, r) ? std::min(own_ns, usual_ns) : own_ns);
            after_ns = std::max(after_ns, contains(changed, r) ? std::min(own_ns, usual_ns) : own_ns);
        }
        saving_ns += before_ns - after_ns;
    }
    return saving_ns;
}

StragglerFacts findStragglerFacts(const RunFacts& facts, const RunReplayModel& model) {
    StragglerFacts found;
    if (std::ranges::any_of(model.ranks, [](const ReplayModel& rank) { return rank.events.empty(); })) {
        return found;
    }
    const std::vector<Blocking> blocking = blockingCollectives(facts, model);
    const std::vector<IntervalSet> still = standstills(facts, model);
    for (std::size_t i = 1; i < blocking.size(); ++i) {
        if (!blocking[i].step) {
            continue;
        }
        std::optional<OwnTimeSegment> segment =
            segmentBetween(facts.collectives.collectives[blocking[i - 1].collective],
                           facts.collectives.collectives[blocking[i].collective], still);
        if (segment) {
            segment->collective = blocking[i].collective;
            segment->step = *blocking[i].step;
            found.segments.push_back(*std::move(segment));
        }
    }
    std::ranges::stable_sort(found.segments, {}, &OwnTimeSegment::step);
    if (!found.segments.empty()) {
        addOwnTimes(found, facts.ranks.size());
        addMeasures(found, facts);
    }
    return found;
}

}  // namespace rankscope
