// SPDX-License-Identifier: GPL-3.0-or-later
// Many ranks in one height: only one of them shows its host threads.
#include <QTest>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/rows/host_lane.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr TrackId kMainThread(0);
constexpr TrackId kKernelStream(2);

RowFocus focusOn(const TimelineModel& model, int rank, int room = 0) {
    return {true, model.rank(0, RankPosition(rank))->trace.get(), room};
}

std::size_t countRows(const RowLayout& layout, RowKind kind, RankPosition rank) {
    return static_cast<std::size_t>(
        std::ranges::count_if(layout.rows(), [&](const LayoutRow& r) { return r.kind == kind && r.rank == rank; }));
}

const LayoutRow* threadsOf(const TimelineModel& model, const RowLayout& layout, int rank, TrackGroup group) {
    return layout.find(
        RowKey{model.rank(0, RankPosition(rank))->trace.get(), RowKind::Group, static_cast<std::uint32_t>(group)});
}

TEST(OneRankRows, EachOtherRankHasItsStreamsAndOneHostRow) {
    const TimelineModel model({test::makeRun({.ranks = 4})});
    const RowLayout layout(model, {}, {}, focusOn(model, 1));
    EXPECT_NE(layout.find(0, RankPosition(1), kMainThread), nullptr);
    for (const int other : {0, 2, 3}) {
        EXPECT_EQ(countRows(layout, RowKind::Track, RankPosition(other)), 2U) << "two streams";
        EXPECT_EQ(countRows(layout, RowKind::Group, RankPosition(other)), 1U);
        const LayoutRow* host = threadsOf(model, layout, other, TrackGroup::Threads);
        ASSERT_NE(host, nullptr);
        EXPECT_EQ(host->unfolding, Unfolding::Folded);
        EXPECT_TRUE(host->lane);
    }
}

TEST(OneRankRows, WithoutAChoiceTheFirstRankIsInFocus) {
    const TimelineModel model({test::makeRun({.ranks = 3})});
    const RowLayout layout(model, {}, {}, RowFocus{true, nullptr, 0});
    EXPECT_NE(layout.find(0, RankPosition(0), kMainThread), nullptr);
    EXPECT_EQ(layout.find(0, RankPosition(1), kMainThread), nullptr);
}

TEST(OneRankRows, TheHostRowIsTheOneInsideTheMarksOfSteps) {
    const auto run = test::makeRun({.ranks = 1});
    auto marked = std::make_shared<AnalysedRun>(*run);
    marked->facts.ranks[0].steps.front().mark = {kMainThread, 0};
    for (const auto& [of, depth] : {std::pair(run, 0), std::pair(std::shared_ptr<const AnalysedRun>(marked), 1)}) {
        const TimelineModel model({of});
        const RankView& rank = *model.rank(0, RankPosition(0));
        const RankTracks tracks(*rank.trace);
        const auto lane = hostLane(rank, tracks.threads());
        ASSERT_TRUE(lane);
        EXPECT_EQ(lane->track, kMainThread);
        EXPECT_EQ(lane->depth, depth);
    }
}

TEST(OneRankRows, UserFoldsStayForAnyRankInFocus) {
    const TimelineModel model({test::makeRun({.ranks = 3})});
    RowChoices choices;
    toggleFold(*threadsOf(model, RowLayout(model, choices, {}, focusOn(model, 0)), 2, TrackGroup::Threads), choices);
    toggleFold(*threadsOf(model, RowLayout(model, choices, {}, focusOn(model, 0)), 0, TrackGroup::Threads), choices);
    for (const int focus : {0, 1, 2}) {
        const RowLayout layout(model, choices, {}, focusOn(model, focus));
        EXPECT_EQ(layout.find(0, RankPosition(0), kMainThread), nullptr);
        EXPECT_NE(layout.find(0, RankPosition(2), kMainThread), nullptr);
    }
}

