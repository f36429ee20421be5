// SPDX-License-Identifier: GPL-3.0-or-later
// The critical path of a step on the timeline: where it is drawn, what lies under the pointer, and which step it is of.
#include <gtest/gtest.h>

#include <QTest>
#include <algorithm>
#include <set>

#include "tests/support/analysed.h"
#include "tests/support/late_ranks.h"
#include "tests/support/model_builder.h"
#include "tests/ui/holds.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/navigation/tooltip.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/selection/step_path.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr TimeNs kMillisecond = 1'000'000;

class PathOnTheTimeline : public testing::Test {
  protected:
    void open(std::shared_ptr<const rankscope::Run> of, const QSize& size = {1500, 900}) {
        run = std::make_shared<const AnalysedRun>(test::analyse(std::move(of)));
        timeline.resize(size);
        timeline.setRuns({run});
        timeline.show();
        timeline.setOverlay(Overlay::Path, true);
        timeline.settle();
    }
    const Frame& frame() { return timeline.frame(); }
    QPoint pointOf(int x, int y) { return timeline.tracksArea().topLeft() + QPoint(x, y); }
    /// The path of the step that the timeline has in view, worked out anew.
    std::shared_ptr<const ShownPath> shown() {
        const auto step = timeline.stepInView();
        return step ? makeShownPath({run, *step}) : nullptr;
    }
    /// The row of a slice, or the last above it that is not folded away.
    const FrameSliceRow* rowOf(RankPosition rank, SliceRef slice) {
        const std::uint16_t depth = run->run->ranks[rank]->track(slice).slices.depth[slice.slice];
        const FrameSliceRow* found = nullptr;
        for (const FrameSliceRow& row : frame().slice_rows) {
            const bool above = row.rank == rank && row.track == slice.track && row.depth <= depth;
            found = above ? &row : found;
        }
        return found;
    }
    void showStep(std::size_t step) {
        timeline.showWindow({static_cast<TimeNs>(step) * kMillisecond, static_cast<TimeNs>(step + 1) * kMillisecond});
        timeline.settle();
    }

    /// Opens a run of four steps with a late rank, and shows one of them.
    void openAtStep(std::size_t step) {
        open(test::runWithALateRank(4));
        showStep(step);
    }

    std::shared_ptr<const AnalysedRun> run;
    TimelineWidget timeline{Theme::darkTheme()};
};

TEST_F(PathOnTheTimeline, IsThereWhenItIsSwitchedOn) {
    openAtStep(1);
    EXPECT_FALSE(frame().path.empty());
    const QImage with = timeline.grab().toImage();
    timeline.setOverlay(Overlay::Path, false);
    EXPECT_TRUE(frame().path.empty());
    EXPECT_TRUE(frame().path_links.empty());
    EXPECT_NE(timeline.grab().toImage(), with);
    EXPECT_FALSE(OverlaySet().has(Overlay::Path)) << "at first it is off";
}

