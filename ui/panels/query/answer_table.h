// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QTableView>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ui/panels/query/answer.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

class AnswerModel;

/// An answer as a table. A click on a cell that names a slice, a rank or a step follows it; a drag selects rows. Enter
/// follows the current cell, or the first one of its row that leads somewhere.
class AnswerTable : public QTableView {
    Q_OBJECT

  public:
    explicit AnswerTable(const Theme& theme, QWidget* parent = nullptr);

    /// nullptr for none.
    void setAnswer(const std::shared_ptr<const Answer>& answer);
    /// Uses the fonts and colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The rows that are selected, in ascending order.
    [[nodiscard]] std::vector<std::size_t> selectedRows() const;

  Q_SIGNALS:
    /// A cell was followed.
    void followed(const rankscope::ui::CellTarget& target);
    /// Ctrl+C.
    void copyAsked();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    void fitColumns();
    void followRow(const QModelIndex& current);

    AnswerModel* model_;
    std::optional<QPointF> pressed_at_;  // where a click may end: no key is held, and nothing is dragged
};

}  // namespace rankscope::ui
