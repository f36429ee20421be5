// SPDX-License-Identifier: GPL-3.0-or-later
// The row of tabs never cuts one and never scrolls: those that have no room stand in a list behind the others.
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <array>
#include <random>

#include "tests/ui/widget_parts.h"
#include "ui/theme/theme.h"
#include "ui/window/places/dock_area.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"

namespace rankscope::ui {
namespace {

constexpr std::array<const char*, 16> kTitles = {
    "Details",  "Steps",  "Charts", "Tables",   "Calls", "Critical path", "Collectives", "Efficiency",
    "Transfer", "Memory", "Grid",   "Pipeline", "Area",  "Search",        "Clocks",      "Trace health"};

/// Many panels below a centre, in a window of 900 by 700 pixels.
class TabsOfPanels : public testing::Test {
  protected:
    void SetUp() override {
        area.setStyleSheet(Theme::darkTheme().styleSheet());
        for (const char* title : kTitles) {
            auto* panel = new QLineEdit;
            area.places().add(*panel, title, QLatin1String(title), QStringLiteral("what it shows"), PanelPlace::Below);
        }
        area.arrange();
        area.resize(900, 700);
        area.show();
        area.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&area));
    }

    [[nodiscard]] PanelTabs& tabs() { return area.places().dock(PanelPlace::Below); }
    [[nodiscard]] QWidget& panel(const char* title) { return *area.places().find(QLatin1String(title)); }
    void setCount(const char* title, std::size_t lines) { area.places().setCount(panel(title), lines); }
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
        EXPECT_TRUE(test::chooseEntry(*more().menu(), title)) << title.toStdString();
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

    QLineEdit* centre = new QLineEdit;
    DockArea area{{centre, nullptr, {centre}}};
};

TEST_F(TabsOfPanels, HaveRoomOrAreInTheListForAnyTabInFront) {
    for (const QSize size : {QSize(920, 720), QSize(1240, 1000), QSize(560, 600)}) {
        area.resize(size);
        for (int tab = 0; tab < tabs().count(); ++tab) {
            SCOPED_TRACE(tabs().tabText(tab).toStdString());
            tabs().setCurrentIndex(tab);
            expectRoom();
        }
    }
}

TEST_F(TabsOfPanels, HaveRoomWithLargerTextToo) {
    const Theme large = Theme::darkTheme().withTextSize(2);
    area.setStyleSheet(large.styleSheet());
    area.setFont(large.ui_font);
    expectRoom();
    EXPECT_FALSE(listed().isEmpty());
}

TEST_F(TabsOfPanels, AreInOneRowWhereAllHaveRoom) {
    area.resize(2200, 1440);
    expectRoom();
    EXPECT_TRUE(listed().isEmpty());
    EXPECT_FALSE(more().isVisible());
}

TEST_F(TabsOfPanels, OfTheFirstPanelsAreInTheRow) {
    const QStringList row = inRow();
    for (const char* title : {"Details", "Steps", "Charts", "Tables"}) {
        EXPECT_TRUE(row.contains(QLatin1String(title))) << title;
    }
    EXPECT_FALSE(row.contains(QStringLiteral("Clocks")));
}

TEST_F(TabsOfPanels, OneOfTheListIsRaisedUnfoldedAndStaysInTheRow) {
    ASSERT_FALSE(area.bottomPanelVisible());
    chooseFromList(QStringLiteral("Clocks"));
    EXPECT_TRUE(area.bottomPanelVisible());
    EXPECT_TRUE(panel("Clocks").isVisible());
    expectRoom();
    area.showBelow(panel("Details"));
    EXPECT_TRUE(inRow().contains(QStringLiteral("Clocks"))) << "it is within reach of who works with it";
    chooseFromList(QStringLiteral("Area"));
    EXPECT_FALSE(inRow().contains(QStringLiteral("Clocks"))) << "until another one is";
    expectRoom();
}

TEST_F(TabsOfPanels, WhoseTitleHasANumberStayInTheRow) {
    EXPECT_FALSE(inRow().contains(QStringLiteral("Trace health")));
    setCount("Trace health", 2);
    expectRoom();
    EXPECT_TRUE(inRow().contains(QStringLiteral("Trace health (2)")));
    setCount("Trace health", 0);
    expectRoom();
    EXPECT_FALSE(inRow().contains(QStringLiteral("Trace health")));
}

TEST_F(TabsOfPanels, HaveTheirPlacesAtOnceWhenATitleGrowsAtAnyWidth) {
    for (int width = 900; width <= 1300; width += 20) {
        SCOPED_TRACE(width);
        area.resize(width, 900);
        QCoreApplication::processEvents();
        for (const std::size_t lines : {2U, 0U}) {
            setCount("Trace health", lines);
            expectRoom();
            expectNoHoles();
        }
    }
}

TEST_F(TabsOfPanels, OfTheListAreReachedByKeysAlone) {
    tabs().tabBar()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(tabs().tabBar(), Qt::Key_Tab);
    ASSERT_TRUE(more().hasFocus()) << "it comes right behind the tabs";
    QTimer::singleShot(0, &area, [this] {
        QTest::keyClick(more().menu(), Qt::Key_Down);
        QTest::keyClick(more().menu(), Qt::Key_Return);
    });
    const QString first = listed().front();
    QTest::keyClick(&more(), Qt::Key_Space);
    EXPECT_EQ(tabs().tabText(tabs().currentIndex()), first);
    EXPECT_TRUE(area.bottomPanelVisible());
}

TEST_F(TabsOfPanels, OfTheListAreTornOffAndPutBackAsOthers) {
    area.places().move(panel("Clocks"), PanelPlace::Window);
    EXPECT_FALSE(listed().contains(QStringLiteral("Clocks")));
    expectRoom();
    area.places().putBack(panel("Clocks"));
    expectRoom();
    EXPECT_EQ(area.panelInFront(), QStringLiteral("Clocks"));
}

// Qt scrolls a row of tabs to the one in front, by places of hidden tabs that it has not laid out.
TEST_F(TabsOfPanels, BeginAtTheLeftAfterPanelsComeAndGo) {
    PanelPlaces& places = area.places();
    std::mt19937 chance(7);
    for (int i = 0; i < 200; ++i) {
        QWidget& one = panel(kTitles.at(chance() % kTitles.size()));
        SCOPED_TRACE(one.windowTitle().toStdString() + ", " + std::to_string(i));
        switch (chance() % 4) {
            case 0: places.move(one, PanelPlace::SideBottom); break;
            case 1: places.putBack(one); break;
            case 2: places.toFront(one); break;
            default: area.resize(800 + static_cast<int>(chance() % 500), 720); break;
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

}  // namespace
}  // namespace rankscope::ui
