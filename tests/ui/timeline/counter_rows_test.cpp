// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that show numbers over time, on a real widget.
#include <gtest/gtest.h>

#include <QTest>
#include <algorithm>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/counter_bars.h"
#include "ui/timeline/navigation/tooltip.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

/// Shows the counters of a run, by its index, or of a rank.
void showCountersOf(const auto& of, TimelineScene& scene) {
    RowChoices choices = scene.choices();
    showCounters(of, true, choices);
    scene.setChoices(choices);
    test::takeAllIndices(scene);
}

class CounterRows : public ShownTimeline {
  protected:
    CounterRows() : ShownTimeline({1200, 900}, test::makeRun({.ranks = 2})) {}
    void toggle() {
        timeline.trigger(TimelineAction::Counters);
        timeline.settle();
    }
    [[nodiscard]] std::ptrdiff_t rowsOfCounters() const {
        return std::ranges::count(timeline.rowLayout().rows(), RowKind::Counter, &LayoutRow::kind);
    }
    /// The first row of a kind of counter, which must be there.
    [[nodiscard]] const LayoutRow& rowOf(CounterKind kind) const {
        const auto rows = timeline.rowLayout().rows();
        const auto at = std::ranges::find_if(rows, [kind](const LayoutRow& row) {
            return row.kind == RowKind::Counter && row.key.id == static_cast<std::uint32_t>(kind);
        });
        EXPECT_NE(at, rows.end());
        return *at;
    }
    /// A point of the widget in the middle of a row.
    [[nodiscard]] QPoint at(const LayoutRow& row, TimeNs t) const {
        const QRect tracks = timeline.tracksArea();
        return {tracks.left() + static_cast<int>(timeline.viewport().xAt(t)), tracks.top() + row.y + row.height / 2};
    }

    /// The same run with exposed communication in its steps, of which rank 1 has more.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> exposedRun() const {
        auto exposed = std::make_shared<AnalysedRun>(*run);
        for (RankPosition rank{0}; rank < 2; ++rank) {
            for (RankStep& step : exposed->facts.ranks[rank].steps) {
                step.partition = Partition();
                step.partition->exposed_comm_ns = step.span.length() / (rank == 0 ? 10 : 4);
            }
        }
        return exposed;
    }
};

TEST_F(CounterRows, AreShownOnAllRanksAndHiddenAgain) {
    EXPECT_EQ(rowsOfCounters(), 0);
    const int before = timeline.rowLayout().height();
    toggle();
    EXPECT_GE(rowsOfCounters(), 4) << "at least kernels and the queue, on both ranks";
    EXPECT_GT(timeline.rowLayout().height(), before);
    toggle();
    EXPECT_EQ(rowsOfCounters(), 0);
    EXPECT_EQ(timeline.rowLayout().height(), before);
    timeline.trigger(TimelineAction::Undo);
    timeline.settle();
    EXPECT_GE(rowsOfCounters(), 4);
}

TEST_F(CounterRows, AreOfTheRankOfTheSelectionAlone) {
    timeline.reveal(SliceSelection{0, RankPosition(1), SliceRef{TrackId(2), 0}});
    toggle();
    for (const LayoutRow& row : timeline.rowLayout().rows()) {
        if (row.kind == RowKind::Counter) {
            EXPECT_EQ(row.rank, RankPosition(1));
        }
    }
    EXPECT_GE(rowsOfCounters(), 2);
}

TEST_F(CounterRows, OfTheRunAreAboveItsRanks) {
    timeline.setRuns({exposedRun()});
    timeline.settle();
    toggle();
    const auto rows = timeline.rowLayout().rows();
    const auto of_run = std::ranges::find(rows, RowKind::RunCounter, &LayoutRow::kind);
    ASSERT_NE(of_run, rows.end());
    EXPECT_LT(of_run - rows.begin(), std::ranges::find(rows, RowKind::Rank, &LayoutRow::kind) - rows.begin());
}

TEST_F(CounterRows, OfTheRunSayOfHowManyRanksTheyAre) {
    TimelineScene scene = test::makeScene({exposedRun()}, QSize(1000, 900));
    showCountersOf(0U, scene);
    const auto rows = scene.layout().rows();
    const auto of_run = std::ranges::find(rows, RowKind::RunCounter, &LayoutRow::kind);
    ASSERT_NE(of_run, rows.end());
    EXPECT_TRUE(rowText(scene.model(), *of_run).detail.contains(QStringLiteral("mean")));
    const Frame& frame = scene.frame();
    ASSERT_FALSE(frame.counter_rows.empty());
    for (const FrameCounterRow& row : frame.counter_rows) {
        EXPECT_FALSE(row.rank.has_value());
        const FrameBar& bar = frame.counter_bars[row.first];
        const Hit hit = scene.hit(QPointF(bar.x0 + 0.5, row.y + row.height / 2.0));
        ASSERT_TRUE(hit.counter);
        const Tip tip = tipFor(scene.model(), hit, Theme::darkTheme());
        EXPECT_TRUE(
            std::ranges::any_of(tip.lines, [](const auto& line) { return line.value == QStringLiteral("2 ranks"); }));
    }
}

