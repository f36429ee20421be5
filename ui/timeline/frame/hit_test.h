// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/frame/frame.h"

namespace rankscope::ui {

/// How many ranks of a host run at a point.
struct HitRunning {
    std::uint32_t run = 0;
    std::size_t host = 0;     ///< index in RunIndex::hosts
    std::uint32_t ranks = 0;  ///< ranks of the host
    ValueRange running;
    friend bool operator==(const HitRunning&, const HitRunning&) = default;
};

/// A counter at a point.
struct HitCounter {
    std::uint32_t run = 0;
    std::optional<RankPosition> rank;  ///< nothing for a counter of the run
    std::size_t counter = 0;           ///< index in CounterIndex::series
    ValueRange value;
    friend bool operator==(const HitCounter&, const HitCounter&) = default;
};

/// The critical path at a point.
struct HitPath {
    std::uint32_t stretch = 0;  ///< index in CriticalPath::stretches
    bool turns = false;         ///< on the line that leads to it from the work of another rank
    friend bool operator==(const HitPath&, const HitPath&) = default;
};

/// What is under a point of the tracks.
struct Hit {
    Selection what;                            ///< a slice, a gap, or nothing; in a host's bar, a stalled slice
    std::uint32_t count = 0;                   ///< number of slices or gaps drawn there as one
    const FrameItem* item = nullptr;           ///< in the frame, for a slice
    const FrameSliceRow* slice_row = nullptr;  ///< in the frame, for a slice
    std::optional<HitRunning> running;         ///< in a host's bar
    std::optional<HitCounter> counter = {};    ///< in a counter's bar
    std::optional<HitPath> path = {};          ///< on the critical path
};

/// Reads the draw list, so that a click hits what is seen. The topmost thing at the point wins; a thin slice counts up
/// to `tolerance` device pixels away. Hit::what stays empty for a host's bar, a counter's bar and the critical path:
/// stallAtBar(), sliceOfCounter() and sliceOfPath() find it.
[[nodiscard]] Hit hitTest(const Frame& frame, int x, int y, int tolerance);

/// The slice that a click on the critical path selects: for a stretch the most significant one, else the next work of
/// its rank; for a line to another rank, that rank's member of the collective. Nothing if there is none.
[[nodiscard]] Selection sliceOfPath(const TimelineModel& model, const HitPath& hit);

/// Device pixels from the top left corner of the tracks.
struct FrameRect {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    [[nodiscard]] bool empty() const { return x1 <= x0 || height <= 0; }
};
/// Where `selection` is drawn in the frame: a slice of a pinned track in two places.
[[nodiscard]] std::vector<FrameRect> rectsOf(const Frame& frame, const TimelineModel& model,
                                             const Selection& selection);

}  // namespace rankscope::ui
