// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the hardware a run uses: what the page says, what adds up, and what a click on it means.
#include "ui/panels/compute/efficiency_panel.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QChart>
#include <QComboBox>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/report/tables/missing_share.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/ui/charts/chart_parts.h"
#include "tests/ui/efficiency/used_run.h"
#include "tests/ui/holds.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "ui/charts/table_picture.h"
#include "ui/panels/compute/efficiency_words.h"
#include "ui/panels/compute/missing_rows.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

class EfficiencyPanelTest : public testing::Test {
  protected:
    EfficiencyPanelTest() {
        panel.resize(1'100, 340);
        panel.show();
    }
    void open(std::shared_ptr<const AnalysedRun> of) {
        run = std::move(of);
        panel.setRuns({run});
        settle();
    }
    void settle() {
        panel.job().finish();
        QCoreApplication::processEvents();
    }
    QTableView& way() { return panel.missing().view(); }
    static QString cell(QTableView& table, int row, int column) {
        return table.model()->index(row, column).data().toString();
    }
    static int rowOf(QTableView& table, const QString& title) { return test::rowOf(*table.model(), title); }
    static void click(QTableView& table, int row) {
        table.scrollTo(table.model()->index(row, 0));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
    }
    /// Where a point of the roofline is drawn, in its view.
    QPoint placeOf(std::size_t point) {
        RooflineChart& chart = panel.roofline();
        QAbstractSeries* series = chart.chart().series().constFirst();
        const QPointF value(chart.points()[point].intensity, chart.points()[point].tflops);
        return chart.view().mapFromScene(chart.chart().mapToScene(chart.chart().mapToPosition(value, series)));
    }

    std::shared_ptr<const AnalysedRun> run;
    EfficiencyPanel panel{Theme::darkTheme()};
};

class EfficiencyOfUsedRun : public EfficiencyPanelTest {
  protected:
    EfficiencyOfUsedRun() { open(test::usedRun()); }
};

TEST_F(EfficiencyOfUsedRun, SaysMfuAgainstThePeakAndWhatTheCountedOperatorsCover) {
    const double mfu = *run->facts.efficiency.mfu();
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("MFU %1").arg(qRound(100 * mfu))))
        << panel.summary().toStdString();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("TFLOP/s"))) << panel.summary().toStdString();
    EXPECT_FALSE(panel.summary().contains(QStringLiteral("HFU"))) << "nothing is recomputed";
    EXPECT_TRUE(test::holds(panel.summary(), {"counted operators take 85"}));
}

TEST_F(EfficiencyOfUsedRun, TheWayLeadsFromPeakToAchievedAndEachLineStartsWhereThePreviousEnds) {
    const report::MissingShare share = report::missingShare(*run);
    const std::vector<MissingRow> rows = missingRows(share);
    ASSERT_EQ(static_cast<int>(rows.size()), way().model()->rowCount());
    EXPECT_EQ(rows.front().to_ns, share.time_ns);
    for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
        EXPECT_EQ(rows[i].from_ns, rows[i - 1].to_ns) << i;
        EXPECT_EQ(rows[i].from_ns - rows[i].to_ns, rows[i].part->ns) << i;
    }
    EXPECT_EQ(rows.back().to_ns, rows[rows.size() - 2].to_ns);
    EXPECT_NEAR(static_cast<double>(rows.back().to_ns) / static_cast<double>(share.time_ns),
                *run->facts.efficiency.mfu(), 1e-4);
    EXPECT_EQ(cell(way(), 0, 0), QStringLiteral("GPU peak"));
    EXPECT_EQ(cell(way(), 0, 1), QStringLiteral("100 %"));
    EXPECT_EQ(cell(way(), way().model()->rowCount() - 1, 0), QStringLiteral("Achieved: MFU"));
    EXPECT_GE(rowOf(way(), QStringLiteral("Compute-bound kernels")), 0);
    EXPECT_GE(rowOf(way(), QStringLiteral("Memory-bound kernels")), 0);
    EXPECT_GE(rowOf(way(), QStringLiteral("Idle: input")), 0);
}

