// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorded_windows.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/trace/rank_trace.h"

namespace rankscope {
namespace {

std::vector<TimeSpan> windowsOfFiles(const RankTrace& trace) {
    std::vector<TimeSpan> windows;
    if (trace.files.size() > 1) {
        for (const TraceFile& file : trace.files) {
            windows.push_back(file.window);
        }
    }
    // A file of several ranks has one window for all of them, and an assembled trace may have no file.
    std::erase_if(windows, [&](const TimeSpan& window) { return intersect(window, trace.window).empty(); });
    if (windows.size() < 2) {
        windows.assign(1, trace.window);
    }
    return windows;
}

using WindowsOfRanks = std::vector<std::vector<TimeSpan>>;

/// Whether all ranks have equally many windows, and each as long after the first rank's as the others: within less than
/// the shortest window, so that no other pairing of windows is as close.
bool areAlike(const WindowsOfRanks& ranks) {
    const std::vector<TimeSpan>& first = ranks.front();
    DurationNs shortest_ns = std::numeric_limits<DurationNs>::max();
    for (const TimeSpan& window : first) {
        shortest_ns = std::min(shortest_ns, window.length());
    }
    return std::ranges::all_of(ranks, [&](const std::vector<TimeSpan>& own) {
        if (own.size() != first.size()) {
            return false;
        }
        DurationNs least_ns = std::numeric_limits<DurationNs>::max();
        DurationNs most_ns = std::numeric_limits<DurationNs>::min();
        for (std::size_t w = 0; w < own.size(); ++w) {
            least_ns = std::min(least_ns, own[w].start_ns - first[w].start_ns);
            most_ns = std::max(most_ns, own[w].start_ns - first[w].start_ns);
        }
        return own.size() < 2 || most_ns - least_ns < shortest_ns;
    });
}

/// Each window by its index among those of its rank, or all as one.
SharedWindows byPlace(const WindowsOfRanks& ranks, bool all_are_one) {
    SharedWindows shared;
    for (const std::vector<TimeSpan>& own : ranks) {
        std::vector<std::uint32_t>& numbers = shared.number.emplace_back(own.size(), 0);
        for (std::size_t w = 0; w < own.size() && !all_are_one; ++w) {
            numbers[w] = static_cast<std::uint32_t>(w);
            shared.count = std::max(shared.count, numbers[w] + 1);
        }
    }
    return shared;
}

/// Windows that overlap have the same number. Nothing if two of one rank would.
std::optional<SharedWindows> byOverlap(const WindowsOfRanks& ranks) {
    struct RankWindow {
        std::size_t rank = 0;
        std::size_t place = 0;
        TimeSpan span;
    };
    SharedWindows shared;
    std::vector<RankWindow> order;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        shared.number.emplace_back(ranks[r].size(), 0);
        for (std::size_t w = 0; w < ranks[r].size(); ++w) {
            order.push_back({r, w, ranks[r][w]});
        }
    }
    std::ranges::stable_sort(order, {}, [](const RankWindow& window) { return window.span.start_ns; });
    std::vector<std::optional<std::uint32_t>> last(ranks.size());
    std::uint32_t number = 0;
    std::optional<TimeNs> end_ns;
    for (const RankWindow& window : order) {
        number += end_ns && window.span.start_ns >= *end_ns ? 1U : 0U;
        end_ns = std::max(end_ns, std::optional(window.span.end_ns));
        if (last[window.rank] == number) {
            return std::nullopt;
        }
        last[window.rank] = number;
        shared.number[window.rank][window.place] = number;
    }
    shared.count = number + 1;
    return shared;
}

}  // namespace

RecordedWindows::RecordedWindows(const RankTrace& trace) : RecordedWindows(windowsOfFiles(trace)) {}

RecordedWindows::RecordedWindows(std::vector<TimeSpan> windows) {
    std::erase_if(windows, [](const TimeSpan& window) { return window.empty(); });
    std::ranges::sort(windows);
    for (const TimeSpan& window : windows) {
        if (!windows_.empty() && window.start_ns <= windows_.back().end_ns) {
            windows_.back().end_ns = std::max(windows_.back().end_ns, window.end_ns);
        } else {
            windows_.push_back(window);
        }
    }
    for (const TimeSpan& hole : holes()) {
        borders_.push_back(hole.start_ns + hole.length() / 2);
    }
}

std::vector<TimeSpan> RecordedWindows::holes() const {
    std::vector<TimeSpan> holes;
    for (std::size_t i = 1; i < windows_.size(); ++i) {
        holes.push_back({windows_[i - 1].end_ns, windows_[i].start_ns});
    }
    return holes;
}

std::uint32_t RecordedWindows::indexOf(TimeNs at_ns) const {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(borders_, at_ns) - borders_.begin());
}

DurationNs RecordedWindows::lengthIn(const TimeSpan& span) const {
    DurationNs length_ns = 0;
    for (std::size_t i = indexOf(span.start_ns); i < windows_.size() && windows_[i].start_ns < span.end_ns; ++i) {
        length_ns += intersect(windows_[i], span).length();
    }
    return length_ns;
}

SharedWindows shareWindows(const std::vector<std::vector<TimeSpan>>& ranks) {
    if (ranks.empty() || areAlike(ranks)) {
        return byPlace(ranks, false);
    }
    const std::optional<SharedWindows> overlapping = byOverlap(ranks);
    return overlapping ? *overlapping : byPlace(ranks, true);
}

}  // namespace rankscope
