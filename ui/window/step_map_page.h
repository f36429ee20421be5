// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <memory>

#include "core/digest/step_table.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace rankscope::ui {

class HeatLegend;
class StepMapView;

/// The first view of digests of many ranks: all their steps as a map, from their tables, while the slices are being
/// read; and later on request.
class StepMapPage : public QWidget {
    Q_OBJECT

  public:
    explicit StepMapPage(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the steps of the digests of a run; nullptr: none.
    void setTable(const QString& name, std::shared_ptr<const StepTable> table);
    /// Clears the steps if no run of digests of many ranks is open.
    void keepTo(const OpenRuns& runs);
    /// Whether there is something to show.
    [[nodiscard]] bool hasTable() const { return table_ != nullptr; }
    void setTheme(const Theme& theme);
    /// Sets whether the timeline can be shown: the slices are there.
    void setTimelineThere(bool there);
    [[nodiscard]] StepMapView& view() { return *view_; }

  Q_SIGNALS:
    /// The user wants to see the timeline.
    void timelineAsked();

  private:
    void showMap();
    void describe();

    QString name_;
    std::shared_ptr<const StepTable> table_;
    QLabel* title_;
    QLabel* about_;
    QComboBox* measure_;
    QPushButton* timeline_;
    HeatLegend* legend_;
    StepMapView* view_;
};

}  // namespace rankscope::ui