TEST_F(EfficiencyOfUsedRun, TheWayAsCsvHasNoEmptyColumnForWhatIsDrawn) {
    const QString csv = QString::fromStdString(csvOf(way()));
    const QString titles = csv.section(QLatin1Char('\n'), 0, 0);
    EXPECT_FALSE(titles.contains(QStringLiteral("way"))) << titles.toStdString();
    EXPECT_EQ(titles.count(QLatin1Char(',')), way().model()->columnCount() - 2) << titles.toStdString();
}

TEST_F(EfficiencyPanelTest, ASmallMfuIsNotRoundedToZeroAndTheBoundNamesItsLine) {
    open(test::usedRun(test::kUnknownDevice));
    auto small = std::make_shared<AnalysedRun>(*run);
    UncountedKernel gemm;
    gemm.multiplies = true;
    gemm.time_ns = small->facts.efficiency.total.compute_ns / 2;
    small->facts.efficiency.uncounted.push_back(gemm);
    EXPECT_TRUE(efficiencyHead(*small, {}).notes.contains(QStringLiteral("TFLOP/s is a lower bound")));
    EXPECT_EQ(percent(0.00024), QStringLiteral("0.024\u00a0%"));
    EXPECT_EQ(teraflops(3.53e-5), QStringLiteral("0.0000353"));
}

TEST_F(EfficiencyOfUsedRun, ALineLeadsToTheFindingThatIsAboutItOrToWhatTookLongest) {
    auto with_finding = std::make_shared<AnalysedRun>(*run);  // of its own it has none: workers would cost more
    with_finding->diagnosis.findings.emplace_back().id = FindingId::DataloaderStall;
    open(with_finding);
    QSignalSpy slices(&panel, &EfficiencyPanel::sliceActivated);
    QSignalSpy findings(&panel, &EfficiencyPanel::findingActivated);
    click(way(), rowOf(way(), QStringLiteral("Idle: input")));
    ASSERT_EQ(findings.size(), 1);
    const auto finding = findings[0][0].value<FindingSelection>();
    EXPECT_EQ(run->diagnosis.findings[finding.finding].id, FindingId::DataloaderStall);
    click(way(), rowOf(way(), QStringLiteral("Memory-bound kernels")));
    ASSERT_EQ(slices.size(), 1);
    const auto slice = slices[0][0].value<SliceSelection>();
    EXPECT_EQ(run->run->ranks[slice.rank]->name(slice.slice), "aten::addmm");
    click(way(), rowOf(way(), QStringLiteral("Kernels without counted FLOPs")));
    ASSERT_EQ(slices.size(), 2);
    const auto kernel = slices[1][0].value<SliceSelection>();
    EXPECT_EQ(run->run->ranks[kernel.rank]->name(kernel.slice), "elementwise_kernel");
}

TEST_F(EfficiencyOfUsedRun, EveryLineOfTheWayCanBeHitAndSaysWhereItLeads) {
    for (int row = 1; row < way().model()->rowCount(); ++row) {
        const QSignalSpy slices(&panel, &EfficiencyPanel::sliceActivated);
        const QSignalSpy findings(&panel, &EfficiencyPanel::findingActivated);
        click(way(), row);
        EXPECT_EQ(slices.size() + findings.size(), 1) << cell(way(), row, 0).toStdString();
        const QString tip = way().model()->index(row, 0).data(Qt::ToolTipRole).toString();
        EXPECT_FALSE(tip.isEmpty()) << cell(way(), row, 0).toStdString();
    }
}

TEST_F(EfficiencyOfUsedRun, AClickOnAPointOfTheRooflineLeadsToItsLongestCall) {
    ASSERT_EQ(panel.roofline().points().size(), 2U);
    QSignalSpy asked(&panel, &EfficiencyPanel::sliceActivated);
    for (std::size_t point = 0; point < 2; ++point) {
        QTest::mouseClick(panel.roofline().view().viewport(), Qt::LeftButton, {}, placeOf(point));
        ASSERT_EQ(asked.size(), static_cast<qsizetype>(point) + 1) << "point " << point;
        const auto slice = asked.back()[0].value<SliceSelection>();
        const ProductRow& row = run->facts.efficiency.products[panel.roofline().points()[point].row];
        EXPECT_EQ(slice.slice, row.longest.slice);
        EXPECT_EQ(run->run->ranks[slice.rank]->name(slice.slice), row.name);
    }
}

