// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nesting.h"

#include <algorithm>
#include <limits>

namespace rankscope {
namespace {

/// The slice that was last put on a row.
struct Row {
    TimeNs end_ns = std::numeric_limits<TimeNs>::min();
    SliceIndex slice = kNoSlice;
};

}  // namespace

std::uint16_t nestSlices(SliceTable& slices, std::uint64_t& overlapping) {
    std::vector<Row> rows;
    std::size_t used = 0;  // rows from here on are free at the current start
    std::size_t most = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const TimeNs start = slices.start_ns[i];
        const TimeNs end = slices.end_ns[i];
        while (used > 0 && rows[used - 1].end_ns <= start) {
            --used;
        }
        // The innermost slice still running that encloses this one; those below it that run on overlap it.
        std::size_t row = used;
        bool overlaps = false;
        while (row > 0 && (rows[row - 1].end_ns <= start || rows[row - 1].end_ns < end)) {
            overlaps = overlaps || rows[row - 1].end_ns > start;
            --row;
        }
        slices.parent[i] = row > 0 ? rows[row - 1].slice : kNoSlice;
        while (row < used && rows[row].end_ns > start) {
            ++row;
        }
        constexpr std::size_t kDeepest = std::numeric_limits<std::uint16_t>::max() - 1;
        row = std::min(row, kDeepest);
        if (row == rows.size()) {
            rows.emplace_back();
        }
        rows[row] = {end, static_cast<SliceIndex>(i)};
        used = std::max(used, row + 1);
        most = std::max(most, used);
        slices.depth[i] = static_cast<std::uint16_t>(row);
        if (overlaps) {
            slices.flag[i] = SliceFlag::Overlaps;
            ++overlapping;
        }
    }
    return static_cast<std::uint16_t>(most);
}

std::uint16_t stackSlices(SliceTable& slices, std::uint64_t& overlapping) {
    std::vector<TimeNs> row_ends;
    TimeNs last_end = std::numeric_limits<TimeNs>::min();
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const TimeNs start = slices.start_ns[i];
        const auto free = std::ranges::find_if(row_ends, [&](TimeNs end) { return end <= start; });
        const auto row = free - row_ends.begin();
        if (free == row_ends.end()) {
            row_ends.push_back(slices.end_ns[i]);
        } else {
            *free = slices.end_ns[i];
        }
        slices.parent[i] = kNoSlice;
        slices.depth[i] = static_cast<std::uint16_t>(row);
        if (last_end > start) {
            slices.flag[i] = SliceFlag::Overlaps;
            ++overlapping;
        }
        last_end = std::max(last_end, slices.end_ns[i]);
    }
    return static_cast<std::uint16_t>(row_ends.size());
}

}  // namespace rankscope
