// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/interval_set.h"

#include <algorithm>
#include <utility>

namespace rankscope {
namespace {

/// Index of the first span that ends after `t`.
std::size_t firstEndingAfter(const std::vector<TimeSpan>& spans, TimeNs t) {
    const auto it = std::ranges::upper_bound(spans, t, {}, &TimeSpan::end_ns);
    return static_cast<std::size_t>(it - spans.begin());
}

}  // namespace

IntervalSet IntervalSet::unionOf(std::vector<TimeSpan> spans) {
    std::erase_if(spans, [](const TimeSpan& s) { return s.empty(); });
    if (!std::ranges::is_sorted(spans, {}, &TimeSpan::start_ns)) {
        std::ranges::sort(spans, {}, &TimeSpan::start_ns);
    }
    IntervalSet result;
    for (const TimeSpan& span : spans) {
        if (!result.spans_.empty() && span.start_ns <= result.spans_.back().end_ns) {
            result.spans_.back().end_ns = std::max(result.spans_.back().end_ns, span.end_ns);
        } else {
            result.spans_.push_back(span);
        }
    }
    return result;
}

DurationNs IntervalSet::length() const {
    DurationNs total = 0;
    for (const TimeSpan& span : spans_) {
        total += span.length();
    }
    return total;
}

IntervalSet IntervalSet::unite(const IntervalSet& other) const {
    std::vector<TimeSpan> merged(spans_.size() + other.spans_.size());
    std::ranges::merge(spans_, other.spans_, merged.begin(), {}, &TimeSpan::start_ns, &TimeSpan::start_ns);
    return unionOf(std::move(merged));
}

IntervalSet IntervalSet::intersect(const IntervalSet& other) const {
    IntervalSet result;
    auto a = spans_.begin();
    auto b = other.spans_.begin();
    while (a != spans_.end() && b != other.spans_.end()) {
        const TimeSpan common = rankscope::intersect(*a, *b);
        if (!common.empty()) {
            result.spans_.push_back(common);
        }
        if (a->end_ns < b->end_ns) {
            ++a;
        } else {
            ++b;
        }
    }
    return result;
}

IntervalSet IntervalSet::subtract(const IntervalSet& other) const {
    IntervalSet result;
    std::size_t next = 0;
    for (const TimeSpan& span : spans_) {
        TimeNs at = span.start_ns;
        while (next < other.spans_.size() && other.spans_[next].end_ns <= at) {
            ++next;
        }
        for (std::size_t i = next; i < other.spans_.size() && other.spans_[i].start_ns < span.end_ns; ++i) {
            if (at < other.spans_[i].start_ns) {
                result.spans_.push_back({at, other.spans_[i].start_ns});
            }
            at = std::max(at, other.spans_[i].end_ns);
        }
        if (at < span.end_ns) {
            result.spans_.push_back({at, span.end_ns});
        }
    }
    return result;
}

IntervalSet IntervalSet::clip(const TimeSpan& window) const {
    IntervalSet result;
    for (std::size_t i = firstEndingAfter(spans_, window.start_ns); i < spans_.size(); ++i) {
        const TimeSpan part = rankscope::intersect(spans_[i], window);
        if (part.empty()) {
            break;
        }
        result.spans_.push_back(part);
    }
    return result;
}

DurationNs IntervalSet::lengthIn(const TimeSpan& window) const {
    DurationNs total = 0;
    for (std::size_t i = firstEndingAfter(spans_, window.start_ns); i < spans_.size(); ++i) {
        const TimeSpan part = rankscope::intersect(spans_[i], window);
        if (part.empty()) {
            break;
        }
        total += part.length();
    }
    return total;
}

IntervalSet IntervalSet::gapsIn(const TimeSpan& window) const {
    IntervalSet result;
    TimeNs at = window.start_ns;
    for (std::size_t i = firstEndingAfter(spans_, window.start_ns); i < spans_.size(); ++i) {
        if (spans_[i].start_ns >= window.end_ns) {
            break;
        }
        if (at < spans_[i].start_ns) {
            result.spans_.push_back({at, spans_[i].start_ns});
        }
        at = spans_[i].end_ns;
    }
    if (at < window.end_ns) {
        result.spans_.push_back({at, window.end_ns});
    }
    return result;
}

bool IntervalSet::contains(TimeNs t) const {
    const std::size_t i = firstEndingAfter(spans_, t);
    return i < spans_.size() && spans_[i].contains(t);
}

}  // namespace rankscope
