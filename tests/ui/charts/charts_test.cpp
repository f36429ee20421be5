// SPDX-License-Identifier: GPL-3.0-or-later
// The charts on hand-made facts: what is drawn, what a click on it means, and pictures of it.
#include "ui/charts/charts_panel.h"
#include "ui/charts/dense_series.h"

#include <gtest/gtest.h>
#include <QAbstractBarSeries>
#include <QAreaSeries>
#include <QBarSet>
#include <QChart>
#include <QFile>
#include <QFileInfo>
#include <QGraphicsScene>
#include <QLabel>
#include <QLegend>
#include <QLineSeries>
#include <QPushButton>
#include <QScatterSeries>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QValueAxis>
#include <QXmlStreamReader>

#include <algorithm>

#include "tests/support/durations.h"
#include "tests/support/full_disk.h"
#include "tests/support/temp_files.h"
#include "tests/ui/charts/chart_parts.h"
#include "tests/ui/widget_parts.h"
#include "ui/charts/bar_names.h"
#include "ui/charts/chart_look.h"
#include "ui/charts/partition_chart.h"
#include "ui/charts/picture_file.h"
#include "ui/charts/step_names.h"
#include "ui/charts/wrapped_legend.h"
#include "ui/theme/nice_interval.h"

namespace rankscope::ui {
namespace {

using test::kMs;

RankStep stepOf(std::int64_t index, RankPosition rank) {
    RankStep step;
    step.index = index;
    step.span = {index * 100 * kMs, (index + 1) * 100 * kMs};
    step.host = step.span;
    step.mark = {TrackId(rank), static_cast<SliceIndex>(index)};
    step.partition = Partition{};
    step.partition->compute_ns = 60 * kMs;
    step.partition->idle_ns = 40 * kMs;
    step.idle_causes[Cause::DataLoader] = 40 * kMs;
    return step;
}

/// Ranks with memory events and steps of 100 ms, 60 of them compute; rank 1 comes 7 ms late.
std::shared_ptr<const AnalysedRun> makeRun(std::uint32_t ranks, std::int64_t steps) {
    auto run = std::make_shared<Run>();
    run->name = "HandMade";
    auto analysed = std::make_shared<AnalysedRun>();
    RunFacts& facts = analysed->facts;
    facts.ranks.resize(ranks);
    facts.stragglers.ranks.resize(ranks);
    facts.stragglers.segments.resize(1);
    analysed->clock.ranks.resize(ranks);
    for (RankPosition r{0}; r < ranks; ++r) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber::standingIn(r);
        for (int i = 0; i < 5; ++i) {
            trace->memory.at_ns.push_back(i * 50 * kMs);
            trace->memory.bytes.push_back(1);
            trace->memory.total_allocated.push_back(i * 1'000'000'000LL);
            trace->memory.total_reserved.push_back(5'000'000'000LL);
            trace->memory.device.push_back(0);
        }
        run->ranks.push_back(trace);
        facts.ranks[r].memory.push_back({0, 0, {}, {}});
        for (std::int64_t s = 0; s < steps; ++s) {
            facts.ranks[r].steps.push_back(stepOf(s, r));
            facts.stragglers.ranks[r].steps.push_back({RunStepPosition(s), 0, r == 1 ? 7 * kMs : 0});
        }
    }
    for (std::int64_t s = 0; s < steps; ++s) {
        RunStep step;
        step.index = s;
        step.duration_ns = 100 * kMs;
        step.by_rank.assign(ranks, RankStepPosition(s));
        facts.steps.push_back(step);
    }
    analysed->run = std::move(run);
    return analysed;
}

class Charts : public testing::Test {
  protected:
    Charts() : panel(Theme::darkTheme()) {
        panel.resize(900, 300);
        panel.show();
    }

    void show(ChartsPanel::Chart which, const std::shared_ptr<const AnalysedRun>& run) {
        panel.setRuns({run});
        panel.showChart(which);
    }
    template <class Series>
    [[nodiscard]] Series* series(ChartsPanel::Chart which) {
        for (QAbstractSeries* each : panel.charts()[which]->chart().series()) {
            if (auto* found = qobject_cast<Series*>(each)) {
                return found;
            }
        }
        return nullptr;
    }
    struct Place {
        std::uint32_t run = 99;
        RankPosition rank;
        RankStepPosition step;
    };
    /// Clicks where a point of the series is drawn; returns where that leads, and fails the test where it leads
    /// nowhere.
    Place click(ChartsPanel::Chart which, QAbstractSeries* on, const QPointF& value) {
        const QSignalSpy activated(&panel, &ChartsPanel::stepActivated);
        RunChart& chart = *panel.charts()[which];
        QCoreApplication::processEvents();  // the chart is laid out
        const QPointF scene = chart.chart().mapToScene(chart.chart().mapToPosition(value, on));
        QTest::mouseClick(chart.view().viewport(), Qt::LeftButton, {}, chart.view().mapFromScene(scene));
        EXPECT_EQ(activated.count(), 1);
        return activated.isEmpty() ? Place()
                                   : Place{activated[0][0].toUInt(), activated[0][1].value<RankPosition>(),
                                           activated[0][2].value<RankStepPosition>()};
    }
    /// How many items of the chart stand for very many points.
    [[nodiscard]] std::ptrdiff_t dense(ChartsPanel::Chart which) {
        const QList<QGraphicsItem*> items = panel.charts()[which]->chart().scene()->items();
        return std::ranges::count_if(items, [](const QGraphicsItem* item) {
            return qobject_cast<const DenseSeries*>(item->toGraphicsObject()) != nullptr;
        });
    }
    [[nodiscard]] QString words(ChartsPanel::Chart which) const {
        return panel.charts()[which]->findChild<QLabel*>()->text();
    }

    ChartsPanel panel;
};

TEST_F(Charts, EachStepOfEachRankIsABarWhosePartsAddUpToIt) {
    panel.setRuns({makeRun(2, 3)});
    const auto* bars = series<QAbstractBarSeries>(ChartsPanel::kPartition);
    ASSERT_NE(bars, nullptr);
    ASSERT_EQ(bars->count(), 2) << "compute, and waiting for the DataLoader";
    EXPECT_EQ(bars->barSets()[0]->label(), QStringLiteral("Compute"));
    const int count = bars->barSets()[0]->count();
    EXPECT_EQ(count, 2 + 1 + 3 * 2 + 2) << "the typical steps, then all, with an empty place between two";
    for (int i = 0; i < count; ++i) {
        const double sum = bars->barSets()[0]->at(i) + bars->barSets()[1]->at(i);
        EXPECT_DOUBLE_EQ(sum, i % 3 == 2 ? 0.0 : 100.0) << i;
    }
}

TEST_F(Charts, TheStepOfTheMedianLengthOfEachRankComesFirst) {
    const auto run = std::make_shared<AnalysedRun>(*makeRun(2, 5));
    for (RankFacts& rank : run->facts.ranks) {
        for (const auto& [step, more_ms] : {std::pair(0, 9), {1, 1}, {2, 7}, {3, 5}, {4, 3}}) {
            rank.steps[static_cast<std::size_t>(step)].span.end_ns += more_ms * kMs;
        }
    }
    run->facts.ranks[1].steps[0].outlier = true;
    panel.setRuns({run});
    EXPECT_EQ(click(ChartsPanel::kPartition, series<QAbstractBarSeries>(ChartsPanel::kPartition), {0, 30}).step,
              RankStepPosition(3))
        << "5 ms more than 100";
    const Place place = click(ChartsPanel::kPartition, series<QAbstractBarSeries>(ChartsPanel::kPartition), {1, 30});
    EXPECT_EQ(place.rank, RankPosition(1));
    EXPECT_EQ(place.step, RankStepPosition(4)) << "of those that are steady";
}

TEST_F(Charts, TypicalStepsAreShownForAllRanksOrForNone) {
    const auto bars_of = [this](const std::shared_ptr<const AnalysedRun>& run) {
        panel.setRuns({run});
        return static_cast<PartitionChart*>(panel.charts()[ChartsPanel::kPartition])->bars();
    };
    const auto two_left = std::make_shared<AnalysedRun>(*makeRun(2, 4));
    two_left->facts.ranks[1].steps[0].outlier = true;
    two_left->facts.ranks[1].steps[1].outlier = true;
    EXPECT_EQ(bars_of(two_left), 4U * 2 + 3) << "of two steps of a rank none is typical";
    EXPECT_EQ(bars_of(makeRun(2, 2)), 2U * 2 + 1) << "nor of two of each";
    const auto of_mean = std::make_shared<AnalysedRun>(*makeRun(2, 4));
    of_mean->facts.basis = StepBasis::Mean;
    EXPECT_EQ(bars_of(of_mean), 4U * 2 + 3) << "nor where prices are of the mean step";
}

/// The parts that the legend of *Where steps went* names.
QStringList partsInLegend(const ChartsPanel& panel) {
    return test::legendOf(*panel.charts()[ChartsPanel::kPartition]);
}

TEST_F(Charts, TheLegendNamesWhatAnyBarShowsButNothingOfAHundredthOfAPixel) {
    panel.resize(2'000, 300);
    for (const auto& [sync_ns, named] : {std::pair(5 * kMs, 3), {kMs / 100, 2}}) {
        const auto run = std::make_shared<AnalysedRun>(*makeRun(2, 40));
        RankStep& step = run->facts.ranks[1].steps[20];  // at most a twentieth of one bar of very many
        step.idle_causes[Cause::DataLoader] -= sync_ns;
        step.idle_causes[Cause::HostSync] += sync_ns;
        panel.setRuns({run});
        EXPECT_EQ(partsInLegend(panel).size(), named) << partsInLegend(panel).join(u'|').toStdString();
    }
}

TEST_F(Charts, ALegendThatHasNoRoomInOneLineHasMoreAndCutsNothing) {
    const auto run = std::make_shared<AnalysedRun>(*makeRun(2, 3));
    for (std::size_t cause = 0; cause < kCauseCount; ++cause) {
        run->facts.ranks[0].steps[0].idle_causes[static_cast<Cause>(cause)] = 10 * kMs;
    }
    RunChart& chart = *panel.charts()[ChartsPanel::kPartition];
    const auto legend = [&chart]() -> const WrappedLegend* {
        for (const QGraphicsItem* item : chart.chart().childItems()) {
            if (const auto* found = dynamic_cast<const WrappedLegend*>(item)) {
                return found;
            }
        }
        return nullptr;
    };
    panel.setRuns({run});
    QCoreApplication::processEvents();  // the chart is laid out
    ASSERT_NE(legend(), nullptr);
    const std::vector<QStringList> lines = legend()->lines();
    ASSERT_GE(lines.size(), 2U);
    QStringList all;
    for (const QStringList& line : lines) {
        all += line;
    }
    EXPECT_EQ(all, partsInLegend(panel));
    const QFontMetricsF metrics(chart.chart().legend()->font());
    EXPECT_GE(chart.chart().plotArea().top(), static_cast<double>(lines.size()) * metrics.height());
    panel.setRuns({makeRun(2, 3)});
    QCoreApplication::processEvents();
    EXPECT_TRUE(legend()->lines().empty()) << "in one line it is as those of the other charts";
}

TEST_F(Charts, TheRankIsUnderEachBarWhereThereIsRoom) {
    const auto run = makeRun(2, 3);
    auto& chart = static_cast<PartitionChart&>(*panel.charts()[ChartsPanel::kPartition]);
    panel.setRuns({run});
    QCoreApplication::processEvents();  // the chart is laid out
    const std::vector<QString> names = test::shownBy<BarNames>(chart);
    EXPECT_EQ(names.size(), 4U * 2);
    EXPECT_EQ(names.front(), QStringLiteral("0"));
    EXPECT_EQ(names.back(), QStringLiteral("1"));
    panel.setRuns({makeRun(8, 100)});
    panel.resize(300, 300);
    QCoreApplication::processEvents();
    EXPECT_LE(test::shownBy<BarNames>(chart).size(), chart.barsInSight());
    panel.setRuns({makeRun(1, 4)});
    EXPECT_TRUE(test::shownBy<BarNames>(chart).empty()) << "there is one rank alone";
}

TEST_F(Charts, NamesOfStepsAreWholeOrNumbersUnderATitleAndNeverCut) {
    auto& chart = static_cast<PartitionChart&>(*panel.charts()[ChartsPanel::kPartition]);
    panel.setRuns({makeRun(4, 3)});
    QCoreApplication::processEvents();  // the chart is laid out
    EXPECT_EQ(test::shownBy<StepNames>(chart),
              (std::vector<QString>{QStringLiteral("typical step"), QStringLiteral("step 0"), QStringLiteral("step 1"),
                                    QStringLiteral("step 2")}));
    panel.setRuns({makeRun(1, 29)});
    QCoreApplication::processEvents();
    const std::vector<QString> names = test::shownBy<StepNames>(chart);
    ASSERT_GE(names.size(), 10U);
    EXPECT_EQ(names.front(), QStringLiteral("step"));
    EXPECT_TRUE(std::ranges::find(names, QStringLiteral("0")) != names.end());
    EXPECT_TRUE(std::ranges::find(names, QStringLiteral("typ.")) != names.end()) << "the first bar has a name too";
    for (const QString& name : names) {
        EXPECT_FALSE(name.contains(QStringLiteral("step ")) || name.contains(QStringLiteral("…")))
            << name.toStdString();
    }
}

TEST_F(Charts, TheWheelScrollsBarsAndWithCtrlMakesThemNarrower) {
    panel.setRuns({makeRun(8, 100)});
    auto& chart = static_cast<PartitionChart&>(*panel.charts()[ChartsPanel::kPartition]);
    const auto* scroll = chart.findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
    const auto turn = [&](int angle, Qt::KeyboardModifiers keys) {
        QWidget& on = *chart.view().viewport();
        test::turnWheel(on, on.rect().center(), angle, keys);
    };
    turn(-240, Qt::NoModifier);
    EXPECT_EQ(scroll->value(), 8);
    turn(120, Qt::NoModifier);
    EXPECT_EQ(scroll->value(), 4);
    const std::size_t before = chart.barsInSight();
    turn(-120, Qt::ControlModifier);
    EXPECT_GT(chart.barsInSight(), before);
    turn(120, Qt::ControlModifier);
    EXPECT_NEAR(static_cast<double>(chart.barsInSight()), static_cast<double>(before), 3);
}

TEST_F(Charts, AClickOnABarShowsItsStepOnItsRank) {
    panel.setRuns({makeRun(2, 3)});
    const Place place = click(ChartsPanel::kPartition, series<QAbstractBarSeries>(ChartsPanel::kPartition), {7, 30});
    EXPECT_EQ(place.run, 0U);
    EXPECT_EQ(place.rank, RankPosition(1));
    EXPECT_EQ(place.step, RankStepPosition(1));
}

TEST_F(Charts, TheTipOfABarStaysForAsLongAsThePointerRestsOnIt) {
    panel.setRuns({makeRun(2, 3)});
    RunChart& chart = *panel.charts()[ChartsPanel::kPartition];
    QCoreApplication::processEvents();  // the chart is laid out
    auto* bars = series<QAbstractBarSeries>(ChartsPanel::kPartition);
    const QPointF scene = chart.chart().mapToScene(chart.chart().mapToPosition({4, 30}, bars));
    QWidget& view = *chart.view().viewport();
    const QPoint at = chart.view().mapFromScene(scene);
    test::moveTo(view, at);
    ASSERT_TRUE(QTest::qWaitFor([] { return QToolTip::isVisible(); }));
    EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("rank 1"))) << QToolTip::text().toStdString();
    // This is what Qt sends once the pointer has rested for 0.7 s.
    (void)test::tipAt(view, at);
    QTest::qWait(400);  // a tip goes 0.3 s after it was told to
    EXPECT_TRUE(QToolTip::isVisible());
    QToolTip::hideText();
}

TEST_F(Charts, MoreBarsThanAreDistinctAreScrolledTo) {
    panel.setRuns({makeRun(8, 100)});
    auto* chart = static_cast<PartitionChart*>(panel.charts()[ChartsPanel::kPartition]);
    EXPECT_EQ(chart->bars(), 8U + 1 + 899);
    EXPECT_LT(chart->barsInSight(), 100U);
    auto* scroll = chart->findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
    ASSERT_TRUE(scroll->isVisible());
    scroll->setValue(scroll->maximum());
    const auto last = static_cast<double>(chart->barsInSight()) - 1.0;
    const Place place = click(ChartsPanel::kPartition, series<QAbstractBarSeries>(ChartsPanel::kPartition), {last, 30});
    EXPECT_EQ(place.rank, RankPosition(7));
    EXPECT_EQ(place.step, RankStepPosition(99));
}

TEST_F(Charts, StepTimesHaveTheirMedianAndTheBandOfTheMiddleHalf) {
    show(ChartsPanel::kStepTime, makeRun(2, 4));
    const auto* band = series<QAreaSeries>(ChartsPanel::kStepTime);
    ASSERT_NE(band, nullptr);
    EXPECT_DOUBLE_EQ(band->upperSeries()->at(0).y(), 100.0);
    auto* points = series<QScatterSeries>(ChartsPanel::kStepTime);
    ASSERT_EQ(points->count(), 4);
    EXPECT_EQ(click(ChartsPanel::kStepTime, points, points->at(2)).step, RankStepPosition(2))
        << "the step on its critical rank";
}

TEST_F(Charts, TheDistributionSortsTheStepsAndMarksThoseThatAreLeftOut) {
    auto run = std::make_shared<AnalysedRun>(*makeRun(2, 5));
    const DurationNs lengths[] = {300 * kMs, 100 * kMs, 104 * kMs, 102 * kMs, 101 * kMs};
    for (std::size_t s = 0; s < 5; ++s) {
        run->facts.steps[s].duration_ns = lengths[s];
    }
    run->facts.steps[0].outlier = true;
    run->facts.steps[0].outlier_reason = "opens the window";
    show(ChartsPanel::kDistribution, run);
    std::vector<QScatterSeries*> marks;
    for (QAbstractSeries* each : panel.charts()[ChartsPanel::kDistribution]->chart().series()) {
        if (auto* points = qobject_cast<QScatterSeries*>(each)) {
            marks.push_back(points);
        }
    }
    ASSERT_EQ(marks.size(), 2U);
    ASSERT_EQ(marks[0]->count(), 4) << "those that count, the shortest first";
    EXPECT_DOUBLE_EQ(marks[0]->at(0).x(), 10.0) << "in the middle of the first fifth";
    EXPECT_DOUBLE_EQ(marks[0]->at(0).y(), 100.0);
    EXPECT_DOUBLE_EQ(marks[0]->at(3).y(), 104.0);
    ASSERT_EQ(marks[1]->count(), 1) << "the one that is left out";
    EXPECT_DOUBLE_EQ(marks[1]->at(0).x(), 90.0);
    EXPECT_NE(marks[0]->markerShape(), marks[1]->markerShape()) << "told apart without colours";
    EXPECT_TRUE(marks[1]->name().contains(QStringLiteral("not priced"))) << "in the legend";
    EXPECT_EQ(click(ChartsPanel::kDistribution, marks[1], marks[1]->at(0)).step, RankStepPosition(0)) << "step 0";
}

TEST_F(Charts, TheDistributionOfThousandsOfStepsIsALineThatLeadsToEachOfThem) {
    auto run = std::make_shared<AnalysedRun>(*makeRun(1, 1000));
    for (std::size_t s = 0; s < 1000; ++s) {
        run->facts.steps[s].duration_ns = (100 + static_cast<DurationNs>((s * 7) % 1000)) * kMs;
    }
    show(ChartsPanel::kDistribution, run);
    EXPECT_EQ(series<QScatterSeries>(ChartsPanel::kDistribution)->count(), 0);
    EXPECT_EQ(dense(ChartsPanel::kDistribution), 1);
    const RankStepPosition step =
        click(ChartsPanel::kDistribution, series<QScatterSeries>(ChartsPanel::kDistribution), {50, 600}).step;
    EXPECT_NEAR((step * 7) % 1000, 500, 3) << "a step is less than a pixel wide";
}

TEST_F(Charts, LatenessHasABarForEachRankAndAPointForEachStep) {
    show(ChartsPanel::kLateness, makeRun(3, 4));
    auto* bars = series<QAbstractBarSeries>(ChartsPanel::kLateness);
    ASSERT_NE(bars, nullptr);
    EXPECT_DOUBLE_EQ(bars->barSets()[0]->at(1), 7.0);
    EXPECT_EQ(series<QScatterSeries>(ChartsPanel::kLateness)->count(), 12);
    EXPECT_EQ(click(ChartsPanel::kLateness, bars, {1, 3}).rank, RankPosition(1));
}

TEST_F(Charts, ThePointsOfTheLatestAndOfTheFirstAreWhole) {
    const auto run = std::make_shared<AnalysedRun>(*makeRun(3, 4));
    run->facts.stragglers.ranks[RankPosition(1)].steps[2].late_ns = 10 * kMs;  // where the axis would end by itself
    show(ChartsPanel::kLateness, run);
    QCoreApplication::processEvents();  // the chart is laid out
    auto* points = series<QScatterSeries>(ChartsPanel::kLateness);
    ASSERT_NE(points, nullptr);
    QChart& chart = panel.charts()[ChartsPanel::kLateness]->chart();
    const double half = points->markerSize() / 2;
    EXPECT_GE(chart.mapToPosition({1, 10}, points).y() - chart.plotArea().top(), half);
    EXPECT_GE(chart.plotArea().bottom() - chart.mapToPosition({0, 0}, points).y(), half);
}

TEST_F(Charts, LatenessOfAGreatRunHasAPointForTheLatestStepOfEachRank) {
    show(ChartsPanel::kLateness, makeRun(100, 4));
    const auto* points = series<QScatterSeries>(ChartsPanel::kLateness);
    EXPECT_EQ(points->count(), 100);
    EXPECT_TRUE(points->name().contains(QStringLiteral("latest")));
}

TEST_F(Charts, LatenessOfAThousandRanksIsOneItemThatLeadsToEachOfThem) {
    const auto run = std::make_shared<AnalysedRun>(*makeRun(1000, 2));
    for (RankPosition rank{0}; rank < 1000; ++rank) {
        run->facts.stragglers.ranks[rank].steps[0].late_ns = static_cast<DurationNs>(rank) * kMs;
        run->facts.stragglers.ranks[rank].steps[1].late_ns = static_cast<DurationNs>(rank) * kMs;
    }
    show(ChartsPanel::kLateness, run);
    RunChart& chart = *panel.charts()[ChartsPanel::kLateness];
    EXPECT_EQ(series<QAbstractBarSeries>(ChartsPanel::kLateness), nullptr);
    EXPECT_LT(chart.chart().scene()->items().size(), 100) << "an item of each rank takes longer than an event may";
    auto* named = series<QScatterSeries>(ChartsPanel::kLateness);
    ASSERT_NE(named, nullptr);
    EXPECT_NEAR(static_cast<double>(click(ChartsPanel::kLateness, named, {700, 300}).rank), 700, 1)
        << "a rank is about a pixel wide";

    const QImage drawn = chart.view().viewport()->grab().toImage();

    const auto inked = [&](const QPointF& value) {
        const QPointF scene = chart.chart().mapToScene(chart.chart().mapToPosition(value, named));
        return drawn.pixelColor(chart.view().mapFromScene(scene)) == Theme::darkTheme().straggler;
    };
    EXPECT_EQ(dense(ChartsPanel::kLateness), 1);
    EXPECT_TRUE(inked({700, 600}));
    EXPECT_FALSE(inked({700, 800}));
    EXPECT_TRUE(inked({998, 960}));
    panel.setRuns({makeRun(3, 2)});
    EXPECT_EQ(dense(ChartsPanel::kLateness), 0) << "they go with the chart they were made for";
}

TEST_F(Charts, StepTimeOfAThousandStepsIsALineThatLeadsToEachOfThem) {
    show(ChartsPanel::kStepTime, makeRun(2, 1000));
    EXPECT_EQ(series<QScatterSeries>(ChartsPanel::kStepTime)->count(), 0);
    EXPECT_EQ(dense(ChartsPanel::kStepTime), 1);
    EXPECT_NEAR(static_cast<double>(
                    click(ChartsPanel::kStepTime, series<QScatterSeries>(ChartsPanel::kStepTime), {700, 40}).step),
                700, 2)
        << "a step is less than a pixel wide";
}

TEST_F(Charts, MemoryIsDrawnOverTimeAndHeldUntilTheNextEvent) {
    show(ChartsPanel::kMemory, makeRun(1, 2));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
    const auto* area = series<QAreaSeries>(ChartsPanel::kMemory);
    ASSERT_NE(area, nullptr);
    const QLineSeries& held = *area->upperSeries();
    ASSERT_EQ(held.count(), 9) << "five events, and where each of the last four steps up";
    EXPECT_DOUBLE_EQ(held.at(8).y(), 4.0) << "GB";
    EXPECT_DOUBLE_EQ(held.at(8).x(), 200) << "ms, as where else such a time is written";
    for (int i = 1; i < held.count(); ++i) {
        EXPECT_TRUE(held.at(i).x() == held.at(i - 1).x() || held.at(i).y() == held.at(i - 1).y())
            << "a slope at point " << i;
    }
    const QList<QAbstractAxis*> axes = panel.charts()[ChartsPanel::kMemory]->chart().axes(Qt::Horizontal);
    ASSERT_EQ(axes.size(), 1);
    EXPECT_EQ(qobject_cast<const QValueAxis*>(axes.front())->labelFormat(), QStringLiteral("%.0f ms"));
}

TEST_F(Charts, TitlesOfAxesGiveWayToLabelsInALowChart) {
    show(ChartsPanel::kStepTime, makeRun(3, 4));
    RunChart& chart = *panel.charts()[ChartsPanel::kStepTime];
    ChartView& view = chart.view();
    ASSERT_FALSE(chart.chart().axes(Qt::Horizontal).isEmpty());
    const auto told = [&](Qt::Orientation which) {
        return std::ranges::all_of(chart.chart().axes(which), &QAbstractAxis::isTitleVisible);
    };
    view.resize(500, 400);
    EXPECT_TRUE(told(Qt::Horizontal));
    EXPECT_TRUE(told(Qt::Vertical));
    view.resize(500, 120);
    EXPECT_FALSE(told(Qt::Horizontal));
    EXPECT_TRUE(told(Qt::Vertical)) << "a unit fits beside its axis";
    view.resize(500, 400);
    EXPECT_TRUE(told(Qt::Horizontal)) << "and come back with the room";
}

TEST_F(Charts, ValuesThatCannotBeDrawnAreReported) {
    auto run = std::make_shared<AnalysedRun>(*makeRun(1, 2));
    run->facts.stragglers = {};
    run->facts.ranks[0].memory.clear();
    show(ChartsPanel::kLateness, run);
    EXPECT_TRUE(words(ChartsPanel::kLateness).contains(QStringLiteral("two ranks")));
    panel.showChart(ChartsPanel::kMemory);
    EXPECT_TRUE(words(ChartsPanel::kMemory).contains(QStringLiteral("profile_memory=True")));
}

TEST_F(Charts, AChartThatShowsNothingCannotBeSaved) {
    auto run = std::make_shared<AnalysedRun>(*makeRun(2, 3));
    run->facts.ranks[0].memory.clear();
    run->facts.ranks[1].memory.clear();
    const QPushButton* save = test::buttonIn(panel, QStringLiteral("Save picture..."));
    ASSERT_NE(save, nullptr);
    EXPECT_FALSE(save->isEnabled()) << "no run is open";
    panel.setRuns({run});
    EXPECT_TRUE(save->isEnabled());
    QSignalSpy told(&panel, &ChartsPanel::canSaveChanged);
    panel.showChart(ChartsPanel::kMemory);
    EXPECT_FALSE(save->isEnabled());
    EXPECT_FALSE(told.back().front().toBool()) << "for the command of the menu";
    panel.showChart(ChartsPanel::kPartition);
    EXPECT_TRUE(save->isEnabled());
    EXPECT_TRUE(told.back().front().toBool());
    panel.showChart(ChartsPanel::kMemory);
    panel.setRuns({makeRun(2, 3)});
    EXPECT_TRUE(save->isEnabled()) << "this run has memory events";
}

TEST_F(Charts, AChartIsSavedAsPngAndAsSvg) {
    panel.setRuns({makeRun(2, 3)});
    const test::TempFolder folder;
    const auto save = [&](const char* name) {
        QString path = QString::fromStdString((folder.path() / name).string());
        const QSize size(600, 300);
        EXPECT_EQ(savePicture(path, size, Qt::black, [&](QPainter& p) { panel.paintChart(p, size); }), QString());
        return path;
    };
    const QImage png(save("chart.png"));
    EXPECT_EQ(png.size(), QSize(1200, 600)) << "sharp on a large screen too";
    QFile svg(save("chart.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&svg);
    int shapes = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        shapes += xml.isStartElement() && (xml.name() == u"path" || xml.name() == u"rect") ? 1 : 0;
        EXPECT_NE(xml.name(), u"image") << "drawn, not a picture of a drawing";
    }
    EXPECT_FALSE(xml.hasError());
    EXPECT_GE(shapes, 12) << "each part of each bar";
}

TEST_F(Charts, FewStepsHaveNoMiddleHalf) {
    show(ChartsPanel::kStepTime, makeRun(2, 3));
    EXPECT_EQ(series<QAreaSeries>(ChartsPanel::kStepTime), nullptr);
    panel.setRuns({makeRun(2, 4)});
    EXPECT_NE(series<QAreaSeries>(ChartsPanel::kStepTime), nullptr);
}

TEST_F(Charts, TextOfADrawingIsAsLargeAsOnTheScreen) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("text.svg"));
    QFont font(QStringLiteral("Inter"));
    font.setPointSizeF(12.0);
    ASSERT_EQ(savePicture(path, {300, 200}, Qt::black,
                          [&](QPainter& painter) {
                              painter.setFont(font);
                              painter.drawText(QPoint(10, 100), QStringLiteral("words"));
                          }),
              QString());
    QFile svg(path);
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QString written = QString::fromUtf8(svg.readAll());
    const int pixels = qRound(12.0 / 72.0 * QImage(1, 1, QImage::Format_RGB32).logicalDpiY());
    EXPECT_TRUE(written.contains(QStringLiteral("font-size=\"%1\"").arg(pixels))) << written.toStdString();
    EXPECT_TRUE(written.contains(QStringLiteral("font-family=\"Inter, sans-serif\""))) << written.toStdString();
}

TEST_F(Charts, APictureThatCannotBeWrittenSaysWhy) {
    EXPECT_NE(savePicture(QStringLiteral("/nowhere/at/all.png"), {10, 10}, Qt::black, [](QPainter&) {}), QString());
    const QTemporaryDir folder;
    for (const char* name : {"old.png", "old.svg"}) {
        const QString path = folder.filePath(QLatin1String(name));
        ASSERT_EQ(savePicture(path, {300, 200}, Qt::black, [](QPainter&) {}), QString());
        const qint64 before = QFileInfo(path).size();
        const test::FullDisk disk;
        EXPECT_NE(savePicture(path, {400, 300}, Qt::red, [](QPainter&) {}), QString()) << name;
        EXPECT_EQ(QFileInfo(path).size(), before) << "the old one stays";
    }
}

TEST(ChartLook, AFewNumbersAreAllNamedAndOfManyTheRoundOnes) {
    const auto axis = [](double first, double last) {
        return std::unique_ptr<QValueAxis>(makeNumberAxis(first, last, QStringLiteral("step %d"), Theme::darkTheme()));
    };
    EXPECT_DOUBLE_EQ(axis(3, 12)->tickInterval(), 1);
    EXPECT_DOUBLE_EQ(axis(3, 12)->tickAnchor(), 3);
    EXPECT_DOUBLE_EQ(axis(7, 1030)->tickInterval(), 200);
    EXPECT_DOUBLE_EQ(axis(7, 1030)->tickAnchor(), 200);
}

TEST(ChartLook, AnAxisIsDividedByRoundNumbers) {
    for (const auto& [length, interval] :
         {std::pair(1.718, 0.5), std::pair(0.1603, 0.05), std::pair(6.0, 1.0), std::pair(90.0, 20.0)}) {
        EXPECT_DOUBLE_EQ(niceInterval(length), interval) << length;
    }
    EXPECT_GT(niceInterval(0), 0.0);
}

}  // namespace
}  // namespace rankscope::ui
