// SPDX-License-Identifier: GPL-3.0-or-later
// Panels are moved about with the mouse, the keyboard and commands, and are never lost.
#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPushButton>
#include <QRubberBand>
#include <QTabBar>
#include <QTableView>
#include <QUrl>
#include <algorithm>

#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/window/appearance.h"
#include "ui/window/places/page_list.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/places/place_pages.h"
#include "ui/window/selection_flow.h"

namespace rankscope::ui {
namespace {

class Panels : public test::WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
        QCoreApplication::processEvents();  // the strip of the files has gone
    }

    [[nodiscard]] PanelPlaces& places() { return workspace().places(); }
    [[nodiscard]] PanelTabs& dock(PanelPlace place) { return places().dock(place); }
    [[nodiscard]] QWidget& panel(const char* name) { return *places().find(QLatin1String(name)); }
    /// The tabs that a panel stands among now.
    static PanelTabs& tabsAround(const QWidget& panel) { return *around<PanelTabs>(panel); }
    /// The place that has a panel as its page, or nullptr.
    static PlacePages* placeAround(const QWidget& panel) { return around<PlacePages>(panel); }
    template <class Around>
    static Around* around(const QWidget& panel) {
        QWidget* each = panel.parentWidget();
        while (each != nullptr && qobject_cast<Around*>(each) == nullptr) {
            each = each->parentWidget();
        }
        return qobject_cast<Around*>(each);
    }
    /// What a panel is pulled out by: its button in the list of its place, where there is one, else a tab.
    static QWidget& handleOf(const QWidget& panel, QPoint& at) {
        PanelTabs& tabs = tabsAround(panel);
        if (PlacePages* place = placeAround(panel)) {
            tabs.setCurrentWidget(place);
            if (QPushButton* button = place->list().buttonOf(panel); button != nullptr && button->isVisible()) {
                at = button->rect().center();
                return *button;
            }
            const QList<QWidget*> within = place->findChildren<QWidget*>();
            place->bring(**std::ranges::find(within, &panel));
        }
        QTabBar& bar = *tabs.tabBar();
        const PlacePages* place = placeAround(panel);
        const int tab = tabs.indexOf(place != nullptr ? static_cast<const QWidget*>(place) : &panel);
        if (!bar.isTabVisible(tab)) {
            tabs.setCurrentIndex(tab);  // as its entry in the list of those without room does
        }
        at = bar.tabRect(tab).center();
        return bar;
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
    /// Takes a panel with the mouse by its handle, and holds it over a point of the screens.
    static QWidget& hold(const QWidget& panel, const QPoint& over) {
        QPoint at;
        QWidget& handle = handleOf(panel, at);
        send(handle, QEvent::MouseButtonPress, handle.mapToGlobal(at));
        send(handle, QEvent::MouseMove, over);
        return handle;
    }
    static void drag(const QWidget& panel, const QPoint& to) { send(hold(panel, to), QEvent::MouseButtonRelease, to); }
    /// Chooses an entry of the menu of a panel's tab; false where it is not there, or cannot be chosen.
    [[nodiscard]] static bool choose(const QWidget& panel, const QString& words, bool by_key = false) {
        QPoint at;
        QWidget& handle = handleOf(panel, at);
        QContextMenuEvent asked(by_key ? QContextMenuEvent::Keyboard : QContextMenuEvent::Mouse, by_key ? QPoint() : at,
                                handle.mapToGlobal(at));
        QApplication::sendEvent(&handle, &asked);
        auto* menu = handle.window()->findChild<QMenu*>(QStringLiteral("panel-menu"));
        const bool done = menu != nullptr && test::chooseEntry(*menu, words);
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

TEST_F(Panels, EachIsAPageOfAPlaceOrATabAtTheSide) {
    EXPECT_EQ(titles(dock(PanelPlace::Below)).join(QLatin1Char(' ')),
              QStringLiteral("Selection Steps Communication Compute Memory Trace"));
    const QStringList top = titles(dock(PanelPlace::SideTop));
    ASSERT_EQ(top.size(), 2);
    EXPECT_EQ(top.front(), QStringLiteral("Diagnoses"));
    EXPECT_TRUE(top.back().startsWith(QStringLiteral("Check"))) << "behind it may stand where to look";
    EXPECT_EQ(titles(dock(PanelPlace::SideBottom)), QStringList({QStringLiteral("Explanation")}));
    EXPECT_TRUE(places().allHome());
}

TEST_F(Panels, ATabThatIsDraggedOutIsASeparateWindow) {
    const QWidget& charts = workspace().charts();
    const QPoint over = middleOf(workspace().timeline());
    drag(charts, over);
    EXPECT_EQ(places().placeOf(charts), PanelPlace::Window);
    EXPECT_TRUE(charts.isVisible()) << "although the lower part is folded";
    ASSERT_NE(charts.window(), &window());
    EXPECT_TRUE(charts.window()->geometry().contains(over)) << "where it was let go";
    EXPECT_TRUE(charts.window()->windowTitle().startsWith(QStringLiteral("Charts – run")))
        << charts.window()->windowTitle().toStdString();
    EXPECT_EQ(placeAround(charts), nullptr);
    EXPECT_EQ(titles(dock(PanelPlace::Below)).size(), 6) << "its place has other pages";
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
    ASSERT_NE(placeAround(charts), nullptr);
    EXPECT_EQ(placeAround(charts)->windowTitle(), QStringLiteral("Steps")) << "in its usual place";
    EXPECT_EQ(titles(dock(PanelPlace::Below)).at(6), QStringLiteral("Diagnoses")) << "behind the places";
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
    QWidget& handle = hold(charts, middleOf(dock(PanelPlace::SideTop)));
    EXPECT_TRUE(target->isVisible());
    EXPECT_TRUE(target->geometry().contains(workspace().mapFromGlobal(middleOf(dock(PanelPlace::SideTop)))));
    ASSERT_NE(QWidget::keyboardGrabber(), nullptr);
    QTest::keyClick(QWidget::keyboardGrabber(), Qt::Key_Escape);
    EXPECT_FALSE(target->isVisible());
    send(handle, QEvent::MouseButtonRelease, middleOf(dock(PanelPlace::SideTop)));
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
    trigger("view.panel-side");
    EXPECT_EQ(places().placeOf(workspace().tables()), PanelPlace::SideBottom);
    workspace().tables().findChild<QLineEdit*>()->setFocus();
    trigger("view.panel-window");
    EXPECT_EQ(places().placeOf(workspace().tables()), PanelPlace::Window);
    trigger("view.panels-back");
    EXPECT_TRUE(places().allHome());
    trigger("file.close");
    EXPECT_FALSE(action("view.panel-window")->isEnabled()) << "with nothing open there is no panel";
}

TEST_F(Panels, ACommandShowsAllFactsAmongTheTables) {
    trigger("view.all-facts");
    EXPECT_TRUE(workspace().tables().isVisible());
    const QList<QPushButton*> buttons = workspace().tables().findChildren<QPushButton*>();
    EXPECT_TRUE(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->text() == QStringLiteral("All Facts") && button->isChecked();
    }));
    trigger("view.tables");
    EXPECT_TRUE(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->text() == QStringLiteral("Kernels") && button->isChecked();
    })) << "from there back to the names";
}

