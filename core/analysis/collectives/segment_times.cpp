// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/segment_times.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// For each collective, on how many members later work, or the host, was idle until its end.
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
    std::vector<std::optional<std::unordered_map<RankStepPosition, RunStepPosition>>> of_rank_;  // filled on demand
};

/// A blocking collective, with the step that launched it.
struct Blocking {
    CollectivePosition collective;
    std::optional<RunStepPosition> step;
};

/// Ranks that share blocking collectives.
struct BlockingRanks {
    std::vector<RankPosition> ranks;    ///< sorted
    std::vector<Blocking> collectives;  ///< in order
    bool exchanges = false;             ///< they send one another the input of their next work
};

/// All sets of ranks that share two blocking collectives or more. Linear in the members.
std::vector<BlockingRanks> blockingCollectives(const AlignedRun& facts, const RunReplayModel& model) {
    const std::vector<std::size_t> blocked = countBlocked(model, facts.collectives.collectives.size());
    StepOfEvent step_of(facts.steps, model.ranks.size());
    std::vector<BlockingRanks> found;
    std::map<std::vector<RankPosition>, std::size_t> of_ranks;
    std::unordered_map<std::uint32_t, std::size_t> of_group;  // the ranks of a group are constant, since all members
                                                              // are present
    for (const ReplayRendezvous& rendezvous : model.rendezvous) {
        const Collective& collective = facts.collectives.collectives[rendezvous.collective];
        const std::size_t members = rendezvous.members.size();
        if (!finishesTogether(collective.kind) || 2 * blocked[rendezvous.collective] < members) {
            continue;
        }
        const auto [group, is_new] = of_group.try_emplace(collective.group, found.size());
        if (is_new) {
            std::vector<RankPosition> ranks;
            std::ranges::transform(rendezvous.members, std::back_inserter(ranks), &ReplayRendezvous::Member::rank);
            const auto [at, is_first] = of_ranks.try_emplace(ranks, found.size());
            group->second = at->second;
            if (is_first) {
                found.push_back({.ranks = std::move(ranks), .collectives = {}});
            }
        }
        std::vector<Blocking>& own = found[group->second].collectives;
        if (own.empty() || own.back().collective != rendezvous.collective) {
            const auto& first = rendezvous.members.front();
            const ReplayEvent& event = model.ranks[first.rank].events[first.event];
            own.push_back({rendezvous.collective, step_of.of(first.rank, event)});
        }
    }
    std::erase_if(found, [](const BlockingRanks& one) { return one.collectives.size() < 2; });
    return found;
}

/// By rank: the sets that contain it.
std::vector<std::vector<std::size_t>> setsOfRanks(const std::vector<BlockingRanks>& sets, std::size_t ranks) {
    std::vector<std::vector<std::size_t>> of_rank(ranks);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        for (const RankPosition rank : sets[i].ranks) {
            of_rank[rank].push_back(i);
        }
    }
    return of_rank;
}

void findExchanges(const CollectiveFacts& facts, const std::vector<std::vector<std::size_t>>& of_rank,
                   std::vector<BlockingRanks>& sets) {
    for (const Collective& collective : facts.collectives) {
        for (const CollectiveMessage& message : collective.messages) {
            const std::vector<std::size_t>& of_sender = of_rank[collective.members[message.sender].rank];
            for (const std::size_t set : of_rank[collective.members[message.receiver].rank]) {
                sets[set].exchanges = sets[set].exchanges || std::ranges::binary_search(of_sender, set);
            }
        }
    }
}

