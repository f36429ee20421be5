// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/predicted_run.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/forecast_mark.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// A copy of a trace; all ids stay.
RankTrace copyOf(const RankTrace& trace) {
    RankTrace copy{.rank = trace.rank,
                   .rank_origin = trace.rank_origin,
                   .world_size = trace.world_size,
                   .host = trace.host,
                   .backend = trace.backend,
                   .files = trace.files,
                   .devices = trace.devices,
                   .groups = trace.groups,
                   .metadata = trace.metadata,
                   .strings = {},
                   .tracks = trace.tracks,
                   .launches = trace.launches,
                   .flows = trace.flows,
                   .memory = trace.memory,
                   .sensors = trace.sensors,
                   .window = trace.window,
                   .first_counted_step = trace.first_counted_step,
                   .earlier = trace.earlier,
                   .health = trace.health};
    for (std::uint32_t i = 0; i < trace.strings.size(); ++i) {
        (void)copy.strings.intern(trace.strings.view(StringId(i)));
    }
    return copy;
}

/// Where the slices of one rank go.
class MovedRank {
  public:
    MovedRank(const RankTrace& trace, const ReplayModel& model, const ReplayedRank& replayed)
        : trace_(trace), model_(model), replayed_(replayed) {
        event_of_.resize(trace.tracks.size());
        for (std::uint32_t i = 0; i < model.events.size(); ++i) {
            const SliceRef ref = model.events[i].ref;
            std::vector<std::uint32_t>& of_track = event_of_[ref.track.value];
            of_track.resize(trace.tracks[ref.track.value].slices.size(), ReplayEvent::kNone);
            of_track[ref.slice] = i;
        }
    }

    [[nodiscard]] RankTrace make() const {
        RankTrace moved = copyOf(trace_);
        for (std::uint32_t t = 0; t < moved.tracks.size(); ++t) {
            Track& track = moved.tracks[t];
            if (track.kind == TrackKind::Stream) {
                moveStream(TrackId(t), track.slices);
            } else if (track.kind == TrackKind::StreamAnnotation || track.kind == TrackKind::StreamSync) {
                moveBeside(track);
            } else {
                moveHost(track.slices);
            }
        }
        std::ranges::for_each(moved.memory.at_ns, [this](TimeNs& at_ns) { at_ns = onHost(at_ns); });
        std::ranges::for_each(moved.sensors.at_ns, [this](TimeNs& at_ns) { at_ns = onHost(at_ns); });
        moved.window = windowOf(moved);
        for (TraceFile& file : moved.files) {
            file.window = {onHost(file.window.start_ns), std::max(onHost(file.window.end_ns), moved.window.end_ns)};
        }
        return moved;
    }

  private:
    /// The index of a slice in ReplayModel::events, or kNone.
    [[nodiscard]] std::uint32_t eventOf(SliceRef slice) const {
        const std::vector<std::uint32_t>& of_track = event_of_[slice.track.value];
        return of_track.empty() ? ReplayEvent::kNone : of_track[slice.slice];
    }
    [[nodiscard]] TimeNs onHost(TimeNs at_ns) const { return replayed_.host.at(at_ns); }

