// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/lod/lod_levels.h"
#include "core/trace/track.h"

namespace rankscope {

/// Level-of-detail index of one track: the cost of drawing a row depends on what is drawn, not on what is recorded.
///
/// The buckets of step 2^k are on one absolute grid, [i 2^k, (i + 1) 2^k) from time zero, and a slice is in the bucket
/// of its start. So the result for a part of the time does not depend on where the window begins, and nothing flickers
/// while the view pans. A slice as long as the step is never put in a bucket.
class TrackLod {
  public:
    TrackLod() = default;
    /// Indexes `track`, whose slices do not overlap inside one row. O(slices); the rows are `depth` of the slices.
    explicit TrackLod(const Track& track);

    /// The number of rows of the track, one for each depth of nesting; 0 for a track that was not indexed.
    [[nodiscard]] std::size_t rowCount() const { return rows_.size(); }
    /// The number of slices on one row, which must be below rowCount().
    [[nodiscard]] std::size_t sliceCount(std::size_t row) const { return rows_[row].count; }

    /// What touches `window` on `row`, in order of time, at the step roundStep(step_ns). Up to two items per step of
    /// the window, plus one. `track` is the one that was indexed. The items are in the index or in `scratch`: they are
    /// valid until either changes.
    [[nodiscard]] std::span<const LodItem> query(const Track& track, std::size_t row, const TimeSpan& window,
                                                 DurationNs step_ns, std::vector<LodItem>& scratch) const;

    /// The smallest power of two that is at least `step_ns` and at least 1: the step that a query really uses.
    [[nodiscard]] static DurationNs roundStep(DurationNs step_ns);

    /// The slice before or after `slice` on its own row, or kNoSlice.
    [[nodiscard]] SliceIndex next(const Track& track, SliceIndex slice) const;
    [[nodiscard]] SliceIndex previous(const Track& track, SliceIndex slice) const;

    /// Heap bytes: 4 per slice on tracks of several rows, and up to 16 per slice on long rows.
    [[nodiscard]] std::size_t memoryBytes() const;

  private:
    struct Row {
        std::uint32_t first = 0;  // index of its first slice in order_
        std::uint32_t count = 0;  // number of slices
        LodLevels levels;
    };
    /// A row's slices, as the interface that the levels need.
    struct RowSlices {
        const SliceIndex* order = nullptr;  // nullptr: in the order of the table
        const TimeNs* starts = nullptr;
        const TimeNs* ends = nullptr;
        std::uint32_t slices = 0;
        [[nodiscard]] std::uint32_t count() const { return slices; }
        [[nodiscard]] SliceIndex id(std::uint32_t at) const { return order != nullptr ? order[at] : at; }
        [[nodiscard]] TimeSpan spanOf(SliceIndex i) const { return {starts[i], ends[i]}; }
    };

    [[nodiscard]] RowSlices slicesOf(const Row& row, const Track& track) const {
        const SliceTable& slices = track.slices;
        return {order_.empty() ? nullptr : order_.data() + row.first, slices.start_ns.data(), slices.end_ns.data(),
                row.count};
    }
    [[nodiscard]] SliceIndex sliceAt(const Row& row, std::uint32_t at) const {
        return order_.empty() ? row.first + at : order_[row.first + at];
    }
    [[nodiscard]] std::uint32_t positionOf(const Row& row, SliceIndex slice) const;
    void sortIntoRows(const Track& track);

    std::vector<Row> rows_;
    std::vector<SliceIndex> order_;  // slices by (row, start); empty if the track has one row
};

}  // namespace rankscope
