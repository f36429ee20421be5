// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/step_filter.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/ingest/assembly/stream_work.h"
#include "core/trace/step_numbers.h"

namespace rankscope {
namespace {

/// The slices that mark steps, of all threads, each in order of start; the index is not used.
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

/// When the call of each correlation starts: of several the first.
using CallStarts = std::vector<std::pair<std::int64_t, TimeNs>>;

CallStarts callStarts(const std::vector<PartialTrace>& parts) {
    CallStarts calls;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            for (const auto& [row, correlation] : track.correlation) {
                if (isLaunchCall(track.category[row])) {
                    calls.emplace_back(correlation, track.start_ns[row]);
                }
            }
        }
    }
    std::ranges::sort(calls);
    return calls;
}

std::optional<TimeNs> startOf(const CallStarts& calls, std::int64_t correlation) {
    const auto call = std::ranges::lower_bound(calls, correlation, {}, &CallStarts::value_type::first);
    const bool found = correlation != 0 && call != calls.end() && call->first == correlation;
    return found ? std::optional(call->second) : std::nullopt;
}

/// By track of a part: which of its slices stay.
using Staying = std::vector<std::vector<std::vector<bool>>>;

/// A piece of device work, and where it is.
struct PlacedWork {
    StreamWork work;
    std::size_t part = 0;
    std::size_t track = 0;
    SliceIndex row = 0;
};

/// The device work of each stream, over all parts, in order of start; by the texts of process and lane.
std::map<std::pair<std::string_view, std::string_view>, std::vector<PlacedWork>> workOfStreams(
    const std::vector<PartialTrace>& parts) {
    const CallStarts calls = callStarts(parts);
    std::map<std::pair<std::string_view, std::string_view>, std::vector<PlacedWork>> streams;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t t = 0; t < parts[p].tracks.size(); ++t) {
            const PartialTrack& track = parts[p].tracks[t];
            if (track.kind != TrackKind::Stream) {
                continue;
            }
            std::vector<PlacedWork>& stream =
                streams[{parts[p].texts().view(track.process), parts[p].texts().view(track.lane)}];
            const std::size_t first = stream.size();
            for (SliceIndex i = 0; i < track.size(); ++i) {
                stream.push_back({{{track.start_ns[i], track.end_ns[i]}}, p, t, i});
            }
            for (const auto& [row, correlation] : track.correlation) {
                stream[first + row].work.called_ns = startOf(calls, correlation);
            }
        }
    }
    for (auto& [names, stream] : streams) {
        std::ranges::stable_sort(stream, {}, [](const PlacedWork& placed) { return placed.work.span.start_ns; });
    }
    return streams;
}

std::int32_t deviceNumber(std::string_view process) {
    std::int32_t device = -1;
    std::from_chars(process.data(), process.data() + process.size(), device);
    return device;
}

/// Which slices touch the window, or for device work, which was launched in it. Work launched before it goes into
/// `earlier`.
Staying stayingSlices(const std::vector<PartialTrace>& parts, const WantedSteps& wanted, EarlierSteps& earlier) {
    Staying stays(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (const PartialTrack& track : parts[p].tracks) {
            std::vector<bool>& of_track = stays[p].emplace_back(track.size());
            for (SliceIndex i = 0; i < track.size(); ++i) {
                of_track[i] = track.start_ns[i] < wanted.window.end_ns && track.end_ns[i] > wanted.window.start_ns;
            }
        }
    }
    for (const auto& [names, stream] : workOfStreams(parts)) {
        std::vector<StreamWork> work(stream.size());
        std::ranges::transform(stream, work.begin(), &PlacedWork::work);
        const std::vector<bool> kept = workToKeep(work, wanted);
        for (std::size_t i = 0; i < stream.size(); ++i) {
            stays[stream[i].part][stream[i].track][stream[i].row] = kept[i];
        }
        addEarlier(work, deviceNumber(names.first), wanted, earlier);
    }
    return stays;
}

/// Removes what does not stay; rows of the sparse columns follow.
void keepRows(PartialTrack& track, const std::vector<bool>& stays) {
    std::vector<SliceIndex> new_row(track.size(), kNoSlice);
    SliceIndex kept = 0;
    for (SliceIndex i = 0; i < track.size(); ++i) {
        if (stays[i]) {
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
    follow(track.grids);
}

}  // namespace

WantedSteps wantedSteps(const std::vector<MarkSlice>& marks, const StepWindow& steps, const RecordedWindows& windows) {
    const auto wanted = [&steps](std::int64_t number) {
        return number >= steps.first.value_or(number) && number <= steps.last.value_or(number);
    };
    const std::optional<NumberedSteps> numbered = numberSteps(marks, windows);
    if (!numbered) {
        return {.window = {}, .first = 0, .all = wanted(0)};
    }
    WantedSteps found;
    std::optional<NumberedStep> last;
    for (const NumberedStep& step : numbered->steps) {
        if (wanted(step.number)) {
            const bool is_first = found.window.empty();
            found.begin_ns = is_first ? step.host.start_ns : found.begin_ns;
            found.before = is_first && !(last && windows.holeBetween(last->host.start_ns, step.host.start_ns))
                               ? last
                               : found.before;
            found.first = is_first ? step.number : found.first;
            found.window = {is_first ? step.host.start_ns : found.window.start_ns,
                            std::max(found.window.end_ns, step.host.end_ns)};
        }
        last = step;
    }
    // The marks by which they are counted have to stay: the optimizer's step that ended as the first of them began, and
    // the DataLoader's call, or the iteration, that begins as the last of them ends.
    const bool counted = !found.window.empty() && areCounted(numbered->kind);
    found.window.start_ns -= counted && numbered->kind == StepMarkKind::OptimizerStep ? 1 : 0;
    found.window.end_ns += counted ? 1 : 0;  // an optimizer's step may have zero length
    found.first = counted ? found.first : 0;
    return found;
}

KeptSteps keepSteps(std::vector<PartialTrace>& parts, const StepWindow& steps) {
    if (steps.everything()) {
        return {};
    }
    const WantedSteps wanted = wantedSteps(markSlices(parts), steps);
    if (wanted.all) {
        return {};
    }
    KeptSteps kept{wanted.first, stepBefore(wanted)};
    const Staying stays = stayingSlices(parts, wanted, kept.earlier);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t t = 0; t < parts[p].tracks.size(); ++t) {
            keepRows(parts[p].tracks[t], stays[p][t]);
        }
    }
    return kept;
}

}  // namespace rankscope
