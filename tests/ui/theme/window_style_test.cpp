// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QTest>
#include <QTreeWidget>

#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

TEST(WindowStyle, ButtonsOfDialogsHaveNoIcons) {
    const WindowStyle style;
    EXPECT_EQ(style.styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons), 0);
}

/// How many pixels the sign of a closed branch takes beside text of this size.
int pixelsOfBranch(double points) {
    const WindowStyle style;
    QTreeWidget tree;
    QFont font = tree.font();
    font.setPointSizeF(points);
    tree.setFont(font);
    QStyleOptionViewItem option;
    option.initFrom(&tree);
    option.rect = QRect(0, 0, 40, 40);
    option.state |= QStyle::State_Children;
    QImage image(option.rect.size(), QImage::Format_RGB32);
    image.fill(option.palette.color(QPalette::Base));
    const QRgb behind = image.pixel(0, 0);
    QPainter painter(&image);
    style.drawPrimitive(QStyle::PE_IndicatorBranch, &option, &painter, &tree);
    painter.end();
    int drawn = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            drawn += image.pixel(x, y) != behind ? 1 : 0;
        }
    }
    return drawn;
}

TEST(WindowStyle, SignsOfBranchesGrowWithTheText) {
    ASSERT_GT(pixelsOfBranch(10), 0);
    EXPECT_GT(2 * pixelsOfBranch(20), 3 * pixelsOfBranch(10));
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
