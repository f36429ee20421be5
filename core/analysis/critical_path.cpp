// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/critical_path.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

#include "core/analysis/collectives/waits.h"

namespace rankscope {
namespace {

/// A point of the path: a rank, and an instant of its file.
struct PathPoint {
    RankPosition rank;
    TimeNs at_ns = 0;
};

/// Where the path turns: a rank has waited for another one until `end_ns`.
struct Turn {
    TimeNs end_ns = 0;
    CollectivePosition collective;
};

bool counts(const RankStep& step) {
    return step.complete && !step.outlier && step.partition && !step.span.empty();
}

/// The waits of a rank that end where their collective begins to transfer, in order.
std::vector<Turn> turnsOf(const ExplainedRank& rank, RankPosition position, const CollectiveFacts& facts,
                          const std::vector<std::uint32_t>& last_arriver) {
    std::vector<Turn> turns;
    for (const RankStep& step : rank.steps) {
        for (const ExposedWait& wait : step.waits) {
            const Collective& collective = facts.collectives[wait.collective];
            const CollectiveMember* const own = collective.memberOf(position);
            if (own != nullptr && collective.transfer_ns &&
                collective.members[last_arriver[wait.collective]].rank != position &&
                wait.span.end_ns == own->span.end_ns - *collective.transfer_ns) {
                turns.push_back({wait.span.end_ns, wait.collective});
            }
        }
    }
    std::ranges::sort(turns, {}, &Turn::end_ns);
    return turns;
}

void addPart(const WaitPart& part, const TimeSpan& window, PathTimes& out) {
    const DurationNs ns = intersect(part.span, window).length();
    switch (part.what) {
        case WaitedFor::Compute: out.compute_ns += ns; return;
        case WaitedFor::Communication: out.transfer_ns += ns; return;
        case WaitedFor::Copy: out.copy_ns += ns; return;
        case WaitedFor::Idle: out.idle[part.cause] += ns; return;
        case WaitedFor::Unknown: out.unsplit_ns += ns; return;
    }
}

void addGaps(const std::vector<Gap>& gaps, const TimeSpan& window, PathTimes& out) {
    auto gap = std::ranges::upper_bound(gaps, window.start_ns, {}, [](const Gap& g) { return g.span.end_ns; });
    for (; gap != gaps.end() && gap->span.start_ns < window.end_ns; ++gap) {
        for (const GapPart& part : gap->parts) {
            const DurationNs ns = intersect(part.span, window).length();
            const bool launch_unknown = !gap->launch.valid() && part.cause == Cause::Unrecorded;
            (launch_unknown ? out.unknown_ns : out.idle[part.cause]) += ns;
        }
    }
}

/// Goes from point to point. Paths of several ranks meet in the same collectives, and go on from there as one.
class PathWalker {
  public:
    PathWalker(const ExplainedRun& explained, const CollectiveFacts& facts)
        : explained_(explained),
          facts_(facts),
          last_arriver_(lastArrivers(facts)),
          place_(facts.collectives.size(), kUnseen) {
        for (RankPosition r{0}; r < explained.ranks.size(); ++r) {
            turns_.push_back(turnsOf(explained.ranks[r], r, facts, last_arriver_));
        }
    }

    PathTimes from(PathPoint point) {
        struct Stretch {
            CollectivePosition collective;  ///< in which it ends: the path went on from its last member
            PathTimes times;                ///< of the stretch behind it
        };
        PathTimes first;  // from the point to the first turn
        std::vector<Stretch> stretches;
        PathTimes* stretch = &first;
        PathTimes rest;  // where the path has met one that is known
        while (true) {
            const std::optional<Turn> turn = turnBefore(point);
            addWindow(point, turn ? turn->end_ns : kStart, *stretch);
            if (!turn || place_[turn->collective] == kOnTheWay) {  // only clocks that err lead round in a circle
                break;
            }
            if (const std::uint32_t known = place_[turn->collective]; known != kUnseen) {
                rest = known_[known];
                break;
            }
            place_[turn->collective] = kOnTheWay;
            stretch = &stretches.emplace_back(Stretch{turn->collective, {}}).times;
            const CollectiveMember& last =
                facts_.collectives[turn->collective].members[last_arriver_[turn->collective]];
            point = {last.rank, last.span.start_ns};
        }
        for (; !stretches.empty(); stretches.pop_back()) {
            rest += stretches.back().times;
            place_[stretches.back().collective] = static_cast<std::uint32_t>(known_.size());
            known_.push_back(rest);
        }
        return first += rest;
    }

