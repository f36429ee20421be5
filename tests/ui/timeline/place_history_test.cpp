// SPDX-License-Identifier: GPL-3.0-or-later
// Back and forward over the places that jumps left.
#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/place_history.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

ViewPlace placeAt(TimeNs start) {
    return {{start, start + 100}, 0, {}};
}

TEST(PlaceHistory, LeadsBackAndForwardAgain) {
    PlaceHistory places;
    EXPECT_FALSE(places.back(placeAt(0)));
    places.leave(placeAt(0));
    places.leave(placeAt(1000));
    EXPECT_EQ(places.back(placeAt(2000)), placeAt(1000));
    EXPECT_EQ(places.back(placeAt(1000)), placeAt(0));
    EXPECT_FALSE(places.back(placeAt(0)));
    EXPECT_EQ(places.forward(placeAt(0)), placeAt(1000));
    EXPECT_EQ(places.forward(placeAt(1000)), placeAt(2000));
    EXPECT_FALSE(places.forward(placeAt(2000)));
}

TEST(PlaceHistory, ANewJumpForgetsThePlacesAhead) {
    PlaceHistory places;
    places.leave(placeAt(0));
    ASSERT_TRUE(places.back(placeAt(1000)));
    places.leave(placeAt(0));
    EXPECT_FALSE(places.forward(placeAt(3000)));
    EXPECT_EQ(places.back(placeAt(3000)), placeAt(0));
}

TEST(PlaceHistory, GoesToAPlaceOtherThanTheCurrentOne) {
    PlaceHistory places;
    places.leave(placeAt(0));
    places.leave(placeAt(1000));
    places.leave(placeAt(1000));
    EXPECT_EQ(places.back(placeAt(1000)), placeAt(0)) << "one stands where one was going to";
}

class PlacesTest : public ShownTimeline {
  protected:
    PlacesTest() : ShownTimeline({1100, 640}, test::makeRun({})) {}
    /// Longer than the pause that ends a walk.
    void pause() {
        timeline.settle();
        QTest::qWait(650);
    }
    [[nodiscard]] TimeSpan window() const { return timeline.viewport().window(); }
    void trigger(TimelineAction action) {
        timeline.trigger(action);
        timeline.settle();
    }
};

TEST_F(PlacesTest, ViewAndSelectionAreRestoredAndReported) {
    const TimeSpan all = window();
    const GapSelection gap{0, RankPosition(1), RankStepPosition(2), 0};
    timeline.reveal(gap);
    timeline.fitSelection();
    pause();
    const TimeSpan of_gap = window();
    timeline.showStep(0, RankPosition(0), RankStepPosition(1));
    timeline.settle();
    const TimeSpan of_step = window();
    ASSERT_NE(of_step, of_gap);
    QTest::keyClick(&timeline, Qt::Key_Escape);
    Selection told;
    QObject::connect(&timeline, &TimelineWidget::selectionChanged, [&](const Selection& s) { told = s; });
    trigger(TimelineAction::GoBack);
    EXPECT_EQ(window(), of_gap);
    EXPECT_EQ(timeline.selection(), Selection(gap));
    EXPECT_EQ(told, Selection(gap));
    trigger(TimelineAction::GoBack);
    EXPECT_EQ(window(), all) << "revealing and fitting were one jump";
    trigger(TimelineAction::GoForward);
    trigger(TimelineAction::GoForward);
    EXPECT_EQ(window(), of_step);
}

TEST_F(PlacesTest, AWalkFromSliceToSliceIsOneJump) {
    const TimeSpan all = window();
    timeline.select(SliceSelection{0, RankPosition(0), {TrackId(2), 5}});
    for (int i = 0; i < 10; ++i) {
        QTest::keyClick(&timeline, Qt::Key_Period);
    }
    timeline.settle();
    trigger(TimelineAction::GoBack);
    EXPECT_EQ(window(), all);
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {TrackId(2), 5}}));
}

TEST_F(PlacesTest, WithoutRunsThereIsNoWayBack) {
    timeline.showStep(0, RankPosition(0), RankStepPosition(1));
    pause();
    timeline.setRuns({});
    timeline.setRuns({run});
    const TimeSpan now = window();
    trigger(TimelineAction::GoBack);
    EXPECT_EQ(window(), now);
}

}  // namespace
}  // namespace rankscope::ui
