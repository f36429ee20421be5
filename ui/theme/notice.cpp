// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/notice.h"

#include <QWidget>

namespace rankscope::ui {

NoticeBoard* noticeBoardOf(const QWidget& from) {
    for (const QWidget* in = from.window(); in != nullptr; in = in->parentWidget()) {
        auto* board = in->findChild<QWidget*>(QLatin1String(NoticeBoard::kObjectName));
        if (auto* found = dynamic_cast<NoticeBoard*>(board)) {
            return found;
        }
    }
    return nullptr;
}

void sayPassing(const QWidget& from, const QString& words) {
    if (NoticeBoard* const board = noticeBoardOf(from)) {
        board->showPassing(words);
    }
}

}  // namespace rankscope::ui
