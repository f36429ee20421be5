// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that move a timeline while they are held, and digits, wherever the keyboard and the mouse are.
#include <QApplication>
#include <QComboBox>
#include <QEnterEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>
#include <utility>

#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"

namespace rankscope::ui {
namespace {

/// The mouse comes over a timeline, or leaves it, as the window system tells it.
void mouseEnters(TimelineWidget& timeline, double x) {
    const QPointF at = QPointF(timeline.tracksArea().topLeft()) + QPointF(x, 50);
    QEnterEvent event(at, at, timeline.mapToGlobal(at));
    QApplication::sendEvent(&timeline, &event);
}
void mouseLeaves(TimelineWidget& timeline) {
    QEvent event(QEvent::Leave);
    QApplication::sendEvent(&timeline, &event);
}

class MovingKeys : public CompareWindow {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait({zero()}));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workspace().busy(); }, kPatience));
        workspace().showBelow(workspace().tables());
        QCoreApplication::processEvents();
        own().settle();
    }
    [[nodiscard]] TimelineWidget& own() { return workspace().timeline(); }
    [[nodiscard]] QWidget& tabs() { return *workspace().places().dock(PanelPlace::Below).tabBar(); }
    [[nodiscard]] DurationNs length() { return own().viewport().window().length(); }
    /// Gives `from` the keyboard, and holds a key down on it until the timeline zooms.
    void holdDown(QWidget& from) {
        from.setFocus();
        const DurationNs before = length();
        QTest::keyPress(&from, Qt::Key_W);
        EXPECT_TRUE(QTest::qWaitFor([&] { return length() < before; }, kPatience));
    }
    /// Whether a key that `from` gets changes what the timeline shows.
    [[nodiscard]] bool moves(QWidget& from, Qt::Key key) {
        const TimeSpan before = own().viewport().window();
        QTest::keyClick(&from, key);
        own().settle();
        return own().viewport().window() != before;
    }
    /// Whether the view stays where it is, once it had the time to come to rest.
    [[nodiscard]] bool rests() {
        QTest::qWait(600);
        const TimeSpan there = own().viewport().window();
        QTest::qWait(100);
        return own().viewport().window() == there;
    }
    template <class Widget>
    [[nodiscard]] Widget* seenInTables() {
        Widget* seen = nullptr;
        for (Widget* each : workspace().tables().findChildren<Widget*>()) {
            seen = seen == nullptr && each->isVisible() ? each : seen;
        }
        return seen;
    }
};

TEST_F(MovingKeys, MoveTheTimelineFromPanelsInWhichNothingIsTyped) {
    for (QWidget* from : {static_cast<QWidget*>(workspace().findChild<FindingCard*>()), &tabs()}) {
        from->setFocus();
        ASSERT_FALSE(own().hasFocus());
        EXPECT_TRUE(moves(*from, Qt::Key_W)) << from->metaObject()->className();
        EXPECT_TRUE(moves(*from, Qt::Key_D)) << from->metaObject()->className();
    }
}

TEST_F(MovingKeys, StayWhereTextIsTypedOrAnEntryIsChosen) {
    mouseEnters(own(), 100);
    auto* field = seenInTables<QLineEdit>();
    ASSERT_NE(field, nullptr);
    field->setFocus();
    for (const Qt::Key key : {Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D}) {
        EXPECT_FALSE(moves(*field, key));
    }
    EXPECT_EQ(field->text(), QStringLiteral("wasd"));
    auto* box = seenInTables<QComboBox>();
    ASSERT_NE(box, nullptr);
    box->setFocus();
    EXPECT_FALSE(moves(*box, Qt::Key_W));
}

