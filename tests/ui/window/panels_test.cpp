// SPDX-License-Identifier: GPL-3.0-or-later
// Panels are moved about with the mouse, the keyboard and commands, and are never lost.
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPushButton>
#include <QRubberBand>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QUrl>
#include <algorithm>

#include "tests/ui/window/window_fixture.h"
#include "ui/charts/charts_panel.h"
#include "ui/commands/command_registry.h"
#include "ui/panels/check_panel.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/explanation_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/tables_panel.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/panel_places.h"
#include "ui/window/panel_tabs.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

class Panels : public test::WindowTest {
  protected:
    void SetUp() override {
        drop({writeRank(0), writeRank(1)});
        ASSERT_TRUE(waitUntilIdle());
        QCoreApplication::processEvents();  // the strip of the files has gone
    }

    [[nodiscard]] Workspace& workspace() { return window().workspace(); }
    [[nodiscard]] PanelPlaces& places() { return workspace().places(); }
    [[nodiscard]] PanelTabs& dock(PanelPlace place) { return places().dock(place); }
    [[nodiscard]] QWidget& panel(const char* name) { return *places().find(QLatin1String(name)); }
    [[nodiscard]] QAction* command(const char* id) { return window().commands().action(QLatin1String(id)); }
    /// The tabs that a panel stands among now.
    static PanelTabs& tabsAround(const QWidget& panel) {
        QWidget* around = panel.parentWidget();
        while (qobject_cast<PanelTabs*>(around) == nullptr) {
            around = around->parentWidget();
        }
        return *qobject_cast<PanelTabs*>(around);
    }
    static QStringList titles(const PanelTabs& tabs) {
        QStringList all;
        for (int tab = 0; tab < tabs.count(); ++tab) {
            all.append(tabs.tabText(tab));
        }
        return all;
    }
    static QPoint middleOf(const QWidget& widget) { return widget.mapToGlobal(widget.rect().center()); }
    static void send(QWidget& to, QEvent::Type type, const QPoint& global) {
        const bool moves = type == QEvent::MouseMove;
        QMouseEvent event(type, to.mapFromGlobal(global), global, moves ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
        QApplication::sendEvent(&to, &event);
    }
    /// Takes the tab of a panel with the mouse, and holds it over a point of the screens.
    static QTabBar& hold(const QWidget& panel, const QPoint& over) {
        PanelTabs& tabs = tabsAround(panel);
        QTabBar& bar = *tabs.tabBar();
        if (!bar.isTabVisible(tabs.indexOf(&panel))) {
            tabs.setCurrentIndex(tabs.indexOf(&panel));  // as its entry in the list of those without room does
        }
        send(bar, QEvent::MouseButtonPress, bar.mapToGlobal(bar.tabRect(tabs.indexOf(&panel)).center()));
        send(bar, QEvent::MouseMove, over);
        return bar;
    }
    static void drag(const QWidget& panel, const QPoint& to) { send(hold(panel, to), QEvent::MouseButtonRelease, to); }
    /// Chooses an entry of the menu of a panel's tab; false where it is not there, or cannot be chosen.
    [[nodiscard]] static bool choose(const QWidget& panel, const QString& words, bool by_key = false) {
        const PanelTabs& tabs = tabsAround(panel);
        QTabBar& bar = *tabs.tabBar();
        const QPoint at = bar.tabRect(tabs.indexOf(&panel)).center();
        QContextMenuEvent asked(by_key ? QContextMenuEvent::Keyboard : QContextMenuEvent::Mouse, by_key ? QPoint() : at,
                                bar.mapToGlobal(at));
        QApplication::sendEvent(&bar, &asked);
        auto* menu = tabs.window()->findChild<QMenu*>(QStringLiteral("panel-menu"));
        bool done = false;
        for (QAction* action : menu == nullptr ? QList<QAction*>() : menu->actions()) {
            if (action->text().remove(QLatin1Char('&')) == words && action->isEnabled()) {
                action->trigger();
                done = true;
            }
        }
        if (menu != nullptr) {
            menu->close();
        }
        settle();
        return done;
    }
    /// Windows that have been given up are gone.
    static void settle() {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
    void tearOff(QWidget& panel) {
        places().move(panel, PanelPlace::Window);
        ASSERT_TRUE(panel.isVisible());
        ASSERT_NE(panel.window(), &window());
        panel.window()->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(panel.window()));
    }
};

TEST_F(Panels, EachHasATabAtItsUsualPlace) {
    EXPECT_EQ(titles(dock(PanelPlace::Below)).join(QLatin1Char(' ')),
              QStringLiteral("Details Steps Charts Tables Calls Critical path Collectives Efficiency Communication "
                             "Memory Grid Pipeline Area Search Clocks Trace health"));
    const QStringList top = titles(dock(PanelPlace::SideTop));
    ASSERT_EQ(top.size(), 2);
    EXPECT_EQ(top.front(), QStringLiteral("Diagnoses"));
    EXPECT_TRUE(top.back().startsWith(QStringLiteral("Check"))) << "behind it may stand where to look";
    EXPECT_EQ(titles(dock(PanelPlace::SideBottom)), QStringList({QStringLiteral("Explanation")}));
    EXPECT_TRUE(places().allHome());
}

TEST_F(Panels, ATabThatIsDraggedOutIsAWindowOfItsOwn) {
    const QWidget& charts = workspace().charts();
    const QPoint over = middleOf(workspace().timeline());
    drag(charts, over);
    EXPECT_EQ(places().placeOf(charts), PanelPlace::Window);
    EXPECT_TRUE(charts.isVisible()) << "although the lower part is folded";
    ASSERT_NE(charts.window(), &window());
    EXPECT_TRUE(charts.window()->geometry().contains(over)) << "where it was let go";
    EXPECT_TRUE(charts.window()->windowTitle().startsWith(QStringLiteral("Charts – run")))
        << charts.window()->windowTitle().toStdString();
    EXPECT_FALSE(titles(dock(PanelPlace::Below)).contains(QStringLiteral("Charts")));
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "a drag is no click";
}

TEST_F(Panels, ATabThatIsDraggedToTheSideOrBelowIsATabThere) {
    const QWidget& charts = workspace().charts();
    drag(charts, middleOf(dock(PanelPlace::SideBottom)));
    EXPECT_EQ(places().placeOf(charts), PanelPlace::SideBottom);
    EXPECT_EQ(titles(dock(PanelPlace::SideBottom)),
              QStringList({QStringLiteral("Explanation"), QStringLiteral("Charts")}));
    EXPECT_TRUE(charts.isVisible()) << "in front of the others";
    places().move(workspace().check(), PanelPlace::Below);
    drag(workspace().diagnoses(), middleOf(*dock(PanelPlace::Below).tabBar()));
    EXPECT_EQ(places().placeOf(workspace().diagnoses()), PanelPlace::Below);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("diagnoses"));
    EXPECT_TRUE(workspace().bottomPanelVisible()) << "it was put there to be seen";
    EXPECT_FALSE(dock(PanelPlace::SideTop).isVisible()) << "a part without panels takes no room";
    drag(charts, middleOf(*dock(PanelPlace::Below).tabBar()));
    EXPECT_EQ(titles(dock(PanelPlace::Below)).indexOf(QStringLiteral("Charts")), 2) << "in its usual order";
    QCoreApplication::processEvents();  // the side has its width back
    const QWidget& side = *dock(PanelPlace::SideBottom).parentWidget();
    drag(workspace().diagnoses(), side.mapToGlobal(QPoint(side.width() / 2, 20)));
    EXPECT_EQ(places().placeOf(workspace().diagnoses()), PanelPlace::SideTop) << "over the edge of what is there";
    places().move(workspace().check(), PanelPlace::SideTop);
    EXPECT_TRUE(places().allHome());
}

