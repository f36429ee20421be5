// SPDX-License-Identifier: GPL-3.0-or-later
// What the user did with rows and marks, taken back and done again on a real widget.
#include <gtest/gtest.h>

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/navigation/history.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class Undo : public ShownTimeline {
  protected:
    Undo() : ShownTimeline({1000, 700}, test::makeRun({.ranks = 2})) {}
    void press(const QPoint& at) { send(QEvent::MouseButtonPress, at); }
    void move(const QPoint& at) { send(QEvent::MouseMove, at); }
    void release(const QPoint& at) { send(QEvent::MouseButtonRelease, at); }
    void undo() { timeline.trigger(TimelineAction::Undo); }
    void redo() { timeline.trigger(TimelineAction::Redo); }
    /// Selects a kernel of a rank, so that commands are about its track.
    void selectOn(std::uint32_t rank) {
        timeline.reveal(SliceSelection{0, RankPosition(rank), SliceRef{TrackId(2), 0}});
    }
    /// What a session would keep of rows and marks.
    [[nodiscard]] TimelineState rows() const {
        TimelineState state = timeline.state();
        state.window = {};
        state.scroll = 0;
        return state;
    }

  private:
    void send(QEvent::Type type, const QPoint& at) { test::sendLeft(timeline, type, at); }
};

TEST_F(Undo, BringsBackAHiddenTrackAndARemovedMarkWithItsPlace) {
    selectOn(1);
    timeline.trigger(TimelineAction::Mark);
    ASSERT_EQ(timeline.marks().size(), 1U);
    const std::vector<TimeMark> marks = timeline.marks();
    timeline.trigger(TimelineAction::HideTrack);
    ASSERT_EQ(timeline.rowLayout().find(0, RankPosition(1), TrackId(2)), nullptr);
    timeline.trigger(TimelineAction::RemoveMark);
    ASSERT_TRUE(timeline.marks().empty());
    const QSignalSpy told(&timeline, &TimelineWidget::marksChanged);
    undo();
    EXPECT_EQ(timeline.marks(), marks);
    EXPECT_EQ(told.count(), 1);
    EXPECT_EQ(timeline.rowLayout().find(0, RankPosition(1), TrackId(2)), nullptr) << "that was the step before";
    undo();
    EXPECT_NE(timeline.rowLayout().find(0, RankPosition(1), TrackId(2)), nullptr);
    EXPECT_EQ(timeline.marks(), marks);
}

TEST_F(Undo, AFoldByAClickIsAStepToo) {
    const TimelineState first = rows();
    const LayoutRow* rank = timeline.rowLayout().findRank(0, RankPosition(0));
    ASSERT_NE(rank, nullptr);
    const QPoint at(40, timeline.tracksArea().top() + rank->y + rank->height / 2);
    press(at);
    release(at);
    ASSERT_NE(rows(), first);
    undo();
    EXPECT_EQ(rows(), first);
}

TEST_F(Undo, ADragThatMakesRowsHigherIsOneStep) {
    const TimelineState first = rows();
    const LayoutRow* track = timeline.rowLayout().find(0, RankPosition(0), TrackId(2));
    ASSERT_NE(track, nullptr);
    const QPoint edge(60, timeline.tracksArea().top() + track->y + track->height - 1);
    press(edge);
    for (int way = 6; way <= 30; way += 6) {
        move(edge + QPoint(0, way));
    }
    release(edge + QPoint(0, 30));
    ASSERT_NE(rows().sizes, first.sizes);
    undo();
    EXPECT_EQ(rows(), first);
}

TEST_F(Undo, SomethingNewForgetsWhatCouldBeDoneAgain) {
    selectOn(0);
    timeline.trigger(TimelineAction::PinTrack);
    undo();
    timeline.trigger(TimelineAction::FoldRank);
    const TimelineState folded = rows();
    redo();
    EXPECT_EQ(rows(), folded);
}

TEST_F(Undo, ANoteThatStaysAsItIsForgetsNothing) {
    selectOn(0);
    timeline.trigger(TimelineAction::KeepMark);
    auto* note = timeline.findChild<QLineEdit*>();
    ASSERT_NE(note, nullptr);
    QTest::keyClicks(note, QStringLiteral("late"));
    QTest::keyClick(note, Qt::Key_Return);
    timeline.trigger(TimelineAction::PinTrack);
    const TimelineState pinned = rows();
    undo();
    ASSERT_NE(rows(), pinned);
    timeline.trigger(TimelineAction::NoteMark);
    QTest::keyClick(note, Qt::Key_Return);
    redo();
    EXPECT_EQ(rows(), pinned);
}

TEST_F(Undo, DoesNotReachBackToOtherRuns) {
    selectOn(0);
    timeline.trigger(TimelineAction::PinTrack);
    timeline.setRuns({test::makeRun({.ranks = 3})});
    const TimelineState first = rows();
    undo();
    EXPECT_EQ(rows(), first);
}

TEST(HistoryTest, KeepsTheLastHundred) {
    History<int> history;
    for (int i = 0; i < 150; ++i) {
        history.leave(i);
    }
    int here = 150;
    int steps = 0;
    while (const auto before = history.back(here)) {
        EXPECT_EQ(*before, here - 1);
        here = *before;
        ++steps;
    }
    EXPECT_EQ(steps, 100);
    EXPECT_EQ(history.forward(here), here + 1);
}

}  // namespace
}  // namespace rankscope::ui
