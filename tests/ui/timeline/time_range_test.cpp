// SPDX-License-Identifier: GPL-3.0-or-later
// Two clicks with Shift select the time between them.
#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class TimeRange : public ShownTimeline {
  protected:
    TimeRange() : ShownTimeline({1100, 640}, test::makeRun({})) {}
    /// In a header, where nothing is to snap to.
    QPoint at(int x) { return timeline.tracksArea().topLeft() + QPoint(x, 8); }
    void shiftClick(int x) { QTest::mouseClick(&timeline, Qt::LeftButton, Qt::ShiftModifier | Qt::AltModifier, at(x)); }
};

TEST_F(TimeRange, TwoClicksWithShiftSelectTheTimeBetweenThemOnAllTracks) {
    shiftClick(500);
    EXPECT_FALSE(timeline.area());
    shiftClick(200);
    ASSERT_TRUE(timeline.area());
    EXPECT_EQ(timeline.markedSpan(), (TimeSpan{timeline.viewport().timeAt(200), timeline.viewport().timeAt(500)}));
    EXPECT_GE(timeline.area()->area.tracks.size(), 8U) << "of both ranks";
    shiftClick(700);
    EXPECT_EQ(timeline.markedSpan().end_ns, timeline.viewport().timeAt(700)) << "with an area it is extended";
}

TEST_F(TimeRange, TheFirstPlaceIsShownAndTheLengthUpToThePointer) {
    const QImage before = timeline.grab().toImage();
    shiftClick(300);
    test::moveTo(timeline, at(301));
    const QImage first = timeline.grab().toImage();
    EXPECT_NE(first, before);
    test::moveTo(timeline, at(600));
    const QImage wide = timeline.grab().toImage();
    const QPoint inside = at(450) + QPoint(0, 300);
    EXPECT_NE(wide.pixel(inside), first.pixel(inside));
}

TEST_F(TimeRange, AClickAndEscapeForgetTheFirstPlace) {
    shiftClick(300);
    QTest::keyClick(&timeline, Qt::Key_Escape);
    shiftClick(500);
    EXPECT_FALSE(timeline.area()) << "it is the first place again";
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(100));
    shiftClick(200);
    EXPECT_FALSE(timeline.area());
    shiftClick(250);
    EXPECT_TRUE(timeline.area());
}

TEST_F(TimeRange, ADragInBetweenDrawsAnAreaAndIsNoEndOfTheRange) {
    const auto on_tracks = [this](int x) { return at(x) + QPoint(0, 70); };
    shiftClick(300);
    QTest::mousePress(&timeline, Qt::LeftButton, {}, on_tracks(600));
    QTest::mouseMove(&timeline, on_tracks(650));
    QTest::mouseMove(&timeline, on_tracks(700));
    QTest::mouseRelease(&timeline, Qt::LeftButton, {}, on_tracks(700));
    ASSERT_TRUE(timeline.area());
    EXPECT_GT(timeline.markedSpan().start_ns, timeline.viewport().timeAt(550));
}

}  // namespace
}  // namespace rankscope::ui
