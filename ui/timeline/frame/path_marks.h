// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/frame_builder.h"
#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

/// Adds the critical path that the model has: a line along the lower edge of the rows that it is on, and where it goes
/// to another row a line down to it. Where rows are folded away it is in the header that hides them. Stretches that are
/// too narrow to tell apart become one mark; costs the pixels, not the stretches.
void addPath(const TimelineModel& model, const RowLayout& layout, const FrameView& view, const RowSizes& sizes,
             Frame& frame);

}  // namespace rankscope::ui
