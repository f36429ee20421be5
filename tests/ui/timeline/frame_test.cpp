// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {
namespace {

constexpr QSize kFrameSize(900, 600);

TimelineScene sceneOf(const std::vector<std::shared_ptr<const AnalysedRun>>& runs, double pixel_ratio = 1.0) {
    return test::makeScene(runs, kFrameSize, pixel_ratio);
}

// The item that was drawn last over a pixel of a row.
const FrameItem* drawnAt(const Frame& frame, const FrameSliceRow& slice_row, int x) {
    const FrameItem* found = nullptr;
    for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
        if (frame.items[i].x0 <= x && x < frame.items[i].x1) {
            found = &frame.items[i];
        }
    }
    return found;
}

TEST(Frame, RowsOfATrackAreEquallyFarApartAtAnyScale) {
    for (const double ratio : {1.0, 1.25, 1.5, 1.75, 2.0}) {
        for (const int scroll : {0, 1, 2, 3}) {
            TimelineScene scene = test::makeScene({test::makeRun({})}, {900, 200}, ratio);
            scene.setScroll(scroll);
            const std::vector<FrameSliceRow>& slice_rows = scene.frame().slice_rows;
            std::size_t pairs = 0;
            for (std::size_t i = 1; i < slice_rows.size(); ++i) {
                const int between = slice_rows[i].y - (slice_rows[i - 1].y + slice_rows[i - 1].height);
                if (slice_rows[i].depth > 0) {
                    EXPECT_EQ(between, std::lround(ratio * metrics::kRowGap)) << "at " << ratio << ", " << scroll;
                    ++pairs;
                } else {
                    EXPECT_GT(between, std::lround(ratio * metrics::kRowGap)) << "tracks stand further apart";
                }
            }
            EXPECT_GT(pairs, 1U);
        }
    }
}

TEST(HitTest, EveryDrawnPixelOfASliceGivesThatSlice) {
    TimelineScene scene = sceneOf({test::makeRun({})});
    for (const double zoom : {1.0, 0.3, 0.02}) {
        scene.changeView().zoomAt(400, zoom);
        const Frame& frame = scene.frame();
        std::size_t pixels = 0;
        for (const FrameSliceRow& slice_row : frame.slice_rows) {
            for (int x = 0; x < frame.width; ++x) {
                const FrameItem* drawn = drawnAt(frame, slice_row, x);
                const int y = std::clamp(slice_row.y + slice_row.height / 2, 0, frame.height - 1);
                const Hit hit = hitTest(frame, x, y, 0);
                ASSERT_EQ(hit.item, drawn) << "at " << x << ", " << y;
                if (drawn != nullptr) {
                    ++pixels;
                    ASSERT_EQ(hit.what, Selection(SliceSelection{
                                            slice_row.run, slice_row.rank, {slice_row.track, drawn->slice}}));
                }
            }
        }
        EXPECT_GT(pixels, 1'000U);
    }
}

TEST(HitTest, AThinSliceIsHitFromNearbyButAnExactHitWins) {
    Frame frame;
    frame.slice_rows.push_back({10, 17, 0, RankPosition(0), TrackId(0), 0, 0, 2});
    frame.items = {{100, 101, 5, 1, 0, 0}, {103, 140, 6, 1, 0, 0}};
    const auto slice_at = [&](int x) {
        const Hit hit = hitTest(frame, x, 15, 2);
        return hit.item != nullptr ? hit.item->slice : kNoSlice;
    };
    EXPECT_EQ(slice_at(97), kNoSlice);
    EXPECT_EQ(slice_at(98), 5U);
    EXPECT_EQ(slice_at(100), 5U);
    EXPECT_EQ(slice_at(102), 6U);
    EXPECT_EQ(slice_at(103), 6U);
    EXPECT_EQ(slice_at(141), 6U);
    EXPECT_EQ(slice_at(142), kNoSlice);
    EXPECT_EQ(hitTest(frame, 100, 9, 2).item, nullptr);
    EXPECT_EQ(hitTest(frame, 100, 27, 2).item, nullptr);
}

TEST(FrameBuilder, DrawsEachSliceAtItsTimeOnEveryRank) {
    TimelineScene scene = sceneOf({test::makeRun({})});
    const Frame& frame = scene.frame();
    std::size_t checked = 0;
    std::set<RankPosition> ranks;
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        const RankView& rank = *scene.model().rank(slice_row.run, slice_row.rank);
        for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
            const FrameItem& item = frame.items[i];
            const TimeSpan span = rank.toAxis(rank.trace->span({slice_row.track, item.slice}));
            if (item.count == 1) {
                // The pixel of a short slice before it is left alone.
                EXPECT_LE(std::abs(item.x0 - frame.scale.pixelAt(span.start_ns)), 1);
                EXPECT_EQ(item.x1, std::max(frame.scale.pixelAt(span.end_ns), frame.scale.pixelAt(span.start_ns) + 1));
                ++checked;
                ranks.insert(slice_row.rank);
            }
        }
    }
    EXPECT_GT(checked, 300U) << "of 40 kernels and as many operators and calls a step";
    EXPECT_EQ(ranks.size(), 2U);
}

