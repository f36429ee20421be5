// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QTest>
#include <QTextBrowser>

namespace rankscope::ui {

/// Sends a real click to the link `name` of a document, where it is drawn.
inline void clickLink(QTextBrowser& browser, const QString& name) {
    const QTextCursor found = browser.document()->find(name);
    ASSERT_FALSE(found.isNull()) << "no link " << name.toStdString();
    QTextCursor before = found;
    before.setPosition(found.selectionStart());
    browser.setTextCursor(before);
    browser.ensureCursorVisible();
    QTextCursor middle = found;
    middle.setPosition((found.selectionStart() + found.selectionEnd()) / 2);
    QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, browser.cursorRect(middle).center());
}

}  // namespace rankscope::ui
