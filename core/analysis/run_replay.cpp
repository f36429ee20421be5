// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_replay.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "core/analysis/replay_player.h"

namespace rankscope {
namespace {

/// Lets the players of all ranks take turns: each plays on until it needs the end of a meeting that another has not
/// come to.
class RunPlayer {
  public:
    RunPlayer(const RunReplayModel& model, const RunChange& change)
        : model_(model), change_(change), meetings_(model.meetings.size()) {
        for (std::uint32_t r = 0; r < model.ranks.size(); ++r) {
            changes_.push_back(change.of_rank ? change.of_rank(r) : ReplayChange());
            if (change.removed) {
                changes_.back().removed = [&change, of_rank = std::move(changes_.back().removed)](const auto& event) {
                    return (event.collective != ReplayEvent::kNone && change.removed(event.collective)) ||
                           (of_rank && of_rank(event));
                };
            }
        }
        players_.reserve(model.ranks.size());
        for (std::uint32_t r = 0; r < model.ranks.size(); ++r) {
            players_.emplace_back(model.ranks[r], changes_[r], true);
        }
    }

    std::vector<std::vector<TimeSpan>> play() {
        std::vector<bool> done(players_.size(), false);
        for (std::uint32_t r = 0; r < players_.size(); ++r) {
            turns_.push_back(r);
        }
        while (!turns_.empty() || !open_.empty()) {
            if (turns_.empty()) {
                endAsMeasured(*open_.begin());
                continue;
            }
            const std::uint32_t rank = turns_.front();
            turns_.pop_front();
            done[rank] = done[rank] || players_[rank].play();
            for (const ReplayPlayer::Arrival& arrival : players_[rank].takeArrivals()) {
                arrive(rank, arrival);
            }
        }
        std::vector<std::vector<TimeSpan>> steps;
        for (const ReplayPlayer& player : players_) {
            steps.push_back(player.steps());
        }
        return steps;
    }

  private:
    struct Meeting {
        std::size_t came = 0;
        TimeNs begin_ns = DeviceEvent::kBeforeAll;  ///< when the last of all came so far, on the members' shared clock
        std::vector<std::pair<std::uint32_t, ReplayPlayer::Arrival>> waiting;
        bool as_measured = false;
        /// Of one that does not end together, by member: when it came on the shared clock, or kBeforeAll where its part
        /// is not there; nothing as long as that is open.
        std::vector<std::optional<TimeNs>> came_ns;
        /// And how many of those that it waits for have come without one missing before: each is looked at once.
        std::vector<std::uint32_t> passed;
    };

    void arrive(std::uint32_t rank, const ReplayPlayer::Arrival& arrival) {
        const std::uint32_t index = model_.ranks[rank].events[arrival.event].meeting;
        const ReplayMeeting& known = model_.meetings[index];
        Meeting& meeting = meetings_[index];
        const std::size_t member = memberOf(known, rank);
        const bool is_there = arrival.start_ns != DeviceEvent::kBeforeAll;
        const TimeNs came_ns = is_there ? arrival.start_ns + known.members[member].shift_ns : arrival.start_ns;
        ++meeting.came;
        if (is_there) {
            meeting.begin_ns = std::max(meeting.begin_ns, came_ns);
            meeting.waiting.emplace_back(rank, arrival);
            open_.insert(index);
        }
        if (!known.together) {
            meeting.came_ns.resize(known.members.size());
            meeting.passed.resize(known.members.size());
            meeting.came_ns[member] = came_ns;
        }
        if (meeting.as_measured) {
            endAsMeasured(index);
        } else if (!known.together) {
            endWhereReady(index);
        } else if (meeting.came == known.members.size()) {
            endTogether(index);
        }
    }

    static std::size_t memberOf(const ReplayMeeting& meeting, std::uint32_t rank) {
        const auto at = std::ranges::lower_bound(meeting.members, rank, {}, &ReplayMeeting::Member::rank);
        return static_cast<std::size_t>(at - meeting.members.begin());
    }