TEST(FrameBuilder, ItemsOfARowAreInOrderForTheHitTest) {
    TimelineScene scene = sceneOf({test::makeDenseRun(3, 20'000)});
    for (int i = 0; i < 12; ++i) {
        const Frame& frame = scene.frame();
        std::size_t pairs = 0;
        for (const FrameSliceRow& slice_row : frame.slice_rows) {
            for (std::uint32_t k = slice_row.first + 1; k < slice_row.last; ++k) {
                ASSERT_LE(frame.items[k - 1].x0, frame.items[k].x0);
                ASSERT_LE(frame.items[k - 1].x1, frame.items[k].x1);
                ++pairs;
            }
        }
        EXPECT_GT(pairs, 3U) << "after " << i << " times closer";
        scene.changeView().zoomAt(300, 0.5);
    }
}

TEST(FrameBuilder, CostsThePixelsAndNotTheSlices) {
    TimelineScene scene = sceneOf({test::makeDenseRun(2, 300'000)});
    for (int i = 0; i < 16; ++i) {
        EXPECT_LE(scene.frame().items.size(), 2U * (2 * kFrameSize.width() + 4));
        EXPECT_EQ(scene.frame().slice_rows.size(), 2U);
        EXPECT_GT(scene.frame().items.size(), 2U) << "after " << i << " times closer";
        scene.changeView().zoomAt(300, 0.5);
    }
}

TEST(FrameBuilder, PanningByPixelsMovesThePictureAndChangesNothingElse) {
    TimelineScene scene = sceneOf({test::makeDenseRun(2, 50'000)});
    scene.changeView().setWindow({100'000'000, 300'000'000});
    const Frame before = scene.frame();
    scene.changeView().panBy(64);
    const Frame& after = scene.frame();
    const int moved = static_cast<int>(after.scale.origin_px - before.scale.origin_px);
    ASSERT_NEAR(moved, 64, 1);
    const FrameSliceRow& a = before.slice_rows[0];
    const FrameSliceRow& b = after.slice_rows[0];
    std::size_t compared = 0;
    for (std::uint32_t i = a.first; i < a.last; ++i) {
        const FrameItem& old = before.items[i];
        // Things at the edges are known by their neighbours, of which one may be out of sight.
        if (old.x0 - moved < 4 || old.x1 - moved > after.width - 4 || old.x0 < 4 || old.x1 > before.width - 4) {
            continue;
        }
        const auto same = std::find_if(after.items.begin() + b.first, after.items.begin() + b.last,
                                       [&](const FrameItem& item) { return item.slice == old.slice; });
        ASSERT_NE(same, after.items.begin() + b.last);
        EXPECT_EQ(same->x0, old.x0 - moved);
        EXPECT_EQ(same->x1, old.x1 - moved);
        EXPECT_EQ(same->count, old.count);
        EXPECT_EQ(same->fill, old.fill);
        ++compared;
    }
    EXPECT_GT(compared, 200U);
}

TEST(FrameBuilder, GapsAreInSightAtEveryZoom) {
    TimelineScene scene = sceneOf({test::makeRun({.ranks = 1, .steps = 2'000, .kernels_a_step = 4})});
    EXPECT_FALSE(scene.frame().gaps.empty());
    EXPECT_LE(scene.frame().gaps.size(), 2U * kFrameSize.width());
    std::uint32_t gaps = 0;
    for (const FrameGap& gap : scene.frame().gaps) {
        EXPECT_GE(gap.x1 - gap.x0, 1);
        EXPECT_NEAR(gap.share, 0.2, 0.2) << "a fifth of each step is blocked";
        gaps += gap.count;
    }
    EXPECT_EQ(gaps, 2'000U);
    scene.changeView().setWindow({0, 3 * test::kStepNs});
    ASSERT_EQ(scene.frame().gaps.size(), 3U);
    EXPECT_EQ(scene.frame().gaps[1].which, (GapSelection{0, RankPosition(0), RankStepPosition(1), 0}));
    EXPECT_EQ(scene.frame().gaps[1].x1 - scene.frame().gaps[1].x0, kFrameSize.width() / 15);
}

TEST(FrameBuilder, AGapSpansTheStreamsOfItsDeviceAndIsHitWhereNoSliceIs) {
    TimelineScene scene = sceneOf({test::makeRun({.ranks = 1, .steps = 2})});
    const Frame& frame = scene.frame();
    ASSERT_EQ(frame.gaps.size(), 2U);
    const FrameGap& gap = frame.gaps[1];
    const Hit hit = hitTest(frame, (gap.x0 + gap.x1) / 2, gap.y + gap.height / 2, 2);
    EXPECT_EQ(hit.what, Selection(GapSelection{0, RankPosition(0), RankStepPosition(1), 0}));
    int streams = 0;
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        const bool stream =
            scene.model().rank(0, RankPosition(0))->trace->tracks[slice_row.track.value].kind == TrackKind::Stream;
        const bool covered = gap.y <= slice_row.y && slice_row.y + slice_row.height <= gap.y + gap.height;
        EXPECT_EQ(stream, covered);
        streams += stream;
    }
    EXPECT_EQ(streams, 2);
}

TEST(FrameBuilder, DrawsHeadersAndStepsWhileFactsAndIndicesAreMissing) {
    TimelineScene scene(Theme::darkTheme());
    scene.setModel(TimelineModel({test::makeRun({.facts = false})}));
    scene.resize(kFrameSize, 1.0);
    EXPECT_FALSE(scene.frame().rows.empty());
    EXPECT_TRUE(scene.frame().slice_rows.empty());
    EXPECT_TRUE(scene.frame().gaps.empty());
    EXPECT_FALSE(scene.image().isNull());
}

TEST(FrameBuilder, OneNameHasOneColourOnAllRanksAndRuns) {
    TimelineScene scene = sceneOf({test::makeRun({}), test::makeRun({.ranks = 1})});
    TimelineScene other = sceneOf({test::makeRun({.ranks = 1})});  // as where two runs are compared
    std::map<std::string_view, QRgb> colors;
    for (TimelineScene* each : {&scene, &other}) {
        each->changeView().setWindow({0, test::kStepNs});
        const Frame& frame = each->frame();
        for (const FrameSliceRow& row : frame.slice_rows) {
            const RankTrace& trace = *each->model().rank(row.run, row.rank)->trace;
            for (std::uint32_t i = row.first; i < row.last; ++i) {
                const FrameItem& item = frame.items[i];
                if (item.count == 1) {
                    const auto [at, first] = colors.try_emplace(trace.name({row.track, item.slice}), item.fill);
                    EXPECT_EQ(at->second, item.fill) << at->first;
                }
            }
        }
    }
    EXPECT_GT(colors.size(), 8U);
}

TEST(TimelineFrame, ASelectedGapTooShortToDrawIsOutlinedAcrossItsStreams) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 1}));
    Gap& gap = run->facts.ranks[0].steps[1].gaps[0];
    gap.span.end_ns = gap.span.start_ns + kShownGapNs / 2;
    TimelineScene scene = sceneOf({run});
    const Selection selected = GapSelection{0, RankPosition(0), RankStepPosition(1), 0};
    (void)scene.reveal(selected);
    const std::vector<FrameRect> rects = rectsOf(scene.frame(), scene.model(), selected);
    ASSERT_EQ(rects.size(), 1U);
    const FrameRect& rect = rects.front();
    const FrameSliceRow& first = scene.frame().slice_rows.front();
    EXPECT_GE(rect.height, 2 * first.height) << "both streams";
}

}  // namespace
}  // namespace rankscope::ui
