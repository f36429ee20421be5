// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRgb>
#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rankscope::ui {

/// The pixels of an image, requested once: QImage checks at every line whether it must detach.
class Canvas {
  public:
    /// `image` is Format_RGB32, must outlive this, and must not be changed elsewhere.
    explicit Canvas(QImage& image)
        : pixels_(reinterpret_cast<QRgb*>(image.bits())),  // 32-bit aligned by Qt's contract
          stride_(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))),
          width_(image.width()),
          height_(image.height()) {}

    /// The same pixels; those above `top` are write-protected.
    [[nodiscard]] Canvas below(int top) const {
        Canvas out = *this;
        out.top_ = std::max(top_, top);
        return out;
    }

    /// Width of the image in device pixels, not logical ones.
    [[nodiscard]] int width() const { return width_; }
    /// The first writable line.
    [[nodiscard]] int top() const { return top_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] QRgb* line(int y) const { return pixels_ + y * stride_; }

    /// Fills the writable part of [x0, x1) x [y, y + height).
    void fill(int x0, int x1, int y, int height, QRgb color) const {
        const int left = std::max(x0, 0);
        const int right = std::min(x1, width_);
        const int bottom = std::min(y + height, height_);
        if (right - left == 1) {  // most bars are one pixel wide
            for (int at = std::max(y, top_); at < bottom; ++at) {
                line(at)[left] = color;
            }
            return;
        }
        for (int at = std::max(y, top_); at < bottom && left < right; ++at) {
            std::fill(line(at) + left, line(at) + right, color);
        }
    }

    /// Copies the writable part of `picture` (Format_RGB32), with its top left corner at (x, y).
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

}  // namespace rankscope::ui
