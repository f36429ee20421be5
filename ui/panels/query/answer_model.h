// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "ui/panels/query/answer.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The rows of an answer. Cells are made when they are displayed: a hundred thousand rows cost nothing.
class AnswerModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    explicit AnswerModel(const Theme& theme, QObject* parent = nullptr);

    /// nullptr for none.
    void set(std::shared_ptr<const Answer> answer);
    /// Uses the fonts and colours of this theme from now on.
    void setTheme(const Theme& theme);
    [[nodiscard]] const std::shared_ptr<const Answer>& answer() const { return answer_; }
    /// What a cell leads to.
    [[nodiscard]] CellTarget targetOf(const QModelIndex& index) const;
    /// The longest texts of a column, as far as that is known without reading all rows, to measure them.
    [[nodiscard]] QStringList longTextsOf(int column) const;

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

  private:
    [[nodiscard]] static QString shown(const tables::Value& value, const AnswerColumn& column);
    [[nodiscard]] QString tip(const QModelIndex& index) const;
    [[nodiscard]] QVariant colour(const QModelIndex& index) const;

    Theme theme_;
    std::shared_ptr<const Answer> answer_;
};

}  // namespace rankscope::ui
