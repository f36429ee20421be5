// SPDX-License-Identifier: GPL-3.0-or-later
// The drag of a track's name, without a widget.
#include "ui/timeline/rows/header_drag.h"

#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"

namespace rankscope::ui {
namespace {

class HeaderDragTest : public testing::Test {
  protected:
    [[nodiscard]] const LayoutRow& track(std::uint32_t rank, std::uint32_t id) const {
        return *layout.find(0, RankPosition(rank), TrackId(id));
    }
    void layOut() { layout = RowLayout(model, choices); }

    TimelineModel model{{test::makeRun({.ranks = 2})}};
    RowChoices choices;
    RowLayout layout{model, choices};
    HeaderDrag drag;
};

TEST_F(HeaderDragTest, DragsOnlyTracksAndTheirLowerEdgeToResize) {
    const LayoutRow& row = track(0, 2);
    EXPECT_EQ(HeaderDrag::kindAt(layout, row.y + 2), HeaderDrag::Kind::Move);
    EXPECT_EQ(HeaderDrag::kindAt(layout, row.y + row.height - 1), HeaderDrag::Kind::Resize);
    EXPECT_FALSE(HeaderDrag::kindAt(layout, layout.findRank(0, RankPosition(0))->y));
    EXPECT_FALSE(drag.press(layout, layout.height() + 5));
    EXPECT_FALSE(drag.pressed());
    EXPECT_TRUE(drag.press(layout, row.y + 2));
    EXPECT_TRUE(drag.pressed());
}

TEST_F(HeaderDragTest, UpToFourPixelsItIsAClick) {
    drag.press(layout, track(0, 2).y + 8);
    drag.moveTo(model, layout, track(0, 2).y + 12);
    EXPECT_FALSE(drag.dropLine());
    EXPECT_FALSE(drag.drop(model, choices));
    EXPECT_TRUE(choices.orders.empty());
    EXPECT_FALSE(drag.pressed()) << "it is let go of";
}

TEST_F(HeaderDragTest, PutsATrackBeforeAnotherOfItsList) {
    drag.press(layout, track(0, 3).y + 8);
    drag.moveTo(model, layout, track(0, 2).y + 1);
    EXPECT_EQ(drag.dropLine(), track(0, 2).y);
    EXPECT_TRUE(drag.drop(model, choices));
    layOut();
    EXPECT_LT(track(0, 3).y, track(0, 2).y);
    EXPECT_LT(track(1, 2).y, track(1, 3).y) << "of the other rank nothing has moved";
}

TEST_F(HeaderDragTest, BeyondItsListATrackComesLast) {
    drag.press(layout, track(0, 2).y + 8);
    drag.moveTo(model, layout, track(1, 3).y);
    EXPECT_EQ(drag.dropLine(), track(0, 3).y + track(0, 3).height);
    EXPECT_TRUE(drag.drop(model, choices));
    layOut();
    EXPECT_GT(track(0, 2).y, track(0, 3).y);
}

TEST_F(HeaderDragTest, DroppedWhereItWasNothingIsChosen) {
    drag.press(layout, track(0, 2).y + 8);
    drag.moveTo(model, layout, track(0, 2).y + 30);
    drag.moveTo(model, layout, track(0, 2).y + 1);
    EXPECT_TRUE(drag.drop(model, choices)) << "it was a drag";
    EXPECT_TRUE(choices.orders.empty());
}

TEST_F(HeaderDragTest, PinnedTracksAreOrderedAmongThemselves) {
    choices.pinned = {keyOf(*model.rank(0, RankPosition(0))->trace, TrackId(2)),
                      keyOf(*model.rank(0, RankPosition(1))->trace, TrackId(3))};
    layOut();
    const LayoutRow& second = layout.rows()[1];
    drag.press(layout, second.y + 3);
    drag.moveTo(model, layout, 1);
    EXPECT_TRUE(drag.drop(model, choices));
    ASSERT_EQ(choices.pinned.size(), 2U);
    EXPECT_EQ(choices.pinned[0], keyOf(*model.rank(0, RankPosition(1))->trace, TrackId(3)));
    EXPECT_TRUE(choices.orders.empty());
}

TEST_F(HeaderDragTest, TheEdgeMakesRowsHigherInsideItsLimits) {
    const LayoutRow row = track(0, 2);
    const int edge = row.y + row.height - 1;
    drag.press(layout, edge);
    EXPECT_FALSE(drag.resize(choices)) << "nothing has moved";
    drag.moveTo(model, layout, edge + 20);
    ASSERT_TRUE(drag.resize(choices));
    EXPECT_EQ(choices.sizes[row.key], row.row_height + 20 / row.rows);
    drag.moveTo(model, layout, edge + 5'000);
    drag.resize(choices);
    EXPECT_EQ(choices.sizes[row.key], 96);
    drag.moveTo(model, layout, edge - 5'000);
    drag.resize(choices);
    EXPECT_EQ(choices.sizes[row.key], 12);
    EXPECT_FALSE(drag.dropLine()) << "nothing is moved";
    drag.cancel();
    EXPECT_FALSE(drag.drop(model, choices));
}

}  // namespace
}  // namespace rankscope::ui
