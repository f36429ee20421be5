// SPDX-License-Identifier: GPL-3.0-or-later
// A test of the tests: the frames that the others look at show all that a timeline can show. Where nothing is drawn,
// whatever is said of what is drawn is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/hit_test.h"

namespace rankscope::ui {
namespace {

constexpr QSize kFixtureSize(1'000, 700);

/// How many pixels of a frame lie under each kind of thing that can be selected, one look a pixel of each row.
std::map<std::size_t, std::size_t> pixelsHit(const Frame& frame) {
    std::map<std::size_t, std::size_t> pixels;
    for (int y = 0; y < frame.height; y += 2) {
        for (int x = 0; x < frame.width; ++x) {
            if (const Hit hit = hitTest(frame, x, y, 0); hit.count > 0) {
                ++pixels[hit.what.index()];
            }
        }
    }
    return pixels;
}

TEST(Fixture, AHandMadeRunDrawsSlicesGapsBandsStragglersStepsAndLabels) {
    for (const double ratio : {1.0, 2.0}) {
        TimelineScene scene = test::makeScene({test::makeRun({.ranks = 2, .late_rank = 1})}, kFixtureSize, ratio);
        const Frame& frame = scene.frame();
        EXPECT_GE(frame.slice_rows.size(), 10U) << "two streams and two threads, of which one is three deep, twice";
        EXPECT_GT(frame.items.size(), 300U);
        EXPECT_EQ(frame.steps.size(), 8U);
        EXPECT_EQ(frame.gaps.size(), 8U) << "one a step and rank";
        EXPECT_EQ(frame.band_rows.size(), 4U) << "overlap and exposed, of both ranks";
        EXPECT_GE(frame.bands.size(), 16U);
        EXPECT_EQ(frame.stragglers.size(), 4U);
        std::map<FrameLabel::Role, int> labels;
        for (const FrameLabel& label : frame.labels) {
            ++labels[label.role];
        }
        EXPECT_GT(labels[FrameLabel::Role::Slice], 10);
        EXPECT_EQ(labels[FrameLabel::Role::Step], 8);
        scene.changeView().setWindow({0, test::kStepNs});
        EXPECT_EQ(std::ranges::count(scene.frame().labels, FrameLabel::Role::Gap, &FrameLabel::role), 2)
            << "where a gap is wide enough its length and its cause are written";
    }
}

TEST(Fixture, OfAHandMadeRunEveryKindOfThingCanBeHit) {
    TimelineScene scene = test::makeScene({test::makeRun({.ranks = 2, .late_rank = 1})}, kFixtureSize);
    const auto pixels = pixelsHit(scene.frame());
    for (const Selection& kind : {Selection(SliceSelection{}), Selection(GapSelection{}), Selection(BandSelection{}),
                                  Selection(StragglerSelection{})}) {
        const auto at = pixels.find(kind.index());
        EXPECT_GT(at != pixels.end() ? at->second : 0U, 100U) << "of kind " << kind.index();
    }
}

TEST(Fixture, ADenseRunDrawsBucketsOfManySlicesAndSingleOnes) {
    TimelineScene scene = test::makeScene({test::makeDenseRun(3, 20'000)}, kFixtureSize);
    const auto counts = [&] {
        std::pair<std::size_t, std::size_t> single_and_many;
        for (const FrameItem& item : scene.frame().items) {
            ++(item.count == 1 ? single_and_many.first : single_and_many.second);
        }
        return single_and_many;
    };
    EXPECT_EQ(scene.frame().slice_rows.size(), 3U);
    EXPECT_GT(counts().second, 1'000U);
    scene.changeView().zoomAt(500, 0.001);
    EXPECT_GT(counts().first, 10U);
}

}  // namespace
}  // namespace rankscope::ui
