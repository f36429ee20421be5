// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/keep_steps.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/ingest/assembly/assemble.h"
#include "core/ingest/assembly/launch_counts.h"
#include "core/ingest/assembly/stream_work.h"
#include "core/trace/arg_texts.h"

namespace rankscope {
namespace {

std::vector<MarkSlice> markSlicesOf(const RankTrace& trace) {
    std::vector<std::optional<StepMarkName>> marks;  // by text: a name is examined once, however often it occurs
    for (std::uint32_t i = 0; i < trace.strings.size(); ++i) {
        marks.push_back(stepMarkOf(trace.strings.view(StringId(i))));
    }
    std::vector<MarkSlice> found;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const SliceTable& slices = trace.tracks[t].slices;
        for (SliceIndex i = 0; trace.tracks[t].kind == TrackKind::CpuThread && i < slices.size(); ++i) {
            const StringId name = slices.name[i];
            const std::optional<StepMarkName> mark = name.valid() ? marks[name.value] : std::nullopt;
            if (mark && mayMarkIterations(slices.category[i]) && mayMarkSteps(mark->kind, slices.category[i])) {
                found.push_back({*mark, t, name.value, 0, slices.span(i)});
            }
        }
    }
    return found;
}

/// By track and slice: where the slice goes, or kNoSlice.
using NewPlaces = std::vector<std::vector<SliceIndex>>;

/// The work of a stream. Work at the start of a further window, before its first launch, was launched before it.
std::vector<StreamWork> workOf(const RankTrace& trace, TrackId stream, const RecordedWindows& windows) {
    const SliceTable& slices = trace.tracks[stream.value].slices;
    std::vector<StreamWork> work;
    bool tells_launches = false;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const SliceRef host = trace.launches.launchOf({stream, i});
        work.push_back({slices.span(i), host.valid() ? std::optional(trace.span(host).start_ns) : std::nullopt});
        tells_launches = tells_launches || host.valid();
    }
    std::uint32_t window = 0;
    for (StreamWork& piece : work) {
        if (const std::uint32_t own = windows.indexOf(piece.span.start_ns); tells_launches && own != window) {
            window = own;
            piece.called_ns = piece.called_ns.value_or(windows.all()[own].start_ns - 1);
        }
    }
    return work;
}

/// The new places of slices. Work launched before the window goes into `earlier`.
NewPlaces newPlaces(const RankTrace& trace, const WantedSteps& wanted, const RecordedWindows& windows,
                    EarlierSteps& earlier) {
    NewPlaces places;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const SliceTable& slices = trace.tracks[t].slices;
        std::vector<SliceIndex>& of_track = places.emplace_back(slices.size(), kNoSlice);
        const std::vector<StreamWork> work =
            trace.tracks[t].kind == TrackKind::Stream ? workOf(trace, TrackId(t), windows) : std::vector<StreamWork>();
        const std::vector<bool> kept_work = workToKeep(work, wanted);
        addEarlier(work, trace.tracks[t].device, wanted, earlier);
        SliceIndex next = 0;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const bool touches = slices.start_ns[i] < wanted.window.end_ns && slices.end_ns[i] > wanted.window.start_ns;
            if (work.empty() ? touches : kept_work[i]) {
                of_track[i] = next++;
            }
        }
    }
    return places;
}

/// Keeps the values of the remaining slices.
template <class T>
void keep(SparseColumn<T>& column, const std::vector<SliceIndex>& places) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (const SliceIndex place = places[column.slice[i]]; place != kNoSlice) {
            column.value[kept] = column.value[i];
            column.slice[kept++] = place;
        }
    }
    column.slice.resize(kept);
    column.slice.shrink_to_fit();
    column.value.resize(kept);
    column.value.shrink_to_fit();
}

void keep(Track& track, const std::vector<SliceIndex>& places) {
    SliceTable& slices = track.slices;
    std::vector<SliceIndex> rows;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        if (places[i] != kNoSlice) {
            rows.push_back(i);
        }
    }
    slices.take(rows);
    for (SliceIndex& parent : slices.parent) {
        parent = parent == kNoSlice ? parent : places[parent];
    }
    Track::eachSparseColumn(track, [&places](auto& column) { keep(column, places); });
}

std::optional<SliceRef> moved(SliceRef ref, const NewPlaces& places) {
    const SliceIndex place = places[ref.track.value][ref.slice];
    return place == kNoSlice ? std::nullopt : std::optional(SliceRef{ref.track, place});
}

