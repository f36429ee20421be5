// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "core/base/time.h"

namespace rankscope {

// The position of a slice relative to earlier ones of its thread, whose ends may be off by up to `slack_ns`
// (Health::time_slack_ns) against its own times. For an earlier slice that ends at `end_ns`:
//   end_ns <= endBefore(span)    it has ended, and the slice follows it
//   end_ns >= endAround(span)    the slice is inside it
// and between the two they partly overlap. If the slice is so short that either could be true, it belongs to what
// contains most of it.

/// The earliest end of a slice around `span`. After the start of `span`.
[[nodiscard]] constexpr TimeNs endAround(const TimeSpan& span, DurationNs slack_ns) {
    const TimeNs middle_ns = slack_ns == 0 ? span.end_ns : span.end_ns - span.length() / 2;
    return std::max({span.end_ns - slack_ns, middle_ns, span.start_ns + 1});
}

/// The same for an operator around a call of the device's runtime. Operators make these calls, and from the end of an
/// operator to a call outside it a thread needs longer than a rounding error. So if the call could be inside, it is.
[[nodiscard]] constexpr TimeNs endAroundCall(const TimeSpan& span, DurationNs slack_ns) {
    return slack_ns == 0 ? endAround(span, 0) : span.end_ns - slack_ns;
}

/// The latest end of a slice that `span` follows. Before endAround(), and before the end of `span` unless that is
/// empty.
[[nodiscard]] constexpr TimeNs endBefore(const TimeSpan& span, DurationNs slack_ns) {
    return std::min(span.start_ns + slack_ns, std::max(span.start_ns, endAround(span, slack_ns) - 1));
}

}  // namespace rankscope