TEST_F(Panels, TheSelectionStaysInViewWhenAPanelUnfoldsBelow) {
    workspace().setBottomPanelVisible(false);
    const RankPosition last(window().session().runs()[0]->run->ranks.size() - 1);
    workspace().flow().pointAt({0, last, {TrackId(0), 5}});
    timeline().settle();
    trigger("view.charts");
    timeline().settle();
    const LayoutRow* row = timeline().rowLayout().find(0, last, TrackId(0));
    ASSERT_NE(row, nullptr);
    EXPECT_TRUE(std::ranges::any_of(timeline().frame().rows, [&](const FrameRow& place) {
        return &timeline().rowLayout().rows()[place.row] == row && place.y < timeline().frame().height;
    })) << "the rows that are drawn";
}

TEST_F(Panels, ACommandShowsAPanelWhereverItIs) {
    places().move(workspace().tables(), PanelPlace::SideBottom);
    workspace().setSidePanelVisible(false);
    EXPECT_FALSE(action("view.side")->isChecked());
    trigger("view.tables");
    EXPECT_TRUE(workspace().tables().isVisible());
    EXPECT_TRUE(action("view.side")->isChecked());
    EXPECT_FALSE(workspace().bottomPanelVisible()) << "it is not there";
    tearOff(workspace().charts());
    trigger("view.charts");
    EXPECT_FALSE(workspace().bottomPanelVisible());
    EXPECT_TRUE(workspace().charts().isVisible());
}

