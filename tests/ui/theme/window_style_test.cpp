// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>

#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

TEST(WindowStyle, ButtonsOfDialogsHaveNoIcons) {
    const WindowStyle style;
    EXPECT_EQ(style.styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons), 0);
}

/// The colour of a button of a choice between its border and its words.
QRgb backOf(bool checked, bool focused) {
    QWidget window;
    window.setStyleSheet(Theme::darkTheme().styleSheet());
    QPushButton button(QStringLiteral("Tree"), &window);
    button.setProperty("role", QStringLiteral("choice"));
    button.setCheckable(true);
    button.setChecked(checked);
    button.resize(80, 24);
    QPushButton other(&window);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    (focused ? button : other).setFocus();
    return button.grab().toImage().pixel(4, 12);
}

TEST(StyleSheet, OnlyTheChosenOfSeveralButtonsLooksChosen) {
    EXPECT_NE(backOf(true, false), backOf(false, false));
    EXPECT_EQ(backOf(false, true), backOf(false, false)) << "the focus is a border";
}

}  // namespace
}  // namespace rankscope::ui
