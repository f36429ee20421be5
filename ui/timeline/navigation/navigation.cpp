// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/navigation.h"

#include <algorithm>

namespace rankscope::ui {
namespace {

// A slice that exists, and its rank, for a selection.
struct Place {
    const SliceSelection* slice = nullptr;
    const RankView* rank = nullptr;
    [[nodiscard]] Selection at(SliceRef ref) const {
        return ref.valid() ? Selection(SliceSelection{slice->run, slice->rank, ref}) : Selection();
    }
};

Place placeOf(const TimelineModel& model, const Selection& selection) {
    const auto* slice = std::get_if<SliceSelection>(&selection);
    if (slice == nullptr || !model.holds(selection)) {
        return {};
    }
    return {slice, model.rank(slice->run, slice->rank)};
}

SliceRef launchedInside(const RankTrace& trace, SliceRef host) {
    const auto all = trace.launches.all();
    const auto first = std::ranges::lower_bound(all, host, {}, &Launch::host);
    // Children follow their parent on the track, so the first launch from here on is the earliest inside.
    const bool inside = first != all.end() && first->host.track == host.track &&
                        trace.span(first->host).start_ns < trace.span(host).end_ns;
    return inside ? first->device : SliceRef();
}

SliceRef forwardFlow(const RankTrace& trace, SliceRef from) {
    const auto at = std::ranges::lower_bound(trace.flows, from, {}, &Flow::from);
    return at != trace.flows.end() && at->from == from ? at->to : SliceRef();
}

SliceRef backwardFlow(const RankTrace& trace, SliceRef to) {
    const auto at = std::ranges::find(trace.flows, to, &Flow::to);
    return at != trace.flows.end() ? at->from : SliceRef();
}

// The slice directly inside or around another on its track.
SliceIndex nestedSlice(const SliceTable& slices, SliceIndex from, Direction direction) {
    if (direction == Direction::Back) {
        return slices.parent[from];
    }
    const std::size_t behind = std::size_t{from} + 1;  // the longest slice that starts inside comes directly after it
    return behind < slices.size() && slices.parent[behind] == from ? static_cast<SliceIndex>(behind) : kNoSlice;
}

/// The outermost slice of a track that begins at `at` or later, or the last one that has ended by then.
SliceIndex outermostBeside(const SliceTable& slices, TimeNs at, Direction direction) {
    const auto count = [&](auto bound) { return static_cast<std::size_t>(bound - slices.start_ns.begin()); };
    if (direction == Direction::Forward) {
        std::size_t i = count(std::ranges::lower_bound(slices.start_ns, at));
        while (i < slices.size() && slices.parent[i] != kNoSlice) {
            ++i;
        }
        return i < slices.size() ? static_cast<SliceIndex>(i) : kNoSlice;
    }
    for (std::size_t i = count(std::ranges::upper_bound(slices.start_ns, at)); i > 0; --i) {
        if (slices.parent[i - 1] == kNoSlice && slices.end_ns[i - 1] <= at) {
            return static_cast<SliceIndex>(i - 1);
        }
    }
    return kNoSlice;
}

/// The device work of a rank directly before or after a span of its file's time, on any stream of the device (-1: of
/// any).
SliceRef deviceWorkBeside(const RankTrace& trace, const TimeSpan& span, std::int32_t device, Direction direction) {
    SliceRef nearest;
    TimeNs nearest_ns = 0;
    for (TrackId id{0}; id.value < trace.tracks.size(); ++id.value) {
        const Track& track = trace.tracks[id.value];
        if (track.kind != TrackKind::Stream || (device >= 0 && track.device != device)) {
            continue;
        }
        const bool on = direction == Direction::Forward;
        const SliceIndex at = outermostBeside(track.slices, on ? span.end_ns : span.start_ns, direction);
        if (at == kNoSlice) {
            continue;
        }
        const TimeNs edge = on ? track.slices.start_ns[at] : track.slices.end_ns[at];
        if (!nearest.valid() || (on ? edge < nearest_ns : edge > nearest_ns)) {
            nearest = {id, at};
            nearest_ns = edge;
        }
    }
    return nearest;
}

/// neighbourSlice() for a selection that is not a slice.
Selection workBeside(const TimelineModel& model, const Selection& from, Direction direction) {
    const auto place = rankOf(from);
    const RankView* rank = place ? model.rank(place->first, place->second) : nullptr;
    if (rank == nullptr || !model.holds(from)) {
        return {};
    }
    const auto* selected = std::get_if<GapSelection>(&from);
    const Gap* gap = selected != nullptr ? model.gap(*selected) : nullptr;
    const TimeSpan axis = model.spanOf(from);
    const TimeSpan span = gap != nullptr ? gap->span : TimeSpan{rank->toFile(axis.start_ns), rank->toFile(axis.end_ns)};
    const SliceRef work = deviceWorkBeside(*rank->trace, span, gap != nullptr ? gap->device : -1, direction);
    return work.valid() ? Selection(SliceSelection{place->first, place->second, work}) : Selection();
}

const RankView* firstRank(const TimelineModel& model, std::uint32_t& run, RankPosition& rank) {
    for (run = 0; run < model.runs().size(); ++run) {
        for (rank = RankPosition(); rank < model.runs()[run].ranks.size(); ++rank) {
            if (!model.runs()[run].ranks[rank].gaps().empty()) {
                return &model.runs()[run].ranks[rank];
            }
        }
    }
    return nullptr;
}

/// The slice on one line of a track that begins first in a span of its file's time; if none, the one that extends into
/// it.
SliceIndex firstOfLine(const SliceTable& slices, int line, const TimeSpan& span) {
    const auto from =
        static_cast<std::size_t>(std::ranges::lower_bound(slices.start_ns, span.start_ns) - slices.start_ns.begin());
    for (std::size_t i = from; i < slices.size() && slices.start_ns[i] < span.end_ns; ++i) {
        if (slices.depth[i] == line) {
            return static_cast<SliceIndex>(i);
        }
    }
    // The slice that extends into it encloses the last one that began before it, or is that one.
    SliceIndex reaching = from > 0 ? static_cast<SliceIndex>(from - 1) : kNoSlice;
    while (reaching != kNoSlice && (slices.depth[reaching] != line || slices.end_ns[reaching] <= span.start_ns)) {
        reaching = slices.parent[reaching];
    }
    return reaching;
}

}  // namespace

Selection neighbourSlice(const TimelineModel& model, const Selection& from, Direction direction) {
    const Place place = placeOf(model, from);
    if (place.rank == nullptr) {
        return workBeside(model, from, direction);
    }
    if (place.rank->index == nullptr) {
        return {};
    }
    const SliceRef ref = place.slice->slice;
    const TrackLod& lod = place.rank->index->tracks[ref.track.value];
    const Track& track = place.rank->trace->track(ref);
    const SliceIndex to = direction == Direction::Forward ? lod.next(track, ref.slice) : lod.previous(track, ref.slice);
    return place.at({ref.track, to});
}

Selection neighbourGap(const TimelineModel& model, const Selection& from, TimeNs at, Direction direction) {
    std::uint32_t run = 0;
    RankPosition rank_index;
    const RankView* rank = nullptr;
    TimeSpan span{at, at};
    rank = std::visit(
        [&](const auto& s) {
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, std::monostate>) {
                return firstRank(model, run, rank_index);
            } else {
                return model.rank(s.run, s.rank);
            }
        },
        from);
    if (rank == nullptr) {
        return {};
    }
    if (from.index() != 0) {
        span = model.spanOf(from);
    }
    const auto gaps = rank->gaps();
    const auto selected = [&](const DrawnGap& g) {
        const auto [gap_run, gap_rank] = rankOf(from).value_or(std::pair(run, rank_index));
        return Selection(GapSelection{gap_run, gap_rank, g.step, g.gap});
    };
    if (direction == Direction::Forward) {
        const auto behind = std::ranges::partition_point(gaps, [&](const DrawnGap& g) {
            const TimeSpan gap = rank->toAxis(g.span);
            return from.index() == 0 ? gap.start_ns < at : gap <= span;
        });
        return behind != gaps.end() ? selected(*behind) : Selection();
    }
    const auto here =
        std::ranges::partition_point(gaps, [&](const DrawnGap& g) { return rank->toAxis(g.span) < span; });
    return here != gaps.begin() ? selected(*std::prev(here)) : Selection();
}

