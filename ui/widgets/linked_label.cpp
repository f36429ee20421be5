// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/linked_label.h"

#include <QFocusEvent>
#include <QTextDocumentFragment>

namespace rankscope::ui {

LinkedLabel::LinkedLabel(const char* role, QWidget* parent) : WrappedLabel({}, role, parent) {
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
}

void LinkedLabel::write(const QString& html) {
    if (html != text()) {
        const bool on_link = hasFocus();
        forgetHeights();
        setText(html);
        if (on_link) {  // otherwise the keyboard would be on no link; the caller may be a link of this text
            QMetaObject::invokeMethod(
                this, [this] { focusNextPrevChild(true); }, Qt::QueuedConnection);
        }
        setAccessibleName(words());
        updateGeometry();
    }
}

void LinkedLabel::focusInEvent(QFocusEvent* event) {
    WrappedLabel::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) {
        focusNextPrevChild(event->reason() == Qt::TabFocusReason);
    }
}

QString LinkedLabel::words() const {
    return QTextDocumentFragment::fromHtml(text()).toPlainText();
}

}  // namespace rankscope::ui
