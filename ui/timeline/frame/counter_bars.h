// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {

/// The counters of a rank, or of a run, with the conversion from their own clock to the axis.
struct CounterPlace {
    const CounterIndex* index = nullptr;  ///< nullptr if they are not shown, and while they are being built
    RankClock clock;
    TimeNs base_ns = 0;
    [[nodiscard]] TimeNs toAxis(TimeNs own_ns) const { return clock.toRun(FileTime(own_ns)) - base_ns; }
    [[nodiscard]] TimeNs toOwn(TimeNs axis_ns) const { return clock.toFile(RunTime(axis_ns + base_ns)); }
};
/// The counters of a rank, or of the run if `rank` is nothing.
[[nodiscard]] CounterPlace countersAt(const TimelineModel& model, std::uint32_t run, std::optional<RankPosition> rank);

/// Adds a row of bars of a counter to the frame, scaled to the greatest value in view, with the value that fills the
/// row as a label. The counters must exist. At most one bar per pixel. O(pixels x log changes).
void addCounterBars(const CounterPlace& place, FrameCounterRow row, const Theme& theme, const TextMeasure& measure,
                    Frame& frame);

/// The height of a value in a row, in pixels; at least one if the value is not 0.
[[nodiscard]] std::int32_t counterHeight(const FrameCounterRow& row, std::uint64_t value);

/// The bar at a point, with its row; nullptr if there is none.
struct CounterBarAt {
    const FrameCounterRow* row = nullptr;
    const FrameBar* bar = nullptr;
};
[[nodiscard]] CounterBarAt counterBarAt(const Frame& frame, int x, int y);

/// Calls fill(x0, x1, y, height, color) for everything drawn in a row: the same rectangles for pixels and for shapes.
template <class Fill>
void fillCounterBars(const Frame& frame, const FrameCounterRow& row, Fill fill) {
    const std::int32_t bottom = row.y + row.height - row.pad;
    for (std::uint32_t i = row.first; i < row.last; ++i) {
        const FrameBar& bar = frame.counter_bars[i];
        const std::int32_t low = counterHeight(row, bar.running.low);
        const std::int32_t high = counterHeight(row, bar.running.high);
        fill(bar.x0, bar.x1, bottom - high, high - low, row.faint);
        fill(bar.x0, bar.x1, bottom - low, low, row.fill);
    }
}

/// The slice that causes the value of a counter in the pixel `x`: the longest of those running on the device, for the
/// launch queue the next to begin, for a run's counter the longest of all ranks. Nothing for memory, and if nothing
/// runs. O(streams x log slices); for an exposed share O(slices of the step).
[[nodiscard]] Selection sliceOfCounter(const TimelineModel& model, const Frame& frame, const HitCounter& over, int x);

}  // namespace rankscope::ui