TEST_F(Panels, AWindowThatIsDraggedBackByItsTabIsATabAgain) {
    const QWidget& charts = workspace().charts();
    drag(charts, middleOf(workspace().timeline()));
    charts.window()->move(window().geometry().bottomRight() + QPoint(40, 40));
    drag(charts, middleOf(*dock(PanelPlace::Below).tabBar()));
    settle();
    EXPECT_EQ(places().placeOf(charts), PanelPlace::Below);
    EXPECT_EQ(charts.window(), &window());
    EXPECT_TRUE(charts.isVisible());
}

TEST_F(Panels, WhereATabWouldGoIsShownAndEscGivesTheDragUp) {
    const QWidget& charts = workspace().charts();
    auto* target = workspace().findChild<QRubberBand*>();
    ASSERT_NE(target, nullptr);
    QTabBar& bar = hold(charts, middleOf(dock(PanelPlace::SideTop)));
    EXPECT_TRUE(target->isVisible());
    EXPECT_TRUE(target->geometry().contains(workspace().mapFromGlobal(middleOf(dock(PanelPlace::SideTop)))));
    QTest::keyClick(&bar, Qt::Key_Escape);
    EXPECT_FALSE(target->isVisible());
    send(bar, QEvent::MouseButtonRelease, middleOf(dock(PanelPlace::SideTop)));
    EXPECT_TRUE(places().allHome());
    EXPECT_EQ(QWidget::keyboardGrabber(), nullptr);
}

