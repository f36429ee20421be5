// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/theme/theme.h"
#include "ui/window/session/session.h"

class QMimeData;

namespace rankscope::ui {

/// The local files and folders of a drag; empty if there are none.
[[nodiscard]] QStringList droppedPaths(const QMimeData* data);

/// Accepts files and folders that are dropped anywhere on a window; a veil over the window says what dropping would do.
class DropTarget : public QWidget {
    Q_OBJECT

  public:
    /// A drop can be compared with the session's run, or added to its runs.
    DropTarget(QWidget* window, const Theme& theme, const Session& session);

    /// Draws the veil in the colours of this theme from now on.
    void setTheme(const Theme& theme);

  Q_SIGNALS:
    /// The user has dropped local files or folders.
    void dropped(const QStringList& paths, rankscope::ui::OpenMode mode);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QString what() const;
    [[nodiscard]] QString otherwise() const;
    bool enter(QDragMoveEvent* event);
    bool drop(QDropEvent* event);

    Theme theme_;
    const Session& session_;
    OpenMode mode_ = OpenMode::Replace;
    qsizetype count_ = 0;
    bool snapshots_ = false;  // the drag contains memory snapshots
};

}  // namespace rankscope::ui
