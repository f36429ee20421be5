// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/panels/open_runs.h"

class QTreeWidget;

namespace rankscope::ui {

/// What the files of each rank held, and what in them was missing or wrong.
class HealthPanel : public QWidget {
    Q_OBJECT

  public:
    explicit HealthPanel(QWidget* parent = nullptr);
    /// Written when it is seen: while a run is loading it is set once more for each of its files.
    void setRuns(const OpenRuns& runs);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void fill();

    OpenRuns runs_;
    bool stale_ = false;
    QTreeWidget* tree_;
};

}  // namespace rankscope::ui
