// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/nesting.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/ingest/bounds.h"
#include "core/trace/rounded_times.h"

namespace rankscope {
namespace {

constexpr TimeNs kNever = std::numeric_limits<TimeNs>::min();
constexpr std::size_t kLastRow = kMostRows - 1;
constexpr std::size_t kSlicesBetweenStops = 1U << 16U;
constexpr int kMostCallsInCalls = 8;  // a runtime's call makes one of the driver, seldom more; bounds the search

bool stopNow(std::size_t i, const std::stop_token& stop) {
    return i % kSlicesBetweenStops == 0 && stop.stop_requested();
}

/// When the last slice of each row ends. A few rows are searched one by one; many by a tree of their earliest and
/// latest ends, which costs one step per level.
class RowEnds {
  public:
    [[nodiscard]] TimeNs operator[](std::size_t row) const { return ends_[row]; }

    void set(std::size_t row, TimeNs end) {
        if (row >= ends_.size()) {
            ends_.resize(row + 1, kNever);
        }
        ends_[row] = end;
        if (row >= leaves_ && row >= kFew) {
            grow();
        } else if (leaves_ > 0) {
            update(row);
        }
    }

    /// Nothing is running on the row.
    void clear(std::size_t row) { set(row, kNever); }

    /// One past the last row, of the first `used`, whose slice ends at `end` or later; 0 if there is none.
    [[nodiscard]] std::size_t behindLastReaching(TimeNs end, std::size_t used) const {
        if (used <= kFew) {
            while (used > 0 && ends_[used - 1] < end) {
                --used;
            }
            return used;
        }
        std::size_t node = used - 1 + leaves_;
        while (nodes_[node].latest < end) {  // up to a node whose left neighbour contains one
            while (node % 2 == 0) {
                node /= 2;
            }
            if (node == 1) {
                return 0;
            }
            --node;
        }
        while (node < leaves_) {
            node = 2 * node + (nodes_[2 * node + 1].latest >= end ? 1 : 0);
        }
        return node - leaves_ + 1;
    }

    /// The first row from `row` on whose slice has ended by `start`. Rows from `used` on are all free.
    [[nodiscard]] std::size_t firstFree(std::size_t row, TimeNs start, std::size_t used) const {
        if (used <= kFew) {
            while (row < used && ends_[row] > start) {
                ++row;
            }
            return row;
        }
        if (row >= used) {
            return row;
        }
        std::size_t node = row + leaves_;
        while (nodes_[node].earliest > start) {  // up to a node whose right neighbour contains one
            while (node % 2 == 1) {
                node /= 2;
            }
            if (node == 0) {
                return used;
            }
            ++node;
        }
        while (node < leaves_) {
            node = 2 * node + (nodes_[2 * node].earliest <= start ? 0 : 1);
        }
        return std::min(node - leaves_, used);
    }

  private:
    static constexpr std::size_t kFew = 64;

    struct Node {
        TimeNs earliest = kNever;
        TimeNs latest = kNever;
    };

    void grow() {
        leaves_ = std::max(2 * kFew, 2 * leaves_);
        nodes_.assign(2 * leaves_, {});
        for (std::size_t row = 0; row < ends_.size(); ++row) {
            nodes_[leaves_ + row] = {ends_[row], ends_[row]};
        }
        for (std::size_t node = leaves_ - 1; node > 0; --node) {
            nodes_[node] = joined(node);
        }
    }

    void update(std::size_t row) {
        std::size_t node = leaves_ + row;
        nodes_[node] = {ends_[row], ends_[row]};
        for (node /= 2; node > 0; node /= 2) {
            const Node now = joined(node);
            if (now.earliest == nodes_[node].earliest && now.latest == nodes_[node].latest) {
                break;
            }
            nodes_[node] = now;
        }
    }

    [[nodiscard]] Node joined(std::size_t node) const {
        const Node& left = nodes_[2 * node];
        const Node& right = nodes_[2 * node + 1];
        return {std::min(left.earliest, right.earliest), std::max(left.latest, right.latest)};
    }