TEST_F(Panels, TheSelectionIsShownInTheDetailsWhereverTheyAre) {
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
    QTest::keyClick(table, Qt::Key_Period);
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(timeline().selection()));
    QTest::keyClick(table, Qt::Key_F, Qt::ShiftModifier);
    timeline().settle();
    const DurationNs all = timeline().viewport().window().length();
    QTest::keyPress(table, Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor([&] { return timeline().viewport().window().length() < all; }, kPatience));
    QTest::keyRelease(table, Qt::Key_W);
    timeline().settle();
    const TimeSpan there = timeline().viewport().window();
    QTest::qWait(50);
    EXPECT_EQ(timeline().viewport().window(), there) << "the key was let go";
    QTest::keyClick(table, Qt::Key_Escape);
    EXPECT_EQ(timeline().selection().index(), 0U);
}

TEST_F(Panels, AKeyThatIsHeldWhileItsWindowLosesTheKeyboardIsLetGo) {
    QWidget& tables = workspace().tables();
    tearOff(tables);
    const DurationNs all = timeline().viewport().window().length();
    QTest::keyPress(tables.findChild<QTableView*>(), Qt::Key_W);
    ASSERT_TRUE(QTest::qWaitFor([&] { return timeline().viewport().window().length() < all; }, kPatience));
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    timeline().settle();
    const TimeSpan there = timeline().viewport().window();
    QTest::qWait(50);
    EXPECT_EQ(timeline().viewport().window(), there);
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
    window().appearance().choose(ThemeChoice::Light);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::Base, QPalette::Highlight}) {
        EXPECT_EQ(charts.palette().color(role).name(), workspace().steps().palette().color(role).name()) << role;
    }
    EXPECT_GT(corner(), 200);
    window().appearance().choose(ThemeChoice::Dark);
    EXPECT_LT(corner(), 60);
    const int height = tabsAround(charts).tabBar()->sizeHint().height();
    window().appearance().changeTextSize(1);
    window().appearance().changeTextSize(1);
    window().appearance().changeTextSize(1);
    EXPECT_GT(tabsAround(charts).tabBar()->sizeHint().height(), height);
    window().appearance().changeTextSize(0);
}

TEST_F(Panels, WindowsOfPanelsGoWithWhatTheyShow) {
    QWidget& charts = workspace().charts();
    tearOff(charts);
    QWidget* own = charts.window();
    window().session().closeAll();
    EXPECT_FALSE(own->isVisible()) << "the welcome page has no charts";
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
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
    const std::vector<QWidget*> after = stopsFrom(workspace().timeline());
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        // The entry of a page in its list is made again.
        EXPECT_TRUE(after[i] == before[i] ||
                    qobject_cast<PageList*>(after[i]->parentWidget()->parentWidget()->parentWidget()))
            << i;
    }
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
    trigger("view.usual-layout");
    settle();
    EXPECT_TRUE(places().allHome());
    EXPECT_TRUE(action("view.side")->isChecked());
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
    for (const char* name : {"details", "area",  "steps",  "charts", "efficiency", "communication", "memory",
                             "tables",  "calls", "path",   "grid",   "pipeline",   "collectives",   "network",
                             "hang",    "hits",  "clocks", "health", "query",      "what-if"}) {
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
