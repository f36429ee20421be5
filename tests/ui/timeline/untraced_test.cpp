// SPDX-License-Identifier: GPL-3.0-or-later
// Times that a rank did not record are no idle time: they are drawn otherwise.
#include "ui/timeline/paint/overlay_painter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "core/trace/recorded_windows.h"
#include "tests/support/twice.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

/// A timeline that shows all of one run.
class ShownRunTest : public testing::Test {
  protected:
    void show(const std::shared_ptr<const AnalysedRun>& run) {
        timeline.resize(1200, 600);
        timeline.setRuns({run});
        timeline.show();
        timeline.fitAll();
        timeline.settle();
        model = TimelineModel({run});
    }

    TimelineWidget timeline{Theme::darkTheme()};
    TimelineModel model;
};

/// Two ranks; the trace of the second ends two steps before that of the first.
class UntracedTest : public ShownRunTest {
  protected:
    UntracedTest() {
        auto analysed = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 2, .steps = 6, .facts = false}));
        auto run = std::make_shared<rankscope::Run>(*analysed->run);
        run->ranks[1] = test::makeRun({.ranks = 2, .steps = 4, .facts = false})->run->ranks[1];
        analysed->run = run;
        show(analysed);
    }
    [[nodiscard]] std::vector<Untraced> parts() { return untracedIn(timeline.frame(), timeline.rowLayout(), model); }
    [[nodiscard]] RankPosition rankOf(const Untraced& part) const {
        return timeline.rowLayout().rows()[part.place.row].rank;
    }
    [[nodiscard]] TimeNs endOf(std::uint32_t rank) const {
        const RankView& view = *model.rank(0, RankPosition(rank));
        return view.toAxis(view.trace->window.end_ns);
    }
};

TEST_F(UntracedTest, BehindTheEndOfARanksTraceItsRowsSayThatThereIsNone) {
    const int end_x = timeline.frame().scale.pixelAt(endOf(1));
    std::size_t of_shorter = 0;
    for (const Untraced& part : parts()) {
        if (rankOf(part) == 1 && part.x1 == timeline.frame().width) {
            EXPECT_NEAR(part.x0, end_x, 1);
            ++of_shorter;
        } else if (rankOf(part) == 0) {
            EXPECT_TRUE(part.x1 <= timeline.frame().scale.pixelAt(0) + 1 ||
                        part.x0 >= timeline.frame().scale.pixelAt(endOf(0)))
                << "the other rank goes on";
        }
    }
    EXPECT_GT(of_shorter, 2U) << "its header and its tracks";
}

TEST_F(UntracedTest, ItIsPaintedOtherThanAnEmptyTrack) {
    const auto all = parts();
    const auto part = std::ranges::find_if(
        all, [&](const Untraced& one) { return rankOf(one) == 1 && one.labelled && one.x1 == timeline.frame().width; });
    ASSERT_NE(part, all.end());
    const QImage image = timeline.grab().toImage();
    const QPoint at = timeline.tracksArea().topLeft() + QPoint(part->x1 - 3, part->place.y + 3);
    EXPECT_EQ(image.pixel(at), Theme::darkTheme().surface.rgb());
}

TEST_F(UntracedTest, InTheMiddleOfAllTracesNothingIsMarked) {
    timeline.showWindow({test::kStepNs, 2 * test::kStepNs});
    EXPECT_TRUE(parts().empty());
}

TEST_F(UntracedTest, WhereAnotherTimelineLeadsBehindTheEndAllRowsAreMarked) {
    timeline.followWindow({endOf(0) + test::kStepNs, endOf(0) + 2 * test::kStepNs});
    const auto all = parts();
    const auto rows = static_cast<std::size_t>(std::ranges::count_if(timeline.frame().rows, [&](const FrameRow& row) {
        return timeline.rowLayout().rows()[row.row].kind != RowKind::Run;
    }));
    EXPECT_EQ(all.size(), rows);
    for (const Untraced& part : all) {
        EXPECT_EQ(part.x1 - part.x0, timeline.frame().width);
    }
}

/// One rank of two windows, with a hole of ten steps between them.
class HoleTest : public ShownRunTest {
  protected:
    HoleTest() {
        auto analysed = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 1, .steps = 2}));
        auto run = std::make_shared<rankscope::Run>(*analysed->run);
        const auto first = run->ranks[0];
        const auto second = rankscope::test::recordedLater(first, first->window.length() + 10 * test::kStepNs, 100);
        run->ranks[0] = rankscope::test::joined({first, second});
        analysed->run = run;
        analysed->facts.ranks[0].windows = RecordedWindows({first->window, second->window});
        hole = analysed->facts.ranks[0].windows.holes().at(0);
        show(analysed);
    }
    [[nodiscard]] std::vector<Untraced> holes() {
        std::vector<Untraced> parts = untracedIn(timeline.frame(), timeline.rowLayout(), model);
        std::erase_if(parts, [](const Untraced& part) { return !part.hole; });
        return parts;
    }

    TimeSpan hole;
};

TEST_F(HoleTest, BetweenTwoRecordedWindowsAllRowsOfTheRankAreMarkedFromEndToStart) {
    const TimeSpan shown = model.rank(0, RankPosition(0))->toAxis(hole);
    const std::vector<Untraced> parts = holes();
    EXPECT_GT(parts.size(), 2U) << "its header and its tracks";
    EXPECT_EQ(std::ranges::count(parts, true, &Untraced::labelled), 1);
    for (const Untraced& part : parts) {
        EXPECT_NEAR(part.x0, timeline.frame().scale.pixelAt(shown.start_ns), 1);
        EXPECT_NEAR(part.x1, timeline.frame().scale.pixelAt(shown.end_ns), 1);
    }
}

TEST_F(HoleTest, InsideAWindowNothingIsMarked) {
    timeline.showWindow({0, test::kStepNs});
    EXPECT_TRUE(holes().empty());
}

TEST_F(HoleTest, TheRunSaysHowMuchWasRecordedInHowManyWindows) {
    const RowText text = rowText(model, timeline.rowLayout().rows().front());
    EXPECT_TRUE(text.detail.endsWith(QStringLiteral("in 2 windows"))) << text.detail.toStdString();
}

}  // namespace
}  // namespace rankscope::ui
