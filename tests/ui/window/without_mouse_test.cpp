// SPDX-License-Identifier: GPL-3.0-or-later
// What a mouse does can be done by keys: by real keys in a real window.
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTimer>
#include <algorithm>

#include "tests/ui/table_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/run_chart.h"
#include "ui/panels/compute/calls_panel.h"
#include "ui/panels/compute/flame_view.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/window/opening/passing_notice.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

class WithoutMouse : public CompareWindow {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait({zero()}));
        QCoreApplication::processEvents();
        timeline().settle();
        timeline().setFocus();
    }
    Overview& overview() { return timeline().overview(); }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key), modifiers);
        timeline().settle();
    }
    /// Presses the menu key, and chooses the entry of this title, if there is one.
    bool chooseInMenu(const QString& title) {
        QContextMenuEvent asked(QContextMenuEvent::Keyboard, timeline().rect().center(),
                                timeline().mapToGlobal(timeline().rect().center()));
        QApplication::sendEvent(&timeline(), &asked);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (menu == nullptr) {
            return false;
        }
        for (QAction* action : menu->actions()) {
            if (QString(action->text()).remove(QLatin1Char('&')) == title) {
                QTest::keyClick(menu, Qt::Key_Down);
                menu->setActiveAction(action);
                QTest::keyClick(menu, Qt::Key_Return);
                timeline().settle();
                return true;
            }
        }
        menu->close();
        return false;
    }
    std::size_t rows() { return timeline().rowLayout().rows().size(); }
    void goToName(RowKind kind) {
        for (std::size_t i = 0; i < rows() + 1; ++i) {
            if (timeline().namedRow() != nullptr && timeline().namedRow()->kind == kind) {
                return;
            }
            press(Qt::Key_Down, Qt::ControlModifier);
        }
        FAIL() << "no such row";
    }
    static void tabTo(QWidget& widget) {
        for (int i = 0; i < 80 && QApplication::focusWidget() != &widget; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        ASSERT_EQ(QApplication::focusWidget(), &widget);
    }
};

TEST_F(WithoutMouse, EachNameIsReachedAndFolded) {
    std::size_t reached = 0;
    const LayoutRow* last = nullptr;
    for (press(Qt::Key_Down, Qt::ControlModifier); timeline().namedRow() != last;
         press(Qt::Key_Down, Qt::ControlModifier)) {
        last = timeline().namedRow();
        ++reached;
    }
    EXPECT_GE(reached, rows() - 1) << "from the first in sight on";
    press(Qt::Key_Escape);
    EXPECT_EQ(timeline().namedRow(), nullptr);
    for (const RowKind kind : {RowKind::Rank, RowKind::Run}) {
        timeline().trigger(TimelineAction::Clear);
        for (std::size_t i = 0; i < rows(); ++i) {
            press(Qt::Key_Up, Qt::ControlModifier);
        }
        goToName(kind);
        const std::size_t before = rows();
        press(Qt::Key_X);
        EXPECT_LT(rows(), before) << "folded";
        press(Qt::Key_X);
        EXPECT_EQ(rows(), before) << "unfolded";
    }
}

TEST_F(WithoutMouse, TheNameThatTheKeyboardIsAtStaysInSightAndIsMarked) {
    const QImage before = timeline().grab().toImage();
    for (std::size_t i = 0; i < rows() + 1; ++i) {
        press(Qt::Key_Down, Qt::ControlModifier);
        const LayoutRow* row = timeline().namedRow();
        ASSERT_NE(row, nullptr);
    }
    EXPECT_NE(timeline().grab().toImage(), before);
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(&timeline());
    bool chosen = false;
    for (int i = 0; i < node->childCount(); ++i) {
        QAccessibleInterface* child = node->child(i);
        if (child->role() == QAccessible::TreeItem && child->state().selected) {
            chosen = true;
            EXPECT_FALSE(child->state().offscreen);
        }
    }
    EXPECT_TRUE(chosen);
}