TEST(OneRankRows, ThreadsThatRecordNextToNothingAreOneRow) {
    const TimelineModel model({test::makeRun({.ranks = 1, .quiet_threads = 2})});
    RowChoices choices;
    const RowLayout layout(model, choices, {}, focusOn(model, 0));
    const LayoutRow* quiet = threadsOf(model, layout, 0, TrackGroup::Quiet);
    ASSERT_NE(quiet, nullptr);
    EXPECT_EQ(rowText(model, *quiet).title, QStringLiteral("2 quiet threads"));
    EXPECT_EQ(layout.find(0, RankPosition(0), TrackId(5)), nullptr);
    toggleFold(*quiet, choices);
    EXPECT_NE(RowLayout(model, choices, {}, focusOn(model, 0)).find(0, RankPosition(0), TrackId(5)), nullptr);
}

TEST(OneRankRows, AThreadIsQuietWhereItRecordsLittleAndLaunchesNothing) {
    const TimelineModel model({test::makeRun({.ranks = 1, .steps = 40, .quiet_threads = 1})});
    const RankView& rank = *model.rank(0, RankPosition(0));
    EXPECT_FALSE(isQuietThread(rank, kMainThread));
    EXPECT_TRUE(isQuietThread(rank, TrackId(1))) << "2.5 ms of 400";
    EXPECT_TRUE(isQuietThread(rank, TrackId(5)));
    const TimelineModel shorter({test::makeRun({.ranks = 1, .steps = 4})});
    EXPECT_FALSE(isQuietThread(*shorter.rank(0, RankPosition(0)), TrackId(1))) << "2.5 ms of 40";
}

TEST(OneRankRows, ASliceOnAQuietThreadIsUnfoldedToAndOneInFocusNeedsNoFold) {
    const TimelineModel model({test::makeRun({.ranks = 2, .quiet_threads = 2})});
    RowChoices choices;
    unfoldTo(model, 0, RankPosition(1), kMainThread, 0, choices, focusOn(model, 1));
    EXPECT_FALSE(choices.folds.contains(listOf(*model.rank(0, RankPosition(1))->trace, kMainThread)))
        << "it folds again once another rank is in focus";
    unfoldTo(model, 0, RankPosition(1), TrackId(5), 0, choices, focusOn(model, 1));
    EXPECT_NE(RowLayout(model, choices, {}, focusOn(model, 1)).find(0, RankPosition(1), TrackId(5)), nullptr);
}

TEST(OneRankRows, RowsAreAsLowAsItTakesForEightRanksToFit) {
    const TimelineModel model({test::makeRun({.ranks = 8})});
    const int loose = RowLayout(model, {}, {}, focusOn(model, 3)).height();
    EXPECT_EQ(
        RowLayout(model, {}, {}, focusOn(model, 3, loose + 100)).find(0, RankPosition(0), kKernelStream)->row_height,
        RowSizes().row);
    for (const int room : {loose - 1, 700, 600}) {
        const RowLayout layout(model, {}, {}, focusOn(model, 3, room));
        EXPECT_LE(layout.height(), room);
        EXPECT_LT(layout.find(0, RankPosition(0), kKernelStream)->row_height, RowSizes().row);
    }
    const RowLayout small(model, {}, {}, focusOn(model, 3, 200));
    EXPECT_GT(small.height(), 200);
    EXPECT_GE(small.find(0, RankPosition(0), kKernelStream)->row_height, 11)
        << "where they cannot fit they can be read";
}

/// A run of one rank with one thread that has a slice, and so many rows.
std::shared_ptr<const AnalysedRun> runOfDepth(int rows) {
    auto trace = std::make_shared<RankTrace>();
    Track thread;
    thread.kind = TrackKind::CpuThread;
    thread.row_count = static_cast<std::uint16_t>(rows);
    thread.slices.start_ns = {0};
    thread.slices.end_ns = {10};
    thread.slices.source.emplace_back();
    thread.slices.name = {trace->strings.intern("op")};
    thread.slices.parent = {kNoSlice};
    thread.slices.depth = {0};
    thread.slices.category = {Category::CpuOp};
    thread.slices.flag = {SliceFlag::None};
    trace->tracks.push_back(std::move(thread));
    trace->window = {0, 10};
    auto run = std::make_shared<rankscope::Run>();
    run->ranks = {trace};
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->run = run;
    return analysed;
}

