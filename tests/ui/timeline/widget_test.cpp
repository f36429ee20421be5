// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a user has it: real events in, selections and views out.
#include <gtest/gtest.h>

#include <QPainter>
#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class TimelineWidgetTest : public ShownTimeline {
  protected:
    TimelineWidgetTest() : ShownTimeline({1100, 640}, test::makeRun({})) {
        QObject::connect(&timeline, &TimelineWidget::selectionChanged,
                         [this](const Selection& s) { told.push_back(s); });
    }

    QPoint pointOf(double x, double y) { return timeline.tracksArea().topLeft() + QPointF(x, y).toPoint(); }
    void click(const QPoint& at) { QTest::mouseClick(&timeline, Qt::LeftButton, {}, at); }
    void hoverAt(const QPoint& at) { test::moveTo(timeline, at); }
    void wheel(const QPoint& at, int notches, Qt::KeyboardModifiers modifiers = {}) {
        test::turnWheel(timeline, at, 120 * notches, modifiers);
        timeline.settle();
    }
    // The middle of a slice of "stream 7" of rank 0 that is drawn by itself.
    QPoint aKernel(SliceSelection* which) {
        for (const FrameSliceRow& slice_row : timeline.frame().slice_rows) {
            for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
                const FrameItem& item = timeline.frame().items[i];
                if (slice_row.track == TrackId(2) && item.count == 1 && item.x1 - item.x0 >= 3) {
                    *which = {slice_row.run, slice_row.rank, {slice_row.track, item.slice}};
                    return pointOf((item.x0 + item.x1) / 2.0, slice_row.y + slice_row.height / 2.0);
                }
            }
        }
        ADD_FAILURE() << "no kernel is drawn by itself";
        return {};
    }
    QPoint aGap(std::size_t index) {
        const FrameGap& gap = timeline.frame().gaps.at(index);
        return pointOf((gap.x0 + gap.x1) / 2.0, gap.y + gap.height / 2.0);
    }
    TimeSpan window() { return timeline.viewport().window(); }

    std::vector<Selection> told;
};

TEST_F(TimelineWidgetTest, AClickSelectsTheSliceUnderThePointer) {
    SliceSelection kernel;
    click(aKernel(&kernel));
    EXPECT_EQ(timeline.selection(), Selection(kernel));
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0], Selection(kernel));
}

TEST_F(TimelineWidgetTest, AClickOnAGapSelectsThatGap) {
    click(aGap(1));
    EXPECT_EQ(timeline.selection(), Selection(GapSelection{0, RankPosition(0), RankStepPosition(1), 0}));
}

TEST_F(TimelineWidgetTest, AClickOnNothingAndEscapeClear) {
    click(aGap(0));
    click(pointOf(3, 70));  // the gutter
    EXPECT_EQ(timeline.selection(), Selection());
    click(aGap(0));
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_EQ(timeline.selection(), Selection());
    EXPECT_EQ(told.size(), 4U);
}

TEST_F(TimelineWidgetTest, ARequestedSelectionIsNotReportedBack) {
    timeline.select(GapSelection{0, RankPosition(1), RankStepPosition(2), 0});
    timeline.reveal(SliceSelection{0, RankPosition(1), {TrackId(2), 5}});
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(1), {TrackId(2), 5}}));
    EXPECT_TRUE(told.empty());
}

TEST_F(TimelineWidgetTest, WhatDoesNotExistCannotBeSelected) {
    timeline.select(GapSelection{0, RankPosition(0), RankStepPosition(99), 0});
    EXPECT_EQ(timeline.selection(), Selection());
    timeline.reveal(SliceSelection{7, RankPosition(0), {TrackId(2), 5}});
    EXPECT_EQ(timeline.selection(), Selection());
}