  private:
    static constexpr TimeNs kStart = std::numeric_limits<TimeNs>::min();
    static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t kOnTheWay = kUnseen - 1;

    [[nodiscard]] std::optional<Turn> turnBefore(const PathPoint& point) const {
        const std::vector<Turn>& turns = turns_[point.rank];
        const auto after = std::ranges::upper_bound(turns, point.at_ns, {}, &Turn::end_ns);
        return after == turns.begin() ? std::nullopt : std::optional(*std::prev(after));
    }

    /// Adds what a rank did from `start_ns` to the point, inside its steps that count.
    void addWindow(const PathPoint& point, TimeNs start_ns, PathTimes& out) const {
        const std::vector<RankStep>& steps = explained_.ranks[point.rank].steps;
        auto step = std::ranges::upper_bound(steps, start_ns, {}, [](const RankStep& s) { return s.span.end_ns; });
        for (; step != steps.end() && step->span.start_ns < point.at_ns; ++step) {
            const TimeSpan window = intersect(step->span, {start_ns, point.at_ns});
            if (counts(*step) && !window.empty()) {
                addStep(point.rank, *step, window, out);
            }
        }
    }

    void addStep(RankPosition rank, const RankStep& step, const TimeSpan& window, PathTimes& out) const {
        const ExplainedRank& facts = explained_.ranks[rank];
        const IntervalSet compute = facts.compute.clip(window);
        const IntervalSet communication = facts.communication.clip(window);
        out.compute_ns += compute.length();
        out.copy_ns += facts.copy.clip(window).subtract(compute).subtract(communication).length();
        addGaps(step.gaps, window, out);
        const DurationNs transfer_ns = explained_.exposed[rank].transfer.clip(window).length();
        out.transfer_ns += transfer_ns;
        DurationNs unsplit_ns = communication.subtract(compute).length() - transfer_ns;
        auto wait = std::ranges::upper_bound(step.waits, window.start_ns, {},
                                             [](const ExposedWait& w) { return w.span.end_ns; });
        for (; wait != step.waits.end() && wait->span.start_ns < window.end_ns; ++wait) {
            for (const WaitPart& part : wait->parts) {
                addPart(part, window, out);
                unsplit_ns -= intersect(part.span, window).length();
            }
        }
        out.unsplit_ns += unsplit_ns;
    }

    const ExplainedRun& explained_;
    const CollectiveFacts& facts_;
    std::vector<std::uint32_t> last_arriver_;  // by collective: the index of its member
    std::vector<std::vector<Turn>> turns_;     // by rank
    std::vector<std::uint32_t> place_;         // by collective: in known_, or one of the two above
    std::vector<PathTimes> known_;             // from the arrival of a collective's last member back to the start
};

}  // namespace

std::vector<PathTimes> criticalPaths(const ExplainedRun& explained, const CollectiveFacts& collectives) {
    PathWalker walker(explained, collectives);
    std::vector<PathTimes> paths(explained.ranks.size());
    for (RankPosition r{0}; r < paths.size(); ++r) {
        const std::vector<RankStep>& steps = explained.ranks[r].steps;
        const auto last = std::find_if(steps.rbegin(), steps.rend(), counts);
        if (last != steps.rend()) {
            paths[r] = walker.from({r, last->span.end_ns});
        }
    }
    return paths;
}

}  // namespace rankscope