Selection linkedSlice(const TimelineModel& model, const Selection& from, Direction direction) {
    const Place place = placeOf(model, from);
    if (place.rank == nullptr) {
        return {};
    }
    const RankTrace& trace = *place.rank->trace;
    const SliceRef ref = place.slice->slice;
    if (direction == Direction::Forward) {
        const SliceRef launched = launchedInside(trace, ref);
        return place.at(launched.valid() ? launched : forwardFlow(trace, ref));
    }
    const SliceRef launch = trace.launches.launchOf(ref);
    return place.at(launch.valid() ? launch : backwardFlow(trace, ref));
}

Selection sliceNear(const TimelineModel& model, std::uint32_t run, RankPosition rank_index, TrackId track, TimeNs at) {
    const RankView& rank = *model.rank(run, rank_index);
    const SliceTable& slices = rank.trace->tracks[track.value].slices;
    if (slices.size() == 0) {
        return {};
    }
    const TimeNs t = rank.toFile(at);
    const auto next = static_cast<std::size_t>(std::ranges::upper_bound(slices.start_ns, t) - slices.start_ns.begin());
    auto nearest = static_cast<SliceIndex>(next == 0 ? 0 : next - 1);
    while (slices.parent[nearest] != kNoSlice) {
        nearest = slices.parent[nearest];
    }
    const auto away = [&](std::size_t i) {
        return std::max({slices.start_ns[i] - t, t - slices.end_ns[i], DurationNs{0}});
    };
    if (next < slices.size() && away(next) < away(nearest)) {
        nearest = static_cast<SliceIndex>(next);
    }
    return SliceSelection{run, rank_index, {track, nearest}};
}

