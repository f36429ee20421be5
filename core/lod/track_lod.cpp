// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/track_lod.h"

#include <algorithm>

namespace rankscope {
namespace {

constexpr std::uint32_t kSlicesPerItem = 4;  // for the finest level: most of a run's memory is slices

}  // namespace

TrackLod::TrackLod(const Track& track) {
    sortIntoRows(track);
    for (Row& row : rows_) {
        row.levels.build(slicesOf(row, track), kSlicesPerItem);
    }
}

DurationNs TrackLod::roundStep(DurationNs step_ns) {
    return DurationNs{1} << LodLevels::log2Step(step_ns);
}

void TrackLod::sortIntoRows(const Track& track) {
    const auto& depth = track.slices.depth;
    std::vector<std::uint32_t> counts(track.row_count, 0);
    for (const std::uint16_t d : depth) {
        if (d >= counts.size()) {
            counts.resize(std::size_t{d} + 1, 0);
        }
        ++counts[d];
    }
    rows_.resize(counts.size());
    std::uint32_t first = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        rows_[r].first = first;
        rows_[r].count = counts[r];
        first += counts[r];
    }
    if (rows_.size() < 2) {
        return;  // all slices are on one row: their order is the table's
    }
    order_.resize(depth.size());
    std::vector<std::uint32_t> next(rows_.size());
    std::ranges::transform(rows_, next.begin(), &Row::first);
    for (SliceIndex i = 0; i < depth.size(); ++i) {
        order_[next[depth[i]]++] = i;
    }
}

std::span<const LodItem> TrackLod::query(const Track& track, std::size_t row_index, const TimeSpan& window,
                                         DurationNs step_ns, std::vector<LodItem>& scratch) const {
    if (row_index >= rows_.size()) {
        return {};
    }
    const Row& row = rows_[row_index];
    return row.levels.query(slicesOf(row, track), window, LodLevels::log2Step(step_ns), scratch);
}

std::uint32_t TrackLod::positionOf(const Row& row, SliceIndex slice) const {
    if (order_.empty()) {
        return slice;
    }
    const auto begin = order_.begin() + row.first;
    return static_cast<std::uint32_t>(std::lower_bound(begin, begin + row.count, slice) - begin);
}

SliceIndex TrackLod::next(const Track& track, SliceIndex slice) const {
    const Row& row = rows_[track.slices.depth[slice]];
    const std::uint32_t at = positionOf(row, slice) + 1;
    return at < row.count ? sliceAt(row, at) : kNoSlice;
}

SliceIndex TrackLod::previous(const Track& track, SliceIndex slice) const {
    const Row& row = rows_[track.slices.depth[slice]];
    const std::uint32_t at = positionOf(row, slice);
    return at > 0 ? sliceAt(row, at - 1) : kNoSlice;
}

std::size_t TrackLod::memoryBytes() const {
    std::size_t bytes = order_.capacity() * sizeof(SliceIndex) + rows_.capacity() * sizeof(Row);
    for (const Row& row : rows_) {
        bytes += row.levels.memoryBytes();
    }
    return bytes;
}

}  // namespace rankscope
