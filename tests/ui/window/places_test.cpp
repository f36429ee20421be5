// SPDX-License-Identifier: GPL-3.0-or-later
// The six places below the timeline and their pages, in the real window.
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <algorithm>

#include "tests/ui/window/window_fixture.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/communication/pipeline_panel.h"
#include "ui/panels/selection/area_panel.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/steps/steps_model.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/window/page_table.h"
#include "ui/window/places/page_list.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/places/place_pages.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

class Places : public test::WindowTest {
  protected:
    void openSample() {
        window().resize(1280, 720);
        ASSERT_TRUE(dropAndWait({zero()}));
        QCoreApplication::processEvents();  // the strip of the files has gone
    }
    [[nodiscard]] PanelTabs& tabs() { return workspace().places().dock(PanelPlace::Below); }
    [[nodiscard]] PlacePages& place(const char* name) { return *workspace().places().findPlace(QLatin1String(name)); }
    [[nodiscard]] QPushButton& button(const PageRow& row) {
        return *place(row.place).list().buttonOf(workspace().panelOf(row));
    }
    /// The pages below that the lists have.
    [[nodiscard]] std::vector<PageRow> listed() {
        std::vector<PageRow> rows = pageTable();
        std::erase_if(rows, [this](const PageRow& row) {
            return row.place == nullptr || !place(row.place).isListed(workspace().panelOf(row));
        });
        return rows;
    }
    [[nodiscard]] bool isListed(const char* page) {
        return std::ranges::any_of(
            listed(), [page](const PageRow& row) { return QLatin1String(row.name) == QLatin1String(page); });
    }
    void clickTab(QWidget& of) {
        const QRect tab = tabs().tabBar()->tabRect(tabs().indexOf(&of));
        QTest::mouseClick(tabs().tabBar(), Qt::LeftButton, {}, tab.center());
    }
};

TEST_F(Places, EachPageIsShownByItsCommand) {
    openSample();
    for (const PageRow& row : pageTable()) {
        if (row.place == nullptr) {
            continue;
        }
        workspace().setBottomPanelVisible(false);
        trigger(row.command);
        EXPECT_EQ(workspace().panelInFront(), QLatin1String(row.name));
        EXPECT_TRUE(workspace().panelOf(row).isVisible()) << row.name;
        EXPECT_EQ(tabs().currentWidget(), &place(row.place)) << row.name;
    }
}

TEST_F(Places, EachPageThatAppliesIsReachedByTheMouse) {
    openSample();
    workspace().setBottomPanelVisible(true);
    ASSERT_GE(listed().size(), 9U);
    for (const PageRow& row : listed()) {
        if (tabs().currentWidget() != &place(row.place)) {
            clickTab(place(row.place));
        }
        if (place(row.place).list().isVisible()) {
            QTest::mouseClick(&button(row), Qt::LeftButton);
        }
        EXPECT_TRUE(workspace().panelOf(row).isVisible()) << row.name;
        EXPECT_EQ(workspace().panelInFront(), QLatin1String(row.name));
    }
}

TEST_F(Places, EachPageThatAppliesIsReachedByTheKeyboard) {
    openSample();
    QStringList seen;
    for (int tab = 0; tab < tabs().count(); ++tab) {
        QTest::keyClick(&timeline(), Qt::Key_PageDown, Qt::ControlModifier);
        const QString first = workspace().panelInFront();
        do {
            seen.append(workspace().panelInFront());
            QTest::keyClick(&timeline(), Qt::Key_PageDown, Qt::AltModifier);
        } while (workspace().panelInFront() != first && seen.size() < 50);
    }
    EXPECT_TRUE(workspace().bottomPanelVisible());
    for (const PageRow& row : listed()) {
        EXPECT_TRUE(seen.contains(QLatin1String(row.name))) << row.name;
    }
    QTest::keyClick(&timeline(), Qt::Key_2, Qt::AltModifier);
    EXPECT_EQ(tabs().currentWidget(), &place("place-steps"));
    const QString front = workspace().panelInFront();
    QTest::keyClick(&timeline(), Qt::Key_PageDown, Qt::AltModifier);
    QTest::keyClick(&timeline(), Qt::Key_PageUp, Qt::AltModifier);
    EXPECT_EQ(workspace().panelInFront(), front);
    QTest::keyClick(&timeline(), Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(tabs().currentWidget(), &place("place-selection"));
}

TEST_F(Places, ArrowsGoThroughThePagesOfAList) {
    openSample();
    trigger("view.steps");
    const auto& steps = place("place-steps").list();
    QPushButton* first = steps.buttonOf(workspace().steps());
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Down);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("charts"));
    EXPECT_TRUE(workspace().findChild<QWidget*>(QStringLiteral("charts"))->isVisible());
}

TEST_F(Places, APageThatDoesNotApplyToTheRunIsNotThere) {
    openSample();
    EXPECT_FALSE(isListed("pipeline"));
    EXPECT_TRUE(isListed("collectives"));
    trigger("view.pipeline");
    EXPECT_TRUE(workspace().pipeline().isVisible()) << "who asks for it reads why it is empty";
    EXPECT_FALSE(workspace().pipeline().summary().isEmpty());
    trigger("view.grid");
    EXPECT_FALSE(isListed("pipeline"));
}