TEST_F(WithoutMouse, AHeaderIsHiddenByItsMenuAndATrackIsMovedAndMadeHigher) {
    goToName(RowKind::Rank);
    const RankPosition rank = timeline().namedRow()->rank;
    ASSERT_TRUE(chooseInMenu(QStringLiteral("Hide")));
    EXPECT_EQ(timeline().rowLayout().findRank(0, rank), nullptr);
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(timeline().rowLayout().findRank(0, rank), nullptr);
    timeline().trigger(TimelineAction::Clear);
    goToName(RowKind::Track);
    const RowKey track = timeline().namedRow()->key;
    const int height = timeline().namedRow()->row_height;
    const int place = timeline().namedRow()->y;
    ASSERT_TRUE(chooseInMenu(QStringLiteral("Make Its Rows Higher")));
    EXPECT_GT(timeline().rowLayout().find(track)->row_height, height);
    ASSERT_TRUE(chooseInMenu(QStringLiteral("Move Down")));
    EXPECT_GT(timeline().rowLayout().find(track)->y, place);
    ASSERT_TRUE(chooseInMenu(QStringLiteral("Move Up")));
    EXPECT_EQ(timeline().rowLayout().find(track)->y, place);
}

TEST_F(WithoutMouse, AnAreaGrowsToTheSelection) {
    press(Qt::Key_Period);
    press(Qt::Key_R);
    ASSERT_TRUE(timeline().area().has_value());
    const TimeSpan first = timeline().markedSpan();
    press(Qt::Key_Period);
    press(Qt::Key_Down);
    const TimeSpan selected = timeline().spanOf(timeline().selection());
    press(Qt::Key_R, Qt::ShiftModifier);
    const TimeSpan both = timeline().markedSpan();
    EXPECT_EQ(both.start_ns, std::min(first.start_ns, selected.start_ns));
    EXPECT_EQ(both.end_ns, std::max(first.end_ns, selected.end_ns));
    EXPECT_GE(timeline().area()->area.tracks.size(), 2U) << "the track of the second one is in it";
}

TEST_F(WithoutMouse, TheColumnOfNamesIsMadeWider) {
    const int before = timeline().tracksArea().left();
    trigger("rows.wider-names");
    EXPECT_GT(timeline().tracksArea().left(), before);
    trigger("rows.narrower-names");
    EXPECT_EQ(timeline().tracksArea().left(), before);
}

TEST_F(WithoutMouse, TheCellsOfTheOverviewAreWalkedAndEntered) {
    timeline().fitAll();
    timeline().settle();
    tabTo(overview());
    const QString first = overview().spokenContent();
    press(Qt::Key_Home);
    press(Qt::Key_Down);
    const QString below = overview().spokenContent();
    EXPECT_TRUE(below.startsWith(QStringLiteral("rank 1, step")))
        << below.toStdString() << " after " << first.toStdString();
    const QImage before = overview().grab().toImage();
    press(Qt::Key_Right);
    EXPECT_NE(overview().spokenContent(), below);
    EXPECT_NE(overview().grab().toImage(), before) << "it is seen where the keyboard is";
    const TimeSpan window = timeline().viewport().window();
    press(Qt::Key_Return);
    EXPECT_NE(timeline().viewport().window(), window);
    EXPECT_LT(timeline().viewport().window().length(), window.length());
}

TEST_F(WithoutMouse, TheBarsAndPointsOfChartsAreWalkedAndEntered) {
    workspace().showBelow(workspace().charts());
    for (const ChartsPanel::Chart which :
         {ChartsPanel::kPartition, ChartsPanel::kStepTime, ChartsPanel::kDistribution, ChartsPanel::kLateness}) {
        SCOPED_TRACE(static_cast<int>(which));
        workspace().charts().showChart(which);
        QCoreApplication::processEvents();
        ChartView& view = workspace().charts().charts()[which]->view();
        timeline().fitAll();
        timeline().setFocus();
        tabTo(view);
        press(Qt::Key_Right);
        ASSERT_EQ(view.current(), std::size_t{0});
        const QString first = view.spokenContent();
        press(Qt::Key_End);
        EXPECT_EQ(view.current(), view.spokenParts() - 1);
        EXPECT_NE(view.spokenContent(), first);
        press(Qt::Key_Left);
        const TimeSpan window = timeline().viewport().window();
        press(Qt::Key_Return);
        EXPECT_LT(timeline().viewport().window().length(), window.length());
    }
}

