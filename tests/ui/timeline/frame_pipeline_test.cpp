// SPDX-License-Identifier: GPL-3.0-or-later
// Draw list, picture and hit test, each made when it is asked for: without a widget.
#include "ui/timeline/frame/frame_pipeline.h"

#include <gtest/gtest.h>

#include "tests/ui/timeline/timeline_fixture.h"

namespace rankscope::ui {
namespace {

constexpr int kWidth = 800;
constexpr int kHeight = 400;

class FramePipelineTest : public testing::Test {
  protected:
    FramePipelineTest() {
        IndexStore store;
        store.want(model.sources());
        store.finish();
        model.takeIndices(store);
        layout = RowLayout(model, {});
        viewport.setExtent(model.extent());
        viewport.setWidth(kWidth);
        viewport.fitAll();
    }
    [[nodiscard]] FrameSource source() const {
        return {model, layout, {&viewport, RowScroll(), kWidth, kHeight, OverlaySet()}};
    }
    /// A point on the first slice that is drawn, in logical pixels.
    QPointF onASlice() {
        const Frame& frame = pipeline.frame(source());
        const FrameSliceRow& row = frame.slice_rows.front();
        const FrameItem& item = frame.items[row.first];
        return QPointF(item.x0 + 0.5, row.y + 0.5) / frame.pixel_ratio;
    }

    TimelineModel model{{test::makeRun({.ranks = 1})}};
    RowLayout layout;
    Viewport viewport;
    FramePipeline pipeline{Theme::darkTheme()};
};

TEST_F(FramePipelineTest, BuildsAFrameOnceUntilItIsOutdated) {
    const TimeSpan before = pipeline.frame(source()).window;
    ASSERT_FALSE(pipeline.frame(source()).items.empty());
    viewport.zoomAt(100, 0.5);
    EXPECT_EQ(pipeline.frame(source()).window, before) << "nobody has said that something changed";
    pipeline.outdate();
    EXPECT_EQ(pipeline.frame(source()).window, viewport.window());
}

TEST_F(FramePipelineTest, PaintsTheFrameThatItReports) {
    const QImage before = pipeline.image(source()).copy();
    EXPECT_EQ(before.size(), QSize(kWidth, kHeight));
    EXPECT_EQ(pipeline.image(source()), before);
    viewport.zoomAt(100, 0.5);
    pipeline.outdate();
    EXPECT_NE(pipeline.image(source()), before);
}

TEST_F(FramePipelineTest, HitsWhatIsDrawnAtALogicalPixelAtAnyScale) {
    for (const double ratio : {1.0, 1.5, 2.0}) {
        pipeline.setPixelRatio(ratio);
        const Hit hit = pipeline.hit(source(), onASlice());
        EXPECT_TRUE(std::holds_alternative<SliceSelection>(hit.what)) << "at " << ratio;
        EXPECT_EQ(pipeline.image(source()).width(), static_cast<int>(kWidth * ratio));
        EXPECT_EQ(pipeline.image(source()).devicePixelRatio(), ratio);
    }
}

TEST_F(FramePipelineTest, OutsideOfTheTracksNothingIsHit) {
    for (const QPointF& at : {QPointF(-1, 50), QPointF(50, -1), QPointF(kWidth, 50), QPointF(50, kHeight)}) {
        EXPECT_EQ(pipeline.hit(source(), at).what, Selection());
    }
}

TEST_F(FramePipelineTest, AnotherThemePaintsOtherColours) {
    const QImage dark = pipeline.image(source()).copy();
    pipeline.setTheme(Theme::lightTheme());
    EXPECT_NE(pipeline.image(source()), dark);
    pipeline.setTheme(Theme::darkTheme());
    EXPECT_EQ(pipeline.image(source()), dark);
}

}  // namespace
}  // namespace rankscope::ui
