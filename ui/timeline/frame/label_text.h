// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <array>
#include <string_view>

#include "ui/theme/text_scale.h"
#include "ui/theme/theme.h"
#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

/// The row sizes for that text.
[[nodiscard]] RowSizes rowSizes(const Theme& theme);
/// The edge sizes for that text.
[[nodiscard]] EdgeSizes edgeSizes(const Theme& theme);
/// The font of labels on slices, `pixel_ratio` device pixels a logical one.
[[nodiscard]] QFont labelFont(const Theme& theme, double pixel_ratio);

/// Widths of text in one font, summed from letters that were measured once.
class TextMeasure {
  public:
    explicit TextMeasure(const QFont& font);

    /// In pixels of the font; letters beyond ASCII count as wide.
    [[nodiscard]] double width(QStringView text) const;
    [[nodiscard]] double averageWidth() const { return average_; }
    /// From the top of a box of `height` to the baseline of text centred in it.
    [[nodiscard]] double baselineIn(double height) const { return (height + ascent_ - descent_) / 2; }
    [[nodiscard]] double ascent() const { return ascent_; }
    [[nodiscard]] double lineHeight() const { return ascent_ + descent_; }

  private:
    std::array<float, 128> ascii_{};
    double average_ = 1;
    double ascent_ = 1;
    double descent_ = 0;
};

/// `name` in up to `room` pixels: whole if it fits, else without its least significant parts (the parameters, the
/// template arguments, the namespaces of a C++ name), else cut with an ellipsis; empty if not even a few letters fit.
[[nodiscard]] QString fitLabel(std::string_view name, double room, const TextMeasure& measure);

/// A C++ function's name without return type, parameters and template arguments; other names as they are.
[[nodiscard]] std::string_view withoutParameters(std::string_view name);

}  // namespace rankscope::ui
