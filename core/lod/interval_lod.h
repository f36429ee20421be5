// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/lod/lod_levels.h"

namespace rankscope {

/// Level-of-detail index of a set of intervals, like TrackLod for a row of slices: LodItem::slice is the index of an
/// interval, and `busy_ns` the time that the set covers.
class IntervalLod {
  public:
    IntervalLod() = default;
    /// Indexes `spans`, sorted and disjoint. O(spans).
    explicit IntervalLod(std::span<const TimeSpan> spans) { levels_.build(Spans{spans}, kSpansPerItem); }

    /// What touches `window`, in order of time, at the step TrackLod::roundStep(step_ns). Up to two items per step of
    /// the window, plus one; but a level of 64 items has no coarser one above it. `spans` are those that were indexed.
    /// The items are in the index or in `scratch`: they are valid until either changes.
    [[nodiscard]] std::span<const LodItem> query(std::span<const TimeSpan> spans, const TimeSpan& window,
                                                 DurationNs step_ns, std::vector<LodItem>& scratch) const {
        return levels_.query(Spans{spans}, window, LodLevels::log2Step(step_ns), scratch);
    }

    /// Heap bytes: up to 32 per interval of a large set.
    [[nodiscard]] std::size_t memoryBytes() const { return levels_.memoryBytes(); }

  private:
    // For the finest level. Sets have far fewer intervals than a run has slices, and a frame shows two sets per rank.
    static constexpr std::uint32_t kSpansPerItem = 2;

    struct Spans {
        std::span<const TimeSpan> spans;
        [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(spans.size()); }
        [[nodiscard]] static SliceIndex id(std::uint32_t at) { return at; }
        [[nodiscard]] TimeSpan spanOf(SliceIndex i) const { return spans[i]; }
    };

    LodLevels levels_;
};

}  // namespace rankscope
