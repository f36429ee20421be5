// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/lod/step_lod.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/paint/ruler.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

// The draw list of one frame: plain data in device pixels from the upper left corner of the tracks, which the painter
// draws and the hit test reads, so that what is seen is what is clicked.

/// Where what covers the pixels [x0, x1) is drawn up to: its last pixel is left free, to keep it apart from its
/// neighbour, unless it has none to spare.
[[nodiscard]] constexpr std::int32_t drawnEnd(std::int32_t x0, std::int32_t x1) {
    constexpr std::int32_t kInsetFrom = 4;
    return x1 - static_cast<std::int32_t>(x1 - x0 >= kInsetFrom);
}

/// A slice, or a bucket of slices, in a row. It covers the pixels [x0, x1) of the row's height.
struct FrameItem {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    SliceIndex slice = kNoSlice;  ///< the slice, or the longest of the bucket
    std::uint32_t count = 1;
    QRgb fill = 0;
    std::uint32_t name_hash = 0;
    [[nodiscard]] std::int32_t drawnEnd() const { return ui::drawnEnd(x0, x1); }
};

/// One row of slices of one track.
struct FrameSliceRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    RankPosition rank;
    TrackId track;
    std::uint16_t depth = 0;  ///< nesting depth of its slices, 0 at the top of the track
    std::uint32_t first = 0;  ///< of its items in Frame::items, sorted by x0 and by x1
    std::uint32_t last = 0;
};

/// Blocked time of a device across its streams.
struct FrameGap {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    GapSelection which;  ///< a long one, where several fell into the same pixels
    std::uint32_t count = 1;
    double share = 1.0;  ///< of the time of its pixels that is blocked
};

/// A stretch of communication that compute hides, or does not. It covers the pixels [x0, x1) of its row.
struct FrameBand {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::uint32_t index = 0;  ///< of the interval, or of the longest that fell into these pixels
    std::uint32_t count = 1;
    std::uint8_t share = 255;  ///< of the time of its pixels that is of this kind, in 255ths
};

/// The bands of one kind on one rank.
struct FrameBandRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    RankPosition rank;
    BandKind kind = BandKind::Overlap;
    std::uint32_t first = 0;  ///< of its bands in Frame::bands, sorted by x0 and by x1
    std::uint32_t last = 0;
};

/// The outline around a rank for as long as it held the others up, with a bar along its top.
struct FrameStraggler {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    StragglerSelection which;  ///< the first, where several fell into the same pixels
    std::uint32_t count = 1;

    /// Whether it is outlined; narrower ones side by side would be a cage, and have the bar along the top alone.
    [[nodiscard]] bool outlined() const { return x1 - x0 >= kLeastOutlined; }
    static constexpr std::int32_t kLeastOutlined = 12;  ///< device pixels
};

/// A stretch of the critical path, along the lower edge of its row. It covers the pixels [x0, x1).
struct FramePathMark {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t stretch = 0;  ///< in ShownPath::drawn: a long one, where several fell into the same pixels
    std::uint32_t count = 1;
    bool works = true;   ///< a device works there; else it is blocked
    bool stays = false;  ///< in a row that stays at the top
};

/// Where the critical path goes from one row to another.
struct FramePathLink {
    std::int32_t x = 0;
    std::int32_t y0 = 0;
    std::int32_t y1 = 0;
    std::uint32_t stretch = 0;  ///< in ShownPath::drawn: the one that it leads to
    bool turns = false;         ///< to the work of another rank
    bool dense = false;         ///< another one is near: drawn at full strength they would be a cage
};

/// One step in the header of a rank.
struct FrameStep {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    QRgb fill = 0;
    [[nodiscard]] std::int32_t drawnEnd() const { return ui::drawnEnd(x0, x1); }
};

/// A number that changes in time, over the pixels [x0, x1): how many ranks of a host run, or a counter.
struct FrameBar {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    ValueRange running;  ///< the least and the greatest number in these pixels
};

/// One row of such bars.
struct FrameHostRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    std::size_t host = 0;     ///< in RunIndex::hosts
    std::uint32_t ranks = 0;  ///< of the host: the number that fills the row
    std::int32_t pad = 0;     ///< left free above and below the bars
    std::uint32_t first = 0;  ///< of its bars in Frame::host_bars, sorted by x0
    std::uint32_t last = 0;
};

/// One row of bars of a counter.
struct FrameCounterRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    std::optional<RankPosition> rank;  ///< nothing for a counter of the run
    std::size_t counter = 0;           ///< in CounterIndex::series
    std::uint64_t full = 1;            ///< the value that fills the row
    std::int32_t pad = 0;              ///< left free above and below the bars
    QRgb fill = 0;
    QRgb faint = 0;           ///< between the least and the greatest of a pixel
    std::uint32_t first = 0;  ///< of its bars in Frame::counter_bars, sorted by x0
    std::uint32_t last = 0;
};

/// One line of text.
struct FrameLabel {
    enum class Role : std::uint8_t { Slice, Step, Gap };
    double x = 0;        ///< left end
    std::int32_t y = 0;  ///< of the box it is in the middle of
    std::int32_t height = 0;
    QString text;
    QRgb color = 0;
    Role role = Role::Slice;
    QRgb back = 0;  ///< of slices and steps: the one colour behind the text
};

/// A row of the layout that is in sight.
struct FrameRow {
    std::size_t row = 0;  ///< in RowLayout::rows()
    std::int32_t y = 0;
    std::int32_t height = 0;
    friend bool operator==(const FrameRow&, const FrameRow&) = default;
};

struct Frame {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t sticky = 0;   ///< rows down to here stay at the top; all others are cut off there
    double pixel_ratio = 1.0;  ///< device pixels a logical one
    PixelScale scale;
    TimeSpan window;
    Ruler ruler;
    std::vector<FrameRow> rows;
    std::vector<FrameSliceRow> slice_rows;
    std::vector<FrameItem> items;
    std::vector<FrameGap> gaps;
    std::vector<FrameBand> bands;
    std::vector<FrameBandRow> band_rows;
    std::vector<FrameStraggler> stragglers;
    std::vector<FramePathMark> path;        ///< by time
    std::vector<FramePathLink> path_links;  ///< by time
    std::vector<FrameStep> steps;
    std::vector<FrameHostRow> host_rows;
    std::vector<FrameBar> host_bars;
    std::vector<FrameCounterRow> counter_rows;
    std::vector<FrameBar> counter_bars;
    std::vector<FrameLabel> labels;

    /// Empties the lists and keeps their memory: a full frame takes megabytes, which the system would otherwise hand
    /// out anew each time.
    void clear() {
        rows.clear();
        slice_rows.clear();
        items.clear();
        gaps.clear();
        bands.clear();
        band_rows.clear();
        stragglers.clear();
        path.clear();
        path_links.clear();
        steps.clear();
        host_rows.clear();
        host_bars.clear();
        counter_rows.clear();
        counter_bars.clear();
        labels.clear();
    }
    /// Whether what is at [y, y + height) belongs to the rows that stay at the top.
    [[nodiscard]] bool staysAtTop(std::int32_t y, std::int32_t height_of_it) const {
        return y + height_of_it <= sticky;
    }
};

}  // namespace rankscope::ui