TEST_F(EfficiencyOfUsedRun, ATooltipSaysWhatAPointIs) {
    QTest::mouseMove(panel.roofline().view().viewport(), placeOf(0) + QPoint(60, 60));
    QTest::mouseMove(panel.roofline().view().viewport(), placeOf(0));
    QCoreApplication::processEvents();
    EXPECT_TRUE(test::holds(QToolTip::text(), {"aten::mm", "bfloat16", "compute-bound"}));
    QToolTip::hideText();
}

TEST_F(EfficiencyOfUsedRun, TheKeyboardGoesFromPointToPointAndEnterLeadsThere) {
    const QSignalSpy asked(&panel, &EfficiencyPanel::sliceActivated);
    panel.roofline().view().setFocus();
    QTest::keyClick(&panel.roofline().view(), Qt::Key_Right);
    QTest::keyClick(&panel.roofline().view(), Qt::Key_Return);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_TRUE(panel.roofline().view().spokenContent().contains(QStringLiteral("aten::mm")));
}

TEST_F(EfficiencyOfUsedRun, RoofsAreThoseOfTheDeviceByNumberTypeAndOfItsMemory) {
    const QStringList named = test::legendOf(panel.roofline());
    EXPECT_TRUE(named.contains(QStringLiteral("bfloat16: 312 TFLOP/s"))) << named.join(QLatin1Char('|')).toStdString();
    EXPECT_TRUE(named.contains(QStringLiteral("float32: 19.5 TFLOP/s"))) << named.join(QLatin1Char('|')).toStdString();
    EXPECT_EQ(named.filter(QStringLiteral("memory: ")).size(), 1);
    EXPECT_EQ(named.size(), 3) << "points stand under the roof of their colour";
    for (const RooflinePoint& point : panel.roofline().points()) {
        const DevicePeak& peak = *run->facts.efficiency.ranks[0].peak;
        EXPECT_LE(point.tflops, *peak.tflops[point.type]);
    }
}

TEST_F(EfficiencyOfUsedRun, KernelsArePointsAndRowsToo) {
    test::clickButton(panel, QStringLiteral("Kernels"));
    ASSERT_EQ(panel.roofline().points().size(), 2U);
    QSignalSpy asked(&panel, &EfficiencyPanel::sliceActivated);
    QTest::mouseClick(panel.roofline().view().viewport(), Qt::LeftButton, {}, placeOf(0));
    ASSERT_EQ(asked.size(), 1);
    const auto slice = asked[0][0].value<SliceSelection>();
    EXPECT_EQ(run->run->ranks[0]->name(slice.slice), "ampere_bf16_s16816gemm_bf16_128x128_tn");
    test::clickButton(panel, QStringLiteral("Table"));
    EXPECT_FALSE(panel.roofline().isVisible());
    click(panel.rows().view(), 1);
    ASSERT_EQ(asked.size(), 2);
    EXPECT_EQ(run->run->ranks[0]->name(asked[1][0].value<SliceSelection>().slice), "ampere_sgemm_32x32_tn");
}

TEST_F(EfficiencyOfUsedRun, TheTableIsSortedByAClickOnATitleAndSavedAsShown) {
    panel.showRows(Counted::Operators, true);
    QTableView& table = panel.rows().view();
    EXPECT_EQ(cell(table, 0, 0), QStringLiteral("aten::mm")) << "longest first";
    int per_byte = 0;
    while (table.model()->headerData(per_byte, Qt::Horizontal).toString() != QStringLiteral("FLOPs/byte")) {
        ASSERT_LT(++per_byte, table.model()->columnCount());
    }
    const QHeaderView& titles = *table.horizontalHeader();
    table.scrollTo(table.model()->index(0, per_byte));
    const QPoint title(titles.sectionViewportPosition(per_byte) + 8, titles.height() / 2);
    QTest::mouseClick(titles.viewport(), Qt::LeftButton, {}, title);
    QTest::mouseClick(titles.viewport(), Qt::LeftButton, {}, title);  // ascending
    ASSERT_TRUE(QTest::qWaitFor([&] { return cell(table, 0, 0) == QStringLiteral("aten::addmm"); }));
    EXPECT_TRUE(QString::fromStdString(csvOf(table)).startsWith(QStringLiteral("name,shapes,type")));
}

