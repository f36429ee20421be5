// SPDX-License-Identifier: GPL-3.0-or-later
// The overview above the tracks, by real events: the window in sight, the cells of ranks and steps, and areas.
#include <gtest/gtest.h>

#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class OverviewTest : public testing::Test {
  protected:
    OverviewTest() { open(test::makeRun({.ranks = 6, .steps = 10})); }
    void open(const std::shared_ptr<const AnalysedRun>& run) {
        timeline.resize(1200, 700);
        timeline.setRuns({run});
        timeline.show();
        timeline.settle();
    }
    Overview& overview() { return timeline.overview(); }
    TimeSpan window() { return timeline.viewport().window(); }
    // The position of a time in the overview.
    int xOf(TimeNs t) {
        const TimeSpan limits = timeline.viewport().limits();
        const QRect area = overview().busyArea();
        return area.left() + static_cast<int>(static_cast<double>(t - limits.start_ns) * area.width() /
                                              static_cast<double>(limits.length()));
    }
    /// What is said under the pointer at a point of the overview.
    QString tipAt(const QPoint& at) { return test::tipAt(overview(), at); }
    QImage pictureOfIdleTimes() {
        overview().setMeasure(StepMeasure::Idle);
        overview().finish();
        return overview().grab().toImage().convertToFormat(QImage::Format_RGB32);
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(&overview(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&overview(), (from + to) / 2);
        QTest::mouseMove(&overview(), to);
        QTest::mouseRelease(&overview(), Qt::LeftButton, {}, to);
    }

    TimelineWidget timeline{Theme::darkTheme()};
};

TEST_F(OverviewTest, NamesTheTopAndTheBottomRankNextToTheirCells) {
    const auto names = overview().rowNames();
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0].name, QStringLiteral("rank 0"));
    EXPECT_EQ(names[1].name, QStringLiteral("rank 5"));
    EXPECT_LT(names[0].place.center().y(), names[1].place.center().y());
    EXPECT_LT(names[0].place.right(), overview().cellArea().left());
    EXPECT_FALSE(overview().button().geometry().intersects(names[0].place)) << "nothing covers a name";
}

TEST_F(OverviewTest, NamesTheRankThatAFindingNamesFirst) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 40, .steps = 10}));
    Finding& finding = run->diagnosis.findings.emplace_back();
    finding.ranks = {RankPosition(1)};
    open(run);
    const auto names = overview().rowNames();
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(names[0].name, QStringLiteral("rank 1"));
    for (std::size_t i = 1; i < names.size(); ++i) {
        EXPECT_FALSE(names[i].place.intersects(names[0].place)) << "each has its room";
    }
}

TEST_F(OverviewTest, SaysWhatItsColoursMean) {
    overview().setMeasure(StepMeasure::Idle);
    overview().finish();
    const auto [coolest, hottest] = overview().scaleEnds();
    EXPECT_NE(coolest, hottest);
    EXPECT_FALSE(coolest.isEmpty());
}

TEST_F(OverviewTest, TheScaleOfItsColoursIsDrawnAtAnyWidthOfTheColumnOfNames) {
    for (const int names : {0, 120, 150, 180, 400}) {
        timeline.setNamesWidth(names);
        timeline.settle();
        const QRect place = overview().scalePlace();
        EXPECT_GE(place.left(), 0) << names;
        EXPECT_LT(place.right(), overview().busyArea().left()) << names;
        const QImage drawn = overview().grab().toImage();
        int hottest = 0;
        for (int x = place.left(); x <= place.right(); ++x) {
            hottest += drawn.pixelColor(x, place.center().y()).saturation() > 100 ? 1 : 0;
        }
        EXPECT_GT(hottest, 4) << names;
    }
}

TEST_F(OverviewTest, ADragOverItShowsThatStretch) {
    const int y = overview().busyArea().center().y();
    drag({xOf(2 * test::kStepNs), y}, {xOf(4 * test::kStepNs), y});
    const auto pixel = static_cast<double>(timeline.viewport().limits().length()) / overview().busyArea().width();
    EXPECT_NEAR(static_cast<double>(window().start_ns), 2.0 * test::kStepNs, 2 * pixel);
    EXPECT_NEAR(static_cast<double>(window().end_ns), 4.0 * test::kStepNs, 2 * pixel);
}

