// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <memory>

#include "ui/panels/compute/calls_request.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// A call tree as a table with rows that unfold: the calls with any value of the measure, the largest first.
class CallTreeModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column : std::uint8_t { Name, Total, Share, Own, Calls, Before, More, kColumns };

    using QAbstractItemModel::QAbstractItemModel;

    /// Shows these calls; nullptr shows nothing.
    void setCalls(std::shared_ptr<const ShownCalls> calls);
    /// The node of a row.
    [[nodiscard]] static std::uint32_t nodeOf(const QModelIndex& index);
    /// The row of a node; invalid for the root, and for nodes whose measure is zero.
    [[nodiscard]] QModelIndex indexOf(std::uint32_t node) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString words(const CallNode& node, int column) const;

    std::shared_ptr<const ShownCalls> calls_;
};

}  // namespace rankscope::ui
