// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/viewport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ui/timeline/navigation/motion.h"

namespace rankscope::ui {
namespace {

constexpr TimeSpan kRun{0, 12'345'678'901};

Viewport viewOf(const TimeSpan& window) {
    Viewport view;
    view.setWidth(1'000);
    view.setExtent(kRun);
    view.setWindow(window);
    return view;
}

TEST(Viewport, ShowsAllOfItsExtentWithAHundredthOfGutterAtFirst) {
    Viewport view;
    view.setWidth(1'000);
    view.setExtent(kRun);
    EXPECT_EQ(view.window(), (TimeSpan{-123'456'789, 12'469'135'690}));
}

TEST(Viewport, ZoomingKeepsTheTimeUnderThePointer) {
    for (const double x : {0.0, 1.0, 333.0, 999.0}) {
        Viewport view = viewOf({4'000'000'000, 5'000'000'000});
        const TimeNs before = view.timeAt(x);
        for (int i = 0; i < 20; ++i) {
            view.zoomAt(x, 0.8);
            EXPECT_NEAR(static_cast<double>(view.timeAt(x)), static_cast<double>(before), 1.0) << "at pixel " << x;
        }
    }
}

TEST(Viewport, ZoomingInAndOutAgainRestoresTheWindowToTheNanosecond) {
    const TimeSpan window{4'123'456'789, 5'987'654'321};
    for (const double x : {0.0, 17.0, 500.0, 998.5}) {
        Viewport view = viewOf(window);
        for (int i = 0; i < 60; ++i) {
            view.zoomAt(x, 0.8);
        }
        EXPECT_NE(view.window(), window);
        for (int i = 0; i < 60; ++i) {
            view.zoomAt(x, 1.25);
        }
        EXPECT_EQ(view.window(), window) << "around pixel " << x;
    }
}

TEST(Viewport, FractionsOfAPixelAddUpWhilePanning) {
    Viewport view = viewOf({1'000, 1'100});  // a tenth of a nanosecond a pixel
    for (int i = 0; i < 100; ++i) {
        view.panBy(1);
    }
    EXPECT_EQ(view.window(), (TimeSpan{1'010, 1'110}));
}

TEST(Viewport, NeverShowsLessThanTenNanosecondsNorMoreThanThereIs) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    view.zoomAt(500, 1e-30);
    EXPECT_EQ(view.window().length(), Viewport::kMinSpanNs);
    view.zoomAt(500, 1e30);
    EXPECT_EQ(view.window(), view.limits());
    view.panBy(1e9);
    EXPECT_EQ(view.window(), view.limits());
}

TEST(Viewport, StopsAtTheGutters) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    view.panBy(-1e9);
    EXPECT_EQ(view.window().start_ns, view.limits().start_ns);
    EXPECT_EQ(view.window().length(), 1'000'000'000);
    view.panBy(1e9);
    EXPECT_EQ(view.window().end_ns, view.limits().end_ns);
}

TEST(Viewport, FitsATargetIntoTheMiddleOfTheWidth) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    view.fit({6'000'000'000, 6'008'000'000}, 0.8);
    EXPECT_EQ(view.window(), (TimeSpan{5'999'000'000, 6'009'000'000}));
}

TEST(Viewport, ComesCloserToAnInstant) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    view.fit({4'500'000'000, 4'500'000'000}, 0.8);
    EXPECT_EQ(view.window(), (TimeSpan{4'499'000'000, 4'501'000'000}));
}

TEST(Viewport, KeepsItsWindowWhenMoreIsLoadedUnlessItShowedAll) {
    Viewport part = viewOf({4'000'000'000, 5'000'000'000});
    part.setExtent({0, 99'000'000'000});
    EXPECT_EQ(part.window(), (TimeSpan{4'000'000'000, 5'000'000'000}));
    Viewport all = viewOf({0, 1});
    all.fitAll();
    all.setExtent({0, 99'000'000'000});
    EXPECT_EQ(all.window(), all.limits());
}

TEST(Viewport, SurvivesAnExtentOfFiftyYears) {
    Viewport view;
    view.setWidth(4'000);
    view.setExtent({0, 1'700'000'000'000'000'000});
    EXPECT_LE(view.window().start_ns, 0);
    EXPECT_GE(view.window().end_ns, 1'700'000'000'000'000'000);
    view.zoomAt(100, 0.5);
    EXPECT_GT(view.window().length(), 0);
}

TEST(PixelScale, PanningByPixelsMovesEveryMarkByTheSameNumberOfPixels) {
    Viewport view = viewOf({4'123'456'789, 5'987'654'321});
    const PixelScale before = view.scale(1'000);
    view.panBy(37);
    const PixelScale after = view.scale(1'000);
    const int moved = before.pixelAt(5'000'000'000) - after.pixelAt(5'000'000'000);
    EXPECT_NEAR(moved, 37, 1);
    for (TimeNs t = 4'200'000'000; t < 5'900'000'000; t += 7'654'321) {
        ASSERT_EQ(before.pixelAt(t) - after.pixelAt(t), moved) << "at " << t;
    }
}

TEST(PixelScale, ATimeFallsIntoThePixelThatItsPlaceIsIn) {
    const PixelScale scale = viewOf({4'123'456'789, 5'987'654'321}).scale(3'840);
    for (TimeNs t = 4'000'000'000; t < 6'100'000'000; t += 3'456'789) {
        const double place = static_cast<double>(t) * scale.pixels_per_ns;
        ASSERT_EQ(scale.pixelAt(t), static_cast<int>(std::floor(place) - static_cast<double>(scale.origin_px)));
    }
}

TEST(PixelScale, FarTimesStopOutsideAnyWindow) {
    const PixelScale scale = viewOf({4'000'000'000, 4'000'000'010}).scale(3'840);
    EXPECT_LT(scale.pixelAt(std::numeric_limits<TimeNs>::min()), -100'000);
    EXPECT_GT(scale.pixelAt(std::numeric_limits<TimeNs>::max()), 100'000);
}

TEST(PixelScale, TheFirstTimeOfAPixelFallsIntoIt) {
    const PixelScale scale = viewOf({4'123'456'789, 5'987'654'321}).scale(1'000);
    for (int pixel = 0; pixel < 1'000; pixel += 13) {
        EXPECT_EQ(scale.pixelAt(scale.timeAt(pixel)), pixel);
    }
}

TEST(Motion, AGlideEndsWhereFinishingItWouldHaveEnded) {
    Viewport stepped = viewOf({4'000'000'000, 5'000'000'000});
    Viewport finished = stepped;
    Motion a;
    Motion b;
    a.panBy(200);
    b.panBy(200);
    int frames = 0;
    while (a.advance(16, stepped)) {
        ++frames;
    }
    b.finish(finished);
    EXPECT_GT(frames, 5);
    EXPECT_LT(frames, 60);
    EXPECT_NEAR(stepped.xAt(4'000'000'000), finished.xAt(4'000'000'000), 1.0);
    EXPECT_NEAR(finished.xAt(4'000'000'000), -200, 0.01);
}

TEST(Motion, AHeldKeyMovesOnUntilItIsLetGo) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    Motion motion;
    motion.hold({.pan = 1, .zoom = 0});
    TimeNs last = view.window().start_ns;
    for (int i = 0; i < 30; ++i) {
        EXPECT_TRUE(motion.advance(16, view));
        EXPECT_GT(view.window().start_ns, last);
        last = view.window().start_ns;
    }
    motion.hold({});
    int frames = 0;
    while (motion.advance(16, view)) {
        ASSERT_LT(++frames, 200);
    }
    EXPECT_EQ(view.window().length(), 1'000'000'000);
}

TEST(Motion, ZoomingKeysKeepTheTimeUnderThePointer) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    Motion motion;
    motion.setPointer(250);
    const TimeNs before = view.timeAt(250);
    motion.hold({.pan = 0, .zoom = 1});
    for (int i = 0; i < 30; ++i) {
        motion.advance(16, view);
    }
    EXPECT_LT(view.window().length(), 600'000'000);
    EXPECT_NEAR(static_cast<double>(view.timeAt(250)), static_cast<double>(before), 2.0);
}

TEST(Motion, TravelsInThreeTenthsOfASecondAndJumpsWhenAskedAgainOnTheWay) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    Motion motion;
    motion.moveTo({6'000'000'000, 6'500'000'000}, 1'000, view);
    EXPECT_TRUE(motion.advance(150, view));
    EXPECT_GT(view.window().start_ns, 4'000'000'000);
    EXPECT_LT(view.window().start_ns, 6'000'000'000);
    motion.moveTo({7'000'000'000, 7'500'000'000}, 1'150, view);
    EXPECT_EQ(view.window(), (TimeSpan{7'000'000'000, 7'500'000'000}));
    EXPECT_FALSE(motion.advance(16, view));
}

TEST(Motion, JumpsForAsLongAsKeysComeFastAndTravelsAgainAfterAPause) {
    Viewport view = viewOf({4'000'000'000, 5'000'000'000});
    Motion motion;
    motion.moveTo({2'000'000'000, 2'500'000'000}, 0, view);
    EXPECT_FALSE(motion.advance(301, view));  // it has arrived: from here on nothing moves
    for (const double now_ms : {500.0, 700.0, 900.0}) {
        const TimeSpan wanted{4'000'000'000 + static_cast<TimeNs>(now_ms), 4'500'000'000};
        motion.moveTo(wanted, now_ms, view);
        EXPECT_EQ(view.window(), wanted) << now_ms;
        EXPECT_FALSE(motion.advance(16, view));
    }
    const TimeSpan before = view.window();
    motion.moveTo({7'000'000'000, 7'500'000'000}, 1'300, view);
    EXPECT_EQ(view.window(), before) << "long after the last move it travels again";
    EXPECT_FALSE(motion.advance(301, view));
    EXPECT_EQ(view.window(), (TimeSpan{7'000'000'000, 7'500'000'000}));
}

}  // namespace
}  // namespace rankscope::ui
