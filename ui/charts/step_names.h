// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>
#include <cstddef>
#include <vector>

#include "ui/charts/words_below_axis.h"

class QAbstractSeries;

namespace rankscope::ui {

/// Adjacent bars of one step, with a gap before those of the next step.
struct StepBars {
    std::size_t first = 0;  ///< index of its first bar among those in view
    std::size_t last = 0;
    std::size_t at = 0;    ///< index among all steps, so that scrolling does not change which ones are named
    bool counted = false;  ///< it is one of the steps that are named by their numbers
    QString name;          ///< "step 12"
    QString shorter;       ///< "12"
    QString shortest;      ///< if even the shorter one does not fit; empty if there is none
};

/// The names of steps below the bars of a chart: in full if all fit, else the shorter ones, with a title at their left;
/// if even those are too long, every second, fifth, tenth and so on. None is cut. It belongs to the chart; the labels
/// of the axis below must leave the line free.
class StepNames : public WordsBelowAxis {
  public:
    struct Words {
        std::vector<StepBars> steps;
        QString title;             ///< title of the shorter names
        bool below_names = false;  ///< the names of bars are in the line above
    };
    /// `of` places the bars.
    StepNames(QChart& chart, QAbstractSeries& of, Words words, const QFont& font, const QColor& color);

    [[nodiscard]] QRectF boundingRect() const override;

  protected:
    [[nodiscard]] std::vector<Placed> placed() const override;

  private:
    /// The full names; empty if one of them does not fit.
    [[nodiscard]] std::vector<Placed> whole() const;
    /// The shorter names of every `every`-th step; empty if one of them does not fit.
    [[nodiscard]] std::vector<Placed> shorter(std::size_t every) const;
    /// The middle of a step's bars.
    [[nodiscard]] double middleOf(const StepBars& step) const;
    /// The room for a step's name, up to the next step's.
    [[nodiscard]] double roomOf(const StepBars& step) const;
    [[nodiscard]] double xOf(double bar) const;
    [[nodiscard]] double widthOf(const QString& words) const;

    QAbstractSeries& of_;
    Words words_;
};

}  // namespace rankscope::ui
