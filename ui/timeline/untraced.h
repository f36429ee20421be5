// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// A part of a row in sight that its rank recorded nothing of: before its first event, or behind its last. In device
/// pixels of the tracks.
struct Untraced {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    FrameRow place;
    bool labelled = false;  ///< the header of a rank, where there is room to say so
};

[[nodiscard]] std::vector<Untraced> untracedIn(const Frame& frame, const RowLayout& layout, const TimelineModel& model);

/// Marks those parts, so that they do not look like idle time. The frame lies at `tracks` of the widget.
void paintUntraced(QPainter& painter, const QRect& tracks, const Frame& frame, const std::vector<Untraced>& parts,
                   const Theme& theme);

}  // namespace rankscope::ui
