// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/critical_path.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/collectives/waits.h"

namespace rankscope {
namespace {

/// A point of the path: a rank, and an instant of its file.
struct PathPoint {
    RankPosition rank;
    TimeNs at_ns = 0;
};

/// A turn of the path: a rank has waited for another one until `end_ns`.
struct Turn {
    TimeNs end_ns = 0;
    CollectivePosition collective;
};

constexpr TimeNs kBeforeAll = std::numeric_limits<TimeNs>::min();

bool counts(const RankStep& step) {
    return step.complete && !step.outlier && step.partition && !step.span.empty();
}

/// Walks the path back from any point: its turns, and the stretches up to there. All queries about critical paths are
/// based on these two.
class PathWalker {
  public:
    PathWalker(std::vector<const ExplainedRank*> ranks, const CollectiveFacts& facts)
        : ranks_(std::move(ranks)), facts_(facts), last_arriver_(facts.collectives.size(), kUnseen) {}

    [[nodiscard]] const ExplainedRank& rank(RankPosition position) const { return *ranks_[position]; }
    /// The member that a rank waited for in a collective.
    [[nodiscard]] const CollectiveMember& lastOf(CollectivePosition position, RankPosition waiter) {
        const Collective& collective = facts_.collectives[position];
        if (!isOneForAll(position)) {
            const CollectiveMember* const own = collective.memberOf(waiter);
            const auto index = own == nullptr ? 0 : static_cast<std::uint32_t>(own - collective.members.data());
            return collective.members[lastWaitedFor(collective, index)];
        }
        if (last_arriver_[position] == kUnseen) {
            last_arriver_[position] = lastArriver(collective);
        }
        return collective.members[last_arriver_[position]];
    }
    /// Whether all members of a collective that waited did so for the same one.
    [[nodiscard]] bool isOneForAll(CollectivePosition position) const {
        return !facts_.collectives[position].timed_by_clock;
    }

    /// The last turn after `from_ns` and not after the point. Its cost depends on what is between the two.
    [[nodiscard]] std::optional<Turn> turnBefore(const PathPoint& point, TimeNs from_ns) {
        const std::vector<RankStep>& steps = rank(point.rank).steps;
        auto step = std::ranges::upper_bound(steps, point.at_ns, {}, [](const RankStep& s) { return s.span.start_ns; });
        while (step != steps.begin() && std::prev(step)->span.end_ns > from_ns) {
            --step;
            auto wait = std::ranges::upper_bound(step->waits, point.at_ns, {},
                                                 [](const ExposedWait& w) { return w.span.end_ns; });
            while (wait != step->waits.begin() && std::prev(wait)->span.end_ns > from_ns) {
                --wait;
                if (turns(point.rank, *wait)) {
                    return Turn{wait->span.end_ns, wait->collective};
                }
            }
        }
        return std::nullopt;
    }

    /// Passes the rank's steps that `wanted` accepts to `take`, each with its part of `window`.
    template <class Wanted, class Take>
    void eachStep(RankPosition position, const TimeSpan& window, const Wanted& wanted, const Take& take) const {
        const std::vector<RankStep>& steps = rank(position).steps;
        auto step =
            std::ranges::upper_bound(steps, window.start_ns, {}, [](const RankStep& s) { return s.span.end_ns; });
        for (; step != steps.end() && step->span.start_ns < window.end_ns; ++step) {
            if (wanted(*step)) {
                take(*step, intersect(step->span, window));
            }
        }
    }
    /// Appends the stretches of a rank in `window`, inside its steps that `wanted` accepts.
    template <class Wanted>
    void cut(RankPosition position, const TimeSpan& window, const Wanted& wanted, std::vector<PathStretch>& out) const {
        eachStep(position, window, wanted, [&](const RankStep& step, const TimeSpan& part) {
            cutIntoStretches(rank(position), position, step, part, out);
        });
    }

  private:
    static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

    /// Whether a wait ends when its collective begins to transfer.
    [[nodiscard]] bool turns(RankPosition position, const ExposedWait& wait) {
        const Collective& collective = facts_.collectives[wait.collective];
        const CollectiveMember* const own = collective.memberOf(position);
        const std::optional<TimeNs> begin_ns = own == nullptr ? std::nullopt : collective.beginOf(*own);
        return begin_ns && wait.span.end_ns == *begin_ns && lastOf(wait.collective, position).rank != position;
    }

    std::vector<const ExplainedRank*> ranks_;
    const CollectiveFacts& facts_;
    std::vector<std::uint32_t> last_arriver_;  // by collective: the index of its last arriver; filled on demand
};

/// Sums of paths. Paths of several ranks that meet in the same collective continue from there as one.
class PathSums {
  public:
    PathSums(PathWalker& walker, std::size_t collectives) : walker_(walker), place_(collectives, kUnseen) {}

