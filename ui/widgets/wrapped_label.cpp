// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrapped_label.h"

#include <QEvent>
#include <QFontMetrics>

namespace rankscope::ui {
namespace {

constexpr qsizetype kWidthsKept = 8;  // while a splitter is dragged, each step has a new width

}  // namespace

WrappedLabel::WrappedLabel(const QString& words, const char* role, QWidget* parent) : QLabel(words, parent) {
    setProperty("role", QLatin1String(role));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
}

// The height of one line: the layout gets the height of the text from heightForWidth().
QSize WrappedLabel::sizeHint() const {
    return {0, fontMetrics().height()};
}

QSize WrappedLabel::minimumSizeHint() const {
    return sizeHint();
}

int WrappedLabel::heightForWidth(int width) const {
    if (const auto known = heights_.constFind(width); known != heights_.cend()) {
        return *known;
    }
    if (heights_.size() >= kWidthsKept) {
        heights_.clear();
    }
    const int height = QLabel::heightForWidth(width);
    heights_.insert(width, height);
    return height;
}

void WrappedLabel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        heights_.clear();
    }
    QLabel::changeEvent(event);
}

}  // namespace rankscope::ui
