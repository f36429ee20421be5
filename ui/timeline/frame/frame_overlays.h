// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/overlays.h"

namespace rankscope::ui {

/// Where a rank's header and the rows of its devices are; `row` is its header in the layout.
struct RankPlace {
    std::size_t row = 0;
    int scroll_y = 0;
};

/// Adds the gaps of the rank whose header is `rank_row` of the layout, over the streams of their devices; gaps that are
/// too narrow to distinguish become one mark. The cost depends on the pixels, not on the gaps.
void addGapMarks(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row, int scroll_y,
                 const Theme& theme, const TextMeasure& measure, Frame& frame);

/// Adds the bands of the rank's communication: below the communicating stream, or in the header if that is folded.
/// Bands narrower than a pixel are shown by their share of it; the cost depends on the pixels. Overwrites `scratch`,
/// which is passed in because a frame makes many queries.
void addBands(const TimelineModel& model, const RowLayout& layout, const RankPlace& place, const OverlaySet& overlays,
              std::vector<LodItem>& scratch, Frame& frame);

/// Adds the outlines of the time in which the rank delayed the others, around its header and its streams.
void addStragglers(const TimelineModel& model, const RowLayout& layout, const RankPlace& place, Frame& frame);

}  // namespace rankscope::ui
