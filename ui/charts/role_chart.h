// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/charts/run_chart.h"

class QGraphicsItem;

namespace rankscope::ui {

/// The exposed communication of each rank by the roles of its groups: a stacked bar per rank, the mean of its steps. Of
/// a large run, the ranks with most exposed communication.
class RoleChart : public RunChart {
    Q_OBJECT

  public:
    explicit RoleChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;
    void refresh() override;

  private:
    /// The ranks that have a bar, by position.
    [[nodiscard]] std::vector<RankPosition> shownRanks() const;
    /// The mean over the steps of a rank.
    [[nodiscard]] RoleTimes meanOf(RankPosition rank) const;
    [[nodiscard]] QString words(RankPosition rank) const;
    void nameBars(QAbstractSeries& bars, const std::vector<RankPosition>& ranks);
    /// Shows the step of a rank with most exposed communication.
    void activate(RankPosition rank);

    QGraphicsItem* names_ = nullptr;  // the names of the bars, owned by the chart
};

}  // namespace rankscope::ui
