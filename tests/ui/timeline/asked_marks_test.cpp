// SPDX-License-Identifier: GPL-3.0-or-later
// What the answer to a question marks on the timeline.
#include "ui/timeline/selection/asked_marks.h"

#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/paint/finding_painter.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr TrackId kAskedStream(2);

class AskedMarksTest : public ShownTimeline {
  protected:
    AskedMarksTest() : ShownTimeline({1100, 640}, test::makeRun({.late_rank = 1})), model({run}) {}

    [[nodiscard]] FindingMarkRects rects(const std::vector<FindingPlace>& places, bool outlined) {
        return rectsOf(0, places, outlined, timeline.frame(), timeline.rowLayout(), model);
    }
    [[nodiscard]] TimeSpan inFile(DurationNs from_ns, DurationNs to_ns) const {
        const TimeNs start = run->run->ranks[0]->window.start_ns;
        return {start + from_ns, start + to_ns};
    }

    TimelineModel model;
};

TEST_F(AskedMarksTest, SlicesAreBarsInTheHeadersOfTheirRanksWithoutOutlines) {
    const FindingMarkRects found = rects({{RankPosition(0), {kAskedStream, 3}, {}}}, false);
    ASSERT_EQ(found.bars.size(), 1U);
    const LayoutRow* header = timeline.rowLayout().findRank(0, RankPosition(0));
    EXPECT_EQ(found.bars[0].y + found.bars[0].height, header->y + header->height);
    EXPECT_TRUE(found.slices.empty()) << "they are marked on their rows";
    EXPECT_TRUE(found.times.empty());
}

TEST_F(AskedMarksTest, TimesAreOutlinedAroundTheStreamsOfTheirRank) {
    const FindingMarkRects found = rects({{RankPosition(1), {}, inFile(2'000'000, 6'000'000)}}, true);
    EXPECT_EQ(found.bars.size(), 1U);
    EXPECT_EQ(found.times.size(), 1U);
}

TEST_F(AskedMarksTest, FollowTheViewAndEachAnswer) {
    const auto of = [this](DurationNs from_ns, DurationNs to_ns) {
        auto marks = std::make_shared<AskedMarks>();
        marks->count = 1;
        marks->runs.push_back({0, {}, {{RankPosition(1), {}, inFile(from_ns, to_ns)}}});
        return marks;
    };
    const auto picture = [this] { return timeline.grab().toImage(); };
    timeline.setAskedMarks(of(2'000'000, 6'000'000));
    const QImage first = picture();
    timeline.setAskedMarks(of(3'000'000, 4'000'000));
    EXPECT_NE(picture(), first) << "another answer";
    timeline.showWindow({1'000'000, 5'000'000});
    timeline.settle();
    const QImage after = picture();
    timeline.setAskedMarks(nullptr);
    ASSERT_NE(picture(), after);
    timeline.setAskedMarks(of(3'000'000, 4'000'000));
    EXPECT_EQ(picture(), after) << "where an answer marks that comes to this view";
}

TEST_F(AskedMarksTest, ArePaintedAndSpokenUntilTheyAreTakenAway) {
    const QImage before = timeline.grab().toImage();
    auto marks = std::make_shared<AskedMarks>();
    marks->count = 2;
    marks->rows.add({0, RankPosition(0), kAskedStream, 0}, 3);
    marks->runs.push_back(
        {0, {{RankPosition(0), {kAskedStream, 3}, {}}}, {{RankPosition(1), {}, inFile(2'000'000, 6'000'000)}}});
    timeline.setAskedMarks(marks);
    EXPECT_EQ(timeline.askedMarks(), marks);
    EXPECT_NE(timeline.grab().toImage(), before);
    EXPECT_TRUE(timeline.spokenContent().contains(QStringLiteral("2 places of the answer marked.")));
    timeline.setAskedMarks(nullptr);
    EXPECT_EQ(timeline.grab().toImage(), before);
}

}  // namespace
}  // namespace rankscope::ui
