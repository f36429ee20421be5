// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/rooted_dependencies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace rankscope {
namespace {

/// Collectives that are assumed to have the same root and direction; for unknown kinds, those with the same name.
using Alike = std::tuple<CollectiveKind, std::uint32_t, std::optional<std::int64_t>, std::string_view>;
/// By rank: the ranks that it has not proved not to need, sorted; missing if there is no proof.
using MayNeed = std::unordered_map<RankPosition, std::vector<RankPosition>>;
constexpr std::uint32_t kNoMember = ReplayEvent::kNone;

Alike alikeOf(const Collective& collective) {
    const bool named = collective.kind == CollectiveKind::Unknown;
    return {collective.kind, collective.group, collective.bytes, named ? collective.name : std::string_view()};
}

/// The members of one rooted rendezvous on the run's clock.
class RootedDependency {
  public:
    RootedDependency(const RunReplayModel& model, const RunClock& clock, ReplayRendezvous& rendezvous)
        : clock_(clock), rendezvous_(rendezvous) {
        for (const ReplayRendezvous::Member& member : rendezvous.members) {
            const TimeSpan& span = model.ranks[member.rank].events[member.event].span;
            spans_.push_back({span.start_ns + member.shift_ns, span.end_ns + member.shift_ns});
            const DurationNs doubt_ns = clock.ranks[member.rank].uncertainty_ns.value_or(0);
            least_doubt_ns_ = spans_.size() == 1 ? doubt_ns : std::min(least_doubt_ns_, doubt_ns);
            most_doubt_ns_ = std::max(most_doubt_ns_, doubt_ns);
        }
        rendezvous.order.resize(spans_.size());
        std::iota(rendezvous.order.begin(), rendezvous.order.end(), 0U);
        std::ranges::stable_sort(rendezvous.order, {}, [this](std::uint32_t m) { return spans_[m].start_ns; });
    }

    void addProofs(MayNeed& may_need) const {
        for (std::uint32_t waiting = 0; waiting < spans_.size(); ++waiting) {
            if (reachOf(waiting).sure == spans_.size()) {
                continue;
            }
            const auto [own, is_new] = may_need.try_emplace(rankOf(waiting));
            if (is_new) {
                for (const ReplayRendezvous::Member& member : rendezvous_.members) {
                    own->second.push_back(member.rank);
                }
            }
            std::erase_if(own->second, [&](RankPosition rank) {
                const std::uint32_t other = memberOf(rank);
                return other != kNoMember && endedBefore(waiting, other);
            });
            own->second.shrink_to_fit();
        }
    }

    /// Finds the members that `waiting` may have waited for.
    void findWaits(std::uint32_t waiting, const MayNeed& may_need) {
        ReplayRendezvous::Member& member = rendezvous_.members[waiting];
        member.waits_for.clear();
        const Reach reach = reachOf(waiting);
        member.waits_until = static_cast<std::uint32_t>(reach.sure);
        for (std::size_t place = reach.sure; place < reach.possible; ++place) {
            if (!endedBefore(waiting, rendezvous_.order[place])) {
                member.waits_for.push_back(rendezvous_.order[place]);
            }
        }
        if (const auto own = may_need.find(member.rank); own != may_need.end()) {
            std::vector<std::uint32_t> by_all = stillNeeded(waiting, own->second);
            if (by_all.size() + 1 < reach.sure + member.waits_for.size() && explains(waiting, by_all)) {
                member.waits_until = 0;
                member.waits_for = std::move(by_all);
            }
        }
        member.last_came_ns = spans_[waiting].start_ns;
        if (member.waits_until > 0) {
            member.last_came_ns =
                std::max(member.last_came_ns, spans_[rendezvous_.order[member.waits_until - 1]].start_ns);
        }
        for (const std::uint32_t other : member.waits_for) {
            member.last_came_ns = std::max(member.last_came_ns, spans_[other].start_ns);
        }
    }

  private:
    /// For the members in order: how many certainly came before another had ended, and how many may have, given the
    /// clocks.
    struct Reach {
        std::size_t sure = 0;
        std::size_t possible = 0;
    };

