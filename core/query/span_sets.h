// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/interval_set.h"

namespace rankscope::query {

/// A set of intervals as a text of SQL: "[[0,10],[20,30]]", in order, disjoint.
[[nodiscard]] std::string textOf(const IntervalSet& set);
/// The reverse, for intervals in any order, which may overlap; nothing for a text of another form, and for intervals
/// that are not isNear().
[[nodiscard]] std::optional<IntervalSet> spansOf(std::string_view text);

/// Intervals may begin and end here, so that no length exceeds 64 bits.
inline constexpr TimeNs kFarthest = TimeNs{1} << 61;
/// Whether both ends are within that.
[[nodiscard]] constexpr bool isNear(const TimeSpan& span) {
    return std::min(span.start_ns, span.end_ns) >= -kFarthest && std::max(span.start_ns, span.end_ns) <= kFarthest;
}

}  // namespace rankscope::query
