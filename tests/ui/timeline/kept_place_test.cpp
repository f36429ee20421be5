// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that are laid out anew stay where they stood, without a widget.
#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/rows/kept_place.h"

namespace rankscope::ui {
namespace {

class KeptRows : public testing::Test {
  protected:
    static constexpr std::uint32_t kRank = 3;

    [[nodiscard]] const LayoutRow& header(std::uint32_t rank) const {
        return *scene.layout().findRank(0, RankPosition(rank));
    }
    [[nodiscard]] int inView(std::uint32_t rank) const { return scene.rows().toView(header(rank).y); }
    void hide(std::uint32_t rank) {
        RowChoices choices = scene.choices();
        hideRow(header(rank).key, choices);
        scene.setChoices(choices);
    }

    TimelineScene scene = test::makeScene({test::makeRun({.ranks = 8})}, QSize(800, 200));
    const Selection selected = SliceSelection{0, RankPosition(kRank), SliceRef{TrackId(0), 0}};
};

TEST_F(KeptRows, StayInPlaceWhenRowsAboveGo) {
    (void)scene.reveal(selected);
    scene.setScroll(header(kRank).y);
    const int before = inView(kRank);
    const KeptPlace place(scene, {});
    hide(0);
    hide(1);
    place.restore(scene);
    EXPECT_EQ(inView(kRank), before);
}

TEST_F(KeptRows, AtTheTopStayThere) {
    const KeptPlace place(scene, {});
    hide(0);
    place.restore(scene);
    EXPECT_EQ(scene.scroll(), 0);
}

TEST_F(KeptRows, KeepTheSelectionInSight) {
    (void)scene.reveal(selected);
    ASSERT_TRUE(isInSight(scene, selected));
    const KeptPlace place(scene, selected);
    scene.setScroll(scene.maxScroll());
    ASSERT_FALSE(isInSight(scene, selected));
    place.restore(scene);
    EXPECT_TRUE(isInSight(scene, selected));
}

TEST_F(KeptRows, DoNotScrollToASelectionThatWasOutOfSight) {
    scene.setScroll(scene.maxScroll());
    ASSERT_FALSE(isInSight(scene, selected));
    const KeptPlace place(scene, selected);
    place.restore(scene);
    EXPECT_EQ(scene.scroll(), scene.maxScroll());
    EXPECT_FALSE(isInSight(scene, {})) << "nothing is nowhere";
}

TEST(CounterChoice, IsOfTheRankOfTheSelectionElseOfAll) {
    const TimelineModel model({test::makeRun({.ranks = 2})});
    const auto& ranks = model.runs()[0].ranks;
    RowChoices choices;
    toggleCounters(model, SliceSelection{0, RankPosition(1), SliceRef{TrackId(0), 0}}, choices);
    EXPECT_FALSE(showsCounters(*ranks[0].trace, choices));
    EXPECT_TRUE(showsCounters(*ranks[1].trace, choices));
    EXPECT_FALSE(showsCounters(0U, choices));
    toggleCounters(model, {}, choices);
    EXPECT_TRUE(showsCounters(*ranks[0].trace, choices)) << "they are hidden only where all show theirs";
    EXPECT_TRUE(showsCounters(*ranks[1].trace, choices));
    EXPECT_TRUE(showsCounters(0U, choices));
    toggleCounters(model, {}, choices);
    EXPECT_FALSE(showsCounters(*ranks[0].trace, choices));
    EXPECT_FALSE(showsCounters(0U, choices));
}

TEST(CounterChoice, LeavesManyRanksOut) {
    const TimelineModel model({test::makeRun({.ranks = 20, .steps = 1})});
    RowChoices choices;
    toggleCounters(model, {}, choices);
    EXPECT_TRUE(showsCounters(0U, choices));
    EXPECT_FALSE(showsCounters(*model.runs()[0].ranks[0].trace, choices));
}

}  // namespace
}  // namespace rankscope::ui