TEST_F(TimelineWidgetTest, CtrlWheelZoomsAtThePointer) {
    const QPoint at = pointOf(300, 100);
    const TimeNs before = timeline.viewport().timeAt(300);
    const TimeSpan all = window();
    wheel(at, 3, Qt::ControlModifier);
    EXPECT_LT(window().length(), all.length() / 2);
    EXPECT_NEAR(static_cast<double>(timeline.viewport().timeAt(300)), static_cast<double>(before), 2.0);
    wheel(at, -3, Qt::ControlModifier);
    EXPECT_EQ(window(), all);
}

TEST_F(TimelineWidgetTest, ThePlainWheelScrollsTheRowsAndShiftWheelPansTheTime) {
    timeline.resize(1100, 260);
    const int top = timeline.frame().rows.front().y;
    const TimeSpan before = window();
    wheel(pointOf(300, 100), -1);
    EXPECT_EQ(window(), before);
    EXPECT_NE(timeline.frame().rows.front().row * 1'000 - static_cast<std::size_t>(timeline.frame().rows.front().y),
              static_cast<std::size_t>(-top));
    wheel(pointOf(300, 100), 4, Qt::ControlModifier);
    const TimeSpan zoomed = window();
    wheel(pointOf(300, 100), -1, Qt::ShiftModifier);
    EXPECT_GT(window().start_ns, zoomed.start_ns);
    EXPECT_EQ(window().length(), zoomed.length());
}

TEST_F(TimelineWidgetTest, ShiftDragAndMiddleDragPanByWhatThePointerMoved) {
    wheel(pointOf(300, 100), 5, Qt::ControlModifier);
    for (const auto& [button, modifiers] :
         {std::pair(Qt::LeftButton, Qt::ShiftModifier), std::pair(Qt::MiddleButton, Qt::NoModifier)}) {
        const TimeNs grabbed = timeline.viewport().timeAt(400);
        QTest::mousePress(&timeline, button, modifiers, pointOf(400, 120));
        QTest::mouseMove(&timeline, pointOf(430, 120));
        QTest::mouseMove(&timeline, pointOf(500, 120));
        QTest::mouseRelease(&timeline, button, modifiers, pointOf(500, 120));
        EXPECT_NEAR(static_cast<double>(timeline.viewport().timeAt(500)), static_cast<double>(grabbed), 20.0);
    }
    EXPECT_TRUE(told.empty()) << "a drag is no click";
}

TEST_F(TimelineWidgetTest, APlainDragDrawsARangeAndSelectsNothing) {
    const QImage before = timeline.grab().toImage();
    QTest::mousePress(&timeline, Qt::LeftButton, {}, pointOf(200, 120));
    QTest::mouseMove(&timeline, pointOf(260, 120));
    QTest::mouseMove(&timeline, pointOf(400, 120));
    QTest::mouseRelease(&timeline, Qt::LeftButton, {}, pointOf(400, 120));
    const QPoint inside = pointOf(300, timeline.tracksArea().height() - 10);
    EXPECT_NE(timeline.grab().toImage().pixel(inside), before.pixel(inside));
    EXPECT_TRUE(told.empty());
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_EQ(timeline.grab().toImage().pixel(inside), before.pixel(inside));
}

TEST_F(TimelineWidgetTest, KeysZoomAtThePointerAndPan) {
    const TimeSpan all = window();
    const TimeNs under = timeline.viewport().timeAt(600);
    for (int i = 0; i < 5; ++i) {
        hoverAt(pointOf(600, 100));
        QKeyEvent press(QEvent::KeyPress, Qt::Key_W, Qt::NoModifier);
        QApplication::sendEvent(&timeline, &press);
        timeline.settle();
    }
    EXPECT_LT(window().length(), all.length());
    EXPECT_NEAR(static_cast<double>(timeline.viewport().timeAt(600)), static_cast<double>(under), 2.0);
    const TimeSpan zoomed = window();
    QTest::keyClick(&timeline, Qt::Key_D);
    timeline.settle();
    EXPECT_GT(window().start_ns, zoomed.start_ns);
    QTest::keyClick(&timeline, Qt::Key_A);
    timeline.settle();
    EXPECT_NEAR(static_cast<double>(window().start_ns), static_cast<double>(zoomed.start_ns), 2.0);
    for (int i = 0; i < 6; ++i) {
        QTest::keyClick(&timeline, Qt::Key_S);
        timeline.settle();
    }
    EXPECT_EQ(window(), all);
}

