// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/track_lod.h"

#include <algorithm>
#include <bit>

namespace rankscope {
namespace {

// Rows with fewer slices are searched directly: a level would hold no fewer items than the row has slices.
constexpr std::uint32_t kSmallRow = 512;
// The finest stored level has at most one item for this many slices.
constexpr std::uint64_t kSlicesPerItem = 8;
// A level this small is not worth halving again.
constexpr std::size_t kSmallLevel = 64;
constexpr unsigned kGreatestLog2Step = 62;

bool sameBucket(TimeNs a, TimeNs b, unsigned log2_step) {
    return (a >> log2_step) == (b >> log2_step);
}

// Puts `item` behind those from `first` on, or into the last of them where both are parts of one bucket.
void append(const SliceTable& slices, std::vector<LodItem>& items, std::size_t first, const LodItem& item,
            unsigned log2_step) {
    const DurationNs step = DurationNs{1} << log2_step;
    const auto bucketed = [&](const LodItem& i) { return i.count > 1 || i.span.length() < step; };
    if (items.size() == first || !bucketed(item) || !bucketed(items.back()) ||
        !sameBucket(items.back().span.start_ns, item.span.start_ns, log2_step)) {
        items.push_back(item);
        return;
    }
    LodItem& last = items.back();
    last.span.end_ns = std::max(last.span.end_ns, item.span.end_ns);
    last.busy_ns += item.busy_ns;
    last.count += item.count;
    if (slices.span(item.slice).length() > slices.span(last.slice).length()) {
        last.slice = item.slice;
    }
}

}  // namespace

TrackLod::TrackLod(const Track& track) {
    sortIntoRows(track);
    for (Row& row : rows_) {
        buildLevels(track, row);
    }
}

DurationNs TrackLod::roundStep(DurationNs step_ns) {
    const auto step = static_cast<std::uint64_t>(std::max<DurationNs>(1, step_ns));
    const auto log2_step = std::min(static_cast<unsigned>(std::bit_width(step - 1)), kGreatestLog2Step);
    return DurationNs{1} << log2_step;
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
        return;  // all slices stand on one row: their order is the table's
    }
    order_.resize(depth.size());
    std::vector<std::uint32_t> next(rows_.size());
    std::ranges::transform(rows_, next.begin(), &Row::first);
    for (SliceIndex i = 0; i < depth.size(); ++i) {
        order_[next[depth[i]]++] = i;
    }
}

void TrackLod::buildLevels(const Track& track, Row& row) const {
    if (row.count < kSmallRow) {
        return;
    }
    const SliceTable& slices = track.slices;
    const TimeSpan extent{slices.start_ns[sliceAt(row, 0)], slices.end_ns[sliceAt(row, row.count - 1)]};
    // Buckets and long slices are each at most extent / step, so at this step there are few enough of both.
    const auto wanted = static_cast<std::uint64_t>(extent.length()) / row.count * 2 * kSlicesPerItem + 1;
    auto log2_step = std::min(static_cast<unsigned>(std::bit_width(wanted)), kGreatestLog2Step);
    Level level{log2_step, {}};
    for (std::uint32_t at = 0; at < row.count; ++at) {
        const SliceIndex i = sliceAt(row, at);
        const TimeSpan span = slices.span(i);
        append(slices, level.items, 0, {span, span.length(), i, 1}, log2_step);
    }
    level.items.shrink_to_fit();
    row.levels.push_back(std::move(level));
    while (row.levels.back().items.size() > kSmallLevel && log2_step < kGreatestLog2Step) {
        ++log2_step;
        Level coarser{log2_step, {}};
        for (const LodItem& item : row.levels.back().items) {
            append(slices, coarser.items, 0, item, log2_step);
        }
        coarser.items.shrink_to_fit();
        row.levels.push_back(std::move(coarser));
    }
}

void TrackLod::query(const Track& track, std::size_t row_index, const TimeSpan& window, DurationNs step_ns,
                     std::vector<LodItem>& out) const {
    if (row_index >= rows_.size() || window.empty() || rows_[row_index].count == 0) {
        return;
    }
    const Row& row = rows_[row_index];
    const auto log2_step = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(roundStep(step_ns))));
    if (row.levels.empty() || log2_step < row.levels.front().log2_step) {
        collect(track, row, window, log2_step, out);
        return;
    }
    const std::size_t wanted = log2_step - row.levels.front().log2_step;
    const Level& level = row.levels[std::min(wanted, row.levels.size() - 1)];
    const auto first = std::ranges::partition_point(
        level.items, [&](const LodItem& item) { return item.span.end_ns < window.start_ns; });
    for (auto at = first; at != level.items.end() && at->span.start_ns < window.end_ns; ++at) {
        out.push_back(*at);
    }
}

void TrackLod::collect(const Track& track, const Row& row, const TimeSpan& window, unsigned log2_step,
                       std::vector<LodItem>& out) const {
    const SliceTable& slices = track.slices;
    // A bucket that the window cuts must be the whole bucket. One that begins before the window's first may reach in.
    const TimeNs from = ((window.start_ns >> log2_step) - 1) << log2_step;
    std::uint32_t low = 0;
    std::uint32_t high = row.count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        const SliceIndex i = sliceAt(row, middle);
        if (slices.start_ns[i] < from && slices.end_ns[i] < window.start_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const std::size_t before = out.size();
    for (std::uint32_t at = low; at < row.count; ++at) {
        const SliceIndex i = sliceAt(row, at);
        const TimeSpan span = slices.span(i);
        if (span.start_ns >= window.end_ns &&
            (out.size() == before || !sameBucket(out.back().span.start_ns, span.start_ns, log2_step))) {
            break;
        }
        append(slices, out, before, {span, span.length(), i, 1}, log2_step);
    }
    const auto outside = [&](const LodItem& item) {
        return item.span.end_ns < window.start_ns || item.span.start_ns >= window.end_ns;
    };
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), outside), out.end());
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
        bytes += row.levels.capacity() * sizeof(Level);
        for (const Level& level : row.levels) {
            bytes += level.items.capacity() * sizeof(LodItem);
        }
    }
    return bytes;
}

}  // namespace rankscope
