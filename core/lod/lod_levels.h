// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// What a row shows at one place: a slice, or a bucket of slices that are each shorter than the step of the query.
struct LodItem {
    TimeSpan span;                ///< first start to last end of its slices, on the file's clock
    DurationNs busy_ns = 0;       ///< the time of `span` that slices cover
    SliceIndex slice = kNoSlice;  ///< the slice itself, or the longest of the bucket (the first of equals)
    std::uint32_t count = 0;      ///< the number of its slices

    /// The share of `span` that slices cover, from 0 to 1.
    [[nodiscard]] double busyShare() const {
        return std::min(1.0, static_cast<double>(busy_ns) /
                                 static_cast<double>(std::max<DurationNs>(1, span.end_ns - span.start_ns)));
    }
    friend bool operator==(const LodItem&, const LodItem&) = default;
};

/// The levels of detail of one row of spans that do not overlap, in order of time. The spans themselves are not stored;
/// `row` provides them in each call: row.count(), row.id(position), and row.spanOf(id).
class LodLevels {
  public:
    /// The finest level has at most one item per `spans_per_item` spans: finer steps read the spans themselves.
    template <class Row>
    void build(const Row& row, std::uint32_t spans_per_item) {
        if (row.count() < kSmallRow) {
            return;
        }
        const TimeSpan extent{row.spanOf(row.id(0)).start_ns, row.spanOf(row.id(row.count() - 1)).end_ns};
        // Buckets and long spans are each at most extent / step: both together are twice as many at this step as are
        // wanted, or no more than that if spans are even.
        const auto wanted = static_cast<std::uint64_t>(extent.length()) / row.count() * spans_per_item + 1;
        const auto finest = std::min(static_cast<unsigned>(std::bit_width(wanted)), kGreatestLog2Step);
        Level level{finest, {}};
        collect(row, {extent.start_ns, std::numeric_limits<TimeNs>::max()}, finest, level.items);
        if (level.items.size() * spans_per_item > row.count() && finest < kGreatestLog2Step) {
            level = coarser(row, level);
        }
        level.items.shrink_to_fit();
        levels_.push_back(std::move(level));
        while (levels_.back().items.size() > kSmallLevel && levels_.back().log2_step < kGreatestLog2Step) {
            levels_.push_back(coarser(row, levels_.back()));
        }
    }

    /// What touches `window`, in order of time, at steps of 2^log2_step: a part of a kept level, or finer steps merged
    /// in `scratch`. Valid until `scratch` or the levels change.
    template <class Row>
    [[nodiscard]] std::span<const LodItem> query(const Row& row, const TimeSpan& window, unsigned log2_step,
                                                 std::vector<LodItem>& scratch) const {
        if (window.empty() || row.count() == 0) {
            return {};
        }
        if (levels_.empty() || log2_step < levels_.front().log2_step) {
            scratch.clear();
            collect(row, window, log2_step, scratch);
            return scratch;
        }
        const std::size_t wanted = log2_step - levels_.front().log2_step;
        const Level& level = levels_[std::min(wanted, levels_.size() - 1)];
        const auto first = std::ranges::partition_point(
            level.items, [&](const LodItem& item) { return item.span.end_ns < window.start_ns; });
        const auto last = std::partition_point(first, level.items.end(),
                                               [&](const LodItem& item) { return item.span.start_ns < window.end_ns; });
        return {first, last};
    }

    /// The exponent of the smallest power of two that is not below `step_ns`, and at least 0.
    [[nodiscard]] static unsigned log2Step(DurationNs step_ns) {
        const auto step = static_cast<std::uint64_t>(std::max<DurationNs>(1, step_ns));
        return std::min(static_cast<unsigned>(std::bit_width(step - 1)), kGreatestLog2Step);
    }
    [[nodiscard]] std::size_t memoryBytes() const {
        std::size_t bytes = levels_.capacity() * sizeof(Level);
        for (const Level& level : levels_) {
            bytes += level.items.capacity() * sizeof(LodItem);
        }
        return bytes;
    }

  private:
    // Rows with fewer spans are searched directly: a level would have as many items as the row has spans.
    static constexpr std::uint32_t kSmallRow = 512;
    // A level this small is not worth halving again.
    static constexpr std::size_t kSmallLevel = 64;
    static constexpr unsigned kGreatestLog2Step = 62;