/// The sets in which ranks can be compared best: for each rank its largest set of ranks that do the same. Stages of a
/// pipeline, which send each other their input, do not; they are used only if there is nothing else.
std::vector<BlockingRanks> comparableRanks(std::vector<BlockingRanks> sets, const CollectiveFacts& facts,
                                           std::size_t ranks) {
    const std::vector<std::vector<std::size_t>> of_rank = setsOfRanks(sets, ranks);
    findExchanges(facts, of_rank, sets);
    const auto worth = [&](std::size_t set) { return std::pair(!sets[set].exchanges, sets[set].ranks.size()); };
    std::vector<std::size_t> chosen_by(sets.size());
    for (const std::vector<std::size_t>& own : of_rank) {
        const auto best = std::ranges::max_element(own, {}, worth);
        if (best != own.end()) {
            ++chosen_by[*best];
        }
    }
    std::vector<BlockingRanks> chosen;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (chosen_by[i] == sets[i].ranks.size()) {
            chosen.push_back(std::move(sets[i]));
        }
    }
    std::ranges::sort(chosen, {}, &BlockingRanks::ranks);
    return chosen;
}

/// When each rank was idle in a collective.
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

/// From the end of `before` until a rank is ready for `after`; nothing if it is unknown when a member was ready, or if
/// a member was not recorded all the time.
std::optional<StragglerSegment> segmentBetween(const Collective& before, const Collective& after,
                                               std::span<const ExplainedRank> ranks,
                                               const std::vector<IntervalSet>& still) {
    StragglerSegment segment;
    for (const CollectiveMember& member : after.members) {
        const CollectiveMember* const from = before.memberOf(member.rank);
        if (from == nullptr || !member.ready_ns ||
            ranks[member.rank].windows.holeBetween(from->span.end_ns, *member.ready_ns)) {
            return std::nullopt;
        }
        const TimeSpan window{from->span.end_ns, std::max(from->span.end_ns, *member.ready_ns)};
        segment.ranks.push_back(member.rank);
        segment.window.push_back(window);
        segment.segment_ns.push_back(window.length() - still[member.rank].lengthIn(window));
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
        for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
            SegmentTime& own = of_step[segment.ranks[i]];
            own.segment_ns += segment.segment_ns[i];
            own.late_ns += segment.segment_ns[i] - shortest_ns;
        }
    }
    facts.ranks.resize(ranks);
    for (RankPosition r{0}; r < ranks; ++r) {
        facts.ranks[r].rank = r;
        for (const auto& [step, of_step] : steps) {
            facts.ranks[r].steps.push_back(of_step[r]);
            facts.ranks[r].steps.back().step = step;
        }
    }
}

double meanOf(const std::vector<double>& values) {
    return values.empty() ? 0.0
                          : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Compares each rank's mean segment time with those of its peers.
void compareMeans(const std::vector<RankPosition>& peers, const std::vector<double>& means, StragglerFacts& facts) {
    std::vector<double> own;
    for (const RankPosition rank : peers) {
        own.push_back(means[rank]);
    }
    const double mean = meanOf(own);
    std::vector<double> squares;
    for (const double value : own) {
        squares.push_back((value - mean) * (value - mean));
    }
    const double deviation = std::sqrt(meanOf(squares));
    for (const RankPosition rank : peers) {
        facts.ranks[rank].over_mean = mean > 0 ? means[rank] / mean : 0;
        if (deviation > 0) {
            facts.ranks[rank].z_score = (means[rank] - mean) / deviation;
        }
    }
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
        const auto own_of_step = [&](RankPosition rank) { return facts.ranks[rank].steps[i].segment_ns; };
        const std::vector<DurationNs> savings = savingOfEach(facts, step);
        for (const std::vector<RankPosition>& peers : facts.peers) {
            const DurationNs longest_ns = own_of_step(*std::ranges::max_element(peers, {}, own_of_step));
            for (const RankPosition rank : peers) {
                own_of[rank].push_back(own_of_step(rank));
                savings_of[rank].push_back(savings[rank]);
                facts.ranks[rank].last_steps += own_of_step(rank) == longest_ns ? 1U : 0U;
            }
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
    for (const std::vector<RankPosition>& peers : facts.peers) {
        compareMeans(peers, means, facts);
    }
}

/// The segments between the blocking collectives of some ranks.
void addSegments(const BlockingRanks& blocking, const CollectiveFacts& facts, std::span<const ExplainedRank> ranks,
                 const std::vector<IntervalSet>& still, std::vector<StragglerSegment>& segments) {
    const std::vector<Blocking>& all = blocking.collectives;
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (!all[i].step) {
            continue;
        }
        std::optional<StragglerSegment> segment = segmentBetween(facts.collectives[all[i - 1].collective],
                                                                 facts.collectives[all[i].collective], ranks, still);
        if (segment) {
            segment->collective = all[i].collective;
            segment->step = *all[i].step;
            segments.push_back(*std::move(segment));
        }
    }
}

}  // namespace