TEST_F(TimelineWidgetTest, KeysThatMoveAreRecognisedByTheirPlaceAndNotByTheirLetters) {
    hoverAt(pointOf(600, 100));
    const auto press = [this](Qt::Key letter, quint32 scan_code) {
        for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            QKeyEvent event(type, letter, Qt::NoModifier, scan_code, 0, 0);
            QApplication::sendEvent(&timeline, &event);
        }
        timeline.settle();
    };
    constexpr quint32 kPlaceOfW = 25;  // as X11 and Wayland number the keys
    constexpr quint32 kPlaceOfA = 38;
    constexpr quint32 kPlaceOfZ = 52;
    const TimeSpan all = window();
    press(Qt::Key_W, kPlaceOfZ);  // on a French keyboard
    EXPECT_EQ(window(), all) << "the letter alone moves nothing";
    press(Qt::Key_Z, kPlaceOfW);
    EXPECT_LT(window().length(), all.length());
    const TimeSpan zoomed = window();
    press(Qt::Key_Q, kPlaceOfA);
    EXPECT_LT(window().start_ns, zoomed.start_ns);
    EXPECT_EQ(window().length(), zoomed.length());
}

TEST_F(TimelineWidgetTest, FFitsTheSelectionAndWithoutOneTheRun) {
    click(aGap(1));
    QTest::keyClick(&timeline, Qt::Key_F);
    timeline.settle();
    EXPECT_EQ(window(), (TimeSpan{test::kStepNs - test::kGapNs / 8, test::kStepNs + test::kGapNs * 9 / 8}));
    QTest::keyClick(&timeline, Qt::Key_Escape);
    QTest::keyClick(&timeline, Qt::Key_F);
    timeline.settle();
    EXPECT_EQ(window(), timeline.viewport().limits());
}

TEST_F(TimelineWidgetTest, FromAGapTheNextSliceEndsItAndThePreviousIsTheLastBeforeIt) {
    const GapSelection gap{0, RankPosition(1), RankStepPosition(1), 0};
    const RankTrace& trace = *run->run->ranks[1];
    const TimeSpan span = run->facts.ranks[RankPosition(1)].steps[RankStepPosition(1)].gaps[0].span;
    timeline.select(gap);
    QTest::keyClick(&timeline, Qt::Key_Period);
    const auto behind = std::get<SliceSelection>(timeline.selection());
    EXPECT_EQ(behind.rank, RankPosition(1));
    EXPECT_EQ(trace.span(behind.slice).start_ns, span.end_ns);
    timeline.select(gap);
    QTest::keyClick(&timeline, Qt::Key_Comma);
    const auto before = std::get<SliceSelection>(timeline.selection());
    TimeNs last = 0;
    for (const Track& track : trace.tracks) {
        for (const TimeNs end : track.slices.end_ns) {
            last = track.kind == TrackKind::Stream && end <= span.start_ns ? std::max(last, end) : last;
        }
    }
    EXPECT_EQ(trace.span(before.slice).end_ns, last);
    EXPECT_EQ(trace.track(before.slice).kind, TrackKind::Stream);
}

TEST_F(TimelineWidgetTest, ADoubleClickFitsTheSlice) {
    SliceSelection kernel;
    QTest::mouseDClick(&timeline, Qt::LeftButton, {}, aKernel(&kernel));
    timeline.settle();
    EXPECT_EQ(timeline.selection(), Selection(kernel));
    EXPECT_LT(window().length(), test::kStepNs / 20);
}