TEST_F(MovingKeys, MoveTheTimelineFromATableWhileTheMouseIsOverTheTimeline) {
    QTableView* table = nullptr;  // it is filled from a thread
    ASSERT_TRUE(QTest::qWaitFor([&] { return (table = seenInTables<QTableView>()) != nullptr; }, kPatience));
    table->setFocus();
    mouseLeaves(own());
    EXPECT_FALSE(moves(*table, Qt::Key_W)) << "a letter finds a row";
    mouseEnters(own(), 100);
    EXPECT_TRUE(moves(*table, Qt::Key_W));
    mouseLeaves(own());
    EXPECT_FALSE(moves(*table, Qt::Key_W));
}

TEST_F(MovingKeys, AreReleasedWhereverTheKeyboardIsByThen) {
    holdDown(tabs());
    QKeyEvent again(QEvent::KeyPress, Qt::Key_W, Qt::NoModifier, QStringLiteral("w"), true);
    QApplication::sendEvent(&tabs(), &again);
    auto* field = seenInTables<QLineEdit>();
    field->setFocus();
    QTest::keyRelease(field, Qt::Key_W);
    EXPECT_TRUE(rests());
}

TEST_F(MovingKeys, AreLetGoWhereTheWindowLosesTheKeyboard) {
    holdDown(tabs());
    QEvent lost(QEvent::WindowDeactivate);
    QApplication::sendEvent(&window(), &lost);
    EXPECT_TRUE(rests());
}

TEST_F(MovingKeys, AreLetGoThoughCtrlIsHeldByThen) {
    holdDown(own());
    QKeyEvent released(QEvent::KeyRelease, Qt::Key_W, Qt::ControlModifier);
    QApplication::sendEvent(&own(), &released);
    EXPECT_TRUE(rests());
}

TEST_F(CompareWindow, KeysThatMoveGoToTheTimelineUnderTheMouse) {
    ASSERT_TRUE(compareSamples());
    TimelineWidget& a = timeline(Side::A);
    TimelineWidget& b = timeline(Side::B);
    const auto press = [&](Qt::Key key) {
        QTest::keyClick(&b, key);
        a.settle();
        b.settle();
    };
    b.setFocus();
    mouseEnters(a, 20);
    const TimeNs under = a.viewport().timeAt(20);
    press(Qt::Key_W);
    EXPECT_NEAR(a.viewport().xAt(under), 20.0, 1.5) << "where the mouse is, and the other follows";
    view().setLinked(false);
    const TimeSpan of_a = a.viewport().window();
    const TimeSpan of_b = b.viewport().window();
    press(Qt::Key_W);
    EXPECT_LT(a.viewport().window().length(), of_a.length());
    EXPECT_EQ(b.viewport().window(), of_b);
    mouseLeaves(a);
    press(Qt::Key_W);
    EXPECT_LT(b.viewport().window().length(), of_b.length()) << "over neither, the one that has the keyboard";
}

TEST_F(CompareWindow, ADigitGoesToThatRankInBothWhileTheyAreLinkedElseUnderTheMouse) {
    ASSERT_TRUE(compareSamples());
    TimelineWidget& a = timeline(Side::A);
    TimelineWidget& b = timeline(Side::B);
    a.setFocus();
    const auto scrolls = [&] { return std::pair(a.state().scroll, b.state().scroll); };
    QTest::keyClick(&a, Qt::Key_0);
    const auto first = scrolls();
    QTest::keyClick(&a, Qt::Key_3);
    const auto last = scrolls();
    EXPECT_NE(last.first, first.first);
    EXPECT_NE(last.second, first.second) << "B comes along";
    view().setLinked(false);
    mouseLeaves(a);
    mouseEnters(b, 20);
    QTest::keyClick(&a, Qt::Key_0);
    EXPECT_EQ(scrolls(), std::pair(last.first, first.second));
}

TEST_F(CompareWindow, ARankOfOnlyOneRunIsReportedAsMissingInTheOther) {
    window().compare({zero()}, {four() + QStringLiteral("/rank0.pt.trace.json.gz")});
    ASSERT_TRUE(waitUntilCompared());
    trigger("go.rank-3");
    EXPECT_EQ(notice(), QStringLiteral("There is no rank 3 in B."));
}

}  // namespace
}  // namespace rankscope::ui
