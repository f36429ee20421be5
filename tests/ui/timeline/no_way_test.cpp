// SPDX-License-Identifier: GPL-3.0-or-later
// What is said where there is no way on from a selection.
#include <gtest/gtest.h>

#include <QSet>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/no_way.h"

namespace rankscope::ui {
namespace {

constexpr TrackId kThread(0);
constexpr TrackId kStream(2);

TEST(NoWay, OfLinksDependsOnTheSelection) {
    const TimelineModel model({test::makeRun({.ranks = 1})});
    const Selection host = SliceSelection{0, RankPosition(0), {kThread, test::kFirstOperator}};
    const Selection kernel = SliceSelection{0, RankPosition(0), {kStream, 0}};
    QSet<QString> all;
    for (const Direction direction : {Direction::Back, Direction::Forward}) {
        for (const Selection& from : {host, kernel}) {
            all.insert(whyNoLink(model, from, direction));
        }
    }
    EXPECT_EQ(all.size(), 4) << "each has its own reason";
    EXPECT_EQ(whyNoLink(model, {}, Direction::Back), whyNoLink(model, {}, Direction::Forward));
    EXPECT_TRUE(whyNoLink(model, {}, Direction::Back).contains(QStringLiteral("Nothing is selected")));
}

TEST(NoWay, OfGapsAndSlicesSaysWhatIsStillBeingCollected) {
    const TimelineModel fresh({test::makeRun({.ranks = 1})});
    const Selection kernel = SliceSelection{0, RankPosition(0), {kStream, 0}};
    EXPECT_TRUE(whyNoGap(fresh, Direction::Forward).contains(QStringLiteral("still being collected")));
    EXPECT_TRUE(whyNoSlice(fresh, kernel, Direction::Forward).contains(QStringLiteral("still being collected")));
    const TimelineScene scene = test::makeScene({test::makeRun({.ranks = 1})}, QSize(800, 400));
    EXPECT_NE(whyNoGap(scene.model(), Direction::Forward), whyNoGap(scene.model(), Direction::Back));
    EXPECT_NE(whyNoSlice(scene.model(), kernel, Direction::Forward),
              whyNoSlice(scene.model(), kernel, Direction::Back));
    EXPECT_NE(whyNoSlice(scene.model(), {}, Direction::Forward), whyNoSlice(scene.model(), kernel, Direction::Forward));
}

TEST(NoWay, OfRowsDistinguishesAHiddenTrackFromTheLastOne) {
    TimelineScene scene = test::makeScene({test::makeRun({.ranks = 1})}, QSize(800, 400));
    const Selection kernel = SliceSelection{0, RankPosition(0), {kStream, 0}};
    const QString below = whyNoRow(scene.layout(), kernel, Direction::Forward);
    EXPECT_NE(below, whyNoRow(scene.layout(), kernel, Direction::Back));
    EXPECT_NE(below, whyNoRow(scene.layout(), {}, Direction::Forward));
    RowChoices choices = scene.choices();
    hideRow(keyOf(*scene.model().runs()[0].ranks[0].trace), choices);
    scene.setChoices(choices);
    EXPECT_TRUE(whyNoRow(scene.layout(), kernel, Direction::Forward).contains(QStringLiteral("hidden")));
}

}  // namespace
}  // namespace rankscope::ui