TEST_F(CounterRows, OfTheRunLeadToTheLongestSliceOfItsRanks) {
    timeline.setRuns({exposedRun()});
    timeline.settle();
    toggle();
    const auto rows = timeline.rowLayout().rows();
    const auto of_run = std::ranges::find_if(
        rows, [](const LayoutRow& row) { return row.key == keyOfRunCounter(0, CounterKind::ExposedShare); });
    ASSERT_NE(of_run, rows.end());
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(*of_run, test::kStepNs * 3 / 2));
    const auto slice = std::get<SliceSelection>(timeline.selection());
    EXPECT_EQ(slice.rank, RankPosition(1)) << "it has the greater share";
}

TEST_F(CounterRows, OfTheRunAreHiddenOneByOneAndKeptSo) {
    const TimelineScene scene = test::makeScene({run}, QSize(1000, 900));
    RowChoices choices = scene.choices();
    showCounters(0U, true, choices);
    hideRow(keyOfRunCounter(0, CounterKind::ExposedShare), choices);
    TimelineState state;
    saveRows(choices, scene.model(), state);
    EXPECT_EQ(rowChoicesOf(state, scene.model()), choices);
    state.hidden.push_back({7, {}, static_cast<std::uint8_t>(RowKind::RunCounter), 1});
    EXPECT_EQ(rowChoicesOf(state, scene.model()).hidden, choices.hidden) << "there is no such run";
}

TEST_F(CounterRows, AreKeptInASession) {
    toggle();
    const std::ptrdiff_t shown = rowsOfCounters();
    const TimelineState state = timeline.state();
    TimelineWidget other{Theme::lightTheme()};
    other.resize(1200, 900);
    other.setRuns({run});
    other.show();
    other.setState(state);
    other.settle();
    EXPECT_EQ(std::ranges::count(other.rowLayout().rows(), RowKind::Counter, &LayoutRow::kind), shown);
    EXPECT_EQ(other.state().folds, state.folds);
}

TEST_F(CounterRows, StayWhenTheRunIsSetAgain) {
    toggle();
    const std::ptrdiff_t shown = rowsOfCounters();
    timeline.setRuns({std::make_shared<AnalysedRun>(*run)});
    timeline.settle();
    EXPECT_EQ(rowsOfCounters(), shown);
}

TEST_F(CounterRows, AClickLeadsToTheKernelThatRuns) {
    toggle();
    const LayoutRow& row = rowOf(CounterKind::KernelsInFlight);
    const TimeNs in_work = test::kStepNs + test::kGapNs + (test::kStepNs - test::kGapNs) / 2;
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(row, in_work));
    const auto* slice = std::get_if<SliceSelection>(&timeline.selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(run->run->ranks[slice->rank]->category(slice->slice), Category::Kernel);
    QTest::mouseClick(&timeline, Qt::LeftButton, {},
                      at(rowOf(CounterKind::KernelsInFlight), test::kStepNs + test::kGapNs / 2));
    EXPECT_EQ(timeline.selection(), Selection()) << "nothing runs there";
}

TEST_F(CounterRows, AClickOnTheThreadsLeadsToACallOfTheHost) {
    toggle();
    const TimeNs in_gap = test::kStepNs + test::kGapNs / 2;
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(rowOf(CounterKind::HostThreads), in_gap));
    const auto* slice = std::get_if<SliceSelection>(&timeline.selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(run->run->ranks[slice->rank]->track(slice->slice).kind, TrackKind::CpuThread);
}

TEST_F(CounterRows, AClickOnTheExposedShareLeadsToTheLongestCommunicationOfTheStep) {
    const auto exposed = exposedRun();
    timeline.setRuns({exposed});
    timeline.settle();
    toggle();
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(rowOf(CounterKind::ExposedShare), test::kStepNs * 3 / 2));
    const auto* slice = std::get_if<SliceSelection>(&timeline.selection());
    ASSERT_NE(slice, nullptr);
    const WorkClasses& classes = exposed->facts.ranks[slice->rank].work_classes;
    EXPECT_EQ(classes[slice->slice.track.value][slice->slice.slice], WorkClass::Communication);
}

