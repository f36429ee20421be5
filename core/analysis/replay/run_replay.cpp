// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/run_replay.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/replay/contention.h"
#include "core/analysis/replay/replay_player.h"

namespace rankscope {
namespace {

/// A change propagates from rank to rank by rendezvous, a few times back to earlier ranks. If it still moves after this
/// many passes, everything is replayed.
constexpr int kMostPasses = 8;

/// Runs the players of all ranks in turn: each plays on until it needs the end of a rendezvous that another has not
/// reached.
class RunPlayer {
  public:
    RunPlayer(const RunReplayModel& model, const RunChange& change)
        : model_(model), change_(change), rendezvous_(model.rendezvous.size()) {
        for (RankPosition r{0}; r < model.ranks.size(); ++r) {
            changes_.push_back(change.of_rank ? change.of_rank(r) : ReplayChange());
            if (change.removed) {
                changes_.back().removed = [&change, of_rank = std::move(changes_.back().removed)](const auto& event) {
                    return (event.collective != ReplayEvent::kNoCollective && change.removed(event.collective)) ||
                           (of_rank && of_rank(event));
                };
            }
        }
        if (model.slowdown > 1.0) {
            for (const ReplayModel& rank : model.ranks) {
                waits_.emplace_back(rank.events.size(), kAsMeasured);
            }
        }
        players_.reserve(model.ranks.size());
        for (RankPosition r{0}; r < model.ranks.size(); ++r) {
            players_.emplace_back(model.ranks[r], changes_[r], true);
        }
        beginAtFirstChange();
    }

    void play(const std::stop_token& stop) {
        std::vector<bool> done(players_.size(), false);
        for (RankPosition r{0}; r < players_.size(); ++r) {
            turns_.push_back(r);
        }
        while ((!turns_.empty() || !open_.empty()) && !stop.stop_requested()) {
            if (turns_.empty()) {
                endAsMeasured(*open_.begin());
                continue;
            }
            const RankPosition rank = turns_.front();
            turns_.pop_front();
            done[rank] = done[rank] || players_[rank].play();
            for (const ReplayPlayer::Arrival& arrival : players_[rank].takeArrivals()) {
                arrive(rank, arrival);
            }
        }
    }

    /// Goes back to the beginning, with the work of each rank shortened by `relief` (as ReplayPlayer::relieve()).
    void relieve(const std::vector<std::vector<DurationNs>>& relief) {
        for (RankPosition r{0}; r < players_.size(); ++r) {
            players_[r].relieve(relief[r]);
        }
        rendezvous_.assign(model_.rendezvous.size(), {});
        turns_.clear();
        open_.clear();
        beginAtFirstChange();
    }

    /// The simulated steps of each rank. After play().
    [[nodiscard]] std::vector<std::vector<TimeSpan>> steps() const {
        std::vector<std::vector<TimeSpan>> steps;
        for (const ReplayPlayer& player : players_) {
            steps.push_back(player.steps());
        }
        return steps;
    }

    /// The simulated work of each rank. After play().
    [[nodiscard]] std::vector<std::vector<TimeSpan>> work() const {
        std::vector<std::vector<TimeSpan>> work;
        for (const ReplayPlayer& player : players_) {
            work.push_back(player.work());
        }
        return work;
    }

    [[nodiscard]] const HostTimeWarp& hostTime(RankPosition rank) const { return players_[rank].hostTime(); }

    /// By rank and event: how long each waiting collective now waits, or kAsMeasured. Empty if that slows nothing down.
    static constexpr DurationNs kAsMeasured = -1;
    [[nodiscard]] std::vector<std::vector<DurationNs>> takeWaits() { return std::move(waits_); }

  private:
    /// The state of a rendezvous that does not end together: who has come, and who waits for whom. Each member is
    /// registered only for the next one that it misses, so an arrival only wakes those that wait for it.
    struct Rooted {
        /// By member: when it came on the shared clock, or kBeforeAll if its part is left out; nothing while that is
        /// open.
        std::vector<std::optional<TimeNs>> came_ns;
        std::vector<TimeNs> latest_ns;  ///< for the first members in order that have all come: when the last of them
                                        ///< came
        std::vector<std::vector<std::uint32_t>> wait_in_order;  ///< by position in order: members that wait for all up
                                                                ///< to it
        std::vector<std::vector<std::uint32_t>> wait_for;       ///< by member: those that wait for this one
        std::vector<std::uint32_t> passed;                      ///< by member: how many of its `waits_for` have come
        std::vector<std::optional<ReplayPlayer::Arrival>> waiting;  ///< by member: has come and not ended
        std::size_t still_waiting = 0;
    };

