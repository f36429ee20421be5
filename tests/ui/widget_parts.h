// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

namespace rankscope::test {

/// The text of all labels in a widget, each with a line feed behind it.
[[nodiscard]] inline QString labelWords(const QWidget& in) {
    QString all;
    for (const QLabel* label : in.findChildren<QLabel*>()) {
        all += label->text() + QLatin1Char('\n');
    }
    return all;
}

/// The first button in a widget with this text; nullptr where there is none.
[[nodiscard]] inline QPushButton* buttonIn(const QWidget& in, const QString& text) {
    const QList<QPushButton*> all = in.findChildren<QPushButton*>();
    const auto found = std::ranges::find(all, text, &QPushButton::text);
    return found == all.end() ? nullptr : *found;
}

/// The first widget of its kind in another with this accessible name; fails the test where there is none.
template <class Widget>
[[nodiscard]] Widget& named(const QWidget& in, const QString& name) {
    const QList<Widget*> all = in.findChildren<Widget*>();
    const auto found = std::ranges::find(all, name, &QWidget::accessibleName);
    EXPECT_NE(found, all.end()) << name.toStdString();
    return **found;
}

/// Clicks on the first button with this text; fails the test where there is none.
inline void clickButton(const QWidget& in, const QString& text) {
    QPushButton* const button = buttonIn(in, text);
    ASSERT_NE(button, nullptr) << text.toStdString();
    QTest::mouseClick(button, Qt::LeftButton);
}

// Sent directly: QTest moves the real cursor, and there is none off screen.

/// Moves the pointer to a point of a widget, with these buttons and keys held.
inline void moveTo(QWidget& on, const QPointF& at, Qt::MouseButtons held = Qt::NoButton,
                   Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QMouseEvent move(QEvent::MouseMove, at, on.mapToGlobal(at), Qt::NoButton, held, keys);
    QApplication::sendEvent(&on, &move);
}

/// Presses or releases the left button, or moves with it held.
inline void sendLeft(QWidget& on, QEvent::Type type, const QPointF& at) {
    const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, on.mapToGlobal(at), Qt::LeftButton, held, Qt::NoModifier);
    QApplication::sendEvent(&on, &event);
}

/// Drags with the left button, in two moves.
inline void drag(QWidget& on, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(&on, Qt::LeftButton, keys, from);
    moveTo(on, (from + to) / 2, Qt::LeftButton, keys);
    moveTo(on, to, Qt::LeftButton, keys);
    QTest::mouseRelease(&on, Qt::LeftButton, keys, to);
}

/// Turns the wheel by an angle, in eighths of a degree.
inline void turnWheel(QWidget& on, const QPointF& at, int angle, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent wheel(at, on.mapToGlobal(at), {}, {0, angle}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&on, &wheel);
}

/// Lets the pointer rest on a point of a widget; returns the text of the tip.
inline QString tipAt(QWidget& on, const QPoint& at) {
    QHelpEvent rest(QEvent::ToolTip, at, on.mapToGlobal(at));
    QApplication::sendEvent(&on, &rest);
    return QToolTip::text();
}

/// Asks for the menu of a point of a widget, with the right button.
inline void askMenu(QWidget& on, const QPoint& at) {
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, on.mapToGlobal(at));
    QApplication::sendEvent(&on, &asked);
}

/// Chooses the entry of this title in a menu, and closes it; false where it is not there, or cannot be chosen.
inline bool chooseEntry(QMenu& menu, const QString& title) {
    const QList<QAction*> all = menu.actions();
    const auto entry = std::ranges::find_if(all, [&title](const QAction* each) {
        return each->text().remove(QLatin1Char('&')) == title && each->isEnabled();
    });
    if (entry != all.end()) {
        (*entry)->trigger();
    }
    menu.close();
    return entry != all.end();
}

/// Saves as `path` in the file dialog that opens next.
inline void saveAs(const QString& path) {
    QTimer::singleShot(0, qApp, [path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
    });
}

}  // namespace rankscope::test
