// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

#include "core/diagnosis/rank_groups.h"

class QAction;
class QActionGroup;

namespace rankscope::ui {

/// For people: "By lateness".
[[nodiscard]] QString rankOrderTitle(RankOrder order);

/// The button over the names that tells in which order the ranks stand, with a menu to choose another one and whether
/// ranks that nothing tells apart are one row.
class RankOrderButton : public QPushButton {
    Q_OBJECT

  public:
    explicit RankOrderButton(QWidget* parent);

    /// Shows what is chosen; chooses nothing.
    void showChoice(RankOrder order, bool alike_folded);

  Q_SIGNALS:
    /// The user wants the ranks in this order.
    void orderChosen(rankscope::RankOrder order);
    /// The user wants ranks that nothing tells apart as one row, or not.
    void alikeFoldedChosen(bool folded);

  private:
    QActionGroup* orders_;  // as RankOrder
    QAction* fold_;
};

}  // namespace rankscope::ui
