// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_replay.h"

#include <algorithm>
#include <deque>
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
        TimeNs begin_ns = DeviceEvent::kBeforeAll;  ///< latest s' - e so far
        std::vector<std::pair<std::uint32_t, ReplayPlayer::Arrival>> waiting;
        bool as_measured = false;
    };

    void arrive(std::uint32_t rank, const ReplayPlayer::Arrival& arrival) {
        const ReplayEvent& event = model_.ranks[rank].events[arrival.event];
        Meeting& meeting = meetings_[event.meeting];
        ++meeting.came;
        if (arrival.start_ns != DeviceEvent::kBeforeAll) {
            meeting.begin_ns = std::max(meeting.begin_ns, arrival.start_ns - event.span.end_ns);
            meeting.waiting.emplace_back(rank, arrival);
            open_.insert(event.meeting);
        }
        if (meeting.as_measured) {
            endAsMeasured(event.meeting);
        } else if (meeting.came == model_.meetings[event.meeting].members.size()) {
            endTogether(event.meeting);
        }
    }

    void endTogether(std::uint32_t index) {
        const ReplayMeeting& known = model_.meetings[index];
        const DurationNs transfer_ns =
            change_.transfer ? change_.transfer(known.collective, known.transfer_ns) : known.transfer_ns;
        for (const auto& [rank, arrival] : meetings_[index].waiting) {
            const TimeNs old_end_ns = model_.ranks[rank].events[arrival.event].span.end_ns;
            end(rank, arrival.event, old_end_ns + meetings_[index].begin_ns + transfer_ns);
        }
        close(index);
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
