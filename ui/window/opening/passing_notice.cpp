// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/passing_notice.h"

#include <QAccessible>
#include <QEvent>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>

namespace rankscope::ui {
namespace {

constexpr int kAboveEdge = 56;  // logical pixels: the tabs of the lower panel stay visible
constexpr int kBeside = 16;     // at least, at each side of the widget below

}  // namespace

PassingNotice::PassingNotice(QWidget& over) : QLabel(&over), shown_(new QTimer(this)) {
    setTextFormat(Qt::PlainText);
    setProperty("role", QStringLiteral("passing"));
    setAlignment(Qt::AlignCenter);
    shown_->setSingleShot(true);
    shown_->setInterval(kShownMs);
    connect(shown_, &QTimer::timeout, this, &QWidget::hide);
    over.installEventFilter(this);
    hide();
}

void PassingNotice::say(const QString& words) {
    setText(words);
    place();
    show();
    raise();
    shown_->start();
    QAccessibleEvent heard(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&heard);
}

void PassingNotice::place() {
    const QSize room = parentWidget()->size();
    const int widest = room.width() - 2 * kBeside;
    setWordWrap(false);
    QSize size = sizeHint();
    if (size.width() > widest) {
        setWordWrap(true);
        size = {widest, heightForWidth(widest)};
    }
    setGeometry({{(room.width() - size.width()) / 2, std::max(0, room.height() - kAboveEdge - size.height())}, size});
}

bool PassingNotice::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) {
        place();
    }
    return QLabel::eventFilter(watched, event);
}

void PassingNotice::mousePressEvent(QMouseEvent* event) {
    event->accept();
    hide();
}

void PassingNotice::hideEvent(QHideEvent* event) {
    QLabel::hideEvent(event);
    if (!event->spontaneous()) {
        shown_->stop();
    }
}

}  // namespace rankscope::ui
