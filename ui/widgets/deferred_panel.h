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
    /// Rows of a long list that are filled in one event: there may be a thousand ranks.
    static constexpr int kRowsAtOnce = 200;
    /// Fills the next rows of a list that refresh() has begun.
    virtual void fillOn() {}
    /// Calls fillOn() in an event of its own. A panel that is hidden by then begins anew when it is seen again: the
    /// runs may be others.
    void fillLater();
    void showEvent(QShowEvent* event) override;

  private:
    bool stale_ = true;
    bool fills_later_ = false;
};

}  // namespace rankscope::ui
