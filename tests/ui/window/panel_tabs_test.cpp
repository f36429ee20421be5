// SPDX-License-Identifier: GPL-3.0-or-later
// The row of tabs never cuts one and never scrolls: those that have no room stand in a list behind the others.
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <random>

#include "tests/ui/window/window_fixture.h"
#include "ui/commands/command_registry.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/panel_places.h"
#include "ui/window/panel_tabs.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

class TabsOfPanels : public test::WindowTest {
  protected:
    void SetUp() override {
        drop({writeRank(0), writeRank(1)});
        ASSERT_TRUE(waitUntilIdle());
        QCoreApplication::processEvents();
    }

    [[nodiscard]] Workspace& workspace() { return window().workspace(); }
    [[nodiscard]] PanelTabs& tabs() { return workspace().places().dock(PanelPlace::Below); }
    [[nodiscard]] QPushButton& more() { return tabs().more(); }
    /// What the list offers now.
    [[nodiscard]] QStringList listed() {
        Q_EMIT more().menu()->aboutToShow();
        QStringList titles;
        for (const QAction* entry : more().menu()->actions()) {
            titles.append(entry->text());
        }
        return titles;
    }
    [[nodiscard]] QStringList inRow() {
        QStringList titles;
        for (int tab = 0; tab < tabs().count(); ++tab) {
            if (tabs().tabBar()->isTabVisible(tab)) {
                titles.append(tabs().tabText(tab));
            }
        }
        return titles;
    }
    void chooseFromList(const QString& title) {
        Q_EMIT more().menu()->aboutToShow();
        for (QAction* entry : more().menu()->actions()) {
            if (entry->text() == title) {
                entry->trigger();
                return;
            }
        }
        ADD_FAILURE() << title.toStdString() << " is not in the list";
    }
    /// Each tab of the row begins where the one before ends, and all of the row is shown.
    void expectNoHoles() {
        const QTabBar& bar = *tabs().tabBar();
        int end = 0;
        for (int tab = 0; tab < tabs().count(); ++tab) {
            if (bar.isTabVisible(tab)) {
                EXPECT_EQ(bar.tabRect(tab).left(), end) << bar.tabText(tab).toStdString();
                end = bar.tabRect(tab).right() + 1;
            }
        }
        EXPECT_GE(bar.width(), end);
    }
    /// No tab is cut, nothing scrolls, and no panel is lost.
    void expectRoom() {
        QCoreApplication::processEvents();
        const QTabBar& bar = *tabs().tabBar();
        for (const QToolButton* scroll : bar.findChildren<QToolButton*>()) {
            EXPECT_FALSE(scroll->isVisible());
        }
        for (int tab = 0; tab < tabs().count(); ++tab) {
            if (bar.isTabVisible(tab)) {
                EXPECT_GE(bar.tabRect(tab).width(), bar.fontMetrics().horizontalAdvance(bar.tabText(tab)));
                EXPECT_LE(bar.tabRect(tab).right(), bar.width()) << bar.tabText(tab).toStdString();
                const int end = bar.mapTo(&tabs(), bar.tabRect(tab).topRight()).x();
                EXPECT_TRUE(!more().isVisible() || end <= more().x()) << bar.tabText(tab).toStdString();
            }
        }
        EXPECT_TRUE(bar.isTabVisible(bar.currentIndex()));
        EXPECT_TRUE(!more().isVisible() || more().geometry().right() < tabs().width());
        EXPECT_EQ(inRow().size() + listed().size(), tabs().count());
        EXPECT_EQ(more().isVisible(), !listed().isEmpty());
    }
};

TEST_F(TabsOfPanels, HaveRoomOrStandInTheListWhicheverIsInFront) {
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000), QSize(900, 600)}) {
        window().resize(size);
        for (int tab = 0; tab < tabs().count(); ++tab) {
            SCOPED_TRACE(tabs().tabText(tab).toStdString());
            tabs().setCurrentIndex(tab);
            expectRoom();
        }
    }
}

TEST_F(TabsOfPanels, HaveRoomWithLargerTextToo) {
    for (int i = 0; i < 8; ++i) {
        window().changeTextSize(1);
    }
    expectRoom();
    EXPECT_FALSE(listed().isEmpty());
}

TEST_F(TabsOfPanels, StandInOneRowWhereAllHaveRoom) {
    window().resize(2560, 1440);
    expectRoom();
    EXPECT_TRUE(listed().isEmpty());
    EXPECT_FALSE(more().isVisible());
}

TEST_F(TabsOfPanels, ThatAreAskedForOftenStandInTheRowOfASmallWindow) {
    const QStringList row = inRow();
    for (const char* title :
         {"Details", "Steps", "Charts", "Tables", "Calls", "Critical path", "Efficiency", "Communication", "Memory"}) {
        EXPECT_TRUE(row.contains(QLatin1String(title))) << title;
    }
    EXPECT_FALSE(row.contains(QStringLiteral("Clocks")));
}

