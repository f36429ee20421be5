// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>
#include <vector>

#include "ui/charts/words_below_axis.h"

class QAbstractSeries;

namespace rankscope::ui {

/// The names of the bars of a chart in one line right below them; where they are too long for their bars, every second,
/// fifth, tenth and so on; instead of them longer ones, where all of these have room. The labels of the axis below must
/// leave that line free. It belongs to the chart, and Qt's axes are no use for it: the same name is under several
/// bars.
class BarNames : public WordsBelowAxis {
  public:
    /// `names` from the first bar on, `longer` as these; an empty one is left out. `of` places the bars.
    BarNames(QChart& chart, QAbstractSeries& of, std::vector<QString> names, const QFont& font, const QColor& color,
             std::vector<QString> longer = {});

  protected:
    [[nodiscard]] std::vector<Placed> placed() const override;

  private:
    /// Those of `names` that are drawn.
    [[nodiscard]] std::vector<Placed> placed(const std::vector<QString>& names) const;
    /// Those of every `every`-th name that fit; `all` becomes false if one does not, except at the chart's edges.
    [[nodiscard]] std::vector<Placed> placed(const std::vector<QString>& names, std::size_t every, bool& all) const;

    QAbstractSeries& of_;
    std::vector<QString> names_;
    std::vector<QString> longer_;
};

}  // namespace rankscope::ui
