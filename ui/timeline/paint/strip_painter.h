// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/canvas.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/pixel_line.h"

namespace rankscope::ui {

struct GapLook;

/// Paints everything of a frame that fills whole heights of rows: rows, grid, steps, gaps, slices and bands. The image
/// is cut into strips at each line where one of these begins or ends. Inside a strip all lines are the same, except for
/// the hatching of gaps: they are composed once and copied, so that each pixel of the image is written once.
class StripPainter {
  public:
    explicit StripPainter(const Theme& theme);

    /// Writes every pixel of `canvas` once.
    void paint(const Frame& frame, const RowLayout& layout, const Canvas& canvas);

  private:
    /// From the faintest, for items that hardly cover their pixels, to the strongest.
    using Strengths = std::array<QRgb, 256>;

    enum class Kind : std::uint8_t { Steps, Gaps, Slices, Bands };
    /// Some of the frame's lists, on the lines [y, end).
    struct Layer {
        Kind kind = Kind::Slices;
        int y = 0;
        int end = 0;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::size_t of = 0;  // for Kind::Bands: index in Frame::band_rows
    };
    /// The background of the layers from `y` down to the next entry.
    struct Back {
        int y = 0;
        QRgb color = 0;
        bool grid = true;
    };

    /// The part under the slices.
    struct Under {
        const Back* back = nullptr;
        std::vector<std::size_t> layers;  // steps and gaps
        PixelLine line;
        std::vector<PixelRun> hatched;  // wide gaps, which are not in `line`: disjoint and sorted
    };

    void findBacks(const Frame& frame, const RowLayout& layout);
    void findLayers(const Frame& frame);
    void addLayer(const Layer& layer, bool stays, const Frame& frame);
    void paintStrip(const Frame& frame, const Back& back, int y, int end, const Canvas& canvas);
    void startLine(const Frame& frame, const Back& back);
    void addSteps(const Frame& frame, const Layer& layer);
    void addNarrowGaps(const Frame& frame, const Layer& layer);
    template <class Line>
    void addOver(const Frame& frame, Line& line) const;
    void addHatch(const Frame& frame, const GapLook& look, int y);

    Theme theme_;
    Strengths overlap_;
    Strengths exposed_;
    Strengths gap_;
    // Reused for each frame.
    std::vector<Back> backs_;
    std::vector<Layer> layers_;         // from the lowest to the topmost
    std::vector<std::size_t> by_y_;     // layers_ in order of their first lines
    std::vector<std::size_t> present_;  // layers_ in the strip, lowest first
    std::vector<int> cuts_;             // where strips begin
    // Reused for each strip.
    Under under_;
    std::vector<std::size_t> under_layers_;
    PixelLine whole_;  // everything except the hatching
    PixelLine line_;
    SparseLine over_;
};

}  // namespace rankscope::ui
