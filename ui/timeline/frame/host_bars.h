// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/index_store.h"

namespace rankscope::ui {

/// Adds to the frame how many ranks of `host` ran at each pixel, as one row of bars. `base_ns` is the axis' zero on the
/// run's clock. At most two bars a pixel. O(pixels x log changes).
void addHostBars(const HostIndex& host, TimeNs base_ns, FrameHostRow row, Frame& frame);

/// The height of `running` ranks in a row, in pixels: 0 for none, and the full height for all.
[[nodiscard]] std::int32_t barHeight(const FrameHostRow& row, std::uint64_t running);

/// The bar at a point, with its row; nullptr if there is none.
struct HostBarAt {
    const FrameHostRow* row = nullptr;
    const FrameBar* bar = nullptr;
};
[[nodiscard]] HostBarAt hostBarAt(const Frame& frame, int x, int y);

/// The interrupted slice in the pixel `x`: of the last stalls of the host threads there, the longest. Nothing if no
/// rank stalls, or if nothing is recorded around the stall. O(ranks x threads x log stalls).
[[nodiscard]] Selection stallAtBar(const TimelineModel& model, const Frame& frame, const HitRunning& over, int x);

}  // namespace rankscope::ui
