// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/time.h"

namespace rankscope::tracegen::machine {

/// What happens next in a discrete-event simulation: actions by time, those of one instant in the order in which they
/// were asked for. Time is whole nanoseconds of true time; nothing else in the machine has a clock.
class EventQueue {
  public:
    using Action = std::function<void()>;

    [[nodiscard]] TimeNs now() const { return now_ns_; }
    /// Runs `action` at `when`, or now where that has passed.
    void at(TimeNs when, Action action);
    void after(DurationNs ns, Action action) { at(now_ns_ + ns, std::move(action)); }

    /// Goes to the next instant at which something happens, and lets one action happen. False: nothing is left.
    bool runOne();

  private:
    struct Entry {
        TimeNs when = 0;
        std::uint64_t order = 0;
        Action action;
    };
    static bool later(const Entry& a, const Entry& b) { return a.when != b.when ? a.when > b.when : a.order > b.order; }

    std::vector<Entry> heap_;
    std::uint64_t next_order_ = 0;
    TimeNs now_ns_ = 0;
};

}  // namespace rankscope::tracegen::machine