TEST_F(Panels, ClosingItsWindowPutsAPanelBack) {
    for (const char* name : {"charts", "diagnoses", "explanation", "health"}) {
        QWidget& moved = panel(name);
        tearOff(moved);
        moved.window()->close();
        settle();
        EXPECT_TRUE(places().isHome(moved)) << name;
        EXPECT_EQ(moved.window(), &window()) << name;
        EXPECT_TRUE(places().isInFront(moved)) << name;
    }
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "what was folded stays so";
    const auto windows = QApplication::topLevelWidgets();
    EXPECT_TRUE(std::ranges::none_of(windows, [](QWidget* each) {
        return each->findChild<PanelTabs*>() != nullptr && qobject_cast<MainWindow*>(each) == nullptr;
    }));
}

TEST_F(Panels, TheMenuOfATabPutsThePanelElsewhereAndBack) {
    QWidget& charts = workspace().charts();
    ASSERT_TRUE(choose(charts, QStringLiteral("Move to a Window of Its Own")));
    EXPECT_EQ(places().placeOf(charts), PanelPlace::Window);
    EXPECT_FALSE(choose(charts, QStringLiteral("Move to a Window of Its Own"))) << "it is there";
    ASSERT_TRUE(choose(charts, QStringLiteral("Move to the Side")));
    EXPECT_EQ(places().placeOf(charts), PanelPlace::SideBottom);
    ASSERT_TRUE(choose(charts, QStringLiteral("Move Below")));
    EXPECT_TRUE(places().isHome(charts));
    EXPECT_TRUE(workspace().bottomPanelVisible());
    EXPECT_FALSE(choose(charts, QStringLiteral("Put Back")));
    workspace().showBelow(charts);
    ASSERT_TRUE(choose(charts, QStringLiteral("Move to the Side"), true)) << "by the menu key, of the tab in front";
    ASSERT_TRUE(choose(charts, QStringLiteral("Put Back")));
    EXPECT_TRUE(places().isHome(charts));
    places().move(charts, PanelPlace::Window);
    places().move(workspace().tables(), PanelPlace::SideTop);
    places().move(workspace().explanation(), PanelPlace::Below);
    ASSERT_TRUE(choose(charts, QStringLiteral("Put All Panels Back")));
    EXPECT_TRUE(places().allHome());
}

