// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>

#include "core/analysis/calls/call_tree.h"
#include "ui/timeline/frame/counter_bars.h"

namespace rankscope::ui {
namespace {

bool isCounted(CounterKind kind, const RankView& rank, SliceRef slice) {
    const Category category = rank.trace->category(slice);
    switch (kind) {
        case CounterKind::KernelsInFlight:
        case CounterKind::DeviceClock:
        case CounterKind::DevicePower:
        case CounterKind::DeviceActivity:
        case CounterKind::DeviceBandwidth:
        case CounterKind::DeviceTemperature: return category == Category::Kernel;
        case CounterKind::CollectiveRate:
        case CounterKind::ExposedShare: return rank.workClass(slice) == WorkClass::Communication;
        case CounterKind::HostThreads: return isCall(CallSource::Both, category, rank.trace->name(slice));
        case CounterKind::CopyRate: return category == Category::Memcpy;
        case CounterKind::LaunchQueue: return isDeviceWork(category);
        case CounterKind::MemoryAllocated:
        case CounterKind::MemoryReserved: break;
    }
    return false;
}

/// The last slice of a track that begins before `end_ns`, or the innermost one around it, if it reaches `start_ns`.
SliceIndex runningIn(const SliceTable& slices, const TimeSpan& at) {
    const auto after = std::ranges::lower_bound(slices.start_ns, at.end_ns) - slices.start_ns.begin();
    SliceIndex running = after == 0 ? kNoSlice : static_cast<SliceIndex>(after - 1);
    while (running != kNoSlice && slices.end_ns[running] <= at.start_ns) {
        running = slices.parent[running];
    }
    return running;
}

/// The first slice of a stream that begins at `at_ns` or later.
SliceIndex nextFrom(const SliceTable& slices, TimeNs at_ns) {
    const auto next = std::ranges::lower_bound(slices.start_ns, at_ns) - slices.start_ns.begin();
    return static_cast<std::size_t>(next) < slices.size() ? static_cast<SliceIndex>(next) : kNoSlice;
}

/// The step of a rank around an instant, or nullptr.
const RankStep* stepAround(const RankView& rank, TimeNs instant_ns) {
    const auto& steps = rank.facts->steps;
    const auto step = std::ranges::find_if(
        steps, [&](const RankStep& s) { return instant_ns >= s.span.start_ns && instant_ns < s.span.end_ns; });
    return step != steps.end() ? &*step : nullptr;
}

/// The longest communication of a device in the step at an instant.
SliceRef longestCommunicationAround(const RankView& rank, std::int32_t device, TimeNs instant_ns) {
    SliceRef longest;
    const RankStep* const step = stepAround(rank, instant_ns);
    for (std::uint32_t t = 0; step != nullptr && t < rank.trace->tracks.size(); ++t) {
        const Track& track = rank.trace->tracks[t];
        const SliceTable& slices = track.slices;
        SliceIndex i = nextFrom(slices, step->span.start_ns);
        for (; track.kind == TrackKind::Stream && track.device == device && i < slices.size() &&
               slices.start_ns[i] < step->span.end_ns;
             ++i) {
            const SliceRef slice{TrackId(t), i};
            const bool better = !longest.valid() || slices.span(i).length() > rank.trace->span(longest).length();
            if (better && rank.workClass(slice) == WorkClass::Communication) {
                longest = slice;
            }
        }
    }
    return longest;
}

/// The slice of a rank that contributes to a counter in a span of its file's time; on `device`, or on any if that is
/// below 0.
SliceRef sliceIn(const RankView& rank, CounterKind kind, std::int32_t device, const TimeSpan& at) {
    const bool waits = kind == CounterKind::LaunchQueue;
    const bool host = kind == CounterKind::HostThreads;
    SliceRef found;
    for (std::uint32_t t = 0; t < rank.trace->tracks.size(); ++t) {
        const Track& track = rank.trace->tracks[t];
        const bool counts = host ? track.kind == TrackKind::CpuThread
                                 : track.kind == TrackKind::Stream && (device < 0 || track.device == device);
        if (!counts) {
            continue;
        }
        const SliceIndex slice = waits ? nextFrom(track.slices, at.start_ns) : runningIn(track.slices, at);
        const SliceRef ref{TrackId(t), slice};
        if (slice == kNoSlice || !isCounted(kind, rank, ref)) {
            continue;
        }
        const TimeSpan span = rank.trace->span(ref);
        const bool better = !found.valid() || (waits ? span.start_ns < rank.trace->span(found).start_ns
                                                     : span.length() > rank.trace->span(found).length());
        found = better ? ref : found;
    }
    return found;
}

/// The rank of a run with the largest exposed share at an instant of the axis; the first rank if all have none.
RankPosition mostExposed(const RunView& run, TimeNs axis_ns) {
    RankPosition most;
    double greatest = 0;
    for (RankPosition r{0}; r < run.ranks.size(); ++r) {
        const RankView& rank = run.ranks[r];
        const RankStep* const step = rank.facts != nullptr ? stepAround(rank, rank.toFile(axis_ns)) : nullptr;
        if (step != nullptr && step->partition && !step->span.empty()) {
            const double share =
                static_cast<double>(step->partition->exposed_comm_ns) / static_cast<double>(step->span.length());
            most = share > greatest ? r : most;
            greatest = std::max(greatest, share);
        }
    }
    return most;
}

/// The slice that contributes to a counter of a rank in the time of one pixel.
Selection sliceOfRank(const TimelineModel& model, std::uint32_t run, RankPosition at, const CounterSeries& series,
                      const TimeSpan& axis) {
    const RankView& rank = *model.rank(run, at);
    if (rank.facts == nullptr) {
        return {};
    }
    const TimeSpan own{rank.toFile(axis.start_ns), rank.toFile(axis.end_ns)};
    const std::int32_t device = series.device < 0 ? rank.facts->device : series.device;
    const SliceRef slice = series.kind == CounterKind::ExposedShare
                               ? longestCommunicationAround(rank, device, own.start_ns)
                               : sliceIn(rank, series.kind, series.device, own);
    return slice.valid() ? Selection(SliceSelection{run, at, slice}) : Selection();
}

/// The longest slice of all ranks that contributes to the counter of the run.
Selection sliceOfRun(const TimelineModel& model, std::uint32_t run, const CounterSeries& series, const TimeSpan& axis) {
    if (series.kind == CounterKind::ExposedShare) {
        return sliceOfRank(model, run, mostExposed(model.runs()[run], axis.start_ns), series, axis);
    }
    Selection longest;
    for (RankPosition r{0}; r < model.runs()[run].ranks.size(); ++r) {
        const Selection slice = sliceOfRank(model, run, r, series, axis);
        if (model.spanOf(slice).length() > model.spanOf(longest).length()) {
            longest = slice;
        }
    }
    return longest;
}

}  // namespace

Selection sliceOfCounter(const TimelineModel& model, const Frame& frame, const HitCounter& over, int x) {
    const CounterPlace place = countersAt(model, over.run, over.rank);
    if (place.index == nullptr || over.counter >= place.index->series.size() || over.value.high == 0) {
        return {};
    }
    const CounterSeries& series = place.index->series[over.counter];
    const TimeSpan axis{frame.scale.timeAt(x), frame.scale.timeAt(x + 1)};
    return over.rank ? sliceOfRank(model, over.run, *over.rank, series, axis)
                     : sliceOfRun(model, over.run, series, axis);
}

}  // namespace rankscope::ui