    struct Rendezvous {
        std::size_t came = 0;
        TimeNs begin_ns = DeviceEvent::kBeforeAll;  ///< the latest arrival so far, on the members' shared clock
        std::vector<std::pair<RankPosition, ReplayPlayer::Arrival>> waiting;
        bool as_measured = false;
        Rooted rooted;  ///< if it does not end together
    };

    /// Without a change a replay gives the measured times, event by event: so it may begin where the change does. If a
    /// rendezvous may change for one member, it may for all.
    void beginAtFirstChange() {
        std::vector<TimeNs> first_ns;
        for (const ReplayPlayer& player : players_) {
            first_ns.push_back(player.firstChange());
        }
        const auto launched = [&](const ReplayRendezvous::Member& m) {
            return model_.ranks[m.rank].events[m.event].launched_ns;
        };
        bool moved = true;
        for (int pass = 0; moved && pass < kMostPasses; ++pass) {
            moved = false;
            for (const ReplayRendezvous& rendezvous : model_.rendezvous) {
                const bool changed = transferOf(rendezvous) != rendezvous.transfer_ns ||
                                     std::ranges::any_of(rendezvous.members, [&](const ReplayRendezvous::Member& m) {
                                         return launched(m) >= first_ns[m.rank];
                                     });
                for (const ReplayRendezvous::Member& member : rendezvous.members) {
                    if (changed && launched(member) < first_ns[member.rank]) {
                        first_ns[member.rank] = launched(member);
                        moved = true;
                    }
                }
            }
        }
        for (RankPosition r{0}; r < players_.size() && !moved; ++r) {
            players_[r].beginAt(first_ns[r]);
        }
    }

    void arrive(RankPosition rank, const ReplayPlayer::Arrival& arrival) {
        const std::uint32_t index = model_.ranks[rank].events[arrival.event].rendezvous;
        const ReplayRendezvous& known = model_.rendezvous[index];
        Rendezvous& rendezvous = rendezvous_[index];
        const bool is_there = arrival.start_ns != DeviceEvent::kBeforeAll;
        if (!is_there && !waits_.empty()) {
            waits_[rank][arrival.event] = 0;
        }
        if (is_there && rendezvous.as_measured) {
            endOneAsMeasured(rank, arrival);
            return;
        }
        if (is_there) {
            open_.insert(index);
        }
        if (!known.together) {
            comeToRooted(index, static_cast<std::uint32_t>(memberOf(known, rank)), arrival);
            return;
        }
        ++rendezvous.came;
        if (is_there) {
            rendezvous.begin_ns =
                std::max(rendezvous.begin_ns, arrival.start_ns + known.members[memberOf(known, rank)].shift_ns);
            rendezvous.waiting.emplace_back(rank, arrival);
        }
        if (rendezvous.came == known.members.size()) {
            endTogether(index);
        }
    }

    static std::size_t memberOf(const ReplayRendezvous& rendezvous, RankPosition rank) {
        const auto at = std::ranges::lower_bound(rendezvous.members, rank, {}, &ReplayRendezvous::Member::rank);
        return static_cast<std::size_t>(at - rendezvous.members.begin());
    }

    [[nodiscard]] DurationNs transferOf(const ReplayRendezvous& known) const {
        return change_.transferOf(known.collective, known.transfer_ns);
    }

    void endTogether(std::uint32_t index) {
        const ReplayRendezvous& known = model_.rendezvous[index];
        const DurationNs transfer_ns = transferOf(known);
        for (const auto& [rank, arrival] : rendezvous_[index].waiting) {
            const TimeNs old_end_ns = model_.ranks[rank].events[arrival.event].span.end_ns;
            const TimeNs end_ns = old_end_ns + rendezvous_[index].begin_ns + transfer_ns;
            if (!waits_.empty()) {
                waits_[rank][arrival.event] = end_ns - transfer_ns - arrival.start_ns;
            }
            end(rank, arrival.event, end_ns);
        }
        close(index);
    }

