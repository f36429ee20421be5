// SPDX-License-Identifier: GPL-3.0-or-later
// The hits of a search on the tracks.
#include "ui/timeline/selection/slice_hits.h"

#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class SliceHitsTest : public testing::Test {
  protected:
    void show(const std::shared_ptr<const AnalysedRun>& run, TrackId track, SliceIndex every) {
        timeline.resize(1100, 640);
        timeline.setRuns({run});
        timeline.settle();
        model = TimelineModel({run});
        const SliceTable& slices = run->run->ranks[0]->tracks[track.value].slices;
        for (SliceIndex i = 0; i < slices.size(); i += every) {
            hits->add({0, RankPosition(0), track, slices.depth[i]}, i);
        }
    }
    const FrameSliceRow& sliceRowOf(TrackId track) {
        return *std::ranges::find_if(timeline.frame().slice_rows,
                                     [&](const FrameSliceRow& l) { return l.track == track; });
    }
    std::vector<HitStretch> marks(TrackId track) {
        return hitStretches(timeline.frame(), sliceRowOf(track), model, *hits);
    }

    TimelineWidget timeline{Theme::darkTheme()};
    TimelineModel model;
    std::shared_ptr<SliceHits> hits = std::make_shared<SliceHits>();
};

TEST_F(SliceHitsTest, EachIsMarkedWhereItIsDrawn) {
    const TrackId track(2);
    show(test::makeRun({}), track, 5);
    timeline.showWindow({0, test::kStepNs});
    const std::vector<HitStretch> found = marks(track);
    ASSERT_EQ(found.size(), 8U) << "of forty kernels a step";
    const FrameSliceRow& slice_row = sliceRowOf(track);
    for (const HitStretch& mark : found) {
        bool drawn = false;
        for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
            const FrameItem& item = timeline.frame().items[i];
            drawn = drawn || (item.x0 == mark.x0 && item.x1 == mark.x1 && item.slice % 5 == 0);
        }
        EXPECT_TRUE(drawn) << mark.x0;
    }
}

TEST_F(SliceHitsTest, ManyCostNoMoreThanThePixelsAndCoverAllTheirTime) {
    const TrackId track(0);
    const auto run = test::makeDenseRun(1, 200'000);
    show(run, track, 1);
    const std::vector<HitStretch> found = marks(track);
    const Frame& frame = timeline.frame();
    ASSERT_LE(found.size(), static_cast<std::size_t>(frame.width));
    std::vector<bool> covered(static_cast<std::size_t>(frame.width), false);
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(i == 0 || found[i].x0 >= found[i - 1].x1) << "they do not overlap";
        std::fill(covered.begin() + found[i].x0, covered.begin() + found[i].x1, true);
    }
    for (SliceIndex s = 0; s < 200'000; s += 997) {
        const std::int32_t x = frame.scale.pixelAt(model.runs()[0].ranks[0].toAxis(s * TimeNs{10'000}));
        EXPECT_TRUE(covered[static_cast<std::size_t>(std::min(x, frame.width - 1))]) << s;
    }
}

TEST_F(SliceHitsTest, TheyAreSeenAndGoWithTheSearch) {
    show(test::makeRun({}), TrackId(2), 3);
    const QImage plain = timeline.grab().toImage();
    timeline.setHits(hits);
    EXPECT_NE(timeline.grab().toImage(), plain);
    timeline.setHits(nullptr);
    EXPECT_EQ(timeline.grab().toImage(), plain);
}

}  // namespace
}  // namespace rankscope::ui
