// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/host_bars.h"

namespace rankscope::ui {

/// How the bars of running ranks look: a full row if all run, lower if fewer do. The space of stalled ranks has the
/// colour of blocked time.
struct HostBarLook {
    explicit HostBarLook(const Theme& theme)
        : running(mix(theme.track.rgb(), theme.accent.rgb(), kRunning)),
          sometimes(mix(theme.track.rgb(), theme.accent.rgb(), kSometimes)),
          still(mix(theme.track.rgb(), theme.gap.rgb(), kStill)) {}

    QRgb running;    ///< ranks that run throughout the time of their pixel
    QRgb sometimes;  ///< ranks that run for a part of the pixel
    QRgb still;      ///< ranks that stall

  private:
    static constexpr unsigned kRunning = 130;  // out of 256
    static constexpr unsigned kSometimes = 64;
    static constexpr unsigned kStill = 84;
};

/// Calls fill(x0, x1, y, height, color) for everything drawn in the row: the same rectangles for pixels and for shapes.
template <class Fill>
void fillHostBars(const Frame& frame, const FrameHostRow& row, const HostBarLook& look, Fill fill) {
    const std::int32_t bottom = row.y + row.height - row.pad;
    const std::int32_t top = bottom - barHeight(row, row.ranks);
    for (std::uint32_t i = row.first; i < row.last; ++i) {
        const FrameBar& bar = frame.host_bars[i];
        const std::int32_t low = bottom - barHeight(row, bar.running.low);
        const std::int32_t high = bottom - barHeight(row, bar.running.high);
        fill(bar.x0, bar.x1, top, high - top, look.still);
        fill(bar.x0, bar.x1, high, low - high, look.sometimes);
        fill(bar.x0, bar.x1, low, bottom - low, look.running);
    }
}

}  // namespace rankscope::ui
