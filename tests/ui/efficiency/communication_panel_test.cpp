// SPDX-License-Identifier: GPL-3.0-or-later
// How fast ranks communicate and how much of it they hide: what is drawn, what it says, and what a click on it means.
#include "ui/panels/communication/communication_panel.h"

#include <gtest/gtest.h>

#include <QAbstractAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QComboBox>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QLabel>
#include <QLineSeries>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolTip>
#include <algorithm>

#include "tests/support/communication_facts.h"
#include "tests/support/grid_run.h"
#include "tests/ui/charts/chart_parts.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "ui/charts/bar_names.h"
#include "ui/charts/log_axis.h"
#include "ui/charts/run_chart.h"
#include "ui/panels/communication/communication_page.h"
#include "ui/panels/communication/overlap_chart.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/text_scale.h"

namespace rankscope::ui {
namespace {

constexpr std::int64_t kSmall = 10'000;
constexpr std::int64_t kGreat = 16'000'000;

/// Four ranks, whose all-reduces of three sizes are fitted; of each step 1.5 of 2 ms of communication are hidden.
std::shared_ptr<AnalysedRun> communicatingRun() {
    auto run = test::runOnAGrid({.data = 2, .pipeline = 1, .tensor = 2});
    CollectiveFacts& facts = run->facts.collectives;
    test::addFit(facts);
    facts.fits.front().largest_error = 0.32;
    facts.collectives.clear();
    for (const auto& [bytes, ns, slice] :
         {std::tuple(kSmall, 20'300, 1U), {kGreat, 480'000, 1U}, {kGreat, 500'000, 3U}}) {
        Collective collective;
        collective.kind = CollectiveKind::AllReduce;
        collective.bytes = bytes;
        collective.transfer_ns = ns;
        CollectiveMember member;
        member.rank = RankPosition(1);
        member.slices = {{TrackId(0), slice}};
        collective.members = {member};
        facts.collectives.push_back(collective);
    }
    test::hideCommunication(run->facts);
    BucketForecast forecast = test::bucketForecast();
    forecast.caps.insert(forecast.caps.begin(), {1, 26, 21'500'000, 400'000});
    forecast.best = 1;
    run->diagnosis.buckets = forecast;
    Finding finding;
    finding.id = FindingId::BucketSize;
    run->diagnosis.findings = {Finding(), finding};
    run->facts.ledger.clear();
    return run;
}

class CommunicationPanelTest : public testing::Test {
  protected:
    CommunicationPanelTest() {
        panel.resize(1'100, 340);
        panel.show();
        panel.setRuns({run});
        settle();
    }
    void settle() {
        panel.job().finish();
        QCoreApplication::processEvents();
    }
    RunChart& chart(CommunicationPanel::Page page) {
        panel.showPage(page);
        QCoreApplication::processEvents();
        return panel.chart(page);
    }
    static QPoint placeOf(RunChart& chart, const QPointF& value) {
        QAbstractSeries* series = chart.chart().series().constFirst();
        return chart.view().mapFromScene(chart.chart().mapToScene(chart.chart().mapToPosition(value, series)));
    }
    /// Where the keyboard finds an item of a chart, in its viewport.
    static QPoint itemOf(RunChart& chart, std::size_t item) {
        return chart.view().spokenPart(item).place.center() - chart.view().viewport()->pos();
    }
    static QString cell(SortedTable& table, int row, int column) {
        return table.view().model()->index(row, column).data().toString();
    }
    static void click(SortedTable& table, int row) {
        QTest::mouseClick(table.view().viewport(), Qt::LeftButton, {},
                          table.view().visualRect(table.view().model()->index(row, 0)).center());
    }
    /// The names that stand below a chart.
    static std::vector<QString> below(RunChart& chart) { return test::shownBy<BarNames>(chart); }
    static QStringList named(RunChart& chart) { return test::legendOf(chart); }

    std::shared_ptr<AnalysedRun> run = communicatingRun();
    CommunicationPanel panel{Theme::darkTheme()};
};

TEST_F(CommunicationPanelTest, ShowsLatencyBandwidthAndHowWellTheLineFits) {
    EXPECT_TRUE(test::begins(panel.summary(), "All-reduce in mesh_dp, 8 ranks"));
    for (const char* part : {"latency 20.0 µs", "R² 0.987", "mean error 1.5 %, largest 32 %", "87.5 GB/s"}) {
        EXPECT_TRUE(panel.summary().contains(QString::fromUtf8(part).replace(
                        QStringLiteral(" %"), QString(QChar::Nbsp) + QLatin1Char('%'))) ||
                    panel.summary().contains(QString::fromUtf8(part)))
            << part << " in " << panel.summary().toStdString();
    }
    EXPECT_EQ(cell(panel.table(CommunicationPanel::kTransfers), 0, 4), QStringLiteral("0.987"));
}

TEST_F(CommunicationPanelTest, MarksTheSizesWhereTheLineDoesNotHold) {
    const QStringList names = named(chart(CommunicationPanel::kTransfers));
    EXPECT_TRUE(names.contains(QStringLiteral("latency-bound"))) << names.join(QLatin1Char('|')).toStdString();
    EXPECT_TRUE(names.contains(QStringLiteral("over 20 % slower than the line")));
    EXPECT_FALSE(names.contains(QStringLiteral("over 20 % faster than the line"))) << "there is none";
}

TEST_F(CommunicationPanelTest, EachSizeShowsMeasuredAndPredictedAndLeadsToItsLongestTransfer) {
    RunChart& transfers = chart(CommunicationPanel::kTransfers);
    ASSERT_EQ(transfers.view().spokenParts(), 3U);
    EXPECT_TRUE(test::holds(transfers.view().spokenPart(2).name, {"measured 500 µs, predicted 340 µs"}));
    QSignalSpy asked(&panel, &CommunicationPanel::sliceActivated);
    QTest::mouseClick(transfers.view().viewport(), Qt::LeftButton, {}, itemOf(transfers, 2));
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].value<SliceSelection>().slice, (SliceRef{TrackId(0), 3})) << "500 of 480 and 500 us";
    QTest::mouseMove(transfers.view().viewport(), itemOf(transfers, 0));
    QCoreApplication::processEvents();
    EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("latency-bound"))) << QToolTip::text().toStdString();
    QToolTip::hideText();
}

TEST_F(CommunicationPanelTest, RingAndTreeArePredictedForMoreRanksAndTheQuickerIsNamed) {
    RunChart& transfers = chart(CommunicationPanel::kTransfers);
    EXPECT_EQ(named(transfers).filter(QStringLiteral("ring on")).size(), 0) << "that is the line itself";
    EXPECT_EQ(named(transfers).filter(QStringLiteral("tree on 8")).size(), 1)
        << named(transfers).join(QLatin1Char('|')).toStdString();
    EXPECT_TRUE(test::holds(panel.summary(), {"on 8 ranks a tree is faster up to"}));
    auto& times = test::named<QComboBox>(panel, QStringLiteral("Ring and tree on"));
    EXPECT_EQ(times.count(), 4);
    times.setCurrentIndex(3);
    QCoreApplication::processEvents();
    EXPECT_EQ(named(transfers).filter(QStringLiteral("ring on 64")).size(), 1)
        << named(transfers).join(QLatin1Char('|')).toStdString();
    EXPECT_EQ(named(transfers).filter(QStringLiteral("tree on 64")).size(), 1);
    EXPECT_TRUE(test::holds(panel.summary(), {"on 64 ranks a tree is faster up to"}));
}

TEST(CommunicationPageTest, NothingIsPredictedFromAnUnknownBandwidth) {
    const auto run = communicatingRun();
    EXPECT_TRUE(fitHead(*makeCommunicationPage(run, {}), 0, 1).about.contains(QStringLiteral("a tree is faster")));
    run->facts.collectives.fits[0].measured.resize(1);  // all sizes are bound by latency
    const QString about = fitHead(*makeCommunicationPage(run, {}), 0, 1).about;
    EXPECT_TRUE(about.contains(QStringLiteral("bandwidth unknown"))) << about.toStdString();
    EXPECT_FALSE(about.contains(QStringLiteral("faster"))) << about.toStdString();
}

TEST_F(CommunicationPanelTest, HiddenAndExposedAreNextToEachOtherByRankAndThenByStep) {
    auto& overlap = static_cast<OverlapChart&>(chart(CommunicationPanel::kOverlap));
    ASSERT_EQ(overlap.bars().size(), 4U);
    const auto* bars = qobject_cast<QBarSeries*>(overlap.chart().series().constFirst());
    ASSERT_NE(bars, nullptr);
    EXPECT_DOUBLE_EQ(bars->barSets()[0]->at(0), 1.5) << "milliseconds hidden";
    EXPECT_DOUBLE_EQ(bars->barSets()[1]->at(0), 0.5) << "milliseconds exposed";
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Overlap efficiency 75"))) << panel.summary().toStdString();
    EXPECT_TRUE(test::holds(overlap.view().spokenPart(0).name, {"step 10.0 ms: 9.50 ms"}));
    click(panel.table(CommunicationPanel::kOverlap), 2);  // a rank leads to its steps
    settle();
    ASSERT_EQ(overlap.bars().size(), 2U);
    EXPECT_EQ(cell(panel.table(CommunicationPanel::kOverlap), 1, 0), QStringLiteral("step 1"));
    QSignalSpy asked(&panel, &CommunicationPanel::stepActivated);
    click(panel.table(CommunicationPanel::kOverlap), 1);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][1].value<RankPosition>(), RankPosition(2));
    EXPECT_EQ(asked[0][2].value<RankStepPosition>(), RankStepPosition(1));
}

TEST_F(CommunicationPanelTest, TheOverlapOfOneRankLeavesStepsOutThatCountNowhere) {
    RankStep& first = run->facts.ranks[2].steps[0];
    first.complete = false;
    first.partition->overlap_ns = 0;
    first.partition->exposed_comm_ns = 2'000'000;
    auto& overlap = static_cast<OverlapChart&>(chart(CommunicationPanel::kOverlap));
    QSignalSpy asked(&panel, &CommunicationPanel::stepActivated);
    QTest::mouseClick(overlap.view().viewport(), Qt::LeftButton, {}, itemOf(overlap, 2));
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][2].value<RankStepPosition>(), RankStepPosition(1)) << "the most exposed of those that count";
    click(panel.table(CommunicationPanel::kOverlap), 2);
    settle();
    ASSERT_EQ(overlap.bars().size(), 1U);
    EXPECT_EQ(overlap.bars()[0].step, RankStepPosition(1));
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Overlap efficiency 75"))) << panel.summary().toStdString();
}

