// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <optional>
#include <vector>

#include "ui/timeline/rows/rank_arrangement.h"

class QAction;
class QActionGroup;
class QMenu;

namespace rankscope::ui {

/// For people: "By lateness".
[[nodiscard]] QString rankOrderTitle(RankOrder order);
/// For people, about headings over ranks: "Under headings: pipeline"; "Without headings" for nothing.
[[nodiscard]] QString groupingTitle(std::optional<Role> role);

/// The button over the names that shows the order of the ranks. Its menu chooses another order, headings by a dimension
/// of the grid, and whether ranks that are alike share a row.
class RankOrderButton : public QPushButton {
    Q_OBJECT

  public:
    explicit RankOrderButton(QWidget* parent);

    /// Shows the current choice, without changing it. `dimensions` are the possible ones for headings.
    void showChoice(const RankArrangement& chosen, const std::vector<Role>& dimensions, bool alike_folded);

  Q_SIGNALS:
    /// The user wants the ranks in this order.
    void orderChosen(rankscope::RankOrder order);
    /// The user wants the ranks under headings by their places in this dimension, or without headings.
    void groupingChosen(std::optional<rankscope::Role> role);
    /// The user wants ranks that are alike in one row, or not.
    void alikeFoldedChosen(bool folded);

  private:
    void offer(const std::vector<Role>& dimensions);

    QMenu* menu_;
    QActionGroup* orders_;     // as RankOrder
    QActionGroup* groupings_;  // none, then as dimensions_
    std::vector<Role> dimensions_;
    QAction* fold_;
};

}  // namespace rankscope::ui
