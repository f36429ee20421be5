// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace rankscope::ui {

/// A panel that is filled when it is visible: behind other tabs it costs nothing, although the runs are set once for
/// each file read and may have hundreds of ranks.
class DeferredPanel : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

  protected:
    /// Its content is out of date: refreshes it now if it is visible, else when it appears.
    void outdate();
    /// Shows the current content. Called only while the panel is visible.
    virtual void refresh() = 0;
    /// Rows of a long list that are filled in one event: there may be a thousand ranks.
    static constexpr int kRowsAtOnce = 200;
    /// Fills the next rows of a list that refresh() has begun.
    virtual void fillOn() {}
    /// Calls fillOn() in a later event. A panel that is hidden by then starts again when it is visible: the runs may
    /// have changed.
    void fillLater();
    void showEvent(QShowEvent* event) override;

  private:
    bool stale_ = true;
    bool fills_later_ = false;
};

}  // namespace rankscope::ui