std::vector<bool> markRanks(const std::vector<RankPosition>& ranks, std::size_t count) {
    std::vector<bool> marked(count, false);
    for (const RankPosition rank : ranks) {
        marked[rank] = true;
    }
    return marked;
}

DurationNs medianSegmentTime(const StragglerSegment& segment, const std::vector<RankPosition>& slow) {
    std::vector<DurationNs> others;
    for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
        if (std::ranges::find(slow, segment.ranks[i]) == slow.end()) {
            others.push_back(segment.segment_ns[i]);
        }
    }
    return lowerMedian(std::move(others));
}

// The median of the others is never longer than the longest of them. So if some ranks take it, the longest segment time
// is then that of the others, and the median itself need not be known.

std::vector<DurationNs> prefixSavings(const StragglerFacts& facts, RunStepPosition step,
                                      const std::vector<RankPosition>& ranking) {
    constexpr std::size_t kUnranked = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> place(facts.ranks.size(), kUnranked);
    for (std::size_t k = 0; k < ranking.size(); ++k) {
        place[ranking[k]] = k;
    }
    std::vector<DurationNs> savings(ranking.size(), 0);  // at first the additional saving of each rank
    std::vector<std::pair<std::size_t, DurationNs>> ranked;
    for (const StragglerSegment& segment : facts.segmentsOf(step)) {
        DurationNs longest_ns = 0;
        ranked.clear();
        for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
            const std::size_t own = place[segment.ranks[i]];
            if (own == kUnranked) {
                longest_ns = std::max(longest_ns, segment.segment_ns[i]);
            } else {
                ranked.emplace_back(own, segment.segment_ns[i]);
            }
        }
        std::ranges::sort(ranked);
        for (std::size_t i = ranked.size(); i-- > 0;) {
            const DurationNs without_ns = longest_ns;
            longest_ns = std::max(longest_ns, ranked[i].second);
            savings[ranked[i].first] += longest_ns - without_ns;
        }
    }
    std::partial_sum(savings.begin(), savings.end(), savings.begin());
    return savings;
}

std::vector<DurationNs> savingOfEach(const StragglerFacts& facts, RunStepPosition step,
                                     const std::vector<RankPosition>& already) {
    const std::vector<bool> left_out = markRanks(already, facts.ranks.size());
    std::vector<DurationNs> savings(facts.ranks.size(), 0);
    for (const StragglerSegment& segment : facts.segmentsOf(step)) {
        DurationNs longest_ns = 0;
        DurationNs second_ns = 0;
        RankPosition longest = segment.ranks.front();
        for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
            const DurationNs segment_ns = left_out[segment.ranks[i]] ? 0 : segment.segment_ns[i];
            if (segment_ns > longest_ns) {
                second_ns = longest_ns;
                longest_ns = segment_ns;
                longest = segment.ranks[i];
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
    const std::vector<BlockingRanks> compared =
        comparableRanks(blockingCollectives(run, model), run.collectives, ranks.size());
    const std::vector<IntervalSet> still = standstills(ranks, model);
    found.peers_of.assign(ranks.size(), StragglerFacts::kNoPeers);
    for (const BlockingRanks& blocking : compared) {
        const std::size_t before = found.segments.size();
        addSegments(blocking, run.collectives, ranks, still, found.segments);
        if (found.segments.size() > before) {
            for (const RankPosition rank : blocking.ranks) {
                found.peers_of[rank] = static_cast<std::uint32_t>(found.peers.size());
            }
            found.peers.push_back(blocking.ranks);
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
