// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace rankscope::ui {

/// Where a window says in a line what was done, or why nothing was: a widget that derives from this, too, and has this
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

/// The board of the window that `from` is in; of a panel in a window of its own, that of the window that it belongs to.
/// nullptr where there is none.
[[nodiscard]] NoticeBoard* noticeBoardOf(const QWidget& from);
/// Says there for a while why a command did nothing, where there is a board.
void sayPassing(const QWidget& from, const QString& words);

}  // namespace rankscope::ui
