// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/replay/replay.h"
#include "core/base/time.h"

namespace rankscope {

/// Carries old host time to new host time: linear between knots, and after the last one it runs on at its pace.
class HostTimeWarp {
  public:
    /// Old time takes `pace` times as long; from the first knot on.
    explicit HostTimeWarp(double pace) : pace_(pace) {}
    /// Spans are added by start, disjoint.
    void add(TimeSpan old_span, TimeSpan new_span);
    /// The new time of `old_ns`, which must not be before the second to last knot.
    [[nodiscard]] TimeNs recent(TimeNs old_ns) const;
    /// The new time of any `old_ns`. O(log n).
    [[nodiscard]] TimeNs at(TimeNs old_ns) const;

  private:
    struct Knot {
        TimeNs old_ns = 0;
        TimeNs new_ns = 0;
    };
    /// Between knots i - 1 and i, or after the last.
    [[nodiscard]] TimeNs between(std::size_t i, TimeNs old_ns) const;

    [[nodiscard]] DurationNs paced(DurationNs old_ns) const {
        return pace_ == 1.0 ? old_ns : static_cast<DurationNs>(pace_ * static_cast<double>(old_ns));
    }

    double pace_;
    std::vector<Knot> knots_;
};

/// One run through the launches and waits of a rank, in order of host time.
///
/// A coupled player does not know when its part in a rendezvous ends. It reports its arrival, plays on until something
/// needs that end, and continues when the end is known.
class ReplayPlayer {
  public:
    /// A part in a rendezvous that was reached: `event` may start at `start_ns`, or is not there at all (kBeforeAll).
    struct Arrival {
        std::uint32_t event = 0;
        TimeNs start_ns = 0;
    };

    ReplayPlayer(const ReplayModel& model, const ReplayChange& change, bool coupled);

    /// The host time of the first launch or wait that the change touches, or of host time that shrinks; the end of time
    /// where it touches none. All that was launched before it is as it was measured.
    [[nodiscard]] TimeNs firstChange() const;
    /// Takes all that was launched before an instant of the host as it was measured, and begins there. Before play();
    /// not after firstChange(), nor after the launch of a part in a rendezvous that comes out otherwise.
    void beginAt(TimeNs host_ns);
    /// Plays on, to the end or until it needs an end that it was not given. Whether it came to the end.
    bool play();
    /// The rendezvous that it has reached since the last call.
    [[nodiscard]] std::vector<Arrival> takeArrivals() { return std::exchange(arrivals_, {}); }
    /// Tells when its part in a rendezvous ends.
    void finish(std::uint32_t event, TimeNs end_ns);
    /// The work of the model as it came out; empty spans of what is not there. When play() has come to the end.
    [[nodiscard]] std::vector<TimeSpan> work() const;
    /// The steps as they came out. When play() has come to the end.
    [[nodiscard]] std::vector<TimeSpan> steps() const;

  private:
    // Each of these is false if it has to wait, and is to be called again.
    bool passHostChange(const HostChange& change);
    bool passHolesUntil(TimeNs old_ns);
    bool passWait(const ReplayWait& wait);
    /// Starts all device work that was launched up to `old_ns`, included.
    bool launchUntil(TimeNs old_ns);
    bool launch(std::uint32_t index);

    [[nodiscard]] bool isKnown(std::uint32_t event) const {
        return event == ReplayEvent::kNone || new_end_[event] != kUnknown;
    }
    [[nodiscard]] bool canStart(const ReplayEvent& event) const {
        return isKnown(open_[event.stream]) && isKnown(event.waits_for) && isKnown(event.comes_after);
    }
    [[nodiscard]] TimeNs startOf(const ReplayEvent& event) const;
    /// A pause before `event` behind other work, as the change shortens it.
    [[nodiscard]] DurationNs pauseOf(const ReplayEvent& event, DurationNs gap_ns) const;

    static constexpr TimeNs kUnknown = std::numeric_limits<TimeNs>::max();

    const ReplayModel& model_;
    const ReplayChange& change_;
    std::vector<HostChange> host_changes_;  // by start, disjoint, outside of waits
    HostTimeWarp map_;
    std::vector<TimeNs> new_start_;    // of model_.events; meaningless of those that are not there
    std::vector<TimeNs> new_end_;      // of model_.events
    std::vector<TimeNs> stream_end_;   // by stream: so far
    std::vector<std::uint32_t> open_;  // by stream: the part in a rendezvous whose end is not known yet
    std::vector<Arrival> arrivals_;
    bool coupled_ = false;
    std::size_t next_event_ = 0;  // first that is not launched yet
    std::size_t next_change_ = 0;
    std::size_t next_wait_ = 0;
    std::size_t next_hole_ = 0;
};

}  // namespace rankscope
