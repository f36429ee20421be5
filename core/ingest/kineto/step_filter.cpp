// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/step_filter.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace rankscope {
namespace {

/// Which slices stay when only some steps are wanted.
struct Filter {
    TimeSpan window;                                             // file clock, before the base is added
    const std::unordered_set<std::int64_t>* launched = nullptr;  // correlations of the host calls inside the window

    [[nodiscard]] bool keeps(TimeNs start, TimeNs end, Category category, std::int64_t correlation) const {
        if (isDeviceWork(category) && correlation != 0) {
            return launched->contains(correlation);
        }
        return start < window.end_ns && end > window.start_ns;
    }
};

/// N of "ProfilerStep#N".
std::optional<std::int64_t> stepNumber(std::string_view name) {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    if (!name.starts_with(kPrefix)) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The host time of the steps that are wanted; empty where none of them is in the file.
TimeSpan windowOf(const std::vector<PartialTrace>& parts, const StepWindow& steps) {
    std::optional<TimeSpan> window;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            for (std::size_t i = 0; i < track.size() && track.kind == TrackKind::CpuThread; ++i) {
                const std::optional<std::int64_t> number = stepNumber(part.texts().view(track.name[i]));
                if (number && *number >= steps.first.value_or(*number) && *number <= steps.last.value_or(*number)) {
                    window = window ? TimeSpan{std::min(window->start_ns, track.start_ns[i]),
                                               std::max(window->end_ns, track.end_ns[i])}
                                    : TimeSpan{track.start_ns[i], track.end_ns[i]};
                }
            }
        }
    }
    return window.value_or(TimeSpan{});
}

std::unordered_set<std::int64_t> launchedIn(const std::vector<PartialTrace>& parts, const TimeSpan& window) {
    std::unordered_set<std::int64_t> correlations;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            for (const auto& [row, correlation] : track.correlation) {
                if (isLaunchCall(track.category[row]) && window.contains(track.start_ns[row])) {
                    correlations.insert(correlation);
                }
            }
        }
    }
    return correlations;
}

/// Drops what `filter` does not keep; rows of the sparse columns follow.
void applyFilter(PartialTrack& track, const Filter& filter) {
    std::vector<std::int64_t> correlation(track.size(), 0);
    for (const auto& [row, value] : track.correlation) {
        correlation[row] = value;
    }
    std::vector<SliceIndex> new_row(track.size(), kNoSlice);
    SliceIndex kept = 0;
    for (SliceIndex i = 0; i < track.size(); ++i) {
        if (filter.keeps(track.start_ns[i], track.end_ns[i], track.category[i], correlation[i])) {
            track.start_ns[kept] = track.start_ns[i];
            track.end_ns[kept] = track.end_ns[i];
            track.source[kept] = track.source[i];
            track.name[kept] = track.name[i];
            track.category[kept] = track.category[i];
            track.flag[kept] = track.flag[i];
            new_row[i] = kept++;
        }
    }
    track.start_ns.resize(kept);
    track.end_ns.resize(kept);
    track.source.resize(kept);
    track.name.resize(kept);
    track.category.resize(kept);
    track.flag.resize(kept);
    const auto follow = [&](auto& column) {
        std::erase_if(column, [&](const auto& v) { return new_row[v.row] == kNoSlice; });
        for (auto& v : column) {
            v.row = new_row[v.row];
        }
    };
    follow(track.correlation);
    follow(track.bytes);
    follow(track.collectives);
    follow(track.syncs);
}

}  // namespace

void keepSteps(std::vector<PartialTrace>& parts, const StepWindow& steps) {
    if (steps.everything()) {
        return;
    }
    Filter filter;
    filter.window = windowOf(parts, steps);
    const std::unordered_set<std::int64_t> launched = launchedIn(parts, filter.window);
    filter.launched = &launched;
    for (PartialTrace& part : parts) {
        std::ranges::for_each(part.tracks, [&](PartialTrack& track) { applyFilter(track, filter); });
    }
}

}  // namespace rankscope