TEST_F(TimelineWidgetTest, KeysVisitSlicesAndGapsInOrder) {
    timeline.select(SliceSelection{0, RankPosition(0), {TrackId(2), 5}});
    QTest::keyClick(&timeline, Qt::Key_Period);
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {TrackId(2), 6}}));
    QTest::keyClick(&timeline, Qt::Key_Comma);
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {TrackId(2), 5}}));
    QTest::keyClick(&timeline, Qt::Key_G);
    EXPECT_EQ(timeline.selection(), Selection(GapSelection{0, RankPosition(0), RankStepPosition(1), 0}));
    QTest::keyClick(&timeline, Qt::Key_G);
    EXPECT_EQ(timeline.selection(), Selection(GapSelection{0, RankPosition(0), RankStepPosition(2), 0}));
    QTest::keyClick(&timeline, Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(timeline.selection(), Selection(GapSelection{0, RankPosition(0), RankStepPosition(1), 0}));
    EXPECT_EQ(told.size(), 5U);
}

TEST_F(TimelineWidgetTest, RevealBringsAFarGapIntoSight) {
    timeline.setRuns({test::makeRun({.ranks = 9, .steps = 400, .kernels_a_step = 5})});
    timeline.settle();
    timeline.reveal(GapSelection{0, RankPosition(8), RankStepPosition(300), 0});
    timeline.settle();
    const TimeSpan gap{300 * test::kStepNs, 300 * test::kStepNs + test::kGapNs};
    EXPECT_LE(window().start_ns, gap.start_ns);
    EXPECT_GE(window().end_ns, gap.end_ns);
    bool drawn = false;
    for (const FrameGap& mark : timeline.frame().gaps) {
        drawn |= mark.which == GapSelection{0, RankPosition(8), RankStepPosition(300), 0} && mark.x1 - mark.x0 > 40 &&
                 mark.y >= 0 && mark.y + mark.height <= timeline.frame().height;
    }
    EXPECT_TRUE(drawn);
}

TEST_F(TimelineWidgetTest, AClickOnANameFoldsAndUnfoldsIt) {
    const int before = timeline.rowLayout().height();
    const LayoutRow* rank = timeline.rowLayout().findRank(0, RankPosition(0));
    const QPoint name(40, timeline.tracksArea().top() + rank->y + rank->height / 2);
    click(name);
    EXPECT_LT(timeline.rowLayout().height(), before);
    click(name);
    EXPECT_EQ(timeline.rowLayout().height(), before);
    EXPECT_TRUE(told.empty());
}

TEST_F(TimelineWidgetTest, AClickNextToTheNameOfARunOrAGroupClearsAndFoldsNothing) {
    const int before = timeline.rowLayout().height();
    for (const LayoutRow& row : timeline.rowLayout().rows()) {
        if (row.kind == RowKind::Run || row.kind == RowKind::Group) {
            click(aGap(0));
            click(pointOf(3, row.y + row.height / 2.0));
            EXPECT_EQ(timeline.rowLayout().height(), before);
            EXPECT_EQ(timeline.selection(), Selection());
        }
    }
}

TEST_F(TimelineWidgetTest, ViewAndSelectionStayWhenARunIsSetAgain) {
    const auto bare = test::makeRun({.facts = false});
    timeline.setRuns({bare});
    timeline.settle();
    wheel(pointOf(300, 100), 4, Qt::ControlModifier);
    const TimeSpan before = window();
    timeline.select(SliceSelection{0, RankPosition(1), {TrackId(2), 5}});
    timeline.setRuns({bare});
    EXPECT_EQ(window(), before);
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(1), {TrackId(2), 5}}));
}