TEST_F(OverviewTest, TheWindowIsMovedAndResizedByItsMiddleAndEdges) {
    const int y = overview().busyArea().center().y();
    drag({xOf(2 * test::kStepNs), y}, {xOf(4 * test::kStepNs), y});
    const TimeSpan before = window();
    drag({xOf(3 * test::kStepNs), y}, {xOf(6 * test::kStepNs), y});
    EXPECT_NEAR(static_cast<double>(window().length()), static_cast<double>(before.length()), 2);
    EXPECT_NEAR(static_cast<double>(window().start_ns - before.start_ns), 3.0 * test::kStepNs, 400'000);
    const TimeSpan moved = window();
    drag({xOf(moved.end_ns), y}, {xOf(moved.end_ns + test::kStepNs), y});
    EXPECT_EQ(window().start_ns, moved.start_ns);
    EXPECT_NEAR(static_cast<double>(window().end_ns - moved.end_ns), 1.0 * test::kStepNs, 400'000);
}

TEST_F(OverviewTest, WhereNoLatenessIsKnownItSaysThatItShowsStepTime) {
    EXPECT_EQ(overview().button().text(), QStringLiteral("Step time"));
    overview().setMeasure(StepMeasure::Idle);
    timeline.settle();
    EXPECT_EQ(overview().measure(), StepMeasure::Idle) << "what was asked for is kept for other runs";
    EXPECT_EQ(overview().button().text(), QStringLiteral("Step time"));
}

TEST_F(OverviewTest, ItsRanksAreInTheOrderOfTheRows) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 6, .steps = 10, .late_rank = 4}));
    run->diagnosis.findings.front().ranks = {RankPosition(4)};
    run->diagnosis.findings.front().saving_ns = test::kGapNs;
    run->diagnosis.findings.front().blocked_ns = test::kGapNs;
    open(run);
    const QRect cells = overview().cellArea();
    const QPoint top(xOf(7 * test::kStepNs + test::kStepNs / 2), cells.top() + 2);
    QSignalSpy activated(&overview(), &Overview::cellActivated);
    QTest::mouseClick(&overview(), Qt::LeftButton, {}, top);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated.takeFirst()[1].value<RankPosition>(), RankPosition(0));
    timeline.setRankOrder(RankOrder::Cost);
    timeline.settle();
    const auto rows = timeline.rowLayout().rows();
    const auto first = std::ranges::find_if(rows, [](const LayoutRow& row) { return row.kind == RowKind::Rank; });
    ASSERT_NE(first, rows.end());
    ASSERT_EQ(first->rank, 4U) << "the finding names it";
    QTest::mouseClick(&overview(), Qt::LeftButton, {}, top);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated.takeFirst()[1].value<RankPosition>(), RankPosition(4));
    timeline.setRankOrder(RankOrder::Number);
    timeline.settle();
    QTest::mouseClick(&overview(), Qt::LeftButton, {}, top);
    EXPECT_EQ(activated.takeFirst()[1].value<RankPosition>(), RankPosition(0));
}

TEST_F(OverviewTest, AClickOnACellGoesToThatStepOfThatRank) {
    const QRect cells = overview().cellArea();
    const int rank_y = cells.top() + cells.height() * 4 / 6 + 1;
    QTest::mouseClick(&overview(), Qt::LeftButton, {}, QPoint(xOf(7 * test::kStepNs + test::kStepNs / 2), rank_y));
    timeline.settle();
    EXPECT_LE(window().start_ns, 7 * test::kStepNs);
    EXPECT_GE(window().end_ns, 8 * test::kStepNs);
    EXPECT_LT(window().length(), 2 * test::kStepNs);
    const LayoutRow* header = timeline.rowLayout().findRank(0, RankPosition(4));
    ASSERT_NE(header, nullptr);
    bool in_sight = false;
    for (const FrameRow& row : timeline.frame().rows) {
        in_sight = in_sight || &timeline.rowLayout().rows()[row.row] == header;
    }
    EXPECT_TRUE(in_sight);
}

TEST_F(OverviewTest, ACellSaysWhichFindingsItIsOf) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 6, .steps = 10, .late_rank = 4}));
    run->diagnosis.findings.front().steps = {7};
    run->diagnosis.findings.front().title = "Rank 4 holds the others up";
    open(run);
    const QRect cells = overview().cellArea();
    const auto cell = [&](int rank, TimeNs step) {
        return QPoint(xOf(step * test::kStepNs + test::kStepNs / 2), cells.top() + cells.height() * rank / 6 + 1);
    };
    const QString title = QStringLiteral("Rank 4 holds the others up");
    EXPECT_TRUE(tipAt(cell(4, 7)).contains(title)) << tipAt(cell(4, 7)).toStdString();
    EXPECT_FALSE(tipAt(cell(4, 6)).contains(title));
    EXPECT_FALSE(tipAt(cell(3, 7)).contains(title));
    EXPECT_TRUE(tipAt(cell(3, 7)).startsWith(QStringLiteral("rank 3, step 7")));
}

