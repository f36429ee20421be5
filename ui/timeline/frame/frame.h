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

// The draw list of one frame: plain data in device pixels from the top left corner of the tracks. The painter draws it
// and the hit test reads it, so a click hits what is seen.

/// The drawn end of something on the pixels [x0, x1): its last pixel is left free, to separate it from its neighbour,
/// unless it is too narrow.
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
    std::uint32_t first = 0;  ///< its items in Frame::items, sorted by x0 and by x1
    std::uint32_t last = 0;
};

/// Blocked time of a device across its streams.
struct FrameGap {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    GapSelection which;  ///< a long one, if several share these pixels
    std::uint32_t count = 1;
    double share = 1.0;  ///< the blocked share of the time of its pixels
};

/// A stretch of communication that compute hides or does not hide. It covers the pixels [x0, x1) of its row.
struct FrameBand {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::uint32_t index = 0;  ///< index of the interval, or of the longest one in these pixels
    std::uint32_t count = 1;
    std::uint8_t share = 255;  ///< the share of the time of its pixels that is of this kind, in 255ths
};

/// The bands of one kind on one rank.
struct FrameBandRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    RankPosition rank;
    BandKind kind = BandKind::Overlap;
    std::uint32_t first = 0;  ///< its bands in Frame::bands, sorted by x0 and by x1
    std::uint32_t last = 0;
};

/// The outline around a rank while it delayed the others, with a bar along its top.
struct FrameStraggler {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    StragglerSelection which;  ///< the first, if several share these pixels
    std::uint32_t count = 1;

    /// Whether it is outlined; narrower ones side by side would look like a grid, and get only the bar along the top.
    [[nodiscard]] bool outlined() const { return x1 - x0 >= kLeastOutlined; }
    static constexpr std::int32_t kLeastOutlined = 12;  ///< device pixels
};

/// A stretch of the critical path, along the lower edge of its row. It covers the pixels [x0, x1).
struct FramePathMark {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t stretch = 0;  ///< index in ShownPath::drawn: a long one, if several share these pixels
    std::uint32_t count = 1;
    bool works = true;   ///< a device works there; else the path is blocked
    bool stays = false;  ///< in a row that is kept at the top
};

/// Where the critical path goes from one row to another.
struct FramePathLink {
    std::int32_t x = 0;
    std::int32_t y0 = 0;
    std::int32_t y1 = 0;
    std::uint32_t stretch = 0;  ///< index in ShownPath::drawn: the stretch that it leads to
    bool turns = false;         ///< to the work of another rank
    bool dense = false;         ///< another one is near: it is drawn fainter, since many would look like a grid
};

/// A step in the header of a rank.
struct FrameStep {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    QRgb fill = 0;
    [[nodiscard]] std::int32_t drawnEnd() const { return ui::drawnEnd(x0, x1); }
};

/// A number that changes over time, over the pixels [x0, x1): the running ranks of a host, or a counter.
struct FrameBar {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    ValueRange running;  ///< the smallest and the largest number in these pixels
};

/// One row of such bars.
struct FrameHostRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    std::size_t host = 0;     ///< index in RunIndex::hosts
    std::uint32_t ranks = 0;  ///< ranks of the host: the value that fills the row
    std::int32_t pad = 0;     ///< kept free above and below the bars
    std::uint32_t first = 0;  ///< its bars in Frame::host_bars, sorted by x0
    std::uint32_t last = 0;
};

/// One row of bars of a counter.
struct FrameCounterRow {
    std::int32_t y = 0;
    std::int32_t height = 0;
    std::uint32_t run = 0;
    std::optional<RankPosition> rank;  ///< nothing for a counter of the run
    std::size_t counter = 0;           ///< index in CounterIndex::series
    std::uint64_t full = 1;            ///< the value that fills the row
    std::int32_t pad = 0;              ///< kept free above and below the bars
    QRgb fill = 0;
    QRgb faint = 0;           ///< between the smallest and the largest value of a pixel
    std::uint32_t first = 0;  ///< its bars in Frame::counter_bars, sorted by x0
    std::uint32_t last = 0;
};

/// One line of text.
struct FrameLabel {
    enum class Role : std::uint8_t { Slice, Step, Gap };
    double x = 0;        ///< left end
    std::int32_t y = 0;  ///< top of the box, with the text in its middle
    std::int32_t height = 0;
    QString text;
    QRgb color = 0;
    Role role = Role::Slice;
    QRgb back = 0;  ///< for slices and steps: the uniform colour behind the text
};

/// A visible row of the layout.
struct FrameRow {
    std::size_t row = 0;  ///< index in RowLayout::rows()
    std::int32_t y = 0;
    std::int32_t height = 0;
    friend bool operator==(const FrameRow&, const FrameRow&) = default;
};

struct Frame {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t sticky = 0;   ///< rows above this are kept at the top; all others are clipped there
    double pixel_ratio = 1.0;  ///< device pixels per logical pixel
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
    std::vector<FramePathMark> path;        ///< sorted by time
    std::vector<FramePathLink> path_links;  ///< sorted by time
    std::vector<FrameStep> steps;
    std::vector<FrameHostRow> host_rows;
    std::vector<FrameBar> host_bars;
    std::vector<FrameCounterRow> counter_rows;
    std::vector<FrameBar> counter_bars;
    std::vector<FrameLabel> labels;

    /// Empties the lists but keeps their memory: a full frame takes megabytes, which the system would otherwise provide
    /// again each time.
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
    /// Whether something at [y, y + height) belongs to the rows kept at the top.
    [[nodiscard]] bool staysAtTop(std::int32_t y, std::int32_t height_of_it) const {
        return y + height_of_it <= sticky;
    }
};

}  // namespace rankscope::ui
