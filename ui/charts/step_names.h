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

/// Bars that are together, of one step, with an empty place between them and the next ones.
struct StepBars {
    std::size_t first = 0;  ///< of the bars in sight
    std::size_t last = 0;
    std::size_t at = 0;    ///< among all steps, so that the same ones are named wherever one scrolls to
    bool counted = false;  ///< it is one of those that are named by numbers
    QString name;          ///< "step 12"
    QString shorter;       ///< "12"
    QString shortest;      ///< where even that has no room; empty where there is no shorter one
};

/// The names of steps below the bars of a chart: in full where all have room, else the shorter ones, with a title at
/// their left; where even those are too long, every second, fifth, tenth and so on. None is cut. It belongs to the
/// chart; the labels of the axis below must leave the line free.
class StepNames : public WordsBelowAxis {
  public:
    struct Words {
        std::vector<StepBars> steps;
        QString title;             ///< of the shorter names
        bool below_names = false;  ///< the first line is that of the names of bars
    };
    /// `of` places the bars.
    StepNames(QChart& chart, QAbstractSeries& of, Words words, const QFont& font, const QColor& color);

    [[nodiscard]] QRectF boundingRect() const override;

  protected:
    [[nodiscard]] std::vector<Placed> placed() const override;

  private:
    /// The names in full; nothing where one has no room.
    [[nodiscard]] std::vector<Placed> whole() const;
    /// The shorter names of every `every`-th step; nothing if one of them does not fit.
    [[nodiscard]] std::vector<Placed> shorter(std::size_t every) const;
    /// The middle of a step's bars.
    [[nodiscard]] double middleOf(const StepBars& step) const;
    /// How much room a step has for its name before that of the next one begins.
    [[nodiscard]] double roomOf(const StepBars& step) const;
    [[nodiscard]] double xOf(double bar) const;
    [[nodiscard]] double widthOf(const QString& words) const;

    QAbstractSeries& of_;
    Words words_;
};

}  // namespace rankscope::ui