    PathTimes from(PathPoint point) {
        struct Part {
            CollectivePosition collective;  ///< the collective at which it ends: the path continued from its last
                                            ///< member
            RankPosition last;              ///< the rank of that member
            PathTimes times;                ///< from there on
        };
        PathTimes first;  // from the point to the first turn
        std::vector<Part> parts;
        PathTimes* part = &first;
        PathTimes rest;  // from where the path has met a known one
        while (true) {
            const std::optional<Turn> turn = walker_.turnBefore(point, kBeforeAll);
            addWindow(point, turn ? turn->end_ns : kBeforeAll, *part);
            if (!turn) {
                break;
            }
            const CollectiveMember& last = walker_.lastOf(turn->collective, point.rank);
            std::uint32_t& place = placeOf(turn->collective, last.rank);
            if (place == kOnTheWay) {  // only wrong clocks lead to a circle
                break;
            }
            if (place != kUnseen) {
                rest = known_[place];
                break;
            }
            place = kOnTheWay;
            part = &parts.emplace_back(Part{turn->collective, last.rank, {}}).times;
            point = {last.rank, last.span.start_ns};
        }
        for (; !parts.empty(); parts.pop_back()) {
            rest += parts.back().times;
            placeOf(parts.back().collective, parts.back().last) = static_cast<std::uint32_t>(known_.size());
            known_.push_back(rest);
        }
        return first += rest;
    }

  private:
    static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t kOnTheWay = kUnseen - 1;

    [[nodiscard]] std::uint32_t& placeOf(CollectivePosition collective, RankPosition last) {
        return walker_.isOneForAll(collective)
                   ? place_[collective]
                   : place_of_some_.try_emplace(std::pair(collective, last), kUnseen).first->second;
    }

    void addWindow(const PathPoint& point, TimeNs start_ns, PathTimes& out) {
        walker_.eachStep(point.rank, {start_ns, point.at_ns}, counts, [&](const RankStep& step, const TimeSpan& part) {
            addStretches(walker_.rank(point.rank), step, part, out);
        });
    }

