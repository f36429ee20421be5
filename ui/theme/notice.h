// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace rankscope::ui {

/// Where a window says in a line what was done, or why nothing was: a widget that also derives from this, and has this
/// name among the children of the window.
class NoticeBoard {
  public:
    static constexpr const char* kObjectName = "notice-board";

    NoticeBoard() = default;
    virtual ~NoticeBoard() = default;
    NoticeBoard(const NoticeBoard&) = delete;
    NoticeBoard& operator=(const NoticeBoard&) = delete;
    NoticeBoard(NoticeBoard&&) = delete;
    NoticeBoard& operator=(NoticeBoard&&) = delete;

    /// Says that something has been done, until the user dismisses it.
    virtual void showNotice(const QString& title, const QString& about) = 0;
    /// Says why a command did nothing, for a while.
    virtual void showPassing(const QString& words) = 0;
};

/// The board of the window of `from`; for a panel in its own window, that of the main window. nullptr if there is none.
[[nodiscard]] NoticeBoard* noticeBoardOf(const QWidget& from);
/// Shows there for a while why a command did nothing, if there is a board.
void sayPassing(const QWidget& from, const QString& words);

}  // namespace rankscope::ui