TEST_F(CommunicationPanelTest, AClickOnABarOfTheOverlapLeadsToTheStep) {
    auto& overlap = static_cast<OverlapChart&>(chart(CommunicationPanel::kOverlap));
    run->facts.ranks[3].steps[1].partition->exposed_comm_ns += 1'000;
    QSignalSpy asked(&panel, &CommunicationPanel::stepActivated);
    QTest::mouseClick(overlap.view().viewport(), Qt::LeftButton, {}, placeOf(overlap, {3.2, 0.2}));
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][1].value<RankPosition>(), RankPosition(3));
    EXPECT_EQ(asked[0][2].value<RankStepPosition>(), RankStepPosition(1));
}

TEST_F(CommunicationPanelTest, EachBucketSizeHasItsStepAndErrorAndTheAdvisedAndTodaysAreMarked) {
    RunChart& sizes = chart(CommunicationPanel::kBucketSizes);
    const QStringList names = named(sizes);
    EXPECT_TRUE(names.contains(QStringLiteral("advised")));
    EXPECT_TRUE(names.contains(QStringLiteral("today: 20.0 ms"))) << names.join(QLatin1Char('|')).toStdString();
    qsizetype errors = 0;
    for (const QAbstractSeries* series : sizes.chart().series()) {
        errors += series->name().isEmpty() ? 1 : 0;
    }
    EXPECT_EQ(errors, 2) << "of one it cannot be told";
    EXPECT_TRUE(test::begins(panel.summary(), "bucket_cap_mb=5: 18.5 ms instead of 20.0 ms"));
    EXPECT_TRUE(sizes.view().spokenPart(1).name.contains(QStringLiteral("advised")));
    EXPECT_TRUE(sizes.view().spokenPart(0).name.contains(QStringLiteral("± 400 µs")));
    EXPECT_EQ(panel.bucketsToday().view().model()->rowCount(), 2);
    QSignalSpy asked(&panel, &CommunicationPanel::findingActivated);
    QTest::mouseClick(sizes.view().viewport(), Qt::LeftButton, {}, itemOf(sizes, 1));
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].value<FindingSelection>().finding, 1U);
}

