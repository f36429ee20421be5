// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "core/analysis/device/area_groups.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace rankscope::ui {

class TurningSplitter;

/// The sums of the area on the timeline, live: its slices grouped by name or another key, and where the time of each of
/// its ranks went. A thread sums once the area is at rest; the old sums stay until the new ones are there.
class AreaPanel : public QWidget {
    Q_OBJECT

  public:
    explicit AreaPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these runs from now on; forgets the area of the old ones.
    void setRuns(const OpenRuns& runs);
    /// Draws the bars in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Sums this area on a thread and shows the result; nothing: says that there is no area.
    void showArea(const std::optional<AreaSelection>& area);

    /// The text of the panel above its tables, as plain text.
    [[nodiscard]] QString summary() const;
    /// The table of grouped slices, for tests.
    [[nodiscard]] const QTableWidget& groups() const { return *groups_; }
    /// The table of where the time of each rank went, for tests.
    [[nodiscard]] const QTableWidget& ranks() const { return *ranks_; }
    /// Waits for the sums: for screenshots and tests.
    void finish();
    /// Whether the sums of the area are not there yet.
    [[nodiscard]] bool busy() const { return rest_.isActive() || job_.busy(); }

  private:
    /// Sums the current area.
    void addUp();
    void showNothing();
    /// Offers the classes of the area's slices.
    void offerClasses(const std::vector<std::string>& classes);
    [[nodiscard]] QWidget* makeChoices();
    [[nodiscard]] AreaQuery query() const;
    void show(const AreaSelection& area, const AreaSums& sums);
    void fillGroups(const AreaGroups& groups, const AreaQuery& query);
    void fillRanks(const AnalysedRun& run, const AreaSums& sums);

    Theme theme_;
    OpenRuns runs_;
    std::optional<AreaSelection> area_;
    bool classes_told_ = false;  // the classes of the area are offered
    QLabel* title_;
    QLabel* about_;
    QComboBox* by_;
    QComboBox* then_by_;
    QComboBox* class_;
    QLineEdit* filter_;
    QTableWidget* groups_;
    QTableWidget* ranks_;
    TurningSplitter* sums_;  // both tables; visible only while there is an area
    QTimer rest_;            // while it runs, the area may still change
    LatestJob job_;
};

}  // namespace rankscope::ui
