// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Carries old host time to new host time: linear between knots, and after the last one it runs on at the same speed.
class HostTimeWarp {
  public:
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

    std::vector<Knot> knots_;
};

}  // namespace rankscope