TEST_F(TabsOfPanels, OneOfTheListComesToTheFrontUnfoldedAndStaysInTheRow) {
    ASSERT_FALSE(workspace().bottomPanelVisible());
    chooseFromList(QStringLiteral("Clocks"));
    EXPECT_TRUE(workspace().bottomPanelVisible());
    EXPECT_EQ(tabs().currentWidget(), &workspace().clocks());
    EXPECT_TRUE(workspace().clocks().isVisible());
    expectRoom();
    workspace().showBelow(workspace().details());
    EXPECT_TRUE(inRow().contains(QStringLiteral("Clocks"))) << "it is within reach of who works with it";
    chooseFromList(QStringLiteral("Area"));
    EXPECT_FALSE(inRow().contains(QStringLiteral("Clocks"))) << "until another one is";
    expectRoom();
}

TEST_F(TabsOfPanels, ThatHaveSomethingToTellInTheirTitleStayInTheRow) {
    EXPECT_FALSE(inRow().contains(QStringLiteral("Trace health")));
    workspace().places().setTitle(workspace().health(), QStringLiteral("Trace health (2)"));
    expectRoom();
    EXPECT_TRUE(inRow().contains(QStringLiteral("Trace health (2)")));
    workspace().places().setTitle(workspace().health(), QStringLiteral("Trace health"));
    expectRoom();
    EXPECT_FALSE(inRow().contains(QStringLiteral("Trace health")));
}

TEST_F(TabsOfPanels, HaveTheirPlacesAtOnceWhenATitleGrowsAtAnyWidth) {
    const QString name = QStringLiteral("Trace health");
    for (int width = 1280; width <= 1680; width += 20) {
        SCOPED_TRACE(width);
        window().resize(width, 900);
        QCoreApplication::processEvents();
        workspace().places().setTitle(workspace().health(), name + QStringLiteral(" (2)"));
        expectRoom();
        expectNoHoles();
        workspace().places().setTitle(workspace().health(), name);
        expectRoom();
        expectNoHoles();
    }
}

TEST_F(TabsOfPanels, OfTheListAreReachedByKeysAlone) {
    tabs().tabBar()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(tabs().tabBar(), Qt::Key_Tab);
    ASSERT_TRUE(more().hasFocus()) << "it comes right behind the tabs";
    QTimer::singleShot(0, &window(), [this] {
        QTest::keyClick(more().menu(), Qt::Key_Down);
        QTest::keyClick(more().menu(), Qt::Key_Return);
    });
    const QString first = listed().front();
    QTest::keyClick(&more(), Qt::Key_Space);
    EXPECT_EQ(tabs().tabText(tabs().currentIndex()), first);
    EXPECT_TRUE(workspace().bottomPanelVisible());
}

TEST_F(TabsOfPanels, OfTheListAreReachedByTheViewMenu) {
    window().commands().action(QStringLiteral("view.clocks"))->trigger();
    EXPECT_TRUE(workspace().clocks().isVisible());
    expectRoom();
}

TEST_F(TabsOfPanels, OfTheListAreTornOffAndPutBackAsOthers) {
    workspace().places().move(workspace().clocks(), PanelPlace::Window);
    EXPECT_FALSE(listed().contains(QStringLiteral("Clocks")));
    expectRoom();
    workspace().places().putBack(workspace().clocks());
    expectRoom();
    EXPECT_EQ(tabs().currentWidget(), &workspace().clocks());
}

// Qt scrolls a row of tabs to the one in front, by places of hidden tabs that it has not laid out.
TEST_F(TabsOfPanels, BeginAtTheLeftHoweverPanelsCameAndWent) {
    window().resize(1280, 720);
    PanelPlaces& places = workspace().places();
    const QStringList names = {QStringLiteral("details"), QStringLiteral("steps"),  QStringLiteral("charts"),
                               QStringLiteral("tables"),  QStringLiteral("calls"),  QStringLiteral("path"),
                               QStringLiteral("grid"),    QStringLiteral("clocks"), QStringLiteral("health")};
    std::mt19937 chance(7);
    for (int i = 0; i < 200; ++i) {
        QWidget& panel = *places.find(names[static_cast<qsizetype>(chance() % 9)]);
        SCOPED_TRACE(panel.windowTitle().toStdString() + ", " + std::to_string(i));
        switch (chance() % 4) {
            case 0: places.move(panel, PanelPlace::SideBottom); break;
            case 1: places.putBack(panel); break;
            case 2: places.toFront(panel); break;
            default: window().resize(1000 + static_cast<int>(chance() % 500), 720); break;
        }
        QCoreApplication::processEvents();
        expectNoHoles();
        if (HasFailure()) {
            return;
        }
    }
    places.putAllBack();
    expectRoom();
    expectNoHoles();
}

TEST_F(TabsOfPanels, TheColumnsOfStepsStandBesideEachOtherInASmallWindow) {
    window().resize(1280, 720);
    workspace().showBelow(workspace().steps());
    QCoreApplication::processEvents();
    const auto* table = workspace().steps().findChild<QTableView*>();
    ASSERT_TRUE(table->isVisible());
    EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0);
}

}  // namespace
}  // namespace rankscope::ui
