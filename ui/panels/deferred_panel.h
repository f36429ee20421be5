// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace rankscope::ui {

/// A panel that is filled when it is seen: behind other tabs it costs nothing, though the runs are set once for each
/// file that is read and may have hundreds of ranks.
class DeferredPanel : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

  protected:
    /// What it shows is out of date: refreshes it now where it is seen, else when it appears.
    void outdate();
    /// Shows what there is now. Called only while the panel is seen.
    virtual void refresh() = 0;
    void showEvent(QShowEvent* event) override;

  private:
    bool stale_ = true;
};

}  // namespace rankscope::ui