    PathWalker& walker_;
    std::vector<std::uint32_t> place_;  // by collective: in known_, or one of the two above
    /// The same for collectives whose members waited for different ones, by the rank that was waited for.
    std::map<std::pair<CollectivePosition, RankPosition>, std::uint32_t> place_of_some_;
    std::vector<PathTimes> known_;  // from the arrival of a collective's last member back to the start
};

/// The part of a path that is listed.
struct PathScope {
    std::function<TimeNs(RankPosition)> from_ns;  ///< on the clock of that rank's file: where the path ends on it
    bool steady_only = false;                     ///< only counted steps, without the time between steps
};

/// Fills the rest of `window` after the stretches from `first` on: it is between steps, or in a step without facts.
void fillBetween(RankPosition rank, const TimeSpan& window, std::size_t first, std::vector<PathStretch>& stretches) {
    std::vector<PathStretch> between;
    TimeNs at_ns = window.start_ns;
    const auto fill = [&](TimeNs until_ns) {
        if (until_ns > at_ns) {
            between.push_back({.rank = rank, .span = {at_ns, until_ns}, .worker = rank});
        }
    };
    for (std::size_t i = first; i < stretches.size(); ++i) {
        fill(stretches[i].span.start_ns);
        at_ns = stretches[i].span.end_ns;
    }
    fill(window.end_ns);
    if (!between.empty()) {
        stretches.insert(stretches.end(), between.begin(), between.end());
        std::sort(stretches.begin() + static_cast<std::ptrdiff_t>(first), stretches.end(),
                  [](const PathStretch& a, const PathStretch& b) { return a.span.start_ns < b.span.start_ns; });
    }
}

CriticalPath listPath(PathWalker& walker, PathPoint point, const PathScope& scope) {
    struct Part {
        RankPosition rank;
        TimeSpan window;
    };
    std::vector<Part> parts;      // from the last to the first
    std::vector<PathTurn> turns;  // turns[i] is before parts[i]
    std::set<std::pair<CollectivePosition, RankPosition>> seen;
    while (true) {
        const TimeNs from_ns = scope.from_ns(point.rank);
        const std::optional<Turn> turn = walker.turnBefore(point, from_ns);
        parts.push_back({point.rank, {turn ? turn->end_ns : from_ns, point.at_ns}});
        if (!turn) {
            break;
        }
        const CollectiveMember& last = walker.lastOf(turn->collective, point.rank);
        if (!seen.emplace(turn->collective, last.rank).second) {
            break;
        }
        turns.push_back({.collective = turn->collective,
                         .last = last.rank,
                         .waiter = point.rank,
                         .arrived_ns = last.span.start_ns,
                         .begun_ns = turn->end_ns});
        point = {last.rank, last.span.start_ns};
    }
    CriticalPath path;
    for (std::size_t i = parts.size(); i-- > 0;) {
        const std::size_t first = path.stretches.size();
        if (i < turns.size()) {
            path.turns.push_back(turns[i]);
            path.turns.back().stretch = first;
        }
        if (scope.steady_only) {
            walker.cut(parts[i].rank, parts[i].window, counts, path.stretches);
        } else {
            walker.cut(
                parts[i].rank, parts[i].window, [](const RankStep&) { return true; }, path.stretches);
            fillBetween(parts[i].rank, parts[i].window, first, path.stretches);
        }
    }
    // A turn to a rank without a stretch on the path is removed.
    const auto in_it = std::ranges::find_if(path.turns, [](const PathTurn& turn) { return turn.stretch > 0; });
    path.turns.erase(path.turns.begin(), in_it);
    std::erase_if(path.turns, [&](const PathTurn& turn) { return turn.stretch == path.stretches.size(); });
    return path;
}

PathWalker walkerOf(const RunFacts& facts) {
    std::vector<const ExplainedRank*> ranks;
    ranks.reserve(facts.ranks.size());
    std::ranges::transform(facts.ranks, std::back_inserter(ranks), [](const RankFacts& rank) { return &rank; });
    return {std::move(ranks), facts.collectives};
}

/// The end of the last counted step of a rank.
std::optional<TimeNs> endOfSteady(const ExplainedRank& rank) {
    const auto last = std::find_if(rank.steps.rbegin(), rank.steps.rend(), counts);
    return last != rank.steps.rend() ? std::optional(last->span.end_ns) : std::nullopt;
}

}  // namespace

std::vector<PathTimes> criticalPaths(const ExplainedRun& explained, const CollectiveFacts& collectives) {
    std::vector<const ExplainedRank*> ranks;
    ranks.reserve(explained.ranks.size());
    std::ranges::transform(explained.ranks, std::back_inserter(ranks), [](const ExplainedRank& rank) { return &rank; });
    PathWalker walker(std::move(ranks), collectives);
    PathSums sums(walker, collectives.collectives.size());
    std::vector<PathTimes> paths(explained.ranks.size());
    for (RankPosition r{0}; r < paths.size(); ++r) {
        if (const std::optional<TimeNs> end_ns = endOfSteady(explained.ranks[r])) {
            paths[r] = sums.from({r, *end_ns});
        }
    }
    return paths;
}

PathTimes CriticalPath::times() const {
    PathTimes sum;
    for (const PathStretch& stretch : stretches) {
        addStretch(stretch, sum);
    }
    return sum;
}

CriticalPath pathOfStep(const RunFacts& facts, RunStepPosition step, RankPosition end) {
    const RunStep& of_run = facts.steps[step];
    const RankStep* const own = facts.stepOf(of_run, end);
    if (own == nullptr || !own->partition) {
        return {};
    }
    PathWalker walker = walkerOf(facts);
    const PathScope scope{.from_ns = [&](RankPosition rank) {
        const RankStep* const there = facts.stepOf(of_run, rank);
        return there != nullptr ? there->span.start_ns : std::numeric_limits<TimeNs>::max();
    }};
    return listPath(walker, {end, own->span.end_ns}, scope);
}

CriticalPath pathOfSteadySteps(const RunFacts& facts, RankPosition end) {
    const std::optional<TimeNs> end_ns = endOfSteady(facts.ranks[end]);
    if (!end_ns) {
        return {};
    }
    PathWalker walker = walkerOf(facts);
    return listPath(walker, {end, *end_ns}, {.from_ns = [](RankPosition) { return kBeforeAll; }, .steady_only = true});
}

std::optional<RankPosition> lastToEnd(const RunFacts& facts, const RunClock& clock, RunStepPosition step) {
    std::optional<RankPosition> last;
    RunTime latest_ns;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        const RankStep* const own = facts.stepOf(facts.steps[step], r);
        if (own == nullptr || !own->partition) {
            continue;
        }
        const RunTime end_ns = clock.ranks[r].toRun(FileTime(own->span.end_ns));
        if (!last || end_ns > latest_ns) {
            last = r;
            latest_ns = end_ns;
        }
    }
    return last;
}

}  // namespace rankscope
