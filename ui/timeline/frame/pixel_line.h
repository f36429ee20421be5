// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ui/timeline/frame/canvas.h"

namespace rankscope::ui {

/// The pixels [first, last).
struct PixelRun {
    std::int32_t first = 0;
    std::int32_t last = 0;
};

/// The part of [x0, x1) on a line of `pixels` pixels; if there is none, `last` is not greater than `first`.
[[nodiscard]] inline PixelRun runWithin(std::int32_t x0, std::int32_t x1, std::size_t pixels) {
    return {std::max(x0, 0), std::min(x1, static_cast<std::int32_t>(pixels))};
}

/// One whole line of pixels, composed once and copied to all lines that look the same.
class PixelLine {
  public:
    void fill(int width, QRgb color) { pixels_.assign(static_cast<std::size_t>(width), color); }
    /// Later runs cover earlier ones.
    void add(std::int32_t x0, std::int32_t x1, QRgb color) {
        const auto [left, right] = runWithin(x0, x1, pixels_.size());
        if (right <= left) {
            return;
        }
        // Most runs of a full frame are one or two pixels wide: these need no loop.
        QRgb* const line = pixels_.data();
        line[left] = line[right - 1] = color;
        if (right - left > 2) {
            std::fill(line + left + 1, line + right - 1, color);
        }
    }
    [[nodiscard]] QRgb* data() { return pixels_.data(); }
    [[nodiscard]] std::size_t size() const { return pixels_.size(); }

    /// Copies it to line `y` of the canvas, which has the same width.
    void paint(const Canvas& canvas, int y) const {
        std::memcpy(canvas.line(y), pixels_.data(), pixels_.size() * sizeof(QRgb));
    }

  private:
    std::vector<QRgb> pixels_;
};

/// Runs of pixels over several lines that differ below it, transparent between the runs.
class SparseLine {
  public:
    void clear(int width) {
        pixels_.resize(static_cast<std::size_t>(width));
        runs_.clear();
    }
    /// Later runs cover earlier ones.
    void add(std::int32_t x0, std::int32_t x1, QRgb color) {
        const auto [left, right] = runWithin(x0, x1, pixels_.size());
        if (right <= left) {
            return;
        }
        std::fill(pixels_.begin() + left, pixels_.begin() + right, color);
        if (!runs_.empty() && runs_.back().first <= left && left <= runs_.back().last) {
            runs_.back().last = std::max(runs_.back().last, right);
        } else {
            runs_.push_back({left, right});
        }
    }
    void paintOver(PixelLine& line) const {
        for (const PixelRun& run : runs_) {
            std::copy(pixels_.begin() + run.first, pixels_.begin() + run.last, line.data() + run.first);
        }
    }

    /// Removes the runs that touch none of `places`, which are disjoint and sorted.
    void keepOnly(const std::vector<PixelRun>& places) {
        std::erase_if(runs_, [&](const PixelRun& run) {
            const auto at =
                std::ranges::partition_point(places, [&](const PixelRun& p) { return p.last <= run.first; });
            return at == places.end() || at->first >= run.last;
        });
    }

  private:
    std::vector<QRgb> pixels_;
    std::vector<PixelRun> runs_;  // where pixels_ is set
};

}  // namespace rankscope::ui
