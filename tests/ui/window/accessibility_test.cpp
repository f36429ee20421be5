// SPDX-License-Identifier: GPL-3.0-or-later
// Everything can be reached with the keyboard, and says what it is.
#include <QAccessible>
#include <QApplication>
#include <QSet>
#include <QTest>

#include "tests/ui/window/window_fixture.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

class Accessibility : public test::WindowTest {
  protected:
    void SetUp() override {
        drop({writeRank(0), writeRank(1)});
        ASSERT_TRUE(waitUntilIdle());
    }
};

TEST_F(Accessibility, WhatTakesTheKeyboardHasANameForScreenReaders) {
    Workspace& workspace = window().workspace();
    workspace.setBottomPanelVisible(true);
    for (const char* panel :
         {"check", "details", "steps", "charts", "tables", "path", "grid", "collectives", "hits", "clocks", "health"}) {
        workspace.showPanel(QLatin1String(panel));
        for (QWidget* widget : workspace.findChildren<QWidget*>()) {
            const bool takes = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible();
            if (!takes || widget->focusProxy() != nullptr) {
                continue;
            }
            QAccessibleInterface* known = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(known, nullptr);
            EXPECT_FALSE(known->text(QAccessible::Name).isEmpty())
                << panel << ": " << widget->metaObject()->className() << " " << widget->objectName().toStdString();
        }
    }
}

TEST_F(Accessibility, TabLeadsThroughTheWindowAndBack) {
    Workspace& workspace = window().workspace();
    workspace.timeline().setFocus();
    const QSet<QWidget*> seen = test::tabStops(200);
    EXPECT_EQ(QApplication::focusWidget(), &workspace.timeline()) << "no panel keeps the keyboard to itself";
    EXPECT_GE(seen.size(), 5);
}

TEST_F(Accessibility, WhatHasTheKeyboardShowsIt) {
    Workspace& workspace = window().workspace();
    workspace.setBottomPanelVisible(true);
    const auto look = [this](const QWidget& at) {
        return window().grab(QRect(at.mapTo(&window(), QPoint()), at.size())).toImage();
    };
    for (const char* panel : {"check", "details", "area", "steps", "charts", "tables", "path", "grid", "collectives",
                              "hits", "clocks", "health"}) {
        workspace.showPanel(QLatin1String(panel));
        workspace.timeline().setFocus(Qt::TabFocusReason);
        QSet<QWidget*> seen;
        for (QWidget* stop = &workspace.timeline(); !seen.contains(stop); stop = QApplication::focusWidget()) {
            seen.insert(stop);
            const QImage with = look(*stop);
            QTest::keyClick(stop, Qt::Key_Tab);
            EXPECT_NE(with, look(*stop)) << panel << ": " << stop->metaObject()->className() << " "
                                         << stop->accessibleName().toStdString();
        }
    }
}

TEST_F(Accessibility, TheControlsOfTheTimelineComeRightBehindIt) {
    window().workspace().timeline().setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget(), &window().workspace().timeline().overview());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_TRUE(window().workspace().timeline().overview().isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget()->accessibleName(), QStringLiteral("Order of the ranks"));
}

}  // namespace
}  // namespace rankscope::ui