TEST_F(TimelineWidgetTest, HoveringLightsUpAllSlicesOfTheName) {
    SliceSelection kernel;
    const QPoint at = aKernel(&kernel);
    const QImage before = timeline.grab().toImage();
    hoverAt(at);
    const QImage after = timeline.grab().toImage();
    const std::uint32_t name = [&] {
        for (const FrameItem& item : timeline.frame().items) {
            if (item.slice == kernel.slice.slice && item.count == 1 && item.x1 - item.x0 >= 3) {
                return item.name_hash;
            }
        }
        return 0U;
    }();
    int lit = 0;
    for (const FrameSliceRow& slice_row : timeline.frame().slice_rows) {
        for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
            const FrameItem& item = timeline.frame().items[i];
            const QPoint pixel = pointOf(item.x0, slice_row.y);
            if (slice_row.rank == 1 && slice_row.track == TrackId(2) && item.count == 1 && item.name_hash == name) {
                EXPECT_NE(after.pixel(pixel), before.pixel(pixel));
                ++lit;
            }
        }
    }
    EXPECT_GT(lit, 10) << "on the other rank too";
}

TEST_F(TimelineWidgetTest, AnEmptyTimelineTakesEveryKeyAndClick) {
    TimelineWidget empty(Theme::lightTheme());
    empty.resize(600, 300);
    empty.show();
    for (const int key : {Qt::Key_W, Qt::Key_A, Qt::Key_F, Qt::Key_G, Qt::Key_Period, Qt::Key_BracketLeft}) {
        QTest::keyClick(&empty, static_cast<Qt::Key>(key));
    }
    QTest::mouseClick(&empty, Qt::LeftButton, {}, QPoint(400, 200));
    empty.settle();
    EXPECT_EQ(empty.selection(), Selection());
    EXPECT_FALSE(empty.grab().isNull());
}

TEST_F(TimelineWidgetTest, ADragStraightDownLeavesNoArea) {
    const QImage before = timeline.grab().toImage();
    QTest::mousePress(&timeline, Qt::LeftButton, Qt::AltModifier, pointOf(200, 60));
    for (const int y : {120, 200}) {
        test::moveTo(timeline, pointOf(200, y), Qt::LeftButton, Qt::AltModifier);
    }
    QTest::mouseRelease(&timeline, Qt::LeftButton, Qt::AltModifier, pointOf(200, 200));
    EXPECT_FALSE(timeline.state().area);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&timeline, &leave);
    EXPECT_EQ(timeline.grab().toImage(), before);
}

TEST_F(TimelineWidgetTest, ASavedPictureHasNothingOfThePointer) {
    const auto picture = [this] {
        QImage image(timeline.size(), QImage::Format_RGB32);
        QPainter painter(&image);
        timeline.drawPicture(painter);
        return image;
    };
    const QImage plain = picture();
    SliceSelection which;
    hoverAt(aKernel(&which));
    const QImage hovered = timeline.grab().toImage().convertToFormat(QImage::Format_RGB32);
    EXPECT_EQ(picture(), plain);
    const QPoint inside = timeline.tracksArea().center();
    EXPECT_EQ(plain.pixel(inside), timeline.grab().toImage().pixel(inside)) << "but all that is seen";
    EXPECT_NE(hovered, plain);
}

TEST_F(TimelineWidgetTest, TheAreaKeepsToItsSlicesWhereTheClockOfTheirRankIsAnother) {
    timeline.select(SliceSelection{0, RankPosition(0), {TrackId(2), 5}});
    QTest::keyClick(&timeline, Qt::Key_R);
    ASSERT_TRUE(timeline.area());
    const auto tracks = timeline.area()->area.tracks;
    auto later = std::make_shared<AnalysedRun>(*run);
    for (RankClock& clock : later->clock.ranks) {
        clock.offset_ns += 3'000'000;
    }
    timeline.setRuns({later});
    ASSERT_TRUE(timeline.area());
    EXPECT_EQ(timeline.markedSpan(), timeline.spanOf(timeline.selection()));
    EXPECT_EQ(timeline.area()->area.tracks, tracks);
    timeline.setRuns({test::makeRun({})});
    EXPECT_FALSE(timeline.area()) << "its run is closed";
}

}  // namespace
}  // namespace rankscope::ui
