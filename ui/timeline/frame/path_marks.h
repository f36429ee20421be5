// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/frame_builder.h"
#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

/// Adds the critical path of the model: a line along the lower edge of its rows, and a vertical line where it moves to
/// another row. For folded rows it is in the header that hides them. Stretches that are too narrow to distinguish
/// become one mark; the cost depends on the pixels, not on the stretches.
void addPath(const TimelineModel& model, const RowLayout& layout, const FrameView& view, const RowSizes& sizes,
             Frame& frame);

}  // namespace rankscope::ui