TEST_F(Panels, CommandsMoveThePanelThatHasTheKeyboardElseTheOneInFront) {
    workspace().showBelow(workspace().tables());
    workspace().timeline().setFocus();
    command("view.panel-side")->trigger();
    EXPECT_EQ(places().placeOf(workspace().tables()), PanelPlace::SideBottom);
    workspace().tables().findChild<QLineEdit*>()->setFocus();
    command("view.panel-window")->trigger();
    EXPECT_EQ(places().placeOf(workspace().tables()), PanelPlace::Window);
    command("view.panels-back")->trigger();
    EXPECT_TRUE(places().allHome());
    command("file.close")->trigger();
    EXPECT_FALSE(command("view.panel-window")->isEnabled()) << "with nothing open there is no panel";
}

TEST_F(Panels, ACommandShowsAllFactsAmongTheTables) {
    command("view.all-facts")->trigger();
    EXPECT_TRUE(workspace().tables().isVisible());
    const QList<QPushButton*> buttons = workspace().tables().findChildren<QPushButton*>();
    EXPECT_TRUE(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->text() == QStringLiteral("All Facts") && button->isChecked();
    }));
    command("view.tables")->trigger();
    EXPECT_TRUE(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->text() == QStringLiteral("Kernels") && button->isChecked();
    })) << "from there back to the names";
}

TEST_F(Panels, WhatIsSelectedStaysInSightWhenAPanelUnfoldsBelow) {
    TimelineWidget& timeline = workspace().timeline();
    workspace().setBottomPanelVisible(false);
    const RankPosition last(window().session().runs()[0]->run->ranks.size() - 1);
    workspace().pointAt({0, last, {TrackId(0), 5}});
    timeline.settle();
    command("view.charts")->trigger();
    timeline.settle();
    const LayoutRow* row = timeline.rowLayout().find(0, last, TrackId(0));
    ASSERT_NE(row, nullptr);
    EXPECT_TRUE(std::ranges::any_of(timeline.frame().rows, [&](const FrameRow& place) {
        return &timeline.rowLayout().rows()[place.row] == row && place.y < timeline.frame().height;
    })) << "the rows that are drawn";
}

TEST_F(Panels, ACommandShowsAPanelWhereverItIs) {
    places().move(workspace().tables(), PanelPlace::SideBottom);
    workspace().setSidePanelVisible(false);
    EXPECT_FALSE(command("view.side")->isChecked());
    command("view.tables")->trigger();
    EXPECT_TRUE(workspace().tables().isVisible());
    EXPECT_TRUE(command("view.side")->isChecked());
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "it is not there";
    tearOff(workspace().charts());
    command("view.charts")->trigger();
    EXPECT_FALSE(workspace().bottomPanelVisible());
    EXPECT_TRUE(workspace().charts().isVisible());
}

TEST_F(Panels, WhatIsSelectedIsShownInTheDetailsWhereTheyAre) {
    tearOff(workspace().details());
    workspace().timeline().select(SliceSelection{0, RankPosition(0), {TrackId(0), 3}});
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "nothing unfolds for them";
    places().move(workspace().details(), PanelPlace::SideBottom);
    workspace().timeline().select(SliceSelection{0, RankPosition(0), {TrackId(0), 2}});
    EXPECT_TRUE(places().isInFront(workspace().details()));
    workspace().setSidePanelVisible(false);
    workspace().timeline().select(SliceSelection{0, RankPosition(0), {TrackId(0), 1}});
    EXPECT_FALSE(workspace().sidePanelVisible()) << "the user has hidden it";
}