TEST_F(PathOnTheTimeline, RunsAlongTheRowsOfItsSlicesWithoutAHole) {
    openAtStep(1);
    const auto path = shown();
    ASSERT_NE(path, nullptr);
    std::int32_t end = 0;
    std::set<RankPosition> ranks;
    for (const FramePathMark& mark : frame().path) {
        EXPECT_LE(mark.x0, end) << "it goes on where it was";
        end = std::max(end, mark.x1);
        const DrawnStretch& drawn = path->drawn[mark.stretch];
        ranks.insert(drawn.rank);
        ASSERT_TRUE(drawn.slice.valid());
        const FrameSliceRow* row = rowOf(drawn.rank, drawn.slice);
        ASSERT_NE(row, nullptr) << run->run->ranks[drawn.rank]->name(drawn.slice) << " at " << mark.x0 << " to "
                                << mark.x1 << ", " << mark.y;
        EXPECT_EQ(mark.y + mark.height, row->y + row->height + metrics::kRowGap) << "along the lower edge";
        EXPECT_EQ(mark.works, drawn.works);
    }
    EXPECT_GE(end, frame().width - 1);
    EXPECT_EQ(ranks, (std::set<RankPosition>{RankPosition(0), RankPosition(1)}));
    const auto turn = std::ranges::find(frame().path_links, true, &FramePathLink::turns);
    ASSERT_NE(turn, frame().path_links.end());
    EXPECT_EQ(turn->x, frame().scale.pixelAt(kMillisecond + 800'000)) << "where rank 1 comes to the all-reduce";
}

TEST_F(PathOnTheTimeline, LeadsThroughTheDataLoaderOfTheRankThatIsLate) {
    openAtStep(2);
    const auto path = shown();
    const auto widest = std::ranges::max_element(
        frame().path, {}, [&](const FramePathMark& m) { return path->drawn[m.stretch].works ? 0 : m.x1 - m.x0; });
    const DrawnStretch& drawn = path->drawn[widest->stretch];
    EXPECT_EQ(drawn.rank, RankPosition(1));
    EXPECT_EQ(run->run->ranks[1]->name(drawn.slice), "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
}

TEST_F(PathOnTheTimeline, APointOfItIsPaintedHitAndClickedAsItsStretch) {
    openAtStep(1);
    const auto path = shown();
    const QImage image = timeline.grab().toImage().convertToFormat(QImage::Format_RGB32);
    std::size_t clicked = 0;
    for (const FramePathMark mark : std::vector(frame().path)) {
        if (mark.count > 1 || mark.x1 - mark.x0 < 8) {
            continue;
        }
        const int x = std::max(mark.x0, 0) + 2;
        const int y = mark.y + mark.height / 2;
        EXPECT_EQ(image.pixel(pointOf(x, y)), Theme::darkTheme().path.rgb());
        const Hit hit = hitTest(frame(), x, y, 0);
        ASSERT_TRUE(hit.path);
        EXPECT_EQ(hit.path->stretch, mark.stretch);
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, pointOf(x, y));
        const DrawnStretch& drawn = path->drawn[mark.stretch];
        EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, drawn.rank, drawn.slice}));
        ++clicked;
    }
    EXPECT_GE(clicked, 4U);
}

TEST_F(PathOnTheTimeline, AClickOnTheLineToAnotherRankSelectsWhoCameLast) {
    openAtStep(1);
    const auto turn = std::ranges::find(frame().path_links, true, &FramePathLink::turns);
    ASSERT_NE(turn, frame().path_links.end());
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, pointOf(turn->x, (turn->y0 + turn->y1) / 2));
    const auto* slice = std::get_if<SliceSelection>(&timeline.selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(slice->rank, RankPosition(1));
    EXPECT_EQ(run->run->ranks[1]->name(slice->slice), test::kReduction);
}

TEST_F(PathOnTheTimeline, IsOfTheStepOfTheSelectionElseOfTheMiddleOfTheView) {
    open(test::runWithALateRank(6));
    showStep(1);
    ASSERT_TRUE(timeline.stepInView());
    EXPECT_EQ(timeline.stepInView()->step, RunStepPosition(1));
    showStep(4);
    EXPECT_EQ(timeline.stepInView()->step, RunStepPosition(4)) << "it follows the view";
    std::vector<std::optional<StepSelection>> told;
    QObject::connect(&timeline, &TimelineWidget::stepInViewChanged,
                     [&told](const std::optional<StepSelection>& step) { told.push_back(step); });
    // The loading of step 2.
    const Track& main = run->run->ranks[1]->tracks[0];
    const auto inside = std::ranges::find_if(main.slices.start_ns, [](TimeNs t) { return t >= 2 * kMillisecond; });
    timeline.select(SliceSelection{
        0, RankPosition(1), {TrackId(0), static_cast<SliceIndex>(inside - main.slices.start_ns.begin()) + 1}});
    EXPECT_EQ(timeline.stepInView()->step, RunStepPosition(2));
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front(), timeline.stepInView());
    showStep(4);
    EXPECT_EQ(timeline.stepInView()->step, RunStepPosition(2)) << "and stays with the selection";
    EXPECT_TRUE(frame().path.empty()) << "of which nothing is in sight";
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_EQ(timeline.stepInView()->step, RunStepPosition(4));
}