TEST_F(Places, APlaceWithoutAPageSaysWhatWouldBeThere) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    trigger("view.place-memory");
    EXPECT_TRUE(workspace().bottomPanelVisible());
    EXPECT_EQ(workspace().panelInFront(), QString());
    QStringList said;
    for (const QLabel* label : place("place-memory").findChildren<QLabel*>()) {
        said.append(label->isVisible() ? label->text() : QString());
    }
    EXPECT_TRUE(said.join(QLatin1Char(' ')).contains(QStringLiteral("profile_memory=True")));
    EXPECT_FALSE(place("place-memory").list().isVisible());
    EXPECT_FALSE(isListed("clocks")) << "one rank has nothing to align";
}

TEST_F(Places, ASessionOfAnEarlierVersionChoosesThePlaceAndThePage) {
    openSample();
    for (const auto& [panel, of] : {std::pair("path", "place-steps"), std::pair("communication", "place-communication"),
                                    std::pair("health", "place-trace"), std::pair("tables", "place-compute")}) {
        workspace().showPanel(QLatin1String(panel));
        window().sessions().save(inFolder("mine.rankscope"));
        QFile file(inFolder("mine.rankscope"));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_TRUE(file.readAll().contains(QByteArray("\"panel\": \"") + panel + '"')) << "as sessions have it always";
        workspace().showPanel(QStringLiteral("details"));
        ASSERT_TRUE(openAndWait({inFolder("mine.rankscope")}));
        EXPECT_EQ(workspace().panelInFront(), QLatin1String(panel));
        EXPECT_EQ(tabs().currentWidget(), &place(of)) << panel;
    }
}

TEST_F(Places, TheirListsHaveRoomInASmallWindow) {
    openSample();
    for (const PlaceRow& row : placeTable()) {
        trigger((std::string("view.") + row.name).c_str());
        QCoreApplication::processEvents();
        const PageList& list = place(row.name).list();
        for (const QPushButton* each : list.findChildren<QPushButton*>()) {
            if (each->isVisible()) {
                EXPECT_GE(each->width(), each->sizeHint().width()) << row.name;
                EXPECT_GE(each->height(), each->sizeHint().height()) << row.name;
            }
        }
        EXPECT_FALSE(list.verticalScrollBar()->isVisible()) << row.name;
        EXPECT_TRUE(!list.isVisible() || list.width() < 170) << row.name;
    }
    for (int tab = 0; tab < tabs().count(); ++tab) {
        EXPECT_TRUE(tabs().tabBar()->isTabVisible(tab));
    }
}

TEST_F(Places, TheTimesOfStepsHaveRoomNextToTheListInASmallWindow) {
    openSample();
    workspace().showBelow(workspace().steps());
    QCoreApplication::processEvents();
    const auto* table = workspace().steps().findChild<QTableView*>();
    ASSERT_TRUE(table->isVisible());
    const int right = table->columnViewportPosition(StepsModel::kIdle) + table->columnWidth(StepsModel::kIdle);
    EXPECT_LE(right, table->viewport()->width());
}

TEST_F(Places, AfterAnAreaThePlaceOfTheSelectionShowsDetailsAgain) {
    openSample();
    timeline().select(SliceSelection{0, RankPosition(0), {TrackId(0), 2}});
    trigger("view.steps");
    timeline().trigger(TimelineAction::AreaOfSelection);
    ASSERT_TRUE(timeline().area());
    EXPECT_TRUE(workspace().area().isVisible());
    timeline().trigger(TimelineAction::Clear);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("steps"));
    trigger("view.place-selection");
    EXPECT_TRUE(workspace().details().isVisible());
}

TEST_F(Places, APlaceWhosePagesAreAllElsewhereHasNoTab) {
    openSample();
    for (const char* page : {"steps", "charts", "path", "what-if"}) {
        workspace().places().move(*workspace().places().find(QLatin1String(page)), PanelPlace::SideBottom);
    }
    EXPECT_LT(tabs().indexOf(&place("place-steps")), 0);
    trigger("view.place-steps");
    EXPECT_FALSE(notice().isEmpty()) << "why nothing happened is said";
    trigger("view.panels-back");
    EXPECT_EQ(tabs().indexOf(&place("place-steps")), 1) << "in its order";
    EXPECT_TRUE(isListed("charts"));
}

TEST_F(Places, TheViewMenuHasThemWithTheirPages) {
    QStringList menus;
    for (const QAction* title : window().menuBar()->actions()) {
        if (QString(title->text()).remove(QLatin1Char('&')) == QStringLiteral("View")) {
            for (const QAction* entry : title->menu()->actions()) {
                menus.append(QString(entry->text()).remove(QLatin1Char('&')));
            }
        }
    }
    for (const PlaceRow& row : placeTable()) {
        EXPECT_TRUE(menus.contains(row.title)) << row.name;
    }
}

TEST(PageTable, NamesEachPanelAndCommandOnce) {
    QStringList names;
    QStringList commands;
    for (const PageRow& row : pageTable()) {
        names.append(QLatin1String(row.name));
        commands.append(QLatin1String(row.command));
        EXPECT_FALSE(row.about.isEmpty()) << row.name;
        EXPECT_EQ(row.place != nullptr, row.dock == PanelPlace::Below) << row.name;
        EXPECT_EQ(row.in_list.isEmpty(), row.place == nullptr) << row.name;
    }
    EXPECT_EQ(names.removeDuplicates() + commands.removeDuplicates(), 0);
    for (const PlaceRow& row : placeTable()) {
        EXPECT_EQ(QString(row.menu).remove(QLatin1Char('&')), row.title);
        EXPECT_FALSE(names.contains(QLatin1String(row.name))) << "a widget's name is another's too";
    }
}

}  // namespace
}  // namespace rankscope::ui