TEST_F(Panels, KeysAndCommandsActInAWindowOfAPanel) {
    QWidget& tables = workspace().tables();
    tearOff(tables);
    auto* table = tables.findChild<QTableView*>();
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Q);
    EXPECT_TRUE(workspace().bottomPanelVisible());
    TimelineWidget& timeline = workspace().timeline();
    QTest::keyClick(table, Qt::Key_Period);
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(timeline.selection()));
    QTest::keyClick(table, Qt::Key_F, Qt::ShiftModifier);
    timeline.settle();
    const DurationNs all = timeline.viewport().window().length();
    QTest::keyPress(table, Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor([&] { return timeline.viewport().window().length() < all; }, kPatience));
    QTest::keyRelease(table, Qt::Key_W);
    timeline.settle();
    const TimeSpan there = timeline.viewport().window();
    QTest::qWait(50);
    EXPECT_EQ(timeline.viewport().window(), there) << "the key was let go";
    QTest::keyClick(table, Qt::Key_Escape);
    EXPECT_EQ(timeline.selection().index(), 0U);
}

TEST_F(Panels, AKeyThatIsHeldWhileItsWindowLosesTheKeyboardIsLetGo) {
    QWidget& tables = workspace().tables();
    tearOff(tables);
    TimelineWidget& timeline = workspace().timeline();
    const DurationNs all = timeline.viewport().window().length();
    QTest::keyPress(tables.findChild<QTableView*>(), Qt::Key_W);
    ASSERT_TRUE(QTest::qWaitFor([&] { return timeline.viewport().window().length() < all; }, kPatience));
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    timeline.settle();
    const TimeSpan there = timeline.viewport().window();
    QTest::qWait(50);
    EXPECT_EQ(timeline.viewport().window(), there);
}

TEST_F(Panels, LettersThatAreTypedInAWindowOfAPanelStayThere) {
    QWidget& tables = workspace().tables();
    tearOff(tables);
    auto* field = tables.findChild<QLineEdit*>();
    field->setFocus();
    const TimeSpan before = workspace().timeline().viewport().window();
    QTest::keyClicks(field, QStringLiteral("waqn"));
    EXPECT_EQ(field->text(), QStringLiteral("waqn"));
    EXPECT_EQ(workspace().timeline().viewport().window(), before);
    EXPECT_FALSE(workspace().bottomPanelVisible());
}

TEST_F(Panels, ThemeAndTextSizeReachTheWindowsOfPanels) {
    QWidget& charts = workspace().charts();
    tearOff(charts);
    const auto corner = [&] {
        QWidget* own = charts.window();
        return own->grab().toImage().pixelColor(own->width() - 4, own->height() - 4).lightness();
    };
    window().setThemeChoice(ThemeChoice::Light);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::Base, QPalette::Highlight}) {
        EXPECT_EQ(charts.palette().color(role).name(), workspace().steps().palette().color(role).name()) << role;
    }
    EXPECT_GT(corner(), 200);
    window().setThemeChoice(ThemeChoice::Dark);
    EXPECT_LT(corner(), 60);
    const int height = tabsAround(charts).tabBar()->sizeHint().height();
    window().changeTextSize(1);
    window().changeTextSize(1);
    window().changeTextSize(1);
    EXPECT_GT(tabsAround(charts).tabBar()->sizeHint().height(), height);
    window().changeTextSize(0);
}

