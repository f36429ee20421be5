// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Converts old host time to new host time: linear between knots, and at the current pace after the last one.
class HostTimeWarp {
  public:
    /// From the first knot on, old time takes `pace` times as long.
    explicit HostTimeWarp(double pace) : pace_(pace) {}
    /// Spans must be added in order of start, and be disjoint.
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

}  // namespace rankscope
