// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/theme/theme.h"
#include "ui/window/session.h"

class QMimeData;

namespace rankscope::ui {

/// The local files and folders in what is dragged; empty where there are none.
[[nodiscard]] QStringList droppedPaths(const QMimeData* data);

/// Takes files and folders that are dropped anywhere on a window, and shows that they may be: a veil over the window
/// says what dropping would do.
class DropTarget : public QWidget {
    Q_OBJECT

  public:
    DropTarget(QWidget* window, const Theme& theme);

    void setTheme(const Theme& theme);
    /// Whether something is open, so that dropping could stand beside it.
    void setSomethingOpen(bool open) { something_open_ = open; }

  Q_SIGNALS:
    void dropped(const QStringList& paths, rankscope::ui::OpenMode mode);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    bool enter(QDragMoveEvent* event);
    bool drop(QDropEvent* event);

    Theme theme_;
    OpenMode mode_ = OpenMode::Replace;
    bool something_open_ = false;
    qsizetype count_ = 0;
};

}  // namespace rankscope::ui