TEST_F(EfficiencyPanelTest, AnUnknownDeviceHasNoRoofAndThePanelSaysWhatToDo) {
    open(test::usedRun(test::kUnknownDevice));
    EXPECT_TRUE(test::holds(panel.summary(), {"peak unknown", "The peak of Wondrous 9 is unknown.", "--peak-tflops"}));
    EXPECT_EQ(cell(way(), 0, 0), QStringLiteral("The whole step")) << "no way leads down from a peak";
    EXPECT_EQ(way().model()->headerData(1, Qt::Horizontal).toString(), QStringLiteral("Of step"));
    EXPECT_EQ(cell(way(), way().model()->rowCount() - 1, 1), QString(QChar(0x2013))) << "MFU unknown";
    EXPECT_EQ(panel.roofline().points().size(), 2U) << "points need no roof";
}

TEST_F(EfficiencyPanelTest, WhatIsMissingLeadsToWhereItIsEntered) {
    QAction job;
    const QSignalSpy asked(&job, &QAction::triggered);
    panel.setJobAction(&job);
    open(test::usedRun(test::kUnknownDevice));
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("Describe the job..."))) << panel.summary().toStdString();
    for (QLabel* label : panel.findChildren<QLabel*>()) {
        if (label->text().contains(QStringLiteral("href"))) {
            Q_EMIT label->linkActivated(QStringLiteral("job"));
        }
    }
    EXPECT_EQ(asked.size(), 1);
}

TEST_F(EfficiencyPanelTest, WithoutShapesMfuIsUnknownButTheWayStillShowsWhereTheTimeWent) {
    open(test::usedRunWithoutShapes());
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("MFU unknown"))) << panel.summary().toStdString();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("record_shapes=True"))) << panel.summary().toStdString();
    EXPECT_GE(rowOf(way(), QStringLiteral("Kernels without counted FLOPs")), 0);
    EXPECT_TRUE(panel.roofline().points().empty());
}

TEST_F(EfficiencyPanelTest, SaysOnceWhyNothingIsCountedAndHasNoRooflineThen) {
    auto hidden = std::make_shared<AnalysedRun>(*test::usedRunWithoutShapes());
    hidden->facts.efficiency.no_flops = NoFlops::NoLaunch;
    open(hidden);
    EXPECT_TRUE(test::holds(panel.summary(), {"CUDA graphs, compiled code"}));
    EXPECT_FALSE(panel.roofline().isVisible());
    EXPECT_GT(way().width(), panel.width() - 40) << "the table has its place";
    open(test::usedRun());
    EXPECT_TRUE(panel.roofline().isVisible());
}

TEST_F(EfficiencyPanelTest, WithoutARunItSaysSo) {
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("No run is open."))) << panel.summary().toStdString();
    open(test::usedRun());
    panel.setRuns({});
    settle();
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("No run is open."))) << panel.summary().toStdString();
}

TEST_F(EfficiencyPanelTest, ThePictureOfTheWayHasAllItsLines) {
    panel.resize(1'100, 200);  // not all are in sight
    open(test::usedRun());
    const QSize size = pictureSize(way());
    QImage image(size, QImage::Format_ARGB32);
    image.fill(Theme::darkTheme().surface);
    QPainter painter(&image);
    paintTable(painter, way(), Theme::darkTheme());
    painter.end();
    EXPECT_GT(size.height(), way().viewport()->height());
    const int bar = size.width() - way().columnWidth(3) + 10;  // what is achieved begins at the left edge
    const int last = size.height() - way().rowHeight(0) / 2;
    EXPECT_EQ(image.pixelColor(bar, last), Theme::darkTheme().accent);
}

TEST_F(EfficiencyPanelTest, OfARankTheWayIsThatRanks) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    open(std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::realTraces() / "resnet_ddp_4ranks_rocm")));
    auto& ranks = test::named<QComboBox>(panel, QStringLiteral("Rank"));
    ASSERT_EQ(ranks.count(), 5);
    const QString all = cell(way(), 1, 1);
    for (int rank = 0; rank < 4; ++rank) {
        ranks.setCurrentIndex(rank + 1);
        settle();
        const RankEfficiency& of = run->facts.efficiency.ranks[static_cast<std::size_t>(rank)];
        const report::MissingShare share = report::missingShare(*run, RankPosition(rank));
        EXPECT_EQ(share.time_ns, of.counted.time_ns);
        DurationNs sum_ns = 0;
        for (const report::MissingPart& part : share.parts) {
            sum_ns += part.ns;
        }
        EXPECT_EQ(sum_ns, of.counted.time_ns) << rank;
        EXPECT_EQ(way().model()->rowCount(), static_cast<int>(missingRows(share).size()));
    }
}

