// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/step_filter.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/trace/step_numbers.h"

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

/// The slices that mark steps, of all threads, each in order of start; the index is none.
std::vector<MarkSlice> markSlices(const std::vector<PartialTrace>& parts) {
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> threads;
    std::map<std::string_view, std::uint32_t> names;
    std::vector<MarkSlice> found;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            if (track.kind != TrackKind::CpuThread) {
                continue;
            }
            const auto thread = static_cast<std::uint32_t>(threads.size());
            const std::pair lane{part.texts().view(track.process), part.texts().view(track.lane)};
            const std::uint32_t number = threads.try_emplace(lane, thread).first->second;
            for (std::size_t i = 0; i < track.size(); ++i) {
                if (!mayMarkIterations(track.category[i]) || !track.name[i].valid()) {
                    continue;  // nothing else marks steps either
                }
                const std::string_view name = part.texts().view(track.name[i]);
                const std::optional<StepMarkName> mark = stepMarkOf(name);
                if (mark && mayMarkSteps(mark->kind, track.category[i])) {
                    const auto next = static_cast<std::uint32_t>(names.size());
                    found.push_back({.mark = *mark,
                                     .thread = number,
                                     .name = names.try_emplace(name, next).first->second,
                                     .index = 0,
                                     .span = {track.start_ns[i], track.end_ns[i]}});
                }
            }
        }
    }
    std::ranges::stable_sort(found, {}, [](const MarkSlice& slice) {
        return std::tuple(slice.thread, slice.span.start_ns, -slice.span.end_ns);
    });
    return found;
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
    follow(track.inputs);
}

}  // namespace

WantedSteps wantedSteps(const std::vector<MarkSlice>& marks, const StepWindow& steps) {
    const auto wanted = [&steps](std::int64_t number) {
        return number >= steps.first.value_or(number) && number <= steps.last.value_or(number);
    };
    const std::optional<NumberedSteps> numbered = numberSteps(marks);
    if (!numbered) {
        return {.window = {}, .first = 0, .all = wanted(0)};
    }
    WantedSteps found;
    for (const NumberedStep& step : numbered->steps) {
        if (wanted(step.number)) {
            const bool is_first = found.window.empty();
            found.first = is_first ? step.number : found.first;
            found.window = {is_first ? step.host.start_ns : found.window.start_ns,
                            std::max(found.window.end_ns, step.host.end_ns)};
        }
    }
    // What they are counted by has to stay: the optimizer's step that ended as the first of them began, and the
    // DataLoader's call, or the iteration, that begins as the last of them ends.
    const bool counted = !found.window.empty() && areCounted(numbered->kind);
    found.window.start_ns -= counted && numbered->kind == StepMarkKind::OptimizerStep ? 1 : 0;
    found.window.end_ns += counted && numbered->kind != StepMarkKind::OptimizerStep ? 1 : 0;
    found.first = counted ? found.first : 0;
    return found;
}

std::int64_t keepSteps(std::vector<PartialTrace>& parts, const StepWindow& steps) {
    if (steps.everything()) {
        return 0;
    }
    const WantedSteps wanted = wantedSteps(markSlices(parts), steps);
    if (wanted.all) {
        return 0;
    }
    Filter filter;
    filter.window = wanted.window;
    const std::unordered_set<std::int64_t> launched = launchedIn(parts, filter.window);
    filter.launched = &launched;
    for (PartialTrace& part : parts) {
        std::ranges::for_each(part.tracks, [&](PartialTrack& track) { applyFilter(track, filter); });
    }
    return wanted.first;
}

}  // namespace rankscope