    void comeToRooted(std::uint32_t index, std::uint32_t member, const ReplayPlayer::Arrival& arrival) {
        const ReplayRendezvous& known = model_.rendezvous[index];
        Rooted& rooted = rendezvous_[index].rooted;
        if (rooted.came_ns.empty()) {
            rooted.came_ns.resize(known.members.size());
            rooted.wait_in_order.resize(known.members.size());
            rooted.wait_for.resize(known.members.size());
            rooted.passed.resize(known.members.size());
            rooted.waiting.resize(known.members.size());
        }
        const bool is_there = arrival.start_ns != DeviceEvent::kBeforeAll;
        rooted.came_ns[member] = is_there ? arrival.start_ns + known.members[member].shift_ns : arrival.start_ns;
        std::vector<std::uint32_t> may_go_on = std::move(rooted.wait_for[member]);
        if (is_there) {
            rooted.waiting[member] = arrival;
            ++rooted.still_waiting;
            may_go_on.push_back(member);
        }
        for (std::size_t place = rooted.latest_ns.size(); place < known.order.size(); ++place) {
            const std::optional<TimeNs>& came_ns = rooted.came_ns[known.order[place]];
            if (!came_ns) {
                break;
            }
            rooted.latest_ns.push_back(place == 0 ? *came_ns : std::max(rooted.latest_ns.back(), *came_ns));
            std::ranges::copy(rooted.wait_in_order[place], std::back_inserter(may_go_on));
            rooted.wait_in_order[place].clear();
        }
        for (const std::uint32_t waiting : may_go_on) {
            if (rooted.waiting[waiting]) {
                endWhereReady(known, rooted, waiting);
            }
        }
        if (rooted.still_waiting == 0) {
            open_.erase(index);
        }
    }

    /// Ends the part of a member that no longer waits for any other.
    void endWhereReady(const ReplayRendezvous& known, Rooted& rooted, std::uint32_t member) {
        const ReplayRendezvous::Member& own = known.members[member];
        if (rooted.latest_ns.size() < own.waits_until) {
            rooted.wait_in_order[own.waits_until - 1].push_back(member);
            return;
        }
        std::uint32_t& passed = rooted.passed[member];
        while (passed < own.waits_for.size() && rooted.came_ns[own.waits_for[passed]]) {
            ++passed;
        }
        if (passed < own.waits_for.size()) {
            rooted.wait_for[own.waits_for[passed]].push_back(member);
            return;
        }
        const ReplayPlayer::Arrival arrival = *std::exchange(rooted.waiting[member], std::nullopt);
        --rooted.still_waiting;
        const DurationNs faster_ns = known.transfer_ns - transferOf(known);
        const TimeNs old_end_ns = model_.ranks[own.rank].events[arrival.event].span.end_ns;
        // If clocks are slightly wrong, the last may seem to have come after others had ended.
        const TimeNs soonest_ns = arrival.start_ns + known.transfer_ns - faster_ns;
        end(own.rank, arrival.event, std::max(soonest_ns, old_end_ns + laterBy(rooted, own, member) - faster_ns));
    }

    /// By how much the last one that a member waits for, including itself, comes later than measured.
    [[nodiscard]] static DurationNs laterBy(const Rooted& rooted, const ReplayRendezvous::Member& own,
                                            std::uint32_t member) {
        TimeNs now_ns = rooted.came_ns[member].value_or(0);
        if (own.waits_until > 0) {
            now_ns = std::max(now_ns, rooted.latest_ns[own.waits_until - 1]);
        }
        for (const std::uint32_t other : own.waits_for) {
            now_ns = std::max(now_ns, rooted.came_ns[other].value_or(DeviceEvent::kBeforeAll));
        }
        return now_ns - own.last_came_ns;
    }