    /// Everything that the row shows at one step.
    struct Level {
        unsigned log2_step = 0;
        std::vector<LodItem> items;
    };

    static bool sameBucket(TimeNs a, TimeNs b, unsigned log2_step) { return (a >> log2_step) == (b >> log2_step); }

    template <class Row>
    static Level coarser(const Row& row, const Level& finer) {
        Level level{finer.log2_step + 1, {}};
        for (const LodItem& item : finer.items) {
            append(row, level.items, item, level.log2_step);
        }
        level.items.shrink_to_fit();
        return level;
    }

    /// Appends `item`, or merges it into the last one if both are parts of one bucket.
    template <class Row>
    static void append(const Row& row, std::vector<LodItem>& items, const LodItem& item, unsigned log2_step) {
        const DurationNs step = DurationNs{1} << log2_step;
        const auto bucketed = [&](const LodItem& i) { return i.count > 1 || i.span.length() < step; };
        if (items.empty() || !bucketed(item) || !bucketed(items.back()) ||
            !sameBucket(items.back().span.start_ns, item.span.start_ns, log2_step)) {
            items.push_back(item);
            return;
        }
        LodItem& last = items.back();
        last.span.end_ns = std::max(last.span.end_ns, item.span.end_ns);
        last.busy_ns += item.busy_ns;
        last.count += item.count;
        if (row.spanOf(item.slice).length() > row.spanOf(last.slice).length()) {
            last.slice = item.slice;
        }
    }

    /// Computes from the spans themselves what a level of this step would have in the window.
    template <class Row>
    static void collect(const Row& row, const TimeSpan& window, unsigned log2_step, std::vector<LodItem>& out) {
        std::uint32_t at = firstOf(row, window, log2_step);
        while (at < row.count()) {
            const SliceIndex id = row.id(at);
            const TimeSpan span = row.spanOf(id);
            if (span.start_ns >= window.end_ns) {
                break;
            }
            LodItem& item = out.emplace_back();
            item.span = span;
            item.busy_ns = span.length();
            item.slice = id;
            item.count = 1;
            at = fillBucket(row, at + 1, log2_step, item);
            if (item.span.end_ns < window.start_ns) {
                out.pop_back();
            }
        }
    }

    /// Where to begin so that a bucket that crosses the start of the window is complete. The bucket before the window's
    /// first may extend into it.
    template <class Row>
    static std::uint32_t firstOf(const Row& row, const TimeSpan& window, unsigned log2_step) {
        const TimeNs from = ((window.start_ns >> log2_step) - 1) << log2_step;
        std::uint32_t low = 0;
        std::uint32_t high = row.count();
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            const TimeSpan span = row.spanOf(row.id(middle));
            if (span.start_ns < from && span.end_ns < window.start_ns) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Adds to `item`, which is the span before `at`, the spans from there on that share its bucket; returns the first
    /// that does not. There are many spans per item, so this loop dominates the cost of a fine step.
    template <class Row>
    static std::uint32_t fillBucket(const Row& row, std::uint32_t at, unsigned log2_step, LodItem& item) {
        const DurationNs step = DurationNs{1} << log2_step;
        const TimeNs bucket = item.span.start_ns >> log2_step;
        if (item.busy_ns >= step) {
            return at;
        }
        // In locals, and without unpredictable branches: this takes half the time.
        const std::uint32_t first = at;
        TimeNs end_ns = item.span.end_ns;
        DurationNs busy_ns = item.busy_ns;
        DurationNs longest_ns = item.busy_ns;
        SliceIndex longest = item.slice;
        for (; at < row.count(); ++at) {
            const SliceIndex id = row.id(at);
            const TimeSpan span = row.spanOf(id);
            const DurationNs length = span.length();
            if (span.start_ns >> log2_step != bucket || length >= step) {
                break;
            }
            end_ns = std::max(end_ns, span.end_ns);
            busy_ns += length;
            const auto longer = static_cast<SliceIndex>(length > longest_ns);
            longest ^= (longest ^ id) & (0U - longer);
            longest_ns = std::max(longest_ns, length);
        }
        item.span.end_ns = end_ns;
        item.busy_ns = busy_ns;
        item.slice = longest;
        item.count += at - first;
        return at;
    }

    std::vector<Level> levels_;  // finest first, each with twice the step of the previous one
};

}  // namespace rankscope
