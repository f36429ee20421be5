// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that scroll, fold and show what is wanted: without a widget.
#include "ui/timeline/rows/timeline_rows.h"

#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"

namespace rankscope::ui {
namespace {

constexpr int kView = 200;

class TimelineRowsTest : public testing::Test {
  protected:
    TimelineRowsTest() {
        rows.setViewHeight(kView);
        rows.layOut(model);
    }
    /// Whether a row is in sight as a whole.
    [[nodiscard]] bool inSight(const LayoutRow* row) const {
        const int top = row != nullptr ? rows.place().toView(row->y) : -1;
        return top >= 0 && top + row->height <= kView;
    }

    TimelineModel model{{test::makeRun({.ranks = 12, .steps = 2})}};
    TimelineRows rows{RowSizes()};
};

TEST_F(TimelineRowsTest, ScrollAsFarAsThereAreRows) {
    EXPECT_EQ(rows.maxScroll(), rows.layout().height() - kView);
    EXPECT_TRUE(rows.setScroll(50));
    EXPECT_FALSE(rows.setScroll(50)) << "it is there already";
    EXPECT_TRUE(rows.setScroll(1'000'000));
    EXPECT_EQ(rows.scroll(), rows.maxScroll());
    rows.setScroll(-5);
    EXPECT_EQ(rows.scroll(), 0);
}

TEST_F(TimelineRowsTest, StayInsideWhenTheyBecomeFewer) {
    rows.setScroll(1'000'000);
    RowChoices choices = rows.choices();
    choices.folds[{nullptr, RowKind::Run, 0}] = Unfolding::Folded;
    rows.setChoices(choices, model);
    EXPECT_EQ(rows.scroll(), 0);
    EXPECT_EQ(rows.maxScroll(), 0);
}

TEST_F(TimelineRowsTest, SignalThatTheyMayHaveChanged) {
    const auto before = rows.revision();
    rows.setScroll(10);
    EXPECT_EQ(rows.revision(), before) << "scrolling changes no row";
    rows.setChoices(rows.choices(), model);
    EXPECT_NE(rows.revision(), before);
    const auto laid_out = rows.revision();
    EXPECT_FALSE(rows.setSizes(rows.sizes(), model));
    EXPECT_EQ(rows.revision(), laid_out);
    RowSizes larger;
    larger.row *= 2;
    const int height = rows.layout().height();
    EXPECT_TRUE(rows.setSizes(larger, model));
    EXPECT_GT(rows.layout().height(), height);
}

TEST_F(TimelineRowsTest, ARankIsUnfoldedAndScrolledTo) {
    RowChoices choices = rows.choices();
    choices.folds[{nullptr, RowKind::Run, 0}] = Unfolding::Folded;
    hideRow(keyOf(*model.rank(0, RankPosition(9))->trace), choices);
    rows.setChoices(choices, model);
    rows.showRank(model, 0, RankPosition(9));
    EXPECT_TRUE(inSight(rows.layout().findRank(0, RankPosition(9))));
    rows.showRankNumber(model, 0, RankNumber(3));
    EXPECT_EQ(rows.place().toView(rows.layout().findRank(0, RankPosition(3))->y), 0) << "with its header at the top";
    const int scroll = rows.scroll();
    rows.showRankNumber(model, 0, RankNumber(99));
    EXPECT_EQ(rows.scroll(), scroll) << "no run has that number";
}

TEST_F(TimelineRowsTest, ARankNumberIsLookedForInTheWantedRunFirst) {
    const TimelineModel two({test::makeRun({.ranks = 4}), test::makeRun({.ranks = 12})});
    rows.layOut(two);
    rows.showRankNumber(two, 1, RankNumber(2));
    EXPECT_EQ(rows.at(0)->run, 1U);
    rows.showRankNumber(two, 0, RankNumber(5));
    EXPECT_EQ(rows.at(0)->run, 1U) << "the first run has no rank 5";
    EXPECT_EQ(rows.at(0)->rank, 5U);
}

TEST_F(TimelineRowsTest, ASliceIsUnfoldedAndScrolledTo) {
    const SliceSelection call{0, RankPosition(7), {TrackId(0), 4}};
    ASSERT_EQ(rows.layout().find(0, RankPosition(7), TrackId(0)), nullptr) << "threads of many ranks are folded";
    rows.showSlice(model, call);
    const LayoutRow* row = rows.layout().find(0, RankPosition(7), TrackId(0));
    ASSERT_NE(row, nullptr);
    const int depth = model.rank(0, RankPosition(7))->trace->track(call.slice).slices.depth[call.slice.slice];
    EXPECT_GT(row->rows, depth);
    const int top = rows.place().toView(row->y + depth * row->row_height);
    EXPECT_GE(top, 0);
    EXPECT_LE(top + row->row_height, kView);
}

TEST_F(TimelineRowsTest, PinnedRowsStayAtTheTopUpToHalfOfTheView) {
    RowChoices choices = rows.choices();
    for (RankPosition r{0}; r < 12; ++r) {
        togglePin(keyOf(*model.rank(0, r)->trace, TrackId(2)), choices);
    }
    rows.setChoices(choices, model);
    EXPECT_GT(rows.place().sticky, 0);
    EXPECT_LE(rows.place().sticky, kView / 2);
    rows.setScroll(300);
    EXPECT_TRUE(rows.at(0)->pinned);
    EXPECT_EQ(rows.at(0)->rank, 0U);
}

TEST(TimelineRowsEmpty, HaveNothingToScrollOrToHit) {
    TimelineRows rows{RowSizes()};
    EXPECT_EQ(rows.maxScroll(), 0);
    EXPECT_EQ(rows.at(10), nullptr);
    rows.showRankNumber(TimelineModel(), 0, RankNumber(0));
    EXPECT_EQ(rows.scroll(), 0);
}

}  // namespace
}  // namespace rankscope::ui