void keepPairs(const NewPlaces& places, RankTrace& trace) {
    std::vector<Launch> launches;
    for (const Launch& launch : trace.launches.all()) {
        const auto host = moved(launch.host, places);
        const auto device = moved(launch.device, places);
        if (host && device) {
            launches.push_back({*host, *device});
        }
    }
    launches.shrink_to_fit();
    trace.launches = LaunchTable(std::move(launches));
    std::vector<Flow> flows;
    for (const Flow& flow : trace.flows) {
        const auto from = moved(flow.from, places);
        const auto to = moved(flow.to, places);
        if (from && to) {
            flows.push_back({*from, *to});
        }
    }
    flows.shrink_to_fit();
    trace.flows = std::move(flows);
}

/// Passes each text that the trace uses to `use`, for reading or renaming.
template <class Use>
void forEachText(RankTrace& trace, const Use& use) {
    for (Track& track : trace.tracks) {
        use(track.process);
        use(track.lane);
        std::ranges::for_each(track.slices.name, use);
        const auto use_args = [&use](auto& column) {
            for (auto& args : column.value) {
                eachText(args, use);
            }
        };
        use_args(track.collectives);
        use_args(track.syncs);
        use_args(track.inputs);
    }
}

/// Removes texts that nothing uses any longer: each collective has its own. The others stay in order.
void keepTexts(RankTrace& trace) {
    std::vector<bool> named(trace.strings.size());
    forEachText(trace, [&](const StringId& id) {
        if (id.valid()) {
            named[id.value] = true;
        }
    });
    StringPool texts;
    std::vector<StringId> now(named.size());
    for (std::uint32_t i = 0; i < named.size(); ++i) {
        now[i] = named[i] ? texts.intern(trace.strings.view(StringId(i))) : StringId();
    }
    forEachText(trace, [&](StringId& id) { id = id.valid() ? now[id.value] : id; });
    trace.strings = std::move(texts);
}

/// The number of launch calls, by category and name, without a device record. A trace's own count includes only those
/// with a correlation, which digests do not keep.
std::uint64_t unlinkedByName(const RankTrace& trace) {
    std::vector<SliceRef> calls;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const SliceTable& slices = trace.tracks[t].slices;
        for (SliceIndex i = 0; trace.tracks[t].kind != TrackKind::Stream && i < slices.size(); ++i) {
            if (isLaunchCall(slices.category[i])) {
                calls.push_back({TrackId(t), i});
            }
        }
    }
    return countUnlinked(launchingCalls(calls, trace), trace.launches.all());
}

/// Counts launches and device work again, for what is left.
void countLinks(RankTrace& trace) {
    const std::size_t device_work = countDeviceWork(trace);
    trace.health.unlinked_device = device_work - std::min(device_work, trace.launches.all().size());
    trace.health.early_kernels = countEarlyKernels(trace);
}

}  // namespace

void keepSteps(RankTrace& trace, const StepWindow& steps) {
    if (steps.everything()) {
        return;
    }
    const RecordedWindows windows(trace);
    const WantedSteps wanted = wantedSteps(markSlicesOf(trace), steps, windows);
    if (wanted.all) {
        return;
    }
    // If names find as many as the trace's reader did, they find the same ones, since each of the reader's has such a
    // name.
    const bool names_tell = unlinkedByName(trace) == trace.health.unlinked_launches;
    trace.earlier = stepBefore(wanted);
    const NewPlaces places = newPlaces(trace, wanted, windows, trace.earlier);
    keepPairs(places, trace);
    trace.health.slices = 0;
    for (std::size_t t = 0; t < trace.tracks.size(); ++t) {
        keep(trace.tracks[t], places[t]);
        trace.health.slices += trace.tracks[t].slices.size();
    }
    keepTexts(trace);
    trace.first_counted_step = wanted.first;
    trace.window = windowOf(trace.tracks);
    for (TraceFile& file : trace.files) {
        file.window = trace.files.size() == 1 ? trace.window : intersect(file.window, trace.window);
        file.window.end_ns = std::max(file.window.start_ns, file.window.end_ns);
    }
    countLinks(trace);
    if (names_tell) {
        trace.health.unlinked_launches = unlinkedByName(trace);
    }
    trace.health.notes.emplace_back(names_tell
                                        ? "Only some steps of a digest are read. Slices, launches and GPU work are "
                                          "counted in these; its other health counts are of all steps."
                                        : "Only some steps of a digest are read. Slices and GPU work are counted in "
                                          "these; its other health counts, launches too, are of all steps.");
}

bool countsSteps(const RankTrace& trace) {
    const std::optional<NumberedSteps> numbered = numberSteps(markSlicesOf(trace));
    return numbered && areCounted(numbered->kind);
}

}  // namespace rankscope
