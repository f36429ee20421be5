// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/host_time_warp.h"

#include <algorithm>

namespace rankscope {

void HostTimeWarp::add(TimeSpan old_span, TimeSpan new_span) {
    knots_.push_back({old_span.start_ns, new_span.start_ns});
    knots_.push_back({old_span.end_ns, new_span.end_ns});
}

TimeNs HostTimeWarp::recent(TimeNs old_ns) const {
    if (knots_.empty() || old_ns < knots_.front().old_ns) {
        return old_ns;
    }
    const Knot& last = knots_.back();
    return old_ns >= last.old_ns ? last.new_ns + paced(old_ns - last.old_ns) : between(knots_.size() - 1, old_ns);
}

TimeNs HostTimeWarp::at(TimeNs old_ns) const {
    const auto after = std::ranges::upper_bound(knots_, old_ns, {}, &Knot::old_ns);
    if (after == knots_.begin()) {
        return old_ns;
    }
    return between(static_cast<std::size_t>(after - knots_.begin()), old_ns);
}

TimeNs HostTimeWarp::between(std::size_t i, TimeNs old_ns) const {
    if (i >= knots_.size() || old_ns >= knots_[i].old_ns) {
        const Knot& last = i >= knots_.size() ? knots_.back() : knots_[i];
        return last.new_ns + paced(old_ns - last.old_ns);
    }
    const Knot& a = knots_[i - 1];
    const Knot& b = knots_[i];
    if (b.new_ns - a.new_ns == b.old_ns - a.old_ns) {
        return a.new_ns + (old_ns - a.old_ns);
    }
    const double part = static_cast<double>(old_ns - a.old_ns) / static_cast<double>(b.old_ns - a.old_ns);
    return a.new_ns + static_cast<DurationNs>(part * static_cast<double>(b.new_ns - a.new_ns));
}

}  // namespace rankscope