TEST_F(CommunicationPanelTest, SaysWhatThereIsNot) {
    auto bare = test::runOnAGrid({.data = 1, .pipeline = 1, .tensor = 2});
    bare->facts.collectives = {};
    for (RankFacts& rank : bare->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition->comm_ns = 0;
            step.partition->overlap_ns = 0;
        }
    }
    panel.setRuns({bare});
    settle();
    panel.showPage(CommunicationPanel::kTransfers);
    EXPECT_TRUE(test::begins(panel.summary(), "Latency and bandwidth unknown"));
    const auto said = [this](const QString& words) { return test::labelWords(panel).count(words); };
    EXPECT_EQ(said(QStringLiteral("both its size and its transfer")), 1) << "in place of the chart alone";
    panel.showPage(CommunicationPanel::kOverlap);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Nothing is hidden"))) << panel.summary().toStdString();
    EXPECT_EQ(said(QStringLiteral("both compute and communication")), 1);
    panel.showPage(CommunicationPanel::kBucketSizes);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("No gradient buckets"))) << panel.summary().toStdString();
    panel.setRuns({});
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("No run is open."))) << panel.summary().toStdString();
}

TEST_F(CommunicationPanelTest, SizesOfTransfersAreNamedInTheirOwnUnits) {
    RunChart& transfers = chart(CommunicationPanel::kTransfers);
    const auto items = transfers.chart().childItems();
    const auto at = std::ranges::find_if(
        items, [](QGraphicsItem* item) { return dynamic_cast<const ByteLabels*>(item) != nullptr; });
    ASSERT_NE(at, items.end());
    const std::vector<QString> labels = dynamic_cast<const ByteLabels&>(**at).shown();
    EXPECT_EQ(labels.front(), QStringLiteral("1 kB"));
    EXPECT_EQ(labels.back(), QStringLiteral("100 MB"));
    EXPECT_EQ(std::ranges::count(labels, QStringLiteral("1 MB")), 1) << "and not 1000 kB";
}

