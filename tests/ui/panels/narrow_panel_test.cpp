// SPDX-License-Identifier: GPL-3.0-or-later
// What a panel does where it is narrow.
#include "ui/widgets/wrapping_row.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QPushButton>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>
#include <array>

#include "tests/ui/widget_parts.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/turning_splitter.h"

namespace rankscope::ui {
namespace {

constexpr int kGap = 6;
constexpr int kWidth = 100;
constexpr int kHeight = 24;

class Wrapping : public testing::Test {
  protected:
    Wrapping() {
        auto* lines = new QVBoxLayout(&panel);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(kGap);
        for (QPushButton*& button : buttons) {
            button = new QPushButton;
            button->setMinimumSize(kWidth, kHeight);
            button->setMaximumHeight(kHeight);
        }
        buttons[2]->setMaximumWidth(150);
        row->addWidget(buttons[0]);
        row->addWidget(buttons[1]);
        row->addWidget(buttons[2], 1);
        row->addStretch();
        row->addWidget(buttons[3]);
        lines->addLayout(row);
        lines->addWidget(rest, 1);
    }
    void show(int width) {
        panel.resize(width, 300);
        panel.show();
        QCoreApplication::processEvents();
    }
    [[nodiscard]] int rowOf(std::size_t button) const { return buttons[button]->y() / (kHeight + kGap); }

    QWidget panel;
    WrappingRow* row = new WrappingRow;
    QWidget* rest = new QWidget;
    std::array<QPushButton*, 4> buttons{};
};

TEST_F(Wrapping, WhereThereIsRoomAllAreInOneRowAsInABox) {
    show(700);
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        EXPECT_EQ(rowOf(i), 0) << i;
    }
    EXPECT_EQ(buttons[1]->x(), kWidth + kGap);
    EXPECT_EQ(buttons[2]->width(), 150) << "it takes what is left, up to its greatest width";
    EXPECT_EQ(buttons[3]->geometry().right(), 699) << "the stretch puts it at the end";
    EXPECT_EQ(rest->y(), kHeight);
}

TEST_F(Wrapping, WhereThereIsNoneItGoesOnBelowAndPushesWhatFollowsDown) {
    show(2 * kWidth + kGap);
    EXPECT_EQ(rowOf(1), 0);
    EXPECT_EQ(rowOf(2), 1);
    EXPECT_EQ(buttons[2]->x(), 0);
    EXPECT_EQ(rowOf(3), 1);
    EXPECT_EQ(rest->y(), 2 * kHeight + kGap);
    show(kWidth);
    EXPECT_EQ(rowOf(3), 3);
    EXPECT_EQ(panel.minimumSizeHint().width(), kWidth) << "it does not make its window wider";
}

TEST_F(Wrapping, WhatIsHiddenTakesNoRoom) {
    buttons[0]->hide();
    show(2 * kWidth + kGap);
    EXPECT_EQ(buttons[1]->x(), 0);
    EXPECT_EQ(rowOf(2), 0);
    EXPECT_EQ(rowOf(3), 1);
}

TEST(Turning, TwoPartsAreAboveEachOtherWhereThereIsNoRoomSideBySide) {
    TurningSplitter parts(QStringLiteral("Two parts"));
    auto* first = new QWidget;
    auto* second = new QWidget;
    parts.addWidget(first);
    parts.addWidget(second);
    parts.resize(1200, 400);
    parts.show();
    EXPECT_EQ(first->height(), 400);
    EXPECT_GT(second->x(), 100);
    parts.resize(300, 400);
    EXPECT_EQ(first->width(), 300);
    EXPECT_EQ(second->x(), 0);
    EXPECT_GT(second->y(), 100);
    parts.resize(1200, 400);
    EXPECT_EQ(second->y(), 0);
}

TEST(Elided, ATitleWithoutRoomIsWholeWhereThePointerRests) {
    const QString words = QStringLiteral("all-reduce in <default_pg>, 4 ranks, inside one host");
    ElidedLabel title("heading");
    title.setText(words);
    for (const int width : {title.sizeHint().width() + 20, 90}) {
        title.resize(width, 24);
        title.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&title));
        (void)test::tipAt(title, QPoint(5, 5));
        EXPECT_EQ(QToolTip::isVisible(), width == 90) << "what is whole needs no tip";
        EXPECT_EQ(title.text(), words) << "a screen reader is told all of it";
    }
    EXPECT_EQ(QToolTip::text(), plainTip(words));
    QToolTip::hideText();
    EXPECT_LT(title.minimumSizeHint().width(), 90);
}

TEST_F(Wrapping, WhatWrapsInsideOfARowHasTheHeightThatItNeedsThere) {
    auto* choices = new QWidget;
    auto* inner = new WrappingRow(choices);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(kGap);
    std::array<QPushButton*, 3> inside{};
    for (QPushButton*& button : inside) {
        button = new QPushButton;
        button->setMinimumSize(kWidth, kHeight);
        button->setMaximumHeight(kHeight);
        inner->addWidget(button);
    }
    for (QPushButton* button : buttons) {
        button->hide();
    }
    row->addWidget(choices);
    show(2 * kWidth + kGap);
    EXPECT_EQ(inside[2]->y(), kHeight + kGap);
    EXPECT_GE(choices->height(), 2 * kHeight + kGap) << "else the last of them are cut";
    EXPECT_EQ(rest->y(), 2 * kHeight + kGap);
}

TEST_F(Wrapping, AHeadlineThatMayBeCutIsNotCutToNothing) {
    auto* title = new ElidedLabel("heading");
    title->setText(QStringLiteral("MFU 9.4 % and what else there is to say of it in a line that is long"));
    QWidget holder;
    auto* lines = new QVBoxLayout(&holder);
    lines->setContentsMargins(0, 0, 0, 0);
    auto* line = new WrappingRow;
    line->addWidget(title, 1);
    auto* choice = new QPushButton;
    choice->setFixedSize(3 * kWidth, kHeight);
    line->addWidget(choice);
    lines->addLayout(line);
    lines->addStretch();
    holder.resize(3 * kWidth + 20, 200);
    holder.show();
    QCoreApplication::processEvents();
    EXPECT_EQ(title->width(), holder.width()) << "it has a row of its own";
    EXPECT_GT(choice->y(), title->y());
    holder.resize(1'000, 200);
    QCoreApplication::processEvents();
    EXPECT_NEAR(title->geometry().center().y(), choice->geometry().center().y(), 2);
    EXPECT_GE(title->width(), 600);
}

}  // namespace
}  // namespace rankscope::ui
