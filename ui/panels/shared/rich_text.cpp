// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/rich_text.h"

#include <QMimeData>
#include <QScrollBar>
#include <QTextCursor>
#include <QTextDocumentFragment>

#include "ui/panels/shared/words.h"

namespace rankscope::ui {

RichText::RichText(const QString& accessible_name, int margin, QWidget* parent) : QTextBrowser(parent) {
    setAccessibleName(accessible_name);
    setOpenLinks(false);
    setAcceptDrops(false);
    setUndoRedoEnabled(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDocumentMargin(margin);
}

void RichText::write(const QString& html, const Theme& theme) {
    const QString style = documentStyle(theme);
    const bool restyled = style != document()->defaultStyleSheet();
    if (html == html_ && !restyled) {
        return;
    }
    if (restyled) {
        document()->setDefaultStyleSheet(style);
    }
    html_ = html;
    // Emptying the document would hide the scroll bar and filling it would show it again: each lays out the whole text.
    setVerticalScrollBarPolicy(verticalScrollBar()->isVisible() ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    setHtml(QStringLiteral("<body>%1</body>").arg(html));
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

// A copied name that contains its break opportunities could not be found anywhere.
QMimeData* RichText::createMimeDataFromSelection() const {
    const QTextDocumentFragment selected = textCursor().selection();
    auto* copied = new QMimeData;
    copied->setText(selected.toPlainText().remove(QChar(kMayBreak)));
    copied->setHtml(selected.toHtml().remove(QChar(kMayBreak)));
    return copied;
}

void RichText::keepFreeAtRight(int pixels) {
    setViewportMargins(0, 0, pixels, 0);
}

}  // namespace rankscope::ui
