// SPDX-License-Identifier: GPL-3.0-or-later
// The places of a finding, marked on the timeline.
#include "ui/timeline/selection/finding_marks.h"

#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/paint/finding_painter.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr TrackId kMarkedStream(2);

class FindingMarksTest : public ShownTimeline {
  protected:
    FindingMarksTest() : ShownTimeline({1100, 640}, test::makeRun({.late_rank = 1})), model({run}) {}

    [[nodiscard]] TimeSpan inStep(DurationNs from_ns, DurationNs to_ns) const {
        const TimeNs start = run->run->ranks[0]->window.start_ns;
        return {start + from_ns, start + to_ns};
    }
    FindingMarkRects rects(std::vector<FindingPlace> places) {
        const FindingMarks marks{run, 0, RunStepPosition(0), std::move(places)};
        return rectsOf(marks, timeline.frame(), timeline.rowLayout(), model);
    }

    TimelineModel model;
};

TEST_F(FindingMarksTest, ATimeIsABarInTheHeaderAndAnOutlineAroundTheStreams) {
    const FindingMarkRects found = rects({{RankPosition(1), {}, inStep(2'000'000, 6'000'000)}});
    ASSERT_EQ(found.bars.size(), 1U);
    ASSERT_EQ(found.times.size(), 1U);
    const LayoutRow* header = timeline.rowLayout().findRank(0, RankPosition(1));
    EXPECT_GT(found.bars[0].y, header->y);
    EXPECT_EQ(found.bars[0].y + found.bars[0].height, header->y + header->height);
    EXPECT_EQ(found.bars[0].x0, timeline.frame().scale.pixelAt(2'000'000));
    EXPECT_EQ(found.bars[0].x1, timeline.frame().scale.pixelAt(6'000'000));
    EXPECT_EQ(found.times[0].y, timeline.rowLayout().find(0, RankPosition(1), kMarkedStream)->y);
    EXPECT_TRUE(found.slices.empty());
}

TEST_F(FindingMarksTest, TimesTooCloseToDistinguishAreOneAndEachIsVisible) {
    const FindingMarkRects found = rects({{RankPosition(0), {}, inStep(1'000, 1'100)},
                                          {RankPosition(0), {}, inStep(1'300, 1'400)},
                                          {RankPosition(0), {}, inStep(9'000'000, 9'000'100)}});
    ASSERT_EQ(found.bars.size(), 2U);
    EXPECT_GE(found.bars[0].x1 - found.bars[0].x0, 3);
    EXPECT_TRUE(found.times.empty()) << "narrow outlines side by side would be a cage";
}

TEST_F(FindingMarksTest, EvidenceIsOutlinedWhereItIsDrawn) {
    const FindingMarkRects found = rects({{RankPosition(0), {kMarkedStream, 3}, {}}});
    ASSERT_EQ(found.slices.size(), 1U);
    const LayoutRow* row = timeline.rowLayout().find(0, RankPosition(0), kMarkedStream);
    EXPECT_GE(found.slices[0].y, row->y);
    EXPECT_LT(found.slices[0].y, row->y + row->height);
    EXPECT_EQ(found.bars.size(), 1U) << "it blocks no device, so the bar shows where it is";
}

TEST_F(FindingMarksTest, PlacesOutOfViewOrOfAClosedRunAreNotMarked) {
    timeline.showWindow({20'000'000, 30'000'000});
    EXPECT_TRUE(rects({{RankPosition(0), {}, inStep(2'000'000, 6'000'000)}}).bars.empty());
    const auto other = test::makeRun({.late_rank = 1});
    const FindingMarks marks{other, 0, RunStepPosition(0), {{RankPosition(0), {}, inStep(0, 40'000'000)}}};
    EXPECT_TRUE(rectsOf(marks, timeline.frame(), timeline.rowLayout(), model).bars.empty());
}

TEST_F(FindingMarksTest, TheyArePaintedAndEscapeRemovesThemOnceNothingElseIsToClear) {
    const QImage before = timeline.grab().toImage();
    timeline.setFindingMarks({run, 0, RunStepPosition(0), {{RankPosition(0), {}, inStep(2'000'000, 6'000'000)}}});
    EXPECT_NE(timeline.grab().toImage(), before);
    EXPECT_TRUE(timeline.spokenContent().contains(QStringLiteral("1 place of the finding")));
    timeline.select(SliceSelection{0, RankPosition(0), {kMarkedStream, 3}});
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_FALSE(timeline.findingMarks().empty());
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_TRUE(timeline.findingMarks().empty());
    EXPECT_EQ(timeline.grab().toImage(), before);
}

TEST_F(FindingMarksTest, TheyGoWithTheirRun) {
    timeline.setFindingMarks({run, 0, RunStepPosition(0), {{RankPosition(0), {}, inStep(2'000'000, 6'000'000)}}});
    timeline.setRuns({run, test::makeRun({})});
    EXPECT_FALSE(timeline.findingMarks().empty());
    timeline.setRuns({test::makeRun({})});
    EXPECT_EQ(timeline.findingMarks().of, nullptr);
}

}  // namespace
}  // namespace rankscope::ui