    [[nodiscard]] Reach reachOf(std::uint32_t waiting) const {
        const auto segment_ns = static_cast<double>(clock_.ranks[rankOf(waiting)].uncertainty_ns.value_or(0));
        const auto with = [&](DurationNs other_ns) {
            return static_cast<DurationNs>(std::llround(std::hypot(segment_ns, static_cast<double>(other_ns))));
        };
        const auto until = [&](DurationNs doubt_ns) {
            const auto end = std::ranges::upper_bound(rendezvous_.order, spans_[waiting].end_ns + doubt_ns, {},
                                                      [this](std::uint32_t m) { return spans_[m].start_ns; });
            return static_cast<std::size_t>(end - rendezvous_.order.begin());
        };
        return {until(std::min({DurationNs{0}, kSharedClockNs, with(least_doubt_ns_)})),
                until(std::max(kSharedClockNs, with(most_doubt_ns_)))};
    }

    /// Those of the ranks `may_need` that had come when `waiting` ended.
    [[nodiscard]] std::vector<std::uint32_t> stillNeeded(std::uint32_t waiting,
                                                         const std::vector<RankPosition>& may_need) const {
        std::vector<std::uint32_t> needed;
        for (const RankPosition rank : may_need) {
            const std::uint32_t other = memberOf(rank);
            if (other != kNoMember && other != waiting && !endedBefore(waiting, other)) {
                needed.push_back(other);
            }
        }
        return needed;
    }

    /// Whether `waiting` left soon after the last of `others` had come.
    [[nodiscard]] bool explains(std::uint32_t waiting, const std::vector<std::uint32_t>& others) const {
        TimeNs came_ns = spans_[waiting].start_ns;
        DurationNs doubt_ns = 0;
        for (const std::uint32_t other : others) {
            came_ns = std::max(came_ns, spans_[other].start_ns);
            doubt_ns = std::max(doubt_ns, doubt(waiting, other));
        }
        return spans_[waiting].end_ns - came_ns <= 2 * rendezvous_.transfer_ns + doubt_ns;
    }

    [[nodiscard]] std::uint32_t memberOf(RankPosition rank) const {
        const auto at = std::ranges::lower_bound(rendezvous_.members, rank, {}, &ReplayRendezvous::Member::rank);
        return at != rendezvous_.members.end() && at->rank == rank
                   ? static_cast<std::uint32_t>(at - rendezvous_.members.begin())
                   : kNoMember;
    }
    [[nodiscard]] RankPosition rankOf(std::uint32_t member) const { return rendezvous_.members[member].rank; }
    [[nodiscard]] DurationNs doubt(std::uint32_t a, std::uint32_t b) const {
        return clock_.uncertaintyBetween(rankOf(a), rankOf(b)).value_or(0);
    }
    /// Whether member `waiting` had ended when `other` came.
    [[nodiscard]] bool endedBefore(std::uint32_t waiting, std::uint32_t other) const {
        return spans_[other].start_ns > spans_[waiting].end_ns + doubt(waiting, other);
    }

    const RunClock& clock_;
    ReplayRendezvous& rendezvous_;
    std::vector<TimeSpan> spans_;  // by member
    DurationNs least_doubt_ns_ = 0;
    DurationNs most_doubt_ns_ = 0;
};

}  // namespace

void findRootedDependencies(const CollectiveFacts& collectives, const RunClock& clock, RunReplayModel& model) {
    std::map<Alike, MayNeed> may_need;
    for (ReplayRendezvous& rendezvous : model.rendezvous) {
        if (!rendezvous.together && waitsForSome(collectives.collectives[rendezvous.collective].kind)) {
            RootedDependency(model, clock, rendezvous)
                .addProofs(may_need[alikeOf(collectives.collectives[rendezvous.collective])]);
        }
    }
    for (ReplayRendezvous& rendezvous : model.rendezvous) {
        if (rendezvous.together || !waitsForSome(collectives.collectives[rendezvous.collective].kind)) {
            continue;
        }
        RootedDependency rooted(model, clock, rendezvous);
        const MayNeed& of_alike = may_need[alikeOf(collectives.collectives[rendezvous.collective])];
        for (std::uint32_t m = 0; m < rendezvous.members.size(); ++m) {
            rooted.findWaits(m, of_alike);
        }
    }
}

std::vector<std::uint32_t> waitsFor(const ReplayRendezvous& rendezvous, std::uint32_t member) {
    std::vector<std::uint32_t> all = rendezvous.members[member].waits_for;
    all.insert(all.end(), rendezvous.order.begin(), rendezvous.order.begin() + rendezvous.members[member].waits_until);
    std::erase(all, member);
    std::ranges::sort(all);
    return all;
}

}  // namespace rankscope