    void moveHost(SliceTable& slices) const {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            slices.start_ns[i] = onHost(slices.start_ns[i]);
            slices.end_ns[i] = std::max(slices.start_ns[i], onHost(slices.end_ns[i]));
        }
    }

    /// Work that the replay does not have (of another device, or of zero length) moves with its launch, else with the
    /// work before it.
    void moveStream(TrackId track, SliceTable& slices) const {
        DurationNs shift_ns = 0;
        TimeNs last_ns = std::numeric_limits<TimeNs>::min();
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const SliceRef ref{track, i};
            const TimeSpan old = slices.span(i);
            const std::uint32_t event = eventOf(ref);
            TimeSpan span;
            if (event != ReplayEvent::kNone && !replayed_.work[event].empty()) {
                span = replayed_.work[event];
                shift_ns = span.start_ns - old.start_ns;
            } else if (event != ReplayEvent::kNone) {
                const TimeNs at_ns = std::max(last_ns, old.start_ns + shift_ns);
                span = {at_ns, at_ns};
            } else {
                if (const SliceRef launch = trace_.launches.launchOf(ref); launch.valid()) {
                    const TimeNs launched_ns = trace_.span(launch).start_ns;
                    shift_ns = onHost(launched_ns) - launched_ns;
                }
                span = {old.start_ns + shift_ns, old.end_ns + shift_ns};
            }
            slices.start_ns[i] = std::max(span.start_ns, last_ns);
            slices.end_ns[i] = std::max(span.end_ns, slices.start_ns[i]);
            last_ns = slices.start_ns[i];
        }
    }

    /// Ranges on a device: from the new start of the first work in them to the new end of the last.
    void moveBeside(Track& track) const {
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            const TimeSpan old = track.slices.span(i);
            TimeSpan inside{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
            const auto first = std::ranges::lower_bound(
                by_start_, old.start_ns, {}, [this](std::size_t event) { return model_.events[event].span.start_ns; });
            for (auto at = first; at != by_start_.end() && model_.events[*at].span.start_ns < old.end_ns; ++at) {
                const TimeSpan& work = replayed_.work[*at];
                if (!work.empty() && model_.events[*at].span.end_ns <= old.end_ns) {
                    inside.start_ns = std::min(inside.start_ns, work.start_ns);
                    inside.end_ns = std::max(inside.end_ns, work.end_ns);
                }
            }
            const TimeSpan span = inside.empty() ? TimeSpan{onHost(old.start_ns), onHost(old.end_ns)} : inside;
            const TimeNs least_ns = i == 0 ? span.start_ns : track.slices.start_ns[i - 1];
            track.slices.start_ns[i] = std::max(span.start_ns, least_ns);
            track.slices.end_ns[i] = std::max(span.end_ns, track.slices.start_ns[i]);
        }
    }

    [[nodiscard]] static TimeSpan windowOf(const RankTrace& moved) {
        TimeSpan window{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
        for (const Track& track : moved.tracks) {
            for (std::size_t i = 0; i < track.slices.size(); ++i) {
                window.start_ns = std::min(window.start_ns, track.slices.start_ns[i]);
                window.end_ns = std::max(window.end_ns, track.slices.end_ns[i]);
            }
        }
        return window.empty() ? moved.window : window;
    }

    const RankTrace& trace_;
    const ReplayModel& model_;
    const ReplayedRank& replayed_;
    std::vector<std::vector<std::uint32_t>> event_of_;  // by track and slice; empty for tracks without any
    std::vector<std::size_t> by_start_ = eventsByStart();

    [[nodiscard]] std::vector<std::size_t> eventsByStart() const {
        std::vector<std::size_t> order(model_.events.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::ranges::stable_sort(order, {}, [this](std::size_t event) { return model_.events[event].span.start_ns; });
        return order;
    }
};

/// All changes of a forecast of a run, which may be a forecast itself.
std::string changesText(const Run& run, std::span<const WhatIfChange> changes) {
    std::string text = forecastChanges(run);
    for (const WhatIfChange& change : changes) {
        text += (text.empty() ? "" : "; ") + change.text;
    }
    return text.empty() ? "none" : text;
}

}  // namespace

Result<std::shared_ptr<const Run>> predictedRun(const WhatIfRun& run, std::span<const WhatIfChange> changes,
                                                const std::stop_token& stop) {
    const Run& recorded = run.run();
    if (!run.model().coupled && recorded.ranks.size() > 1) {
        return cannotTell("The ranks cannot be replayed together, so no run can be made of the forecast.");
    }
    Result<std::vector<ReplayedRank>> replayed = run.replayed(changes, stop);
    if (!replayed.ok()) {
        return replayed.failed() ? Result<std::shared_ptr<const Run>>(replayed.error())
                                 : Result<std::shared_ptr<const Run>>(Cancelled{});
    }
    const std::string text = changesText(recorded, changes);
    auto predicted = std::make_shared<Run>(recorded);
    predicted->name += " (forecast)";
    for (std::size_t r = 0; r < recorded.ranks.size(); ++r) {
        if (stop.stop_requested()) {
            return Cancelled{};
        }
        if (!replayed.value()[r].work.empty()) {
            RankTrace moved = MovedRank(*recorded.ranks[r], run.model().ranks[r], replayed.value()[r]).make();
            markAsForecast(moved, text);
            predicted->ranks[r] = std::make_shared<const RankTrace>(std::move(moved));
        }
    }
    noteForecast(*predicted);
    return std::shared_ptr<const Run>(std::move(predicted));
}

}  // namespace rankscope