TEST_F(CommunicationPanelTest, TheGreatestSizeOfTransfersIsWholeInLargeText) {
    panel.setTheme(Theme::darkTheme().withTextSize(2));
    settle();
    RunChart& transfers = chart(CommunicationPanel::kTransfers);
    const QFontMetricsF metrics(transfers.chart().axes(Qt::Horizontal).constFirst()->labelsFont());
    const double half = metrics.horizontalAdvance(QStringLiteral("100 MB")) / 2;
    EXPECT_LE(transfers.chart().plotArea().right() + half, transfers.chart().size().width());
}

TEST_F(CommunicationPanelTest, AxesOfBucketSizesKeepTheirTitlesInLargeTextAndALowPanel) {
    panel.setTheme(Theme::darkTheme().withTextSize(2));
    panel.resize(905, 244);  // as in a window of 1280x720
    settle();
    RunChart& sizes = chart(CommunicationPanel::kBucketSizes);
    const auto title = [&sizes](Qt::Orientation of) -> const QAbstractAxis& {
        return *sizes.chart().axes(of).constFirst();
    };
    EXPECT_TRUE(title(Qt::Horizontal).isTitleVisible());
    EXPECT_TRUE(title(Qt::Vertical).isTitleVisible());
    const QFontMetricsF metrics(title(Qt::Vertical).titleFont());
    EXPECT_LE(metrics.horizontalAdvance(title(Qt::Vertical).titleText()), sizes.chart().plotArea().height());
    panel.setTheme(Theme::darkTheme());
    panel.resize(1'100, 600);
    settle();
    EXPECT_EQ(title(Qt::Vertical).titleText(), QStringLiteral("step in ms")) << "where it has room";
}

TEST_F(CommunicationPanelTest, TheTitlesOfBucketSizesAreWholeInASmallPanel) {
    panel.resize(860, 300);
    panel.showPage(CommunicationPanel::kBucketSizes);
    settle();
    for (QTableView* table : panel.findChildren<QTableView*>()) {
        const QFontMetrics titles(table->horizontalHeader()->font());
        for (int column = 0; table->isVisible() && column < table->model()->columnCount(); ++column) {
            const QString title = table->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            EXPECT_GE(table->columnWidth(column), titles.horizontalAdvance(title) + 2 * kCellPadding)
                << title.toStdString();
        }
    }
}

TEST_F(CommunicationPanelTest, EachBucketSizeAndAllOfTheLegendAreWholeInASmallWindow) {
    constexpr double kAroundLabel = 24;  // the patch, and what is free beside it
    const auto sizes_of_advice = communicatingRun();
    std::vector<BucketCap>& caps = sizes_of_advice->diagnosis.buckets->caps;
    caps = {{1, 26, 21'500'000, 400'000}, {5, 6, 18'500'000, 200'000},  {10, 4, 19'100'000, 200'000},
            {25, 2, 20'100'000, 300'000}, {50, 2, 20'600'000, 300'000}, {100, 1, 21'700'000, 300'000},
            {200, 1, 21'700'000, 300'000}};
    panel.resize(905, 244);  // as in a window of 1280x720
    panel.setRuns({sizes_of_advice});
    settle();
    RunChart& sizes = chart(CommunicationPanel::kBucketSizes);
    EXPECT_EQ(below(sizes), (std::vector<QString>{"1", "5", "10", "25", "50", "100", "200"}));
    const QFontMetricsF metrics(sizes.chart().legend()->font());
    double wanted = 0;
    for (const QString& name : named(sizes)) {
        wanted += metrics.horizontalAdvance(name) + kAroundLabel;
    }
    EXPECT_LE(wanted, sizes.chart().size().width()) << named(sizes).join(QLatin1Char('|')).toStdString();
}

TEST_F(CommunicationPanelTest, TheNamesOfManyRanksBeginWithTheFirstAndTheHeadIsShort) {
    constexpr qsizetype kFits = 44;  // letters, beside the choices in a window of 1280x720
    const auto wide = test::runOnAGrid({.data = 8, .pipeline = 1, .tensor = 2});
    wide->facts.collectives = {};
    for (RankFacts& rank : wide->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition->comm_ns = 2'000'000;
            step.partition->overlap_ns = 1'500'000;
            step.partition->exposed_comm_ns = 500'000;
        }
    }
    panel.resize(905, 244);
    panel.setRuns({wide});
    settle();
    const std::vector<QString> names = below(chart(CommunicationPanel::kOverlap));
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(names.front(), QStringLiteral("rank 0"));
    EXPECT_LE(panel.summary().section(QLatin1Char('\n'), 0, 0).size(), kFits) << panel.summary().toStdString();
}

}  // namespace
}  // namespace rankscope::ui