TEST_F(EfficiencyPanelTest, OfARankTheRooflineTheTableAndWhereTheyLeadAreThatRanks) {
    open(test::usedRunOfTwoRanks());
    panel.showRows(Counted::Operators, true);
    EXPECT_EQ(cell(panel.rows().view(), 0, 4), QStringLiteral("2.25 ms")) << "1.5 ms of one, 0.75 ms of the other";
    auto& ranks = test::named<QComboBox>(panel, QStringLiteral("Rank"));
    ranks.setCurrentIndex(2);
    settle();
    EXPECT_EQ(cell(panel.rows().view(), 0, 4), QStringLiteral("750 µs"));
    const QSignalSpy slices(&panel, &EfficiencyPanel::sliceActivated);
    click(panel.rows().view(), 0);
    panel.showRows(Counted::Operators, false);
    ASSERT_EQ(panel.roofline().points().size(), 2U);
    EXPECT_EQ(panel.roofline().points()[0].time_ns, 750'000);
    QTest::mouseClick(panel.roofline().view().viewport(), Qt::LeftButton, {}, placeOf(0));
    click(way(), rowOf(way(), QStringLiteral("Memory-bound kernels")));
    ASSERT_EQ(slices.size(), 3);
    for (const QList<QVariant>& slice : slices) {
        EXPECT_EQ(slice[0].value<SliceSelection>().rank, RankPosition(1));
    }
}

TEST_F(EfficiencyOfUsedRun, NamesAndTitlesAreWholeWhileTheDrawnColumnHasRoom) {
    panel.resize(1'000, 300);
    settle();
    const QFontMetrics words = way().fontMetrics();
    const QFontMetrics titles(way().horizontalHeader()->font());
    ASSERT_GT(way().columnWidth(way().model()->columnCount() - 1), 80) << "there is room";
    const QString title = way().model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString();
    EXPECT_GE(way().columnWidth(0), titles.horizontalAdvance(title) + 2 * kCellPadding);
    for (int row = 0; row < way().model()->rowCount(); ++row) {
        EXPECT_GE(way().columnWidth(0), words.horizontalAdvance(cell(way(), row, 0)) + 2 * kCellPadding)
            << cell(way(), row, 0).toStdString();
    }
    panel.resize(360, 500);  // at the side
    settle();
    EXPECT_EQ(way().horizontalScrollBar()->maximum(), 0) << "names are cut instead";
    EXPECT_GE(way().columnWidth(0), words.horizontalAdvance(QStringLiteral("Compute-bound")));
}

TEST_F(EfficiencyOfUsedRun, TheShapesOfAnOperatorAreWrittenAsInTheTables) {
    for (const ProductRow& row : run->facts.efficiency.products) {
        EXPECT_FALSE(productWords(row).contains(QLatin1Char('['))) << productWords(row).toStdString();
    }
}

TEST_F(EfficiencyOfUsedRun, BothAxesOfTheRooflineNameTheirEndsBelowOneToo) {
    for (const QAbstractAxis* each : panel.roofline().chart().axes()) {
        const auto& axis = dynamic_cast<const QLogValueAxis&>(*each);
        // Qt counts labels by these logarithms.
        EXPECT_EQ(std::ceil(std::log(axis.min()) / std::log(axis.base())), std::round(std::log10(axis.min())));
        EXPECT_EQ(std::floor(std::log(axis.max()) / std::log(axis.base())), std::round(std::log10(axis.max())));
    }
}

TEST_F(EfficiencyOfUsedRun, ALowRooflineNamesItsAxisAndCutsNoLabel) {
    RooflineChart& roofline = panel.roofline();
    const QAbstractAxis& across = *roofline.chart().axes(Qt::Horizontal).constFirst();
    const auto& up = dynamic_cast<const QLogValueAxis&>(*roofline.chart().axes(Qt::Vertical).constFirst());
    const double line = QFontMetricsF(up.labelsFont()).height();
    for (const int lines : {7, 9}) {
        roofline.view().setFixedHeight(static_cast<int>(lines * line));
        QCoreApplication::processEvents();
        const double powers = std::log10(up.base());
        const double named = std::floor(std::log10(up.max()) / powers) - std::ceil(std::log10(up.min()) / powers) + 1;
        EXPECT_GE(named, 1);
        EXPECT_LE(named * line, roofline.chart().plotArea().height()) << lines;
    }
    EXPECT_TRUE(across.isTitleVisible()) << "it is as high as in a window of 1280x720";
}

TEST_F(EfficiencyPanelTest, BothAxesOfTheRooflineKeepTheirTitlesInLargeTextAndALowPanel) {
    panel.setTheme(Theme::darkTheme().withTextSize(1.4));
    panel.resize(905, 244);  // as in a window of 1280x720
    open(test::usedRun());
    for (const QAbstractAxis* axis : panel.roofline().chart().axes()) {
        EXPECT_TRUE(axis->isTitleVisible()) << axis->titleText().toStdString();
    }
}

TEST_F(EfficiencyOfUsedRun, KernelsThatDifferAtTheirEndsStayDistinctWhereNamesHaveNoRoom) {
    const QTableView& view = panel.rows().view();
    const QString begin = QStringLiteral("Cijk_Ailk_Bljk_HHS_BH_Bias_AS_SAV_UserArgs_");
    QStandardItemModel names(3, 1);
    names.setItem(0, new QStandardItem(begin + QStringLiteral("MT64x64x32_SN")));
    names.setItem(1, new QStandardItem(begin + QStringLiteral("MT128x96x16_VW4")));
    names.setItem(2, new QStandardItem(begin + QString(2'000, QLatin1Char('x')) + QStringLiteral("MT64x64x32_SN")));
    const auto draw = [&](QImage& image, int row) {
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.font = view.font();
        option.textElideMode = Qt::ElideRight;
        option.rect = image.rect();
        view.itemDelegateForIndex(view.model()->index(0, 0))->paint(&painter, option, names.index(row, 0));
    };
    const auto drawn = [&](int row) {
        QImage image(180, 26, QImage::Format_RGB32);
        image.fill(Qt::white);
        draw(image, row);
        return image;
    };
    EXPECT_NE(drawn(0), drawn(1));
    EXPECT_EQ(drawn(0), drawn(2)) << "however much of the middle is left out";
}

TEST_F(EfficiencyPanelTest, ControlsMoveBelowTheTitleWhereThereIsNoRoomNextToIt) {
    panel.resize(340, 500);
    open(test::usedRun());
    int leftmost = panel.width();
    for (const QString& words : {QStringLiteral("Operators"), QStringLiteral("Roofline"), QStringLiteral("Kernels")}) {
        leftmost = std::min(leftmost, test::buttonIn(panel, words)->mapTo(&panel, QPoint(0, 0)).x());
    }
    const QList<QComboBox*> boxes = panel.findChildren<QComboBox*>();
    for (const QComboBox* box : boxes) {
        leftmost = box->isVisible() ? std::min(leftmost, box->mapTo(&panel, QPoint(0, 0)).x()) : leftmost;
    }
    const QList<ElidedLabel*> labels = panel.findChildren<ElidedLabel*>();
    const auto title = std::ranges::find_if(
        labels, [](const ElidedLabel* label) { return label->text().startsWith(QStringLiteral("MFU")); });
    ASSERT_TRUE(title != labels.end());
    EXPECT_EQ(leftmost, (*title)->mapTo(&panel, QPoint(0, 0)).x());
}

TEST_F(EfficiencyPanelTest, FiguresOfTheWayAreWholeInLargeText) {
    const Theme large = Theme::darkTheme().withTextSize(2);
    open(test::usedRun());
    const int narrow = way().columnWidth(2);
    panel.setTheme(large);
    settle();
    const QFontMetrics figures(large.mono_font);
    for (int row = 0; row < way().model()->rowCount(); ++row) {
        for (const int column : {1, 2}) {
            EXPECT_GE(way().columnWidth(column), figures.horizontalAdvance(cell(way(), row, column)) + 2 * kCellPadding)
                << cell(way(), row, column).toStdString();
        }
    }
    EXPECT_GE(way().rowHeight(0), QFontMetrics(large.ui_font).height());
    panel.setTheme(Theme::darkTheme());
    settle();
    EXPECT_EQ(way().columnWidth(2), narrow);
}

}  // namespace
}  // namespace rankscope::ui