    [[nodiscard]] DurationNs transferOf(const ReplayMeeting& known) const {
        return change_.transfer ? change_.transfer(known.collective, known.transfer_ns) : known.transfer_ns;
    }

    void endTogether(std::uint32_t index) {
        const ReplayMeeting& known = model_.meetings[index];
        const DurationNs transfer_ns = transferOf(known);
        for (const auto& [rank, arrival] : meetings_[index].waiting) {
            const TimeNs old_end_ns = model_.ranks[rank].events[arrival.event].span.end_ns;
            end(rank, arrival.event, old_end_ns + meetings_[index].begin_ns + transfer_ns);
        }
        close(index);
    }

    /// Ends the parts of a rooted meeting whose ranks wait for nobody who has not come.
    void endWhereReady(std::uint32_t index) {
        const ReplayMeeting& known = model_.meetings[index];
        Meeting& meeting = meetings_[index];
        const DurationNs faster_ns = known.transfer_ns - transferOf(known);
        std::erase_if(meeting.waiting, [&](const auto& waiting) {
            const auto& [rank, arrival] = waiting;
            const std::size_t member = memberOf(known, rank);
            const auto& waits_for = known.members[member].waits_for;
            std::uint32_t& passed = meeting.passed[member];
            while (passed < waits_for.size() && meeting.came_ns[waits_for[passed]]) {
                ++passed;
            }
            if (passed < waits_for.size()) {
                return false;
            }
            const TimeNs old_end_ns = model_.ranks[rank].events[arrival.event].span.end_ns;
            // Where clocks are off by a little, the last may seem to have come after others had ended.
            const TimeNs soonest_ns = arrival.start_ns + known.transfer_ns - faster_ns;
            end(rank, arrival.event, std::max(soonest_ns, old_end_ns + laterBy(known, meeting, member) - faster_ns));
            return true;
        });
        if (meeting.waiting.empty()) {
            open_.erase(index);
        }
    }

    /// By how much the last that `member` waits for, itself included, comes later than it did.
    [[nodiscard]] DurationNs laterBy(const ReplayMeeting& known, const Meeting& meeting, std::size_t member) const {
        TimeNs now_ns = meeting.came_ns[member].value_or(0);
        const auto measured = [&](std::size_t m) {
            const ReplayMeeting::Member& one = known.members[m];
            return model_.ranks[one.rank].events[one.event].span.start_ns + one.shift_ns;
        };
        TimeNs then_ns = measured(member);
        for (const std::uint32_t other : known.members[member].waits_for) {
            then_ns = std::max(then_ns, measured(other));
            now_ns = std::max(now_ns, meeting.came_ns[other].value_or(DeviceEvent::kBeforeAll));
        }
        return now_ns - then_ns;
    }

    void endAsMeasured(std::uint32_t index) {
        for (const auto& [rank, arrival] : meetings_[index].waiting) {
            end(rank, arrival.event, arrival.start_ns + model_.ranks[rank].events[arrival.event].span.length());
        }
        meetings_[index].as_measured = true;
        close(index);
    }

    void end(std::uint32_t rank, std::uint32_t event, TimeNs end_ns) {
        players_[rank].finish(event, end_ns);
        turns_.push_back(rank);
    }

    void close(std::uint32_t index) {
        meetings_[index].waiting.clear();
        open_.erase(index);
    }

    const RunReplayModel& model_;
    const RunChange& change_;
    std::vector<ReplayChange> changes_;  // by rank; the players refer to them
    std::vector<ReplayPlayer> players_;  // by rank
    std::vector<Meeting> meetings_;      // as in the model
    std::deque<std::uint32_t> turns_;    // ranks that may be able to go on
    std::set<std::uint32_t> open_;       // meetings that some have come to
};

}  // namespace

std::vector<std::vector<TimeSpan>> replayRun(const RunReplayModel& model, const RunChange& change) {
    return RunPlayer(model, change).play();
}

}  // namespace rankscope
