// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rooted_meetings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace rankscope {
namespace {

/// Collectives that are taken to have the same root, and to go the same way.
using Alike = std::tuple<CollectiveKind, std::uint32_t, std::optional<std::int64_t>>;
/// Pairs of ranks: the first does not need the second.
using Proofs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Alike alikeOf(const Collective& collective) {
    return {collective.kind, collective.group, collective.bytes};
}

/// The members of one rooted meeting on the run's clock.
class RootedMeeting {
  public:
    RootedMeeting(const RunReplayModel& model, const RunClock& clock, const ReplayMeeting& meeting)
        : clock_(clock), meeting_(meeting) {
        for (const ReplayMeeting::Member& member : meeting.members) {
            const TimeSpan& span = model.ranks[member.rank].events[member.event].span;
            spans_.push_back({span.start_ns + member.shift_ns, span.end_ns + member.shift_ns});
        }
    }

    void addProofs(Proofs& proofs) const {
        for (std::uint32_t waiting = 0; waiting < spans_.size(); ++waiting) {
            for (std::uint32_t other = 0; other < spans_.size(); ++other) {
                if (endedBefore(waiting, other)) {
                    proofs.emplace(rankOf(waiting), rankOf(other));
                }
            }
        }
    }

    /// The members that `waiting` may have waited for.
    [[nodiscard]] std::vector<std::uint32_t> waitsFor(std::uint32_t waiting, const Proofs& proofs) const {
        std::vector<std::uint32_t> by_this_one;
        std::vector<std::uint32_t> by_all;
        TimeNs came_ns = spans_[waiting].start_ns;
        DurationNs doubt_ns = 0;
        for (std::uint32_t other = 0; other < spans_.size(); ++other) {
            if (other == waiting || endedBefore(waiting, other)) {
                continue;
            }
            by_this_one.push_back(other);
            if (!proofs.contains({rankOf(waiting), rankOf(other)})) {
                by_all.push_back(other);
                came_ns = std::max(came_ns, spans_[other].start_ns);
                doubt_ns = std::max(doubt_ns, doubt(waiting, other));
            }
        }
        const bool explained = spans_[waiting].end_ns - came_ns <= 2 * meeting_.transfer_ns + doubt_ns;
        return explained ? by_all : by_this_one;
    }

  private:
    [[nodiscard]] std::uint32_t rankOf(std::uint32_t member) const { return meeting_.members[member].rank; }
    [[nodiscard]] DurationNs doubt(std::uint32_t a, std::uint32_t b) const {
        return clock_.uncertaintyBetween(rankOf(a), rankOf(b)).value_or(0);
    }
    /// Member `waiting` was through when `other` came.
    [[nodiscard]] bool endedBefore(std::uint32_t waiting, std::uint32_t other) const {
        return spans_[other].start_ns > spans_[waiting].end_ns + doubt(waiting, other);
    }

    const RunClock& clock_;
    const ReplayMeeting& meeting_;
    std::vector<TimeSpan> spans_;  // by member
};

}  // namespace

void findWhoWaits(const CollectiveFacts& collectives, const RunClock& clock, RunReplayModel& model) {
    std::map<Alike, Proofs> proofs;
    for (const ReplayMeeting& meeting : model.meetings) {
        if (!meeting.together) {
            RootedMeeting(model, clock, meeting)
                .addProofs(proofs[alikeOf(collectives.collectives[meeting.collective])]);
        }
    }
    for (ReplayMeeting& meeting : model.meetings) {
        if (meeting.together) {
            continue;
        }
        const RootedMeeting rooted(model, clock, meeting);
        const Proofs& of_alike = proofs[alikeOf(collectives.collectives[meeting.collective])];
        for (std::uint32_t m = 0; m < meeting.members.size(); ++m) {
            meeting.members[m].waits_for = rooted.waitsFor(m, of_alike);
        }
    }
}

}  // namespace rankscope
