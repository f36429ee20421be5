// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/pull_out.h"

#include <QApplication>
#include <QWidget>
#include <utility>

namespace rankscope::ui {

PullOut::PullOut(QWidget& row) : QObject(&row), row_(row) {}

void PullOut::press(QWidget* panel) {
    held_ = panel;
}

bool PullOut::move(const QPoint& at) {
    const int reach = QApplication::startDragDistance();
    const QRect row = row_.rect().adjusted(-reach, -reach, reach, reach);
    if (held_ != nullptr && !dragging_ && !row.contains(row_.mapFromGlobal(at))) {
        dragging_ = true;
        row_.grabKeyboard();  // to get Esc, whichever widget has the keyboard
        row_.setCursor(Qt::ClosedHandCursor);
    }
    if (dragging_) {
        Q_EMIT dragged(held_, at);
    }
    return dragging_;
}

bool PullOut::release(const QPoint& at) {
    QWidget* panel = std::exchange(held_, nullptr);
    if (!dragging_) {
        return false;
    }
    end();
    Q_EMIT dropped(panel, at);
    return true;
}

void PullOut::cancel() {
    if (dragging_) {
        held_ = nullptr;
        end();
        Q_EMIT cancelled();
    }
}

void PullOut::end() {
    dragging_ = false;
    row_.releaseKeyboard();
    row_.unsetCursor();
}

}  // namespace rankscope::ui
