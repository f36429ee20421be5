// SPDX-License-Identifier: GPL-3.0-or-later
// The edge between the names and the tracks, by itself and under the mouse.
#include "ui/timeline/rows/column_edge.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr int kRoom = 1000;

TEST(ColumnEdgeTest, IsAtItsDefaultPlaceUntilItIsDragged) {
    const Theme theme = Theme::darkTheme();
    ColumnEdge edge;
    const int side = edgeSizes(theme).side;
    EXPECT_EQ(edge.width(theme, kRoom), side);
    EXPECT_FALSE(edge.dragTo(500, theme, kRoom)) << "nobody holds it";
    EXPECT_EQ(edge.width(theme, kRoom), side);
    EXPECT_TRUE(edge.isAt(side - 1, theme, kRoom));
    EXPECT_FALSE(edge.isAt(side, theme, kRoom)) << "that is of the tracks";
    EXPECT_FALSE(edge.isAt(side - 30, theme, kRoom));
}

TEST(ColumnEdgeTest, FollowsThePointerFromWhereTheDragBegan) {
    const Theme theme = Theme::darkTheme();
    ColumnEdge edge;
    const int side = edgeSizes(theme).side;
    edge.press(side - 3, theme, kRoom);
    EXPECT_TRUE(edge.pressed());
    EXPECT_TRUE(edge.dragTo(side - 3 + 100, theme, kRoom));
    EXPECT_EQ(edge.width(theme, kRoom), side + 100);
    edge.release();
    EXPECT_FALSE(edge.dragTo(side, theme, kRoom));
}

TEST(ColumnEdgeTest, LeavesRoomForTheTracksAndForAName) {
    const Theme theme = Theme::darkTheme();
    ColumnEdge edge;
    edge.press(edgeSizes(theme).side, theme, kRoom);
    edge.dragTo(5000, theme, kRoom);
    EXPECT_EQ(edge.width(theme, kRoom), kRoom / 2);
    EXPECT_LE(edge.width(theme, 600), 300) << "also where the window is narrower later";
    edge.dragTo(-50, theme, kRoom);
    EXPECT_GE(edge.width(theme, kRoom), 100);
}

TEST(ColumnEdgeTest, GrowsWithTheSizeOfText) {
    const Theme theme = Theme::darkTheme();
    ColumnEdge edge;
    edge.choose(300);
    EXPECT_EQ(edge.width(theme, kRoom * 4), 300);
    EXPECT_NEAR(edge.width(theme.withTextSize(1.5), kRoom * 4), 450, 2);
}

class NamesWidth : public ShownTimeline {
  protected:
    NamesWidth() : ShownTimeline({kRoom, 500}, test::makeRun({.ranks = 2})) {}
    void send(QEvent::Type type, const QPoint& at) { test::sendLeft(timeline, type, at); }
    [[nodiscard]] QPoint edge() const { return {timeline.tracksArea().left() - 2, timeline.tracksArea().center().y()}; }
};

TEST_F(NamesWidth, IsDraggedAtItsEdgeAndTheTracksMakeRoom) {
    const QRect before = timeline.tracksArea();
    const TimeSpan window = timeline.viewport().window();
    const QSignalSpy told(&timeline, &TimelineWidget::namesWidthChanged);
    const QPoint from = edge();
    send(QEvent::MouseButtonPress, from);
    send(QEvent::MouseMove, from + QPoint(80, 3));
    send(QEvent::MouseButtonRelease, from + QPoint(80, 3));
    EXPECT_EQ(timeline.tracksArea().left(), before.left() + 80);
    EXPECT_EQ(timeline.tracksArea().right(), before.right());
    EXPECT_EQ(timeline.viewport().window(), window) << "the same time is in sight";
    EXPECT_EQ(timeline.overview().busyArea().left(), timeline.tracksArea().left()) << "its times stay over the tracks'";
    EXPECT_EQ(told.count(), 1);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(timeline.selection()));
    EXPECT_FALSE(timeline.state().area.has_value()) << "it was no drag over the tracks";
}

TEST_F(NamesWidth, IsGivenBackByADoubleClick) {
    const int side = timeline.tracksArea().left();
    timeline.setNamesWidth(400);
    EXPECT_EQ(timeline.tracksArea().left(), 400);
    send(QEvent::MouseButtonDblClick, edge());
    EXPECT_EQ(timeline.tracksArea().left(), side);
    EXPECT_EQ(timeline.namesWidth(), 0);
}

TEST_F(NamesWidth, ComesBackWithTheState) {
    timeline.setNamesWidth(320);
    const TimelineState state = timeline.state();
    timeline.setNamesWidth(0);
    timeline.setState(state);
    EXPECT_EQ(timeline.tracksArea().left(), 320);
}

}  // namespace
}  // namespace rankscope::ui
