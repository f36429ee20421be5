// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui::metrics {

// Sizes of the timeline in logical pixels.
inline constexpr int kRowGap = 1;        ///< below the slices of a row
inline constexpr int kTrackGap = 5;      ///< below a track
inline constexpr int kBandHeight = 5;    ///< one kind of bands; two are below the communicating stream
inline constexpr int kFoldedBand = 3;    ///< the same in the header of a folded rank
inline constexpr int kStragglerBar = 3;  ///< along the top of a straggler's outline
inline constexpr int kPathLine = 3;      ///< the critical path, along the lower edge of a row
inline constexpr int kNamesMargin = 10;  ///< left and right of the names
inline constexpr int kChevron = 8;       ///< the fold sign before a name
inline constexpr int kNamesText = kNamesMargin + kChevron + 8;  ///< where the names of runs and ranks begin
inline constexpr int kIndent = 14;                              ///< indent per level of the names
inline constexpr int kDragThreshold = 4;                        ///< a click that moved further is a drag
inline constexpr int kSharedPixels = 2;                         ///< device pixels: a wider mark has only one thing
inline constexpr int kHitTolerance = 2;                         ///< beside a thin slice

}  // namespace rankscope::ui::metrics

namespace rankscope::ui {

/// Heights that follow the size of the text, in logical pixels; the defaults are for the style's own text size.
struct RowSizes {
    int run = 34;        ///< header of a run
    int rank = 30;       ///< header of a rank, with its steps
    int group = 22;      ///< header of a group of tracks
    int row = 18;        ///< one row of slices, with its gap
    int step_band = 16;  ///< the steps in the header of a rank
    friend bool operator==(const RowSizes&, const RowSizes&) = default;
};

/// Sizes around the tracks. They follow the size of the text too.
struct EdgeSizes {
    int side = 232;    ///< width of the names at the left
    int ruler = 30;    ///< height of the ruler at the top
    int ticks = 110;   ///< least distance between labelled ticks
    int button = 22;   ///< height of a button in the ruler
    int editor = 180;  ///< width of the field for a note
    int flags = 12;    ///< height of the flags of marks, at the lower edge of the ruler
    friend bool operator==(const EdgeSizes&, const EdgeSizes&) = default;
};

}  // namespace rankscope::ui
