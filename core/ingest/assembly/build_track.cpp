// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/build_track.h"

#include <algorithm>
#include <stop_token>
#include <vector>

#include "core/base/sort_runs.h"
#include "core/trace/arg_texts.h"
#include "core/trace/slice_table.h"

namespace rankscope {
namespace {

struct Key {
    TimeNs start_ns;
    TimeNs end_ns;
    SliceIndex row;
};

/// The order of a table by start, longest first, place in the file. Files consist of a few sorted runs, which are
/// merged; so this costs little more than one pass. A stop ends it early, with any order.
std::vector<SliceIndex> sliceOrder(const SliceTable& slices, const std::stop_token& stop) {
    std::vector<Key> keys(slices.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = {slices.start_ns[i], slices.end_ns[i], static_cast<SliceIndex>(i)};
    }
    const auto less = [&](const Key& a, const Key& b) {
        if (a.start_ns != b.start_ns) {
            return a.start_ns < b.start_ns;
        }
        if (a.end_ns != b.end_ns) {
            return a.end_ns > b.end_ns;
        }
        return slices.source[a.row] < slices.source[b.row];
    };
    sortRuns(keys, less, [&] { return stop.stop_requested(); });
    std::vector<SliceIndex> order(keys.size());
    std::ranges::transform(keys, order.begin(), &Key::row);
    return order;
}

/// Reorders the columns; parent and depth do not exist yet.
void reorder(SliceTable& slices, const std::vector<SliceIndex>& order) {
    if (std::ranges::is_sorted(order)) {
        SliceTable::eachColumn(slices, [](auto& column) { column.shrink_to_fit(); });
    } else {
        slices.take(order);
    }
}

/// Moves a column of all shares into one vector, freeing as it goes.
template <class T>
std::vector<T> joined(std::vector<Share>& shares, std::vector<T> PartialTrack::*column) {
    std::vector<T> all = std::move(shares.front().track->*column);
    for (std::size_t i = 1; i < shares.size(); ++i) {
        std::vector<T>& more = shares[i].track->*column;
        all.insert(all.end(), more.begin(), more.end());
        std::vector<T>().swap(more);
    }
    return all;
}

/// The same for a sparse column: rows become rows of the joined and sorted track.
template <class T>
SparseColumn<T> joinedSparse(std::vector<Share>& shares, const std::vector<std::size_t>& sizes,
                             const std::vector<SliceIndex>& rank_of, std::vector<RowValue<T>> PartialTrack::*column) {
    std::vector<RowValue<T>> all;
    std::size_t first_row = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        for (const RowValue<T>& v : shares[i].track->*column) {
            const std::size_t row = first_row + v.row;
            all.push_back({rank_of.empty() ? static_cast<SliceIndex>(row) : rank_of[row], v.value});
        }
        std::vector<RowValue<T>>().swap(shares[i].track->*column);
        first_row += sizes[i];
    }
    sortRuns(all, [](const RowValue<T>& a, const RowValue<T>& b) { return a.row < b.row; });
    SparseColumn<T> result;
    result.slice.reserve(all.size());
    result.value.reserve(all.size());
    for (RowValue<T>& v : all) {
        result.slice.push_back(v.row);
        result.value.push_back(std::move(v.value));
    }
    return result;
}

void mapIds(std::vector<Share>& shares) {
    for (const Share& share : shares) {
        const std::vector<StringId>& to = *share.names;
        const auto map = [&](StringId& id) { id = id.valid() ? to[id.value] : id; };
        std::ranges::for_each(share.track->name, map);
        const auto map_args = [&map](auto& rows) {
            for (auto& [row, args] : rows) {
                eachText(args, map);
            }
        };
        map_args(share.track->collectives);
        map_args(share.track->syncs);
        map_args(share.track->inputs);
    }
}

}  // namespace

TrackLinks buildTrack(std::vector<Share>& shares, TimeNs base_ns, Track& track, const std::stop_token& stop) {
    if (stop.stop_requested()) {
        return {};
    }
    mapIds(shares);
    std::vector<std::size_t> sizes;
    sizes.reserve(shares.size());
    for (const Share& share : shares) {
        sizes.push_back(share.track->size());
    }
    SliceTable& slices = track.slices;
    slices.start_ns = joined(shares, &PartialTrack::start_ns);
    slices.end_ns = joined(shares, &PartialTrack::end_ns);
    slices.source = joined(shares, &PartialTrack::source);
    slices.name = joined(shares, &PartialTrack::name);
    slices.category = joined(shares, &PartialTrack::category);
    slices.flag = joined(shares, &PartialTrack::flag);
    const std::vector<SliceIndex> order = sliceOrder(slices, stop);
    if (stop.stop_requested()) {
        return {};
    }
    std::vector<SliceIndex> rank_of(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        rank_of[order[i]] = static_cast<SliceIndex>(i);
    }
    reorder(slices, order);
    TrackLinks links;
    links.correlation = joinedSparse(shares, sizes, rank_of, &PartialTrack::correlation);
    track.bytes = joinedSparse(shares, sizes, rank_of, &PartialTrack::bytes);
    track.collectives = joinedSparse(shares, sizes, rank_of, &PartialTrack::collectives);
    track.syncs = joinedSparse(shares, sizes, rank_of, &PartialTrack::syncs);
    track.inputs = joinedSparse(shares, sizes, rank_of, &PartialTrack::inputs);
    track.grids = joinedSparse(shares, sizes, rank_of, &PartialTrack::grids);
    if (base_ns != 0) {  // both are within kFarthestTime
        std::ranges::for_each(slices.start_ns, [&](TimeNs& t) { t += base_ns; });
        std::ranges::for_each(slices.end_ns, [&](TimeNs& t) { t += base_ns; });
    }
    slices.parent.resize(slices.size());
    slices.depth.resize(slices.size());
    return links;
}

Rows arrangeTrack(Track& track, DurationNs slack_ns, const std::stop_token& stop) {
    const Rows rows = track.kind == TrackKind::Stream ? stackSlices(track.slices, slack_ns, stop)
                                                      : nestSlices(track.slices, slack_ns, stop);
    track.row_count = rows.count;
    return rows;
}

}  // namespace rankscope