TEST_F(WithoutMouse, ARowOfTheStepsIsEntered) {
    workspace().showBelow(workspace().steps());
    auto* table = workspace().steps().findChild<QTableView*>();
    tabTo(*table);
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(timeline().selection()));
}

TEST_F(WithoutMouse, ATableIsSortedByTheColumnThatTheKeyboardIsIn) {
    workspace().showBelow(workspace().tables());
    auto* table = workspace().tables().findChild<QTableView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !workspace().busy() && table->model()->rowCount() > 1; }, kPatience));
    tabTo(*table);
    press(Qt::Key_Down);
    table->setCurrentIndex(table->model()->index(0, 0));
    const auto actions = table->actions();
    const auto sort = std::ranges::find_if(
        actions, [](const QAction* action) { return action->text() == QStringLiteral("S&ort by This Column"); });
    ASSERT_NE(sort, actions.end());
    (*sort)->trigger();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !workspace().busy(); }, kPatience));
    const QStringList names = test::column(*table->model());
    EXPECT_TRUE(std::ranges::is_sorted(names));
}

TEST_F(WithoutMouse, TheFlameGraphIsWalkedAndZoomed) {
    workspace().showBelow(workspace().calls());
    auto* flame = workspace().calls().findChild<FlameView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !workspace().busy() && flame->spokenParts() > 1; }, kPatience));
    tabTo(*flame);
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    ASSERT_TRUE(flame->chosen().has_value());
    EXPECT_NE(*flame->chosen(), 0U);
    press(Qt::Key_Return);
    EXPECT_EQ(flame->top(), *flame->chosen());
    press(Qt::Key_Backspace);
    EXPECT_EQ(flame->top(), 0U);
}

TEST_F(WithoutMouse, FollowingAMissingLaunchSaysWhyForAShortTime) {
    const RankTrace& rank = *window().session().runs()[0]->run->ranks[0];
    std::optional<SliceRef> kernel;
    for (std::uint32_t t = 0; t < rank.tracks.size() && !kernel; ++t) {
        const SliceRef first{TrackId(t), 0};
        if (rank.tracks[t].kind == TrackKind::CpuThread && rank.tracks[t].slices.size() > 0) {
            kernel = first;
        }
    }
    ASSERT_TRUE(kernel);
    timeline().select(SliceSelection{0, RankPosition(0), *kernel});
    const QRect before(timeline().mapTo(&window(), QPoint()), timeline().size());
    press(Qt::Key_BracketLeft);
    auto* said = window().findChild<PassingNotice*>();
    ASSERT_NE(said, nullptr);
    ASSERT_TRUE(said->isVisible());
    EXPECT_EQ(QRect(timeline().mapTo(&window(), QPoint()), timeline().size()), before) << "nothing moves for it";
    EXPECT_TRUE(window().rect().contains(QRect(said->mapTo(&window(), QPoint()), said->size())));
    EXPECT_EQ(said->text(), QStringLiteral("Nothing in the trace leads to this."));
    timeline().select({});
    press(Qt::Key_BracketRight);
    EXPECT_TRUE(said->text().startsWith(QStringLiteral("Nothing is selected"))) << said->text().toStdString();
    auto* shown = said->findChild<QTimer*>();
    ASSERT_NE(shown, nullptr);
    EXPECT_TRUE(shown->isActive());
    shown->start(0);
    EXPECT_TRUE(QTest::qWaitFor([said] { return !said->isVisible(); }));
    press(Qt::Key_BracketRight);
    ASSERT_TRUE(said->isVisible());
    QTest::mouseClick(said, Qt::LeftButton);
    EXPECT_FALSE(said->isVisible());
    EXPECT_FALSE(shown->isActive());
}

}  // namespace
}  // namespace rankscope::ui