TEST_F(CounterRows, SayTheirValueUnderThePointerAndTheScaleAtTheLeft) {
    TimelineScene scene = test::makeScene({run}, QSize(1000, 900));
    showCountersOf(*run->run->ranks[0], scene);
    const Frame& frame = scene.frame();
    ASSERT_FALSE(frame.counter_rows.empty());
    for (const FrameCounterRow& row : frame.counter_rows) {
        const CounterSeries& series = scene.model().rank(0, RankPosition(0))->counters->series[row.counter];
        const QString scale = QString::fromStdString(formatCounter(series.kind, row.full));
        EXPECT_TRUE(std::ranges::any_of(frame.labels, [&](const FrameLabel& l) { return l.text == scale; }))
            << row.full;
        for (std::uint32_t i = row.first; i < row.last; ++i) {
            const FrameBar& bar = frame.counter_bars[i];
            EXPECT_LE(bar.running.high, row.full);
            const Hit hit = scene.hit(QPointF(bar.x0 + 0.5, row.y + row.height / 2.0));
            ASSERT_TRUE(hit.counter) << "what is drawn can be hit";
            EXPECT_EQ(hit.counter->value, bar.running);
            const Tip tip = tipFor(scene.model(), hit, Theme::darkTheme());
            EXPECT_TRUE(tip.title.contains(QString::fromStdString(formatCounter(series.kind, bar.running.high))));
        }
    }
    const auto rows = scene.layout().rows();
    const auto first = std::ranges::find(rows, RowKind::Counter, &LayoutRow::kind);
    ASSERT_NE(first, rows.end());
    EXPECT_EQ(rowText(scene.model(), *first).title, QStringLiteral("Kernels in flight"));
}

TEST_F(CounterRows, HaveTheGreatestValueOfEachPixelAtAnyZoom) {
    TimelineScene scene = test::makeScene({test::makeDenseRun(2, 3'000)}, QSize(700, 400));
    showCountersOf(*scene.model().rank(0, RankPosition(0))->trace, scene);
    const RankView& rank = *scene.model().rank(0, RankPosition(0));
    for (const double part : {1.0, 0.1, 0.003}) {
        const TimeSpan all = scene.model().extent();
        const auto length = static_cast<DurationNs>(static_cast<double>(all.length()) * part);
        scene.changeView().setWindow({all.start_ns + length / 7, all.start_ns + length / 7 + length});
        const Frame& frame = scene.frame();
        for (const FrameCounterRow& row : frame.counter_rows) {
            const CounterSeries& series = rank.counters->series[row.counter];
            for (std::uint32_t i = row.first; i < row.last; ++i) {
                const FrameBar& bar = frame.counter_bars[i];
                ASSERT_TRUE(i == row.first || frame.counter_bars[i - 1].x1 == bar.x0);
                for (std::size_t c = 0; c < series.at_ns.size(); ++c) {
                    const std::int32_t x = frame.scale.pixelAt(rank.toAxis(series.at_ns[c]));
                    if (x >= bar.x0 && x < bar.x1) {
                        ASSERT_GE(bar.running.high, series.value[c]);
                        ASSERT_LE(bar.running.low, series.value[c]);
                    }
                }
            }
        }
    }
}

TEST_F(CounterRows, ComeAndGoWithoutMovingTheRankThatIsLookedAt) {
    timeline.setOverviewVisible(false);
    timeline.resize(1200, 200);
    const auto y = [this] { return timeline.rowLayout().findRank(0, RankPosition(1))->y - timeline.state().scroll; };
    TimelineState state = timeline.state();
    state.scroll = timeline.rowLayout().findRank(0, RankPosition(1))->y;
    timeline.setState(state);
    timeline.settle();
    const int before = y();
    ASSERT_LT(before, timeline.tracksArea().height());
    ASSERT_GT(timeline.state().scroll, 0);
    toggle();
    ASSERT_GE(rowsOfCounters(), 4);
    EXPECT_EQ(y(), before);
    toggle();
    EXPECT_EQ(y(), before);
}

TEST_F(CounterRows, LeaveTheSelectionInSight) {
    timeline.setOverviewVisible(false);
    timeline.resize(1200, 160);
    timeline.reveal(SliceSelection{0, RankPosition(0), SliceRef{TrackId(0), 0}});
    timeline.settle();
    ASSERT_NE(timeline.rowLayout().find(0, RankPosition(0), TrackId(0)), nullptr);
    toggle();
    ASSERT_GE(rowsOfCounters(), 2);
    const LayoutRow* row = timeline.rowLayout().find(0, RankPosition(0), TrackId(0));
    ASSERT_NE(row, nullptr);
    EXPECT_GE(row->y, timeline.state().scroll);
    EXPECT_LT(row->y, timeline.state().scroll + timeline.tracksArea().height());
}

}  // namespace
}  // namespace rankscope::ui
