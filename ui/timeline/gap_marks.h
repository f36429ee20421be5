// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/label_text.h"

namespace rankscope::ui {

/// Adds the gaps of the rank whose header is `rank_row` of the layout, over the streams of their devices; those that
/// are too narrow to tell apart become one mark. Costs the pixels, not the gaps.
void addGapMarks(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row, int scroll_y,
                 const Theme& theme, const TextMeasure& measure, Frame& frame);

}  // namespace rankscope::ui
