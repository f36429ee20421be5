// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ui/theme/slice_colors.h"
#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"

namespace rankscope::ui {

/// How the critical path looks: a line with a dark edge, so that it stands out from any slice; whole where a device
/// works, dashed where it is blocked.
struct PathLook {
    PathLook(const Theme& theme, const Frame& frame)
        : line(theme.path.rgb()),
          edge(theme.track.rgb()),
          faint(mix(theme.track.rgb(), theme.path.rgb(), kFaint)),
          thin(std::max<std::int32_t>(1, static_cast<std::int32_t>(std::lround(frame.pixel_ratio)))),
          dash(6 * thin),
          space(4 * thin) {}

    QRgb line;
    QRgb edge;
    QRgb faint;          ///< for lines between rows that are close to each other
    std::int32_t thin;   ///< device pixels: of an edge, and of a line between rows
    std::int32_t dash;   ///< device pixels
    std::int32_t space;  ///< device pixels, between two dashes

  private:
    static constexpr unsigned kFaint = 120;  // out of 256
};

/// Calls fill(x0, x1, y, height, color) for everything drawn of a mark: the same rectangles for pixels and for shapes.
template <class Fill>
void fillPathMark(const Frame& frame, const FramePathMark& mark, const PathLook& look, Fill fill) {
    fill(mark.x0, mark.x1, mark.y - look.thin, look.thin, look.edge);
    const std::int32_t period = look.dash + look.space;
    if (mark.works || mark.x1 - mark.x0 <= period) {
        fill(mark.x0, mark.x1, mark.y, mark.height, look.line);
        return;
    }
    fill(mark.x0, mark.x1, mark.y, mark.height, look.edge);
    // The part left of the view is skipped in whole dashes, so that dashes move with the time.
    const std::int32_t first = mark.x0 + std::max(0, -mark.x0 / period) * period;
    for (std::int32_t x = first; x < std::min(mark.x1, frame.width); x += period) {
        fill(x, std::min(x + look.dash, mark.x1), mark.y, mark.height, look.line);
    }
}

/// The same for a line between two rows.
template <class Fill>
void fillPathLink(const FramePathLink& link, const PathLook& look, Fill fill) {
    if (!link.dense) {
        fill(link.x - look.thin, link.x + 2 * look.thin, link.y0, link.y1 - link.y0, look.edge);
    }
    fill(link.x, link.x + look.thin, link.y0, link.y1 - link.y0, link.dense ? look.faint : look.line);
}

}  // namespace rankscope::ui
