// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/charts/words_below_axis.h"
#include "ui/theme/theme.h"

class QAbstractSeries;
class QLogValueAxis;

namespace rankscope::ui {

/// A logarithmic axis of whole powers of ten around `least` and `most`, both above 0, with at least two powers.
/// `format` names each, like "%g".
[[nodiscard]] QLogValueAxis* makeLogAxis(double least, double most, const QString& format, const Theme& theme);

/// Names the powers of ten of a horizontal logarithmic axis as bytes, each in its own unit: "100 B", "1 kB". They
/// replace Qt's labels, which have one unit for all. It belongs to the chart.
class ByteLabels : public WordsBelowAxis {
  public:
    /// `of` is a series on the axis, whose values are in units of `unit_bytes`.
    ByteLabels(QChart& chart, QAbstractSeries& of, QLogValueAxis& axis, double unit_bytes, const Theme& theme);

  protected:
    [[nodiscard]] std::vector<Placed> placed() const override;

  private:
    QAbstractSeries& of_;
    QLogValueAxis& axis_;
    double unit_bytes_;
};

}  // namespace rankscope::ui
