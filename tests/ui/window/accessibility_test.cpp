// SPDX-License-Identifier: GPL-3.0-or-later
// Everything can be reached with the keyboard, and says what it is.
#include <QAccessible>
#include <QApplication>
#include <QSet>

#include "tests/ui/window/window_fixture.h"
#include "ui/timeline/overview.h"

namespace rankscope::ui {
namespace {

class Accessibility : public test::WindowTest {
  protected:
    void SetUp() override { ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)})); }
};

TEST_F(Accessibility, TabLeadsThroughTheWindowAndBack) {
    workspace().timeline().setFocus();
    const QSet<QWidget*> seen = test::tabStops(200);
    EXPECT_EQ(QApplication::focusWidget(), &workspace().timeline()) << "no panel keeps the keyboard to itself";
    EXPECT_GE(seen.size(), 5);
}

TEST_F(Accessibility, WhatHasTheKeyboardShowsIt) {
    workspace().setBottomPanelVisible(true);
    const auto look = [this](const QWidget& at) {
        return window().grab(QRect(at.mapTo(&window(), QPoint()), at.size())).toImage();
    };
    for (const char* panel : {"check", "details", "area", "steps", "charts", "tables", "path", "grid", "collectives",
                              "hits", "clocks", "health", "query"}) {
        workspace().showPanel(QLatin1String(panel));
        workspace().timeline().setFocus(Qt::TabFocusReason);
        QSet<QWidget*> seen;
        for (QWidget* stop = &workspace().timeline(); !seen.contains(stop); stop = QApplication::focusWidget()) {
            seen.insert(stop);
            const QImage with = look(*stop);
            QTest::keyClick(stop, Qt::Key_Tab);
            EXPECT_NE(with, look(*stop)) << panel << ": " << stop->metaObject()->className() << " "
                                         << stop->accessibleName().toStdString();
        }
    }
}

TEST_F(Accessibility, TheControlsOfTheTimelineComeRightBehindIt) {
    workspace().timeline().setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget(), &workspace().timeline().overview());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_TRUE(workspace().timeline().overview().isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget()->accessibleName(), QStringLiteral("Order of the ranks"));
}

}  // namespace
}  // namespace rankscope::ui