    void endAsMeasured(std::uint32_t index) {
        Rendezvous& rendezvous = rendezvous_[index];
        for (const auto& [rank, arrival] : rendezvous.waiting) {
            endOneAsMeasured(rank, arrival);
        }
        for (std::size_t member = 0; member < rendezvous.rooted.waiting.size(); ++member) {
            if (const auto arrival = std::exchange(rendezvous.rooted.waiting[member], std::nullopt)) {
                endOneAsMeasured(model_.rendezvous[index].members[member].rank, *arrival);
            }
        }
        rendezvous.as_measured = true;
        close(index);
    }

    void endOneAsMeasured(RankPosition rank, const ReplayPlayer::Arrival& arrival) {
        end(rank, arrival.event, arrival.start_ns + model_.ranks[rank].events[arrival.event].span.length());
    }

    void end(RankPosition rank, std::uint32_t event, TimeNs end_ns) {
        players_[rank].finish(event, end_ns);
        turns_.push_back(rank);
    }

    void close(std::uint32_t index) {
        rendezvous_[index].waiting.clear();
        open_.erase(index);
    }

    const RunReplayModel& model_;
    const RunChange& change_;
    std::vector<ReplayChange> changes_;   // by rank; the players refer to them
    std::vector<ReplayPlayer> players_;   // by rank
    std::vector<Rendezvous> rendezvous_;  // as in the model
    std::deque<RankPosition> turns_;      // ranks that may be able to continue
    std::set<std::uint32_t> open_;        // rendezvous that some members have reached
    std::vector<std::vector<DurationNs>> waits_;
};

/// By rank and event: by how much work gets shorter if the collectives at the same time wait for `waits`. Empty if none
/// waits less than measured.
std::vector<std::vector<DurationNs>> reliefOf(const RunReplayModel& model,
                                              const std::vector<std::vector<DurationNs>>& waits) {
    std::vector<std::vector<DurationNs>> relief;
    for (RankPosition r{0}; r < model.beside.size(); ++r) {
        const std::vector<ReplayEvent>& events = model.ranks[r].events;
        for (const BesideWaiting& beside : model.beside[r]) {
            const ReplayEvent& collective = events[beside.collective];
            const DurationNs now_ns = waits[r][beside.collective];
            const DurationNs was_ns = collective.span.length() - model.rendezvous[collective.rendezvous].transfer_ns;
            if (now_ns == RunPlayer::kAsMeasured || now_ns >= was_ns) {
                continue;
            }
            if (relief.empty()) {
                relief.resize(model.ranks.size());
            }
            relief[r].resize(events.size());
            const double gone = 1.0 - static_cast<double>(now_ns) / static_cast<double>(was_ns);
            const auto overlap_ns = static_cast<DurationNs>(gone * static_cast<double>(beside.overlap_ns));
            relief[r][beside.event] += slowedBy(model.slowdown, overlap_ns);
        }
    }
    return relief;
}

/// Replays a run: a second time if work gets shorter because collectives at the same time wait less.
void playRun(RunPlayer& player, const RunReplayModel& model, const std::stop_token& stop) {
    player.play(stop);
    if (model.slowdown <= 1.0 || stop.stop_requested()) {
        return;
    }
    const std::vector<std::vector<DurationNs>> relief = reliefOf(model, player.takeWaits());
    if (!relief.empty()) {
        player.relieve(relief);
        player.play(stop);
    }
}

}  // namespace

std::vector<std::vector<TimeSpan>> replayRun(const RunReplayModel& model, const RunChange& change,
                                             const std::stop_token& stop) {
    RunPlayer player(model, change);
    playRun(player, model, stop);
    return player.steps();
}

std::vector<ReplayedRank> replayRunWork(const RunReplayModel& model, const RunChange& change,
                                        const std::stop_token& stop) {
    RunPlayer player(model, change);
    playRun(player, model, stop);
    std::vector<std::vector<TimeSpan>> steps = player.steps();
    std::vector<std::vector<TimeSpan>> work = player.work();
    std::vector<ReplayedRank> ranks;
    for (std::size_t r = 0; r < steps.size(); ++r) {
        ranks.push_back({std::move(steps[r]), std::move(work[r]), player.hostTime(RankPosition(r))});
    }
    return ranks;
}

}  // namespace rankscope
