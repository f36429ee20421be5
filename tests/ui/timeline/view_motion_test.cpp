// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a scene in motion, without a widget.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/view_motion.h"

namespace rankscope::ui {
namespace {

class MovedView : public testing::Test {
  protected:
    static constexpr TimeSpan kEarly{test::kStepNs, 2 * test::kStepNs};
    static constexpr TimeSpan kLate{3 * test::kStepNs, 4 * test::kStepNs};

    [[nodiscard]] TimeSpan seen() const { return scene.viewport().window(); }
    void go(const TimeSpan& to) {
        view.travelTo(to);
        view.finish();
    }

    TimelineScene scene = test::makeScene({test::makeRun({.ranks = 1})}, QSize(800, 400));
    ViewMotion view{scene};
};

TEST_F(MovedView, TravelsFrameByFrameAndSaysSo) {
    QSignalSpy changes(&view, &ViewMotion::changed);
    view.travelTo(kEarly);
    EXPECT_EQ(changes.size(), 1) << "at once, for what hangs on the view";
    EXPECT_NE(seen(), kEarly);
    EXPECT_TRUE(QTest::qWaitFor([this] { return seen() == kEarly; }));
    EXPECT_GT(changes.size(), 2);
}

TEST_F(MovedView, FinishesAtOnceForAPicture) {
    go(kLate);
    EXPECT_EQ(seen(), kLate);
}

TEST_F(MovedView, GlidesWhileAKeyIsHeldAndStopsWithIt) {
    go(kEarly);
    view.hold({.pan = 1});
    EXPECT_TRUE(view.held().any());
    EXPECT_TRUE(QTest::qWaitFor([this] { return seen().start_ns > kEarly.start_ns; }));
    view.hold({});
    view.finish();
    const TimeSpan rest = seen();
    QTest::qWait(60);
    EXPECT_EQ(seen(), rest);
}

TEST_F(MovedView, GoesBackToWhereAWalkBegan) {
    const TimeSpan first = seen();
    view.leave({});
    go(kEarly);
    view.leave({});  // so soon that it is of the same walk
    go(kLate);
    const auto back = view.back({});
    ASSERT_TRUE(back);
    EXPECT_EQ(back->window, first);
    view.returnTo(back->window);
    view.finish();
    const auto forward = view.forward({});
    ASSERT_TRUE(forward);
    EXPECT_EQ(forward->window, kLate);
}

TEST_F(MovedView, KeepsWhereItIsGoingNotWhereItIs) {
    view.travelTo(kEarly);
    view.leave({});  // still on the way
    go(kLate);
    const auto back = view.back({});
    ASSERT_TRUE(back);
    EXPECT_EQ(back->window, kEarly);
}

}  // namespace
}  // namespace rankscope::ui
