// SPDX-License-Identifier: GPL-3.0-or-later
// What must be true of the painted pixels, whatever is shown. Lines above the letters are looked at, so that no font
// matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {
namespace {

constexpr QSize kSceneSize(1000, 700);

TimelineScene sceneOf(const std::shared_ptr<const AnalysedRun>& run, double pixel_ratio = 1.0) {
    return test::makeScene({run}, kSceneSize, pixel_ratio);
}

const QRgb* lineOf(const QImage& image, int y) {
    return reinterpret_cast<const QRgb*>(image.constScanLine(y));
}

bool inSight(const FrameSliceRow& slice_row, const Frame& frame) {
    return slice_row.y >= frame.sticky && slice_row.y + slice_row.height <= frame.height;
}

/// How far the view is zoomed in, and device pixels a logical one.
class Pixels : public testing::TestWithParam<std::tuple<double, double>> {
  protected:
    // Pins a track and scrolls, so that both kinds of rows are looked at.
    static TimelineScene scene() {
        const auto [zoom, pixel_ratio] = GetParam();
        TimelineScene made = sceneOf(test::makeRun({.ranks = 4}), pixel_ratio);
        RowChoices choices = made.choices();
        choices.pinned = {keyOf(*made.model().rank(0, RankPosition(1))->trace, TrackId(3))};
        made.setChoices(std::move(choices));
        made.setScroll(60);
        made.changeView().zoomAt(430, zoom);
        return made;
    }
};

TEST_P(Pixels, OfASliceHaveItsColourAndAreHitAsThatSlice) {
    TimelineScene shown = scene();
    const QImage image = shown.image();
    const Frame& frame = shown.frame();
    std::size_t looked_at = 0;
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        const int y = std::max(slice_row.y, 0);
        if (slice_row.y < 0 || y >= frame.height ||
            (!inSight(slice_row, frame) && !frame.staysAtTop(slice_row.y, slice_row.height))) {
            continue;
        }
        for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
            const FrameItem& item = frame.items[i];
            for (int x = std::max(0, item.x0); x < std::min(item.drawnEnd(), frame.width); ++x) {
                ASSERT_EQ(lineOf(image, y)[x], item.fill) << x << ' ' << y;
                const Hit hit = hitTest(frame, x, y, 0);
                const SliceSelection drawn{slice_row.run, slice_row.rank, {slice_row.track, item.slice}};
                ASSERT_EQ(hit.what, Selection(drawn)) << x << ' ' << y;
                ++looked_at;
            }
        }
    }
    EXPECT_GT(looked_at, 300U);
}

TEST_P(Pixels, BesideSlicesAreThoseOfTheirRow) {
    TimelineScene shown = scene();
    const QImage image = shown.image();
    const Frame& frame = shown.frame();
    const QRgb track = shown.theme().track.rgb();
    const QRgb grid = shown.theme().grid.rgb();
    std::size_t looked_at = 0;
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        if (!inSight(slice_row, frame) || std::ranges::any_of(frame.gaps, [&](const FrameGap& gap) {
                return gap.y < slice_row.y + slice_row.height && slice_row.y < gap.y + gap.height;
            })) {
            continue;
        }
        std::int32_t end = 0;  // of the slice before
        for (std::uint32_t i = slice_row.first; i <= slice_row.last; ++i) {
            const std::int32_t next = i < slice_row.last ? frame.items[i].x0 : frame.width;
            for (std::int32_t x = end; x < std::min(next, frame.width); ++x) {
                const QRgb color = lineOf(image, slice_row.y + slice_row.height - 1)[x];
                ASSERT_TRUE(color == track || color == grid) << x << ' ' << slice_row.y;
                ++looked_at;
            }
            end = i < slice_row.last ? std::max(0, frame.items[i].x1) : end;
        }
    }
    EXPECT_GT(looked_at, 300U);
}

TEST_P(Pixels, MoveWithTheViewAndKeepTheirColour) {
    TimelineScene shown = scene();
    for (const double way : {1.0, 3.0, -7.0}) {
        const QImage before = shown.image().copy();
        const Frame old = shown.frame();
        shown.changeView().panBy(way);
        const QImage& after = shown.image();
        const auto moved = static_cast<int>(shown.frame().scale.origin_px - old.scale.origin_px);
        EXPECT_LE(std::abs(moved - way * shown.frame().pixel_ratio), 1.0);
        for (const FrameSliceRow& slice_row : old.slice_rows) {
            const int y = slice_row.y;
            if (y < 0 || y >= old.height) {
                continue;
            }
            for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
                const int left = std::max(old.items[i].x0, 1 + std::abs(moved));
                const int right = std::min(old.items[i].x1, old.width - 1 - std::abs(moved));
                for (int x = left; x < right; ++x) {
                    ASSERT_EQ(lineOf(after, y)[x - moved], lineOf(before, y)[x]) << x << ' ' << y << " by " << moved;
                }
            }
        }
    }
}

TEST_P(Pixels, AreTheSameAfterZoomingOutAndBack) {
    TimelineScene shown = scene();
    const QImage before = shown.image().copy();
    const TimeSpan window = shown.viewport().window();
    shown.changeView().zoomAt(500, 1.2);
    EXPECT_NE(shown.image(), before);
    shown.changeView().zoomAt(500, 1 / 1.2);
    EXPECT_EQ(shown.viewport().window(), window);
    EXPECT_EQ(shown.image(), before);
}

INSTANTIATE_TEST_SUITE_P(Zooms, Pixels,
                         testing::Combine(testing::Values(0.7, 0.4, 0.05, 0.004), testing::Values(1.0, 1.25, 2.0)));

TEST(DrawList, HasAtMostTwoItemsPerPixelOfARowForAnySlices) {
    for (const std::int64_t slices : {1'000, 30'000, 300'000}) {
        TimelineScene shown = sceneOf(test::makeDenseRun(3, slices));
        for (const double zoom : {1.0, 0.5, 0.11, 0.01}) {
            shown.changeView().zoomAt(400, zoom);
            for (const FrameSliceRow& slice_row : shown.frame().slice_rows) {
                EXPECT_LE(slice_row.last - slice_row.first, 2U * static_cast<unsigned>(kSceneSize.width()) + 2)
                    << slices;
            }
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
