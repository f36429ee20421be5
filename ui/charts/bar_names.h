// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>
#include <vector>

#include "ui/charts/words_below_axis.h"

class QAbstractSeries;

namespace rankscope::ui {

/// The names of the bars of a chart, in one line below them. If they are too long for their bars, only every second,
/// fifth, tenth and so on is named; longer names are used instead if all of them fit. The labels of the axis below must
/// leave that line free. It belongs to the chart. Qt's axes cannot do this: several bars have the same name.
class BarNames : public WordsBelowAxis {
  public:
    /// `names` from the first bar on, `longer` in the same order; empty ones are left out. `of` places the bars.
    BarNames(QChart& chart, QAbstractSeries& of, std::vector<QString> names, const QFont& font, const QColor& color,
             std::vector<QString> longer = {});

  protected:
    [[nodiscard]] std::vector<Placed> placed() const override;

  private:
    /// The drawn ones of `names`.
    [[nodiscard]] std::vector<Placed> placed(const std::vector<QString>& names) const;
    /// The fitting ones of every `every`-th name; `all` becomes false if one does not fit, except at the chart's edges.
    [[nodiscard]] std::vector<Placed> placed(const std::vector<QString>& names, std::size_t every, bool& all) const;

    QAbstractSeries& of_;
    std::vector<QString> names_;
    std::vector<QString> longer_;
};

}  // namespace rankscope::ui