TEST_F(OverviewTest, AHotCellThatNoFindingIsAboutSaysSo) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 4, .steps = 4}));
    run->facts.median_step_ns = test::kStepNs;
    for (RankFacts& rank : run->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition.emplace().idle_ns = &rank == &run->facts.ranks[2] ? 6'000'000 : 1'000'000;
        }
    }
    open(run);
    overview().setMeasure(StepMeasure::Idle);
    overview().finish();
    const QRect cells = overview().cellArea();
    const QString none = QStringLiteral("No finding covers it.");
    const int x = xOf(test::kStepNs + test::kStepNs / 2);
    EXPECT_TRUE(tipAt({x, cells.top() + cells.height() * 2 / 4 + 2}).contains(none));
    EXPECT_FALSE(tipAt({x, cells.top() + cells.height() * 1 / 4 + 2}).contains(none));
}

TEST_F(OverviewTest, ASlowRankAmongManyIsPaintedHot) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 300, .steps = 4, .kernels_a_step = 2}));
    run->facts.median_step_ns = test::kStepNs;
    for (RankFacts& rank : run->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition.emplace().idle_ns = 1'000'000;
        }
    }
    for (RankStep& step : run->facts.ranks[187].steps) {
        step.partition->idle_ns = 6'000'000;
    }
    open(run);
    const QImage image = pictureOfIdleTimes();
    const QRect cells = overview().cellArea();
    const int x = xOf(test::kStepNs / 2);
    const int slow = cells.top() + cells.height() * 187 / 300;
    const QRgb hot = heatColor(1.0, Theme::darkTheme());
    int hot_lines = 0;
    for (int y = cells.top(); y < cells.bottom(); ++y) {
        if (image.pixel(x, y) == hot) {
            ++hot_lines;
            EXPECT_NEAR(y, slow, 1);
        }
    }
    EXPECT_GE(hot_lines, 1);
    EXPECT_LE(hot_lines, 2);
}

TEST_F(OverviewTest, ItCanBeHiddenAndMakesRoomInASmallWindow) {
    const int with = timeline.tracksArea().height();
    timeline.setOverviewVisible(false);
    EXPECT_GT(timeline.tracksArea().height(), with + 40);
    timeline.setOverviewVisible(true);
    EXPECT_EQ(timeline.tracksArea().height(), with);
    timeline.resize(1200, 150);
    EXPECT_TRUE(overview().isHidden());
}

class AreaTest : public OverviewTest {
  protected:
    AreaTest() {
        QObject::connect(&timeline, &TimelineWidget::areaChanged,
                         [this](const std::optional<AreaSelection>& area) { told.push_back(area); });
    }
    QPoint inRow(std::uint32_t rank, TrackId track, int x) {
        for (const FrameSliceRow& slice_row : timeline.frame().slice_rows) {
            if (slice_row.rank == rank && slice_row.track == track) {
                return timeline.tracksArea().topLeft() + QPoint(x, slice_row.y + slice_row.height / 2);
            }
        }
        ADD_FAILURE() << "the slice_row is not in sight";
        return {};
    }
    void dragTracks(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {}) {
        test::drag(timeline, from, to, modifiers);
    }
    std::vector<std::optional<AreaSelection>> told;
};

TEST_F(AreaTest, FFitsWhatWasMadeLastTheAreaOrTheSelection) {
    timeline.select(SliceSelection{0, RankPosition(0), {TrackId(2), 5}});
    dragTracks(inRow(0, TrackId(2), 200), inRow(0, TrackId(2), 700), Qt::AltModifier);
    ASSERT_TRUE(timeline.area());
    const TimeSpan area = timeline.markedSpan();
    QTest::keyClick(&timeline, Qt::Key_F);
    timeline.settle();
    const TimeSpan fitted = timeline.viewport().window();
    EXPECT_NEAR(static_cast<double>(fitted.length()), 1.25 * static_cast<double>(area.length()), 4.0);
    EXPECT_LT(fitted.start_ns, area.start_ns);
    EXPECT_GT(fitted.end_ns, area.end_ns);
    QTest::keyClick(&timeline, Qt::Key_Period);
    ASSERT_TRUE(timeline.area()) << "it stays while slices are visited";
    QTest::keyClick(&timeline, Qt::Key_F);
    timeline.settle();
    EXPECT_LT(timeline.viewport().window().length(), area.length() / 4);
}