    std::vector<TimeNs> ends_;
    std::vector<Node> nodes_;  // the halves of node n are at 2 n and 2 n + 1; the rows are from leaves_ on
    std::size_t leaves_ = 0;   // 0 while there are few rows, without a tree
};

}  // namespace

Rows nestSlices(SliceTable& slices, DurationNs slack_ns, const std::stop_token& stop) {
    RowEnds ends;
    std::vector<SliceIndex> on_row;  // the last slice put there
    std::size_t used = 0;            // rows from here on are free at the current start
    std::size_t most = 0;
    Rows rows;
    for (std::size_t i = 0; i < slices.size() && !stopNow(i, stop); ++i) {
        const TimeNs start = slices.start_ns[i];
        const TimeNs end = slices.end_ns[i];
        while (used > 0 && ends[used - 1] <= start - slack_ns) {
            ends.clear(--used);
        }
        // After the innermost running slice that encloses this one; those below it have ended, or overlap it.
        const TimeNs around = endAround({start, end}, slack_ns);
        std::size_t row = ends.behindLastReaching(around, used);
        if (slack_ns > 0 && isLaunchCall(slices.category[i])) {
            const TimeNs around_call = endAroundCall({start, end}, slack_ns);
            std::size_t in_operator = ends.behindLastReaching(around_call, used);
            for (int calls = 0; calls < kMostCallsInCalls && in_operator > row; ++calls) {
                if (!isLaunchCall(slices.category[on_row[in_operator - 1]])) {
                    break;
                }
                in_operator = ends.behindLastReaching(around_call, in_operator - 1);
            }
            row = std::max(row, in_operator);
        }
        slices.parent[i] = row > 0 ? on_row[row - 1] : kNoSlice;
        const TimeNs ended_by = endBefore({start, end}, slack_ns);
        while (used > row && ends[used - 1] <= ended_by) {
            ends.clear(--used);
        }
        if (row < used) {
            slices.flag[i] = slices.flag[i] | SliceFlag::Overlaps;
            ++rows.overlapping;
            row = ends.firstFree(row, ended_by, used);
        }
        while (slack_ns > 0 && row < on_row.size() && slices.end_ns[on_row[row]] > end) {
            row = ends.firstFree(row + 1, ended_by, used);  // ends stay in order
        }
        rows.beyond_last += row > kLastRow ? 1U : 0U;
        row = std::min(row, kLastRow);
        ends.set(row, end);
        on_row.resize(std::max(on_row.size(), row + 1));
        on_row[row] = static_cast<SliceIndex>(i);
        used = std::max(used, row + 1);
        most = std::max(most, used);
        slices.depth[i] = static_cast<std::uint16_t>(row);
    }
    rows.count = static_cast<std::uint16_t>(most);
    return rows;
}

Rows stackSlices(SliceTable& slices, DurationNs slack_ns, const std::stop_token& stop) {
    using Busy = std::pair<TimeNs, std::size_t>;  // when a row is free again, and which row
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
    std::size_t most = 0;
    TimeNs last_end = kNever;
    Rows rows;
    for (std::size_t i = 0; i < slices.size() && !stopNow(i, stop); ++i) {
        const TimeNs start = slices.start_ns[i];
        const TimeNs end = slices.end_ns[i];
        const TimeNs ended_by = std::max(start, std::min(start + slack_ns, end - 1));  // ends stay in order
        while (!busy.empty() && busy.top().first <= start) {
            free.push(busy.top().second);
            busy.pop();
        }
        std::size_t row = kLastRow;
        const bool followed = !busy.empty() && busy.top().first <= ended_by;
        if (followed && (free.empty() || busy.top().second < free.top())) {
            row = busy.top().second;
            busy.pop();
            busy.emplace(end, row);
        } else if (!free.empty()) {
            row = free.top();
            free.pop();
            busy.emplace(end, row);
        } else if (most < kMostRows) {
            row = most++;
            busy.emplace(end, row);
        } else {
            ++rows.beyond_last;
        }
        slices.parent[i] = kNoSlice;
        slices.depth[i] = static_cast<std::uint16_t>(row);
        if (last_end > ended_by) {
            slices.flag[i] = slices.flag[i] | SliceFlag::Overlaps;
            ++rows.overlapping;
        }
        last_end = std::max(last_end, end);
    }
    rows.count = static_cast<std::uint16_t>(most);
    return rows;
}

}  // namespace rankscope
