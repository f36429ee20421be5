// SPDX-License-Identifier: GPL-3.0-or-later
// The pointer and what is said of what lies under it; the keys that are held: without a widget.
#include "ui/timeline/navigation/hover.h"

#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/gestures.h"

namespace rankscope::ui {
namespace {

Hit hitOf(SliceIndex kernel) {
    return {SliceSelection{0, RankPosition(0), {TrackId(2), kernel}}, 1, nullptr, nullptr, {}};
}

class HoverTest : public testing::Test {
  protected:
    void moveTo(const QPointF& at, const Hit& hit) { hover.moveTo(at, hit, model, Theme::darkTheme()); }

    TimelineModel model{{test::makeRun({.ranks = 1})}};
    Hover hover;
};

TEST_F(HoverTest, KnowsWhatThePointerIsOver) {
    EXPECT_FALSE(hover.overTracks());
    EXPECT_FALSE(hover.overNames());
    moveTo({40, 30}, {});
    EXPECT_TRUE(hover.overTracks());
    moveTo({-40, 30}, {});
    EXPECT_TRUE(hover.overNames());
    moveTo({40, -5}, {});
    EXPECT_FALSE(hover.overTracks()) << "over the ruler";
    EXPECT_FALSE(hover.overNames());
}

TEST_F(HoverTest, KeysZoomUnderThePointerElseInTheMiddle) {
    EXPECT_EQ(hover.focusX(800), 400);
    moveTo({40, 30}, {});
    EXPECT_EQ(hover.focusX(800), 40);
    hover.leave();
    EXPECT_EQ(hover.focusX(800), 400);
}

TEST_F(HoverTest, SaysWhatIsUnderIt) {
    moveTo({40, 30}, hitOf(0));
    const QString first = hover.tip().title;
    EXPECT_FALSE(first.isEmpty());
    moveTo({60, 30}, hitOf(1));
    EXPECT_NE(hover.tip().title, first);
    moveTo({70, 30}, {});
    EXPECT_TRUE(hover.tip().empty());
}

TEST_F(HoverTest, ForgetsWhatChangedButNotWhereItIs) {
    moveTo({40, 30}, hitOf(0));
    hover.forgetTip();
    EXPECT_TRUE(hover.tip().empty());
    EXPECT_EQ(hover.hit().count, 1U);
    hover.forgetHit();
    EXPECT_EQ(hover.hit().count, 0U);
    EXPECT_TRUE(hover.overTracks());
    moveTo({40, 30}, hitOf(0));
    EXPECT_FALSE(hover.tip().empty()) << "once it moves, it is said again";
    hover.leave();
    EXPECT_FALSE(hover.overTracks());
    EXPECT_TRUE(hover.tip().empty());
}

TEST(HeldKeys, MoveTheViewForAsLongAsTheyAreHeldAndTheLastOneWins) {
    auto held = heldWith({}, TimelineAction::PanRight, true);
    ASSERT_TRUE(held);
    EXPECT_EQ(held->pan, 1);
    held = heldWith(*held, TimelineAction::PanLeft, true);
    EXPECT_EQ(held->pan, -1);
    held = heldWith(*held, TimelineAction::PanRight, false);
    EXPECT_EQ(held->pan, -1) << "the other key is still down";
    held = heldWith(*held, TimelineAction::ZoomIn, true);
    EXPECT_EQ(held->zoom, 1);
    held = heldWith(*held, TimelineAction::PanLeft, false);
    held = heldWith(*held, TimelineAction::ZoomIn, false);
    EXPECT_FALSE(held->any());
    EXPECT_FALSE(heldWith({}, TimelineAction::FitAll, true)) << "no key to hold";
}

}  // namespace
}  // namespace rankscope::ui
