// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "ui/panels/search/search_results.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The hits of a search, one per row. Cells are made when they are displayed, so that a million hits cost nothing.
class HitsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { kRun, kStart, kLength, kName, kRank, kTrack, kColumns };

    explicit HitsModel(const Theme& theme, QObject* parent = nullptr);

    /// `results` are of `runs`; nullptr for none.
    void set(const OpenRuns& runs, std::shared_ptr<const SearchResults> results);
    /// Uses the fonts of this theme from now on.
    void setTheme(const Theme& theme);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString cell(std::size_t row, int column) const;
    /// The value for kExactRole.
    [[nodiscard]] QVariant exact(std::size_t row, int column) const;

    Theme theme_;
    OpenRuns runs_;
    std::shared_ptr<const SearchResults> results_;
};

}  // namespace rankscope::ui
