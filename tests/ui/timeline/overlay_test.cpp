// SPDX-License-Identifier: GPL-3.0-or-later
// Bands of communication and outlines of stragglers: seen at every zoom, hit where they are drawn, switched off.
#include <gtest/gtest.h>

#include <QTest>
#include <numeric>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class Overlays : public testing::Test {
  protected:
    void open(const test::RunShape& shape) {
        run = test::makeRun(shape);
        timeline.resize(1200, 700);
        timeline.setRuns({run});
        timeline.show();
        timeline.settle();
    }
    const Frame& frame() { return timeline.frame(); }
    const FrameBandLane* laneOf(std::uint32_t rank, BandKind kind) {
        for (const FrameBandLane& lane : frame().band_lanes) {
            if (lane.rank == rank && lane.kind == kind) {
                return &lane;
            }
        }
        return nullptr;
    }
    std::uint64_t bandsCounted(const FrameBandLane& lane) {
        std::uint64_t count = 0;
        for (std::uint32_t i = lane.first; i < lane.last; ++i) {
            count += frame().bands[i].count;
        }
        return count;
    }
    QImage picture() { return timeline.grab().toImage().convertToFormat(QImage::Format_RGB32); }
    QPoint pointOf(int x, int y) { return timeline.tracksArea().topLeft() + QPoint(x, y); }

    std::shared_ptr<const AnalysedRun> run;
    TimelineWidget timeline{Theme::darkTheme()};
};

TEST_F(Overlays, BandsStandBelowTheStreamThatCommunicatesAndCoverEveryInterval) {
    open({});
    for (const std::uint32_t rank : {0U, 1U}) {
        const RankFacts& facts = run->facts.ranks[rank];
        const FrameBandLane* overlap = laneOf(rank, BandKind::Overlap);
        const FrameBandLane* exposed = laneOf(rank, BandKind::Exposed);
        ASSERT_NE(overlap, nullptr);
        ASSERT_NE(exposed, nullptr);
        EXPECT_EQ(bandsCounted(*overlap), facts.overlap.spans().size());
        EXPECT_EQ(bandsCounted(*exposed), facts.exposed_communication.spans().size());
        EXPECT_EQ(overlap->y + overlap->height, exposed->y);
        for (const FrameLane& lane : frame().lanes) {
            const bool apart = lane.y + lane.height <= overlap->y || lane.y >= exposed->y + exposed->height;
            EXPECT_TRUE(apart) << "a band hides no slice";
        }
    }
}

TEST_F(Overlays, NoBandAndNoOutlineIsLostAtAnyZoom) {
    open({.ranks = 1, .steps = 3'000, .kernels_a_step = 4, .late_rank = 0});
    const FrameBandLane* overlap = laneOf(0, BandKind::Overlap);
    ASSERT_NE(overlap, nullptr);
    EXPECT_EQ(bandsCounted(*overlap), run->facts.ranks[0].overlap.spans().size());
    EXPECT_LE(overlap->last - overlap->first, 2U * static_cast<unsigned>(frame().width) + 2U);
    const std::uint32_t late = std::accumulate(frame().stragglers.begin(), frame().stragglers.end(), 0U,
                                               [](std::uint32_t n, const FrameStraggler& s) { return n + s.count; });
    EXPECT_EQ(late, 3'000U);
    const QImage image = picture();
    const QRgb red = Theme::darkTheme().straggler.rgb();
    for (const FrameStraggler& s : frame().stragglers) {
        EXPECT_EQ(image.pixel(pointOf(std::max(s.x0, 0), s.y)), red);
    }
}

TEST_F(Overlays, APixelOfABandIsPaintedAndHitAsThatBand) {
    open({});
    const QImage image = picture();
    const QRgb track = Theme::darkTheme().track.rgb();
    std::size_t hits = 0;
    for (const FrameBandLane& lane : std::vector(frame().band_lanes)) {
        for (std::uint32_t i = lane.first; i < lane.last; ++i) {
            const FrameBand band = frame().bands[i];
            const QPoint at = pointOf(band.x0, lane.y);
            EXPECT_NE(image.pixel(at), track);
            QTest::mouseClick(&timeline, Qt::LeftButton, {}, at);
            ASSERT_EQ(timeline.selection(), Selection(BandSelection{lane.run, lane.rank, lane.kind, band.index}));
            ++hits;
        }
    }
    EXPECT_GT(hits, 50U);
}

TEST_F(Overlays, AClickOnTheBarOfAnOutlineSelectsTheLateness) {
    open({.late_rank = 1});
    ASSERT_EQ(frame().stragglers.size(), 4U);
    const FrameStraggler late = frame().stragglers[2];
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, pointOf((late.x0 + late.x1) / 2, late.y + 1));
    EXPECT_EQ(timeline.selection(), Selection(StragglerSelection{0, 1, 0, 2}));
    // Inside the outline the slices are hit, not the outline.
    const FrameLane* lane = nullptr;
    for (const FrameLane& candidate : frame().lanes) {
        lane = candidate.rank == 1 && candidate.track == TrackId(2) ? &candidate : lane;
    }
    ASSERT_NE(lane, nullptr);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, pointOf((late.x0 + late.x1) / 2, lane->y + lane->height / 2));
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(timeline.selection()));
}

TEST_F(Overlays, EachCanBeSwitchedOffAndOnAgain) {
    open({.late_rank = 0});
    const QImage all = picture();
    for (const Overlay overlay : {Overlay::Gaps, Overlay::Overlap, Overlay::Exposed, Overlay::Stragglers}) {
        timeline.setOverlay(overlay, false);
        EXPECT_EQ(frame().gaps.empty(), overlay == Overlay::Gaps);
        EXPECT_EQ(laneOf(0, BandKind::Overlap) == nullptr, overlay == Overlay::Overlap);
        EXPECT_EQ(laneOf(0, BandKind::Exposed) == nullptr, overlay == Overlay::Exposed);
        EXPECT_EQ(frame().stragglers.empty(), overlay == Overlay::Stragglers);
        EXPECT_NE(picture(), all);
        timeline.setOverlay(overlay, true);
        EXPECT_EQ(picture(), all);
    }
}

TEST_F(Overlays, AFoldedRankStillShowsThem) {
    open({.late_rank = 0});
    const LayoutRow* header = timeline.rowLayout().findRank(0, 0);
    ASSERT_NE(header, nullptr);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(40, timeline.tracksArea().top() + header->y + 10));
    header = timeline.rowLayout().findRank(0, 0);
    ASSERT_EQ(header->unfolding, Unfolding::Folded);
    for (const BandKind kind : {BandKind::Overlap, BandKind::Exposed}) {
        const FrameBandLane* lane = laneOf(0, kind);
        ASSERT_NE(lane, nullptr);
        EXPECT_GE(lane->y, header->y);
        EXPECT_LE(lane->y + lane->height, header->y + header->height);
    }
    EXPECT_EQ(frame().stragglers.size(), 4U);
}

}  // namespace
}  // namespace rankscope::ui
