// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRgb>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rankscope::ui {

/// The pixels of an image, asked for once: QImage checks at every line whether it must detach.
class Canvas {
  public:
    /// `image` is Format_RGB32, and must outlive this unchanged.
    explicit Canvas(QImage& image)
        : pixels_(reinterpret_cast<QRgb*>(image.bits())),  // 32-bit aligned by Qt's contract
          stride_(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))),
          width_(image.width()),
          height_(image.height()) {}

    /// The same pixels, of which those above `top` stay as they are.
    [[nodiscard]] Canvas below(int top) const {
        Canvas out = *this;
        out.top_ = std::max(top_, top);
        return out;
    }

    [[nodiscard]] int width() const { return width_; }
    /// The first line that may be written.
    [[nodiscard]] int top() const { return top_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] QRgb* line(int y) const { return pixels_ + y * stride_; }

    /// Fills the part of [x0, x1) x [y, y + height) that may be written.
    void fill(int x0, int x1, int y, int height, QRgb color) const {
        const int left = std::max(x0, 0);
        const int right = std::min(x1, width_);
        const int bottom = std::min(y + height, height_);
        for (int at = std::max(y, top_); at < bottom && left < right; ++at) {
            std::fill(line(at) + left, line(at) + right, color);
        }
    }

    /// Copies `picture` (Format_RGB32) to where its upper left corner is at (x, y), as far as that may be written.
    void copy(int x, int y, const QImage& picture) const {
        const int left = std::max(x, 0);
        const int right = std::min(x + picture.width(), width_);
        const int bottom = std::min(y + picture.height(), height_);
        for (int at = std::max(y, top_); at < bottom && left < right; ++at) {
            const auto* from = reinterpret_cast<const QRgb*>(picture.constScanLine(at - y));
            std::memcpy(line(at) + left, from + (left - x), static_cast<std::size_t>(right - left) * sizeof(QRgb));
        }
    }

  private:
    QRgb* pixels_;
    qsizetype stride_;
    int width_;
    int height_;
    int top_ = 0;
};

/// Runs of colour that are the same on all lines of a band: put together once, then copied line by line.
class PixelLine {
  public:
    void clear(int width) {
        pixels_.resize(static_cast<std::size_t>(width));
        runs_.clear();
    }
    /// Later runs cover earlier ones; each begins no further left than the one before.
    void add(std::int32_t x0, std::int32_t x1, QRgb color) {
        const std::int32_t left = std::max(x0, 0);
        const std::int32_t right = std::min(x1, static_cast<std::int32_t>(pixels_.size()));
        if (right <= left) {
            return;
        }
        std::fill(pixels_.begin() + left, pixels_.begin() + right, color);
        if (!runs_.empty() && left <= runs_.back().last) {
            runs_.back().last = std::max(runs_.back().last, right);
        } else {
            runs_.push_back({left, right});
        }
    }
    void paint(const Canvas& canvas, int y, int height) const {
        const int bottom = std::min(y + height, canvas.height());
        for (int at = std::max(y, canvas.top()); at < bottom; ++at) {
            QRgb* out = canvas.line(at);
            for (const Run& run : runs_) {
                copy(pixels_.data() + run.first, out + run.first, run.last - run.first);
            }
        }
    }

  private:
    struct Run {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };
    // Most runs of a full lane are some pixels: a call for each would take longer than the copying.
    static void copy(const QRgb* from, QRgb* to, std::int32_t count) {
        constexpr std::int32_t kShort = 8;
        if (count <= kShort) {
            for (std::int32_t i = 0; i < count; ++i) {
                to[i] = from[i];
            }
        } else {
            std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(QRgb));
        }
    }

    std::vector<QRgb> pixels_;
    std::vector<Run> runs_;  // where pixels_ is set
};

}  // namespace rankscope::ui
