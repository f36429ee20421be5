// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/disjoint_host_changes.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/base/sort_runs.h"

namespace rankscope {
namespace {

/// Sets `parts` to the parts of `span` outside the waits from `first` on.
void outsideWaits(TimeSpan span, const std::vector<ReplayWait>& waits, std::size_t first,
                  std::vector<TimeSpan>& parts) {
    parts.clear();
    for (std::size_t i = first; i < waits.size() && waits[i].call.start_ns < span.end_ns; ++i) {
        if (waits[i].call.start_ns > span.start_ns) {
            parts.push_back({span.start_ns, waits[i].call.start_ns});
        }
        span.start_ns = std::max(span.start_ns, waits[i].call.end_ns);
    }
    if (!span.empty()) {
        parts.push_back(span);
    }
}

/// By start. Of two changes with the same time, as when two findings both shorten one wait, the one that leaves less
/// counts.
std::vector<HostChange> strongestOfEach(std::vector<HostChange> wanted) {
    // Each finding's changes are in order: few sorted runs.
    sortRuns(wanted, [](const HostChange& a, const HostChange& b) { return a.span.start_ns < b.span.start_ns; });
    std::vector<HostChange> kept;
    kept.reserve(wanted.size());
    for (const HostChange& one : wanted) {
        if (!kept.empty() && kept.back().span == one.span) {
            kept.back().length_ns = std::min(kept.back().length_ns, one.length_ns);
        } else {
            kept.push_back(one);
        }
    }
    return kept;
}

/// The time of `span` outside the waits. `first` advances to the first wait that ends in or after it: spans come by
/// start.
DurationNs workIn(const TimeSpan& span, const std::vector<ReplayWait>& waits, std::size_t& first) {
    while (first < waits.size() && waits[first].call.end_ns <= span.start_ns) {
        ++first;
    }
    DurationNs work_ns = span.length();
    for (std::size_t i = first; i < waits.size() && waits[i].call.start_ns < span.end_ns; ++i) {
        work_ns -= intersect(waits[i].call, span).length();
    }
    return work_ns;
}

/// Whether any begins before an earlier one has ended.
bool anyOverlap(const std::vector<HostChange>& changes) {
    TimeNs taken_ns = std::numeric_limits<TimeNs>::min();
    return std::ranges::any_of(changes, [&](const HostChange& one) {
        const bool overlaps = one.span.start_ns < taken_ns;
        taken_ns = std::max(taken_ns, one.span.end_ns);
        return overlaps;
    });
}

/// The same changes, by start, cut where they overlap: there the one that leaves the smaller part of the time counts.
/// One finding may shorten a whole step of a slow host and another a call in it: with both fixed, the call is gone.
std::vector<HostChange> cutApart(const ReplayModel& model, const std::vector<HostChange>& by_start) {
    struct Bound {
        TimeNs at_ns = 0;
        double left = 0;  ///< the remaining part of the time of a change, 0 to 1
        bool begins = false;
    };
    std::vector<Bound> bounds;
    std::size_t wait = 0;
    for (const HostChange& one : by_start) {
        if (one.span.empty()) {
            continue;
        }
        const DurationNs work_ns = workIn(one.span, model.waits, wait);
        const double left =
            work_ns > 0 ? std::clamp(static_cast<double>(one.length_ns) / static_cast<double>(work_ns), 0.0, 1.0) : 0.0;
        bounds.push_back({one.span.start_ns, left, true});
        bounds.push_back({one.span.end_ns, left, false});
    }
    std::ranges::stable_sort(bounds, {}, &Bound::at_ns);
    std::vector<HostChange> pieces;
    std::multiset<double> open;
    wait = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (!open.empty() && bounds[i].at_ns > bounds[i - 1].at_ns) {
            const TimeSpan span{bounds[i - 1].at_ns, bounds[i].at_ns};
            const auto work_ns = static_cast<double>(workIn(span, model.waits, wait));
            pieces.push_back({span, static_cast<DurationNs>(*open.begin() * work_ns)});
        }
        if (bounds[i].begins) {
            open.insert(bounds[i].left);
        } else {
            open.erase(open.find(bounds[i].left));
        }
    }
    return pieces;
}

/// The changes of host time that are wanted, by start, those with the same time once.
std::vector<HostChange> wantedChanges(const ReplayModel& model, const ReplayChange& change) {
    std::vector<HostChange> wanted = change.host;
    if (change.ready_batches) {
        for (const TimeSpan& loader : model.loaders) {
            wanted.push_back({loader, change.ready_batch_ns});
        }
    }
    if (!anyOverlap(wanted)) {
        return wanted;  // and in order
    }
    wanted = strongestOfEach(std::move(wanted));
    return anyOverlap(wanted) ? cutApart(model, wanted) : wanted;
}

}  // namespace

std::vector<HostChange> disjointHostChanges(const ReplayModel& model, const ReplayChange& change) {
    const std::vector<HostChange> wanted = wantedChanges(model, change);
    std::vector<HostChange> changes;
    changes.reserve(wanted.size());
    std::vector<TimeSpan> parts;
    std::size_t wait = 0;
    TimeNs taken_ns = std::numeric_limits<TimeNs>::min();
    for (const HostChange& one : wanted) {
        const TimeSpan span{std::max(one.span.start_ns, taken_ns), one.span.end_ns};
        if (span.empty()) {
            continue;
        }
        taken_ns = span.end_ns;
        while (wait < model.waits.size() && model.waits[wait].call.end_ns <= span.start_ns) {
            ++wait;
        }
        outsideWaits(span, model.waits, wait, parts);
        DurationNs left_ns = 0;
        for (const TimeSpan& part : parts) {
            left_ns += part.length();
        }
        DurationNs new_left_ns = std::clamp<DurationNs>(one.length_ns, 0, left_ns);
        for (const TimeSpan& part : parts) {
            const double share = static_cast<double>(part.length()) / static_cast<double>(left_ns);
            const auto length_ns = static_cast<DurationNs>(share * static_cast<double>(new_left_ns));
            changes.push_back({part, length_ns});
            left_ns -= part.length();
            new_left_ns -= length_ns;
        }
    }
    return changes;
}

}  // namespace rankscope