TEST_F(Panels, WindowsOfPanelsGoWithWhatTheyShow) {
    QWidget& charts = workspace().charts();
    tearOff(charts);
    QWidget* own = charts.window();
    window().session().closeAll();
    EXPECT_FALSE(own->isVisible()) << "the welcome page has no charts";
    drop({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_TRUE(own->isVisible());
    EXPECT_EQ(places().placeOf(charts), PanelPlace::Window);
    window().close();
    EXPECT_FALSE(own->isVisible());
}

TEST_F(Panels, FilesThatAreDroppedOnAWindowOfAPanelOpen) {
    QWidget& charts = workspace().charts();
    tearOff(charts);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(writeRank(1, 5))});
    const QPoint middle = charts.window()->rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(charts.window(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent dropped(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(charts.window(), &dropped);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), 1);
}

/// Where Tab leads to from the timeline on, in order.
std::vector<QWidget*> stopsFrom(QWidget& first) {
    first.setFocus();
    std::vector<QWidget*> stops;
    QWidget* stop = QApplication::focusWidget();
    for (int keys = 0; stop != nullptr && keys < 200; ++keys) {
        if (stops.empty() || stops.back() != stop) {  // it may lead through the links of one text first
            stops.push_back(stop);
        }
        QTest::keyClick(stop, Qt::Key_Tab);
        stop = QApplication::focusWidget();
        if (stop == &first) {
            break;
        }
    }
    return stops;
}

TEST_F(Panels, TabLeadsThroughThemInTheOldOrderWhenTheyAreBack) {
    workspace().showBelow(workspace().tables());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !workspace().busy(); }, kPatience));
    const std::vector<QWidget*> before = stopsFrom(workspace().timeline());
    const auto at = [&](const QWidget* stop) { return std::ranges::find(before, stop) - before.begin(); };
    EXPECT_LT(at(dock(PanelPlace::Below).tabBar()), at(workspace().tables().findChild<QLineEdit*>()));
    EXPECT_LT(at(workspace().tables().findChild<QLineEdit*>()), at(dock(PanelPlace::SideTop).tabBar()));
    EXPECT_LT(at(dock(PanelPlace::SideTop).tabBar()), at(dock(PanelPlace::SideBottom).tabBar()));
    for (QWidget* moved :
         {static_cast<QWidget*>(&workspace().tables()), static_cast<QWidget*>(&workspace().diagnoses())}) {
        tearOff(*moved);
        EXPECT_GE(stopsFrom(*tabsAround(*moved).tabBar()).size(), 2U) << "Tab leads through its own window";
        places().putBack(*moved);
        settle();
    }
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    EXPECT_EQ(stopsFrom(workspace().timeline()), before);
}

TEST_F(Panels, TheUsualLayoutHasEverythingWhereANewUserHasIt) {
    const int side = dock(PanelPlace::SideTop).width();
    tearOff(workspace().charts());
    places().move(workspace().diagnoses(), PanelPlace::Below);
    PanelLayout layout = workspace().layout();
    layout.side_width = side + 100;
    workspace().setLayout(layout);
    workspace().setSidePanelVisible(false);
    workspace().setBottomPanelVisible(true);
    command("view.usual-layout")->trigger();
    settle();
    EXPECT_TRUE(places().allHome());
    EXPECT_TRUE(command("view.side")->isChecked());
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "nothing is selected";
    EXPECT_EQ(dock(PanelPlace::SideTop).width(), side);
}

TEST_F(Panels, TheLowerPartHasItsShareOfTheWindowUntilTheUserGivesItAnother) {
    workspace().setBottomPanelVisible(true);
    const PanelTabs& below = dock(PanelPlace::Below);
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
        window().resize(size);
        settle();
        EXPECT_NEAR(below.height(), 0.4 * workspace().height(), 2) << size.height();
    }
    PanelLayout layout = workspace().layout();
    layout.bottom_height = 230;
    workspace().setLayout(layout);
    window().resize(1280, 900);
    settle();
    EXPECT_EQ(below.height(), 230);
}

TEST_F(Panels, TheLowerPartIsGoneWhileNoPanelIsThere) {
    for (const char* name : {"details", "area", "steps", "charts", "efficiency", "communication", "memory", "tables",
                             "calls", "path", "grid", "pipeline", "collectives", "hits", "clocks", "health"}) {
        places().move(panel(name), PanelPlace::SideBottom);
    }
    EXPECT_FALSE(dock(PanelPlace::Below).isVisible());
    EXPECT_EQ(workspace().panelInFront(), QString());
    drag(workspace().charts(), workspace().mapToGlobal(QPoint(200, workspace().height() - 10)));
    EXPECT_EQ(places().placeOf(workspace().charts()), PanelPlace::Below) << "the lower edge stands for it";
    EXPECT_TRUE(workspace().charts().isVisible());
    places().putAllBack();
    EXPECT_TRUE(places().allHome());
}

}  // namespace
}  // namespace rankscope::ui
