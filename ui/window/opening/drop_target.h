// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>

#include "ui/compare/compared_runs.h"
#include "ui/theme/theme.h"
#include "ui/window/session/session.h"

class QMimeData;

namespace rankscope::ui {

/// The local files and folders in what is dragged; empty where there are none.
[[nodiscard]] QStringList droppedPaths(const QMimeData* data);

/// Takes files and folders that are dropped anywhere on a window, and shows that they may be: a veil over the window
/// says what dropping would do.
class DropTarget : public QWidget {
    Q_OBJECT

  public:
    /// What is dropped can be compared with the session's run, or added to its runs.
    DropTarget(QWidget* window, const Theme& theme, const Session& session);

    /// The side of a comparison at a place of the screen; nothing where none is shown.
    using SideAt = std::function<std::optional<Side>(const QPoint& on_screen)>;
    /// What is dropped with Alt on a side is for that side from now on.
    void setSides(SideAt side_at) { side_at_ = std::move(side_at); }
    /// Draws the veil in the colours of this theme from now on.
    void setTheme(const Theme& theme);

  Q_SIGNALS:
    /// The user has dropped local files or folders.
    void dropped(const QStringList& paths, rankscope::ui::OpenMode mode);
    /// The user has dropped recordings on a side of the comparison.
    void droppedOn(rankscope::ui::Side side, const QStringList& paths);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QString what() const;
    [[nodiscard]] QString otherwise() const;
    bool enter(QDragMoveEvent* event);
    bool drop(QDropEvent* event);
    /// What `event` is over a side of, where it may be dropped there.
    [[nodiscard]] std::optional<Side> sideOf(const QDropEvent& event) const;

    Theme theme_;
    const Session& session_;
    OpenMode mode_ = OpenMode::Replace;
    qsizetype count_ = 0;
    std::optional<CompanionKind> companions_;  // all that is dragged is of this kind, and no run
    SideAt side_at_;
    std::optional<Side> side_;  // that it is over
};

}  // namespace rankscope::ui