TEST_F(PathOnTheTimeline, OfAHostThatRunsAheadIsOfTheStepWhoseMarkWasClicked) {
    test::ModelBuilder model;
    const std::uint32_t main = model.thread("main");
    const std::uint32_t stream = model.stream("7");
    const std::uint32_t beside = model.stream("20");
    for (int step = 0; step < 4; ++step) {  // the device takes four times as long as the host
        model.step(main, step + 1, 100.0 * step, 100);
        model.kernel(main, 100.0 * step + 10, 5, stream, "gemm", 400.0 * step + 50, 390);
        model.kernel(main, 100.0 * step + 20, 5, beside, "copy", 100.0 * step + 30, 10);
    }
    open(test::runOf({model.build()}));
    const auto named = [&](std::string_view name) {
        for (std::uint32_t t = 0; t < run->run->ranks[0]->tracks.size(); ++t) {
            for (SliceIndex i = 0; i < run->run->ranks[0]->tracks[t].slices.size(); ++i) {
                if (const SliceRef slice{TrackId(t), i}; run->run->ranks[0]->name(slice) == name) {
                    return slice;
                }
            }
        }
        return SliceRef{};
    };
    const SliceRef mark = named("ProfilerStep#3");
    ASSERT_TRUE(mark.valid());
    const FrameSliceRow* row = rowOf(RankPosition(0), mark);
    ASSERT_NE(row, nullptr);
    const TimeSpan span = timeline.spanOf(SliceSelection{0, RankPosition(0), mark});
    const int x = static_cast<int>(timeline.viewport().xAt(span.start_ns + span.length() / 2));
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, pointOf(x, row->y + row->height / 2));
    const auto clicked = std::get<SliceSelection>(timeline.selection());
    ASSERT_EQ(clicked.slice, mark);
    ASSERT_TRUE(timeline.stepInView());
    EXPECT_EQ(run->facts.steps[timeline.stepInView()->step].index, 3);
    for (SliceIndex step = 0; step < 4; ++step) {  // work that ran early beside that of the steps before
        const SliceRef copy{named("copy").track, step};
        timeline.select(SliceSelection{0, RankPosition(0), copy});
        ASSERT_TRUE(timeline.stepInView());
        EXPECT_EQ(run->facts.steps[timeline.stepInView()->step].index, step + 1) << "the one that launched it";
    }
}

TEST_F(PathOnTheTimeline, OfAFoldedRankIsInItsHeader) {
    openAtStep(1);
    const LayoutRow* header = timeline.rowLayout().findRank(0, RankPosition(1));
    ASSERT_NE(header, nullptr);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(40, timeline.tracksArea().top() + header->y + 10));
    timeline.settle();
    header = timeline.rowLayout().findRank(0, RankPosition(1));
    ASSERT_EQ(header->unfolding, Unfolding::Folded);
    const auto path = shown();
    std::size_t in_header = 0;
    for (const FramePathMark& mark : frame().path) {
        if (path->drawn[mark.stretch].rank == RankPosition(1)) {
            EXPECT_GE(mark.y, header->y);
            EXPECT_LE(mark.y + mark.height, header->y + header->height);
            ++in_header;
        }
    }
    EXPECT_GT(in_header, 0U);
}

