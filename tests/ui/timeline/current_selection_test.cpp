// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, and where its links lead: without a widget.
#include "ui/timeline/selection/current_selection.h"

#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"

namespace rankscope::ui {
namespace {

SliceSelection kernel(SliceIndex index) {
    return {0, RankPosition(), {TrackId(2), index}};
}

TEST(CurrentSelection, IsEmptyAtFirstAndReportsWhetherItChanges) {
    const TimelineModel model({test::makeRun({.ranks = 1})});
    CurrentSelection selection;
    EXPECT_TRUE(selection.empty());
    EXPECT_TRUE(selection.links().empty());
    EXPECT_TRUE(selection.set(kernel(3), model));
    EXPECT_FALSE(selection.empty());
    EXPECT_EQ(selection.what(), Selection(kernel(3)));
    EXPECT_FALSE(selection.set(kernel(3), model)) << "it is selected already";
    EXPECT_TRUE(selection.set(Selection(), model));
    EXPECT_TRUE(selection.empty());
    EXPECT_TRUE(selection.links().empty());
}

TEST(CurrentSelection, OneLinkIsFollowedAndFollowedBack) {
    const auto run = test::makeRun({.ranks = 1});
    const TimelineModel model({run});
    const Launch launch = run->run->ranks[0]->launches.all()[7];
    CurrentSelection selection;
    selection.set(SliceSelection{0, RankPosition(0), launch.device}, model);
    ASSERT_EQ(selection.links().size(), 1U);
    EXPECT_FALSE(selection.links()[0].next) << "there is no choice";
    EXPECT_EQ(selection.alongLink(model, Direction::Back), Selection(SliceSelection{0, RankPosition(0), launch.host}));
    selection.set(SliceSelection{0, RankPosition(0), launch.host}, model);
    EXPECT_EQ(selection.alongLink(model, Direction::Forward),
              Selection(SliceSelection{0, RankPosition(0), launch.device}));
}

TEST(CurrentSelection, OfSeveralLinksTheNextIsChosenRoundTheEnd) {
    const SliceRef call{TrackId(0), test::kFirstOperator + 1};
    const TimelineModel model({test::makeRun({.ranks = 1, .graph = true})});
    CurrentSelection selection;
    selection.set(SliceSelection{0, RankPosition(0), call}, model);
    ASSERT_EQ(selection.links().size(), 3U);
    for (const SliceIndex expected : {0U, 1U, 2U, 0U}) {
        EXPECT_EQ(selection.alongLink(model, Direction::Forward), Selection(kernel(expected)));
        int marked = 0;
        for (const Link& link : selection.links()) {
            EXPECT_EQ(link.next, link.to == kernel(expected));
            marked += link.next ? 1 : 0;
        }
        EXPECT_EQ(marked, 1);
        selection.chooseNextLink(Direction::Forward);
    }
    selection.set(SliceSelection{0, RankPosition(0), call}, model);
    EXPECT_EQ(selection.alongLink(model, Direction::Forward), Selection(kernel(0))) << "selected anew, from the first";
}

TEST(CurrentSelection, ChoosingALinkWhereThereIsNoneChangesNothing) {
    const TimelineModel model({test::makeRun({.ranks = 1})});
    CurrentSelection selection;
    selection.chooseNextLink(Direction::Forward);
    EXPECT_EQ(selection.alongLink(model, Direction::Forward), Selection());
    selection.set(GapSelection{0, RankPosition(0), RankStepPosition(1), 0}, model);
    selection.chooseNextLink(Direction::Back);
    EXPECT_EQ(selection.alongLink(model, Direction::Back), Selection());
}

TEST(CurrentSelection, WithoutALinkAnOperatorLeadsToWhatIsLaunchedInside) {
    const auto run = test::makeRun({.ranks = 1});
    const TimelineModel model({run});
    CurrentSelection selection;
    selection.set(SliceSelection{0, RankPosition(0), {TrackId(0), test::kFirstOperator}}, model);
    EXPECT_TRUE(selection.links().empty());
    EXPECT_EQ(selection.alongLink(model, Direction::Forward), Selection(kernel(0)));
}

}  // namespace
}  // namespace rankscope::ui
