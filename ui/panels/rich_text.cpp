// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/rich_text.h"

#include <QScrollBar>

#include "ui/panels/words.h"

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
    // Emptying the document would hide the scroll bar and filling it show it again: each lays the whole text out.
    setVerticalScrollBarPolicy(verticalScrollBar()->isVisible() ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    setHtml(QStringLiteral("<body>%1</body>").arg(html));
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void RichText::keepFreeAtRight(int pixels) {
    setViewportMargins(0, 0, pixels, 0);
}

}  // namespace rankscope::ui