TEST_F(PathOnTheTimeline, CostsThePixelsAndNotTheStretches) {
    test::ModelBuilder model;
    const std::uint32_t main = model.thread("main");
    const std::uint32_t stream = model.stream("7");
    constexpr int kKernels = 20'000;
    model.step(main, 1, 0, 2.0 * kKernels);
    for (int i = 0; i < kKernels; ++i) {
        model.kernel(main, 2.0 * i, 0.5, stream, "gemm", 2.0 * i + 0.5, 1);
    }
    open(test::runOf({model.build()}));
    EXPECT_GT(shown()->drawn.size(), std::size_t{kKernels});
    EXPECT_LE(frame().path.size(), 2U * static_cast<unsigned>(frame().width) + 2U);
    EXPECT_GT(frame().path.size(), static_cast<std::size_t>(frame().width) / 4);
    EXPECT_LE(frame().path_links.size(), static_cast<std::size_t>(frame().width));
}

TEST_F(PathOnTheTimeline, IsBroughtIntoSightWhereNoRowOfItIs) {
    constexpr std::int32_t kRanks = 12;
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (std::int32_t rank = 0; rank < kRanks; ++rank) {
        const test::Doing doing = rank == kRanks - 1 ? test::Doing{400, 395, 800} : test::Doing{0, 300, 305};
        ranks.push_back(test::rankThatIs(rank, std::vector<test::Doing>(4, doing), kRanks));
    }
    open(test::runOf(std::move(ranks)), {1200, 400});
    showStep(1);
    timeline.showRank(RankNumber(5));
    ASSERT_TRUE(frame().path.empty()) << "it begins on the last rank and ends on the first";
    timeline.bringPathIntoSight();
    const auto path = shown();
    ASSERT_FALSE(frame().path.empty());
    EXPECT_EQ(path->drawn[frame().path.front().stretch].rank, RankPosition(kRanks - 1)) << "which has most of it";
}

TEST_F(PathOnTheTimeline, IsForgottenWithItsRun) {
    open(test::runWithALateRank(4));
    timeline.setRuns({});
    timeline.settle();
    EXPECT_FALSE(timeline.stepInView());
    EXPECT_TRUE(frame().path.empty());
}

TEST(PathTip, SaysWhatAStretchIsAndWhoWaitedForWhom) {
    const auto run = std::make_shared<const AnalysedRun>(test::analyse(test::runWithALateRank(4)));
    TimelineModel model({run});
    model.setPath(makeShownPath({run, {0, RunStepPosition(1)}}));
    const ShownPath* path = model.path();
    ASSERT_NE(path, nullptr);
    const auto loads = std::ranges::find_if(path->path.stretches, [](const PathStretch& s) {
        return s.kind == PathKind::Idle && s.cause == Cause::DataLoader;
    });
    ASSERT_NE(loads, path->path.stretches.end());
    Hit hit;
    hit.count = 1;
    hit.path = HitPath{static_cast<std::uint32_t>(loads - path->path.stretches.begin()), false};
    const Tip stretch = tipFor(model, hit, Theme::darkTheme());
    EXPECT_TRUE(test::begins(stretch.title, "Critical path: DataLoader, 40"));
    const auto words_of = [](const Tip& tip) {
        QStringList words;
        for (const Tip::Line& line : tip.lines) {
            words << line.label + QLatin1Char(' ') + line.value;
        }
        return words.join(u'|');
    };
    EXPECT_TRUE(test::holds(words_of(stretch), {"on rank 1 · main"}));
    ASSERT_EQ(path->path.turns.size(), 1U);
    hit.path = HitPath{static_cast<std::uint32_t>(path->path.turns.front().stretch), true};
    const Tip turn = tipFor(model, hit, Theme::darkTheme());
    EXPECT_EQ(turn.title, QStringLiteral("The critical path moves from rank 1 to rank 0"));
    EXPECT_TRUE(test::holds(words_of(turn), {"arrived last rank 1", "rank 0 waited 495 µs"}));
}

}  // namespace
}  // namespace rankscope::ui
