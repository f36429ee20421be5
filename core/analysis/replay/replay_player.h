// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/replay/replay.h"
#include "core/base/time.h"

namespace rankscope {

/// One simulation of the launches and waits of a rank, in order of host time.
///
/// A coupled player does not know when its part in a rendezvous ends. It reports its arrival, plays on until something
/// needs that end, and continues once the end is known.
class ReplayPlayer {
  public:
    /// A part in a rendezvous that was reached: `event` may start at `start_ns`, or is left out (kBeforeAll).
    struct Arrival {
        std::uint32_t event = 0;
        TimeNs start_ns = 0;
    };

    ReplayPlayer(const ReplayModel& model, const ReplayChange& change, bool coupled);

    /// The host time of the first launch, wait or host time that the change affects; the end of time if it affects
    /// none. Everything launched before it is as measured.
    [[nodiscard]] TimeNs firstChange() const;
    /// Takes everything that was launched before a host instant as measured, and starts there. Call before play(); not
    /// after firstChange(), nor after the launch of a part in a rendezvous with a different result.
    void beginAt(TimeNs host_ns);
    /// Plays on, to the end or until it needs an end that is not known yet. Returns whether it reached the end.
    bool play();
    /// The rendezvous that it has reached since the last call.
    [[nodiscard]] std::vector<Arrival> takeArrivals() { return std::exchange(arrivals_, {}); }
    /// Sets when its part in a rendezvous ends.
    void finish(std::uint32_t event, TimeNs end_ns);
    /// The simulated work of the model; empty spans for work that is left out. Only after play() has reached the end.
    [[nodiscard]] std::vector<TimeSpan> work() const;
    /// Where each host instant went. Only after play() has reached the end.
    [[nodiscard]] const HostTimeWarp& hostTime() const { return map_; }
    /// The simulated steps. Only after play() has reached the end.
    [[nodiscard]] std::vector<TimeSpan> steps() const;
    /// Goes back to the beginning, with the work shortened by `relief_ns`, scaled by what the change leaves of the
    /// work. By event; empty: nothing gets shorter.
    void relieve(const std::vector<DurationNs>& relief_ns);

  private:
    /// Forgets what was played.
    void rewind();
    [[nodiscard]] bool isRemoved(std::size_t event) const { return !removed_.empty() && removed_[event] != 0; }
    /// Whether the end of an event depends on other ranks.
    [[nodiscard]] bool meets(const ReplayEvent& event) const {
        return coupled_ && event.rendezvous != ReplayEvent::kNone;
    }

    // Each of these returns false if it has to wait, and is then called again.
    bool passHostChange(const HostChange& change);
    bool passHolesUntil(TimeNs old_ns);
    bool passWait(const ReplayWait& wait);
    /// Starts all device work that was launched up to and including `old_ns`.
    bool launchUntil(TimeNs old_ns);
    bool launch(std::uint32_t index);

    [[nodiscard]] bool isKnown(std::uint32_t event) const {
        return event == ReplayEvent::kNone || new_end_[event] != kUnknown;
    }
    [[nodiscard]] bool canStart(const ReplayEvent& event) const {
        return isKnown(open_[event.stream]) && isKnown(event.waits_for) && isKnown(event.comes_after) &&
               isKnown(before(event));
    }
    /// The communication that `event` waits for although it need not; kNone for most changes.
    [[nodiscard]] std::uint32_t before(const ReplayEvent& event) const {
        return event.communication ? ReplayEvent::kNone : last_communication_;
    }
    [[nodiscard]] TimeNs startOf(const ReplayEvent& event) const;
    /// The pause before `event` behind other work, as shortened by the change.
    [[nodiscard]] DurationNs pauseOf(const ReplayEvent& event, DurationNs gap_ns) const;

    static constexpr TimeNs kUnknown = std::numeric_limits<TimeNs>::max();

    const ReplayModel& model_;
    const ReplayChange& change_;
    std::vector<HostChange> host_changes_;  // sorted by start, disjoint, outside of waits
    // What the change says of each event, as model_.events: it is asked once, and an event is played several times.
    std::vector<DurationNs> length_;     // as recorded for a part in a rendezvous
    std::vector<std::uint8_t> removed_;  // whether; empty: none is
    bool lengths_change_ = false;
    HostTimeWarp map_;
    std::vector<TimeNs> new_start_;    // as model_.events; meaningless for work that is left out
    std::vector<TimeNs> new_end_;      // as model_.events
    std::vector<TimeNs> stream_end_;   // by stream: so far
    std::vector<std::uint32_t> open_;  // by stream: the part in a rendezvous whose end is not known yet
    std::vector<Arrival> arrivals_;
    bool coupled_ = false;
    std::uint32_t last_communication_ = ReplayEvent::kNone;  // launched, if the change is in_sequence
    std::size_t next_event_ = 0;                             // the first that is not launched yet
    std::size_t next_change_ = 0;
    std::size_t next_wait_ = 0;
    std::size_t next_hole_ = 0;
};

}  // namespace rankscope