TEST(OneRankRows, ADeepTrackThatWouldHideOneOrTwoRowsShowsThem) {
    for (const auto& [rows, shown] : {std::pair(8, 8), std::pair(10, 10), std::pair(11, 8)}) {
        const TimelineModel model({runOfDepth(rows)});
        RowChoices choices;
        choices.folds[keyOf(*model.rank(0, RankPosition(0))->trace, kMainThread)] = Unfolding::Some;
        EXPECT_EQ(RowLayout(model, choices).find(0, RankPosition(0), kMainThread)->rows, shown);
    }
}

class OneRankTimeline : public ShownTimeline {
  protected:
    OneRankTimeline() : ShownTimeline({1100, 640}, test::makeRun({.ranks = 4, .quiet_threads = 2})) {
        timeline.setOneRankUnfolded(true);
        timeline.settle();
    }
    [[nodiscard]] bool unfolded(int rank) const {
        return timeline.rowLayout().find(0, RankPosition(rank), kMainThread) != nullptr;
    }
    QPoint middleOf(const FrameSliceRow& row, const FrameItem& item) {
        return timeline.tracksArea().topLeft() + QPoint((item.x0 + item.x1) / 2, row.y + row.height / 2);
    }
    QPoint sliceOn(int rank, TrackId track) {
        for (const FrameSliceRow& row : timeline.frame().slice_rows) {
            if (row.rank == RankPosition(rank) && row.track == track && row.last > row.first) {
                return middleOf(row, timeline.frame().items[row.first + 1]);
            }
        }
        ADD_FAILURE() << "no slice of rank " << rank;
        return {};
    }
};

TEST_F(OneRankTimeline, TheRankOfTheSelectionUnfoldsAndTheOneBeforeFolds) {
    EXPECT_TRUE(unfolded(0));
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, sliceOn(2, kKernelStream));
    ASSERT_EQ(rankOf(timeline.selection())->second, RankPosition(2));
    EXPECT_FALSE(unfolded(0));
    EXPECT_TRUE(unfolded(2));
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_TRUE(unfolded(2)) << "it stays until another rank is looked at";
}

TEST_F(OneRankTimeline, ASliceOfTheHostRowCanBeClicked) {
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, sliceOn(3, kMainThread));
    const auto* slice = std::get_if<SliceSelection>(&timeline.selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(slice->rank, RankPosition(3));
    EXPECT_EQ(slice->slice.track, kMainThread);
    EXPECT_TRUE(unfolded(3));
}

TEST_F(OneRankTimeline, ADoubleClickMeansWhatItsFirstClickSelectedEvenIfRowsMove) {
    const QPoint at = sliceOn(3, kKernelStream);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at);
    const Selection clicked = timeline.selection();
    QTest::mouseDClick(&timeline, Qt::LeftButton, {}, at);
    timeline.settle();
    EXPECT_EQ(timeline.selection(), clicked);
    EXPECT_LT(timeline.viewport().window().length(), test::kStepNs);
}

TEST_F(OneRankTimeline, AClickAndAKeyUnfoldTheQuietThreads) {
    const auto quiet = [this] {
        const auto rows = timeline.rowLayout().rows();
        return std::ranges::find_if(
            rows, [](const LayoutRow& row) { return row.kind == RowKind::Group && row.group == TrackGroup::Quiet; });
    };
    const auto shown = [this] { return timeline.rowLayout().find(0, RankPosition(0), TrackId(5)) != nullptr; };
    const QPoint name(60, timeline.tracksArea().top() + quiet()->y + quiet()->height / 2);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, name);
    EXPECT_TRUE(shown());
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, name);
    EXPECT_FALSE(shown());
    for (int names = 0; names < 30 && (timeline.namedRow() == nullptr || timeline.namedRow()->key != quiet()->key);
         ++names) {
        timeline.trigger(TimelineAction::NextName);
    }
    timeline.trigger(TimelineAction::FoldTrack);
    EXPECT_TRUE(shown());
}

TEST_F(OneRankTimeline, AllThreadsComeBackWithTheOptionOff) {
    timeline.setOneRankUnfolded(false);
    for (const int rank : {0, 1, 2, 3}) {
        EXPECT_TRUE(unfolded(rank));
    }
    EXPECT_FALSE(timeline.state().one_rank.value_or(true));
}

}  // namespace
}  // namespace rankscope::ui