TEST_F(AreaTest, ADragSelectsTheTracksAndTheTimeItTouchesAndShowsThem) {
    dragTracks(inRow(0, TrackId(2), 200), inRow(1, TrackId(2), 500), Qt::AltModifier);
    ASSERT_GE(told.size(), 2U);
    ASSERT_TRUE(told.back().has_value());
    const Area& area = told.back()->area;
    const auto has = [&](std::uint32_t rank, std::uint32_t track) {
        return std::ranges::binary_search(area.tracks, Area::Location{RankPosition(rank), TrackId(track)});
    };
    EXPECT_TRUE(has(0, 2) && has(0, 3) && has(0, 0) && has(1, 2));
    EXPECT_FALSE(has(1, 3) || has(2, 2));
    const TimeNs base = 1'700'000'000'000'000'000;
    EXPECT_NEAR(static_cast<double>(area.span.start_ns - base), static_cast<double>(timeline.viewport().timeAt(200)),
                2);
    EXPECT_NEAR(static_cast<double>(area.span.end_ns - base), static_cast<double>(timeline.viewport().timeAt(500)), 2);
    EXPECT_EQ(timeline.selection(), Selection()) << "a drag selects no slice";
}

TEST_F(AreaTest, ItsEdgesSnapToSlicesUnlessAltIsHeld) {
    timeline.overview().windowAsked({test::kGapNs, test::kGapNs + 2'000'000});
    const auto run = test::makeRun({});
    const Track& track = run->run->ranks[0]->tracks[2];
    const TimeSpan kernel = track.slices.span(3);
    const TimeNs base = 1'700'000'000'000'000'000;
    const int x = static_cast<int>(timeline.viewport().xAt(kernel.start_ns - base)) + 6;
    dragTracks(inRow(0, TrackId(2), x), inRow(0, TrackId(2), x + 300));
    ASSERT_TRUE(told.back().has_value());
    EXPECT_EQ(told.back()->area.span.start_ns, kernel.start_ns);
    dragTracks(inRow(0, TrackId(2), x), inRow(0, TrackId(2), x + 300), Qt::AltModifier);
    EXPECT_NE(told.back()->area.span.start_ns, kernel.start_ns);
}

TEST_F(AreaTest, AClickAndEscapeClearItAndShiftClickExtendsIt) {
    dragTracks(inRow(0, TrackId(2), 200), inRow(0, TrackId(2), 300), Qt::AltModifier);
    const TimeSpan before = told.back()->area.span;
    QTest::mouseClick(&timeline, Qt::LeftButton, Qt::ShiftModifier | Qt::AltModifier, inRow(0, TrackId(2), 600));
    ASSERT_TRUE(told.back().has_value());
    EXPECT_EQ(told.back()->area.span.start_ns, before.start_ns);
    EXPECT_GT(told.back()->area.span.end_ns, before.end_ns);
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_FALSE(told.back().has_value());
    EXPECT_FALSE(timeline.area().has_value());
}

TEST_F(OverviewTest, AStepWhoseMeasureIsNotKnownLooksOtherThanOneThatIsAsUsual) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 4, .steps = 4}));
    run->facts.median_step_ns = test::kStepNs;
    for (RankFacts& rank : run->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition.reset();
            if (&step != &rank.steps.front()) {
                step.partition.emplace().idle_ns = 1'000'000;
            }
        }
    }
    open(run);
    const QImage image = pictureOfIdleTimes();
    const QRect cells = overview().cellArea();
    const auto usual = [&](TimeNs step) {
        int as_usual = 0;
        for (int x = xOf(step * test::kStepNs) + 8; x < xOf((step + 1) * test::kStepNs) - 8; ++x) {
            as_usual += image.pixel(x, cells.center().y()) == heatColor(0.0, Theme::darkTheme()) ? 1 : 0;
        }
        return as_usual;
    };
    EXPECT_GT(usual(1), 100);
    EXPECT_LT(usual(0), usual(1) / 2);
    EXPECT_GT(usual(0), 0) << "there is a step, though";
    const QString tip = tipAt({xOf(test::kStepNs / 2), cells.center().y()});
    EXPECT_TRUE(tip.contains(QStringLiteral("unknown"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("GPU work was not, or not fully, recorded"))) << tip.toStdString();
}

TEST(OverviewHeight, IsAsRequestedSoThatTwoTimelinesAreSideBySide) {
    TimelineWidget few(Theme::darkTheme());
    TimelineWidget many(Theme::darkTheme());
    const QSignalSpy told(&many, &TimelineWidget::overviewHeightChanged);
    for (TimelineWidget* each : {&few, &many}) {
        each->resize(900, 600);
        each->show();
    }
    few.setRuns({test::makeRun({.ranks = 1})});
    many.setRuns({test::makeRun({.ranks = 8})});
    few.settle();
    many.settle();
    EXPECT_GE(told.count(), 1);
    ASSERT_LT(few.overviewHeight(), many.overviewHeight());
    EXPECT_LT(few.tracksArea().top(), many.tracksArea().top());
    few.setLeastOverview(many.overviewHeight());
    EXPECT_EQ(few.tracksArea().top(), many.tracksArea().top());
    few.setLeastOverview(0);
    EXPECT_LT(few.tracksArea().top(), many.tracksArea().top());
}

}  // namespace
}  // namespace rankscope::ui
