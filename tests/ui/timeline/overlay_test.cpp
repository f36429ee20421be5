// SPDX-License-Identifier: GPL-3.0-or-later
// Bands of communication and outlines of stragglers: seen at every zoom, hit where they are drawn, switched off.
#include <gtest/gtest.h>

#include <QTest>
#include <numeric>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/frame.h"
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
    const FrameBandRow* bandsOf(std::uint32_t rank, BandKind kind) {
        for (const FrameBandRow& band_row : frame().band_rows) {
            if (band_row.rank == rank && band_row.kind == kind) {
                return &band_row;
            }
        }
        return nullptr;
    }
    std::uint64_t bandsCounted(const FrameBandRow& band_row) {
        std::uint64_t count = 0;
        for (std::uint32_t i = band_row.first; i < band_row.last; ++i) {
            count += frame().bands[i].count;
        }
        return count;
    }
    QImage picture() { return timeline.grab().toImage().convertToFormat(QImage::Format_RGB32); }
    QPoint pointOf(int x, int y) { return timeline.tracksArea().topLeft() + QPoint(x, y); }

    std::shared_ptr<const AnalysedRun> run;
    TimelineWidget timeline{Theme::darkTheme()};
};

TEST_F(Overlays, BandsAreBelowTheStreamThatCommunicatesAndCoverEachInterval) {
    open({});
    for (const RankPosition rank : {RankPosition(0), RankPosition(1)}) {
        const RankFacts& facts = run->facts.ranks[rank];
        const FrameBandRow* overlap = bandsOf(rank, BandKind::Overlap);
        const FrameBandRow* exposed = bandsOf(rank, BandKind::Exposed);
        ASSERT_NE(overlap, nullptr);
        ASSERT_NE(exposed, nullptr);
        EXPECT_EQ(bandsCounted(*overlap), facts.overlap.spans().size());
        EXPECT_EQ(bandsCounted(*exposed), facts.exposed_communication.spans().size());
        EXPECT_EQ(overlap->y + overlap->height, exposed->y);
        for (const FrameSliceRow& slice_row : frame().slice_rows) {
            const bool apart =
                slice_row.y + slice_row.height <= overlap->y || slice_row.y >= exposed->y + exposed->height;
            EXPECT_TRUE(apart) << "a band hides no slice";
        }
    }
}

TEST_F(Overlays, NoBandAndNoOutlineIsLostAtAnyZoom) {
    open({.ranks = 1, .steps = 3'000, .kernels_a_step = 4, .late_rank = 0});
    const FrameBandRow* overlap = bandsOf(0, BandKind::Overlap);
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
    for (const FrameBandRow& band_row : std::vector(frame().band_rows)) {
        for (std::uint32_t i = band_row.first; i < band_row.last; ++i) {
            const FrameBand band = frame().bands[i];
            const QPoint at = pointOf(band.x0, band_row.y);
            EXPECT_NE(image.pixel(at), track);
            QTest::mouseClick(&timeline, Qt::LeftButton, {}, at);
            ASSERT_EQ(timeline.selection(),
                      Selection(BandSelection{band_row.run, band_row.rank, band_row.kind, band.index}));
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
    EXPECT_EQ(timeline.selection(), Selection(StragglerSelection{0, RankPosition(1), 0, 2}));
    // Inside the outline the slices are hit, not the outline.
    const FrameSliceRow* slice_row = nullptr;
    for (const FrameSliceRow& candidate : frame().slice_rows) {
        slice_row = candidate.rank == 1 && candidate.track == TrackId(2) ? &candidate : slice_row;
    }
    ASSERT_NE(slice_row, nullptr);
    QTest::mouseClick(&timeline, Qt::LeftButton, {},
                      pointOf((late.x0 + late.x1) / 2, slice_row->y + slice_row->height / 2));
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(timeline.selection()));
}

TEST_F(Overlays, EachCanBeSwitchedOffAndOnAgain) {
    open({.late_rank = 0});
    const QImage all = picture();
    for (const Overlay overlay : {Overlay::Gaps, Overlay::Overlap, Overlay::Exposed, Overlay::Stragglers}) {
        timeline.setOverlay(overlay, false);
        EXPECT_EQ(frame().gaps.empty(), overlay == Overlay::Gaps);
        EXPECT_EQ(bandsOf(0, BandKind::Overlap) == nullptr, overlay == Overlay::Overlap);
        EXPECT_EQ(bandsOf(0, BandKind::Exposed) == nullptr, overlay == Overlay::Exposed);
        EXPECT_EQ(frame().stragglers.empty(), overlay == Overlay::Stragglers);
        EXPECT_NE(picture(), all);
        timeline.setOverlay(overlay, true);
        EXPECT_EQ(picture(), all);
    }
}

TEST_F(Overlays, AFoldedRankStillShowsThem) {
    open({.late_rank = 0});
    const LayoutRow* header = timeline.rowLayout().findRank(0, RankPosition(0));
    ASSERT_NE(header, nullptr);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(40, timeline.tracksArea().top() + header->y + 10));
    header = timeline.rowLayout().findRank(0, RankPosition(0));
    ASSERT_EQ(header->unfolding, Unfolding::Folded);
    for (const BandKind kind : {BandKind::Overlap, BandKind::Exposed}) {
        const FrameBandRow* band_row = bandsOf(0, kind);
        ASSERT_NE(band_row, nullptr);
        EXPECT_GE(band_row->y, header->y);
        EXPECT_LE(band_row->y + band_row->height, header->y + header->height);
    }
    EXPECT_EQ(frame().stragglers.size(), 4U);
}

}  // namespace
}  // namespace rankscope::ui