Selection firstSliceInSight(const TimelineModel& model, const RowLayout& layout, const RowScroll& rows, int height,
                            const TimeSpan& window) {
    for (const LayoutRow& row : layout.rows()) {
        const int y = rows.toView(row.y);
        if (row.kind != RowKind::Track || row.row_height <= 0 || y >= height) {
            continue;
        }
        const int top = row.y < rows.sticky ? 0 : rows.sticky;
        const int line = y >= top ? 0 : (top - y + row.row_height - 1) / row.row_height;  // the first line that is
                                                                                          // completely visible
        if (line >= row.rows || y + line * row.row_height >= height) {
            continue;
        }
        const RankView& rank = *model.rank(row.run, row.rank);
        const TimeSpan span{rank.toFile(window.start_ns), rank.toFile(window.end_ns)};
        const SliceIndex first = firstOfLine(rank.trace->tracks[row.track.value].slices, line, span);
        if (first != kNoSlice) {
            return SliceSelection{row.run, row.rank, {row.track, first}};
        }
    }
    return {};
}

Selection sliceOfNextRow(const TimelineModel& model, const RowLayout& layout, const Selection& from, TimeNs at, int y,
                         Direction direction) {
    const auto rows = layout.rows();
    const Place place = placeOf(model, from);
    if (place.rank == nullptr) {
        const auto first = std::ranges::find_if(rows, [&](const LayoutRow& row) {
            const auto of_rank = [&](const auto& s) {
                if constexpr (requires { s.rank; }) {
                    return s.run == row.run && s.rank == row.rank;
                } else {
                    return row.y + row.height > y;
                }
            };
            return row.kind == RowKind::Track && std::visit(of_rank, from);
        });
        return first != rows.end() ? sliceNear(model, first->run, first->rank, first->track, at) : Selection();
    }
    const SliceRef ref = place.slice->slice;
    const SliceIndex nested = nestedSlice(place.rank->trace->track(ref).slices, ref.slice, direction);
    if (nested != kNoSlice) {
        return place.at({ref.track, nested});
    }
    const LayoutRow* here = layout.visibleProxy(place.slice->run, place.slice->rank, ref.track);
    if (here == nullptr) {
        return {};
    }
    const TimeSpan span = model.spanOf(from);
    const TimeNs middle = span.start_ns + span.length() / 2;
    const std::ptrdiff_t step = direction == Direction::Forward ? 1 : -1;
    for (auto i = here - rows.data() + step; i >= 0 && i < std::ssize(rows); i += step) {
        const LayoutRow& row = rows[static_cast<std::size_t>(i)];
        const Selection found =
            row.kind == RowKind::Track ? sliceNear(model, row.run, row.rank, row.track, middle) : Selection();
        if (found.index() != 0) {
            return found;
        }
    }
    return {};
}

}  // namespace rankscope::ui
