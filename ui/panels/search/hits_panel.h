// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstddef>
#include <memory>
#include <optional>

#include "ui/panels/search/search_results.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"

class QLabel;
class QTableView;

namespace rankscope::ui {

class HitsModel;

/// The hits of the search as a table. The current or clicked row is shown on the timeline.
class HitsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit HitsPanel(const Theme& theme, QWidget* parent = nullptr);

    /// `results` are of `runs`; nullptr while there is no search.
    void setResults(const OpenRuns& runs, const std::shared_ptr<const SearchResults>& results);
    /// Draws the table in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Marks a row without hitActivated.
    void setCurrent(std::optional<std::size_t> hit);

  Q_SIGNALS:
    /// The user has chosen the hit with this index in SearchResults.
    void hitActivated(std::size_t hit);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    bool quiet_ = false;  // the row changes without a choice of the user
    HitsModel* model_;
    QTableView* table_;
    QLabel* about_;
};

}  // namespace rankscope::ui
