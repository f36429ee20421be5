// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels say of an area that is drawn and of a band that is clicked.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <memory>

#include "tests/ui/holds.h"
#include "tests/ui/panels/hand_made_run.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/diagnosis/band_text.h"
#include "ui/panels/selection/area_panel.h"
#include "ui/panels/shared/sum_table.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

constexpr TimeNs kBase = 1'000'000'000;

AreaSelection areaOver(const TimeSpan& span) {
    return {
        0,
        {{kBase + span.start_ns, kBase + span.end_ns}, {{RankPosition(), TrackId(0)}, {RankPosition(), TrackId(1)}}}};
}

class AreaPanelTest : public testing::Test {
  protected:
    AreaPanelTest() { panel.setRuns({test::HandMadeRun::make()}); }
    void show(const TimeSpan& span) {
        panel.showArea(areaOver(span));
        panel.finish();
    }
    static QString cell(const QTableWidget& table, const QString& row, int column) {
        const int at = test::rowOf(*table.model(), row);
        return at < 0 ? QStringLiteral("no such row") : table.item(at, column)->text();
    }
    QComboBox* box(const QString& name) { return &test::named<QComboBox>(panel, name); }
    void choose(const QString& name, const QString& entry) {
        box(name)->setCurrentIndex(box(name)->findText(entry));
        panel.finish();
    }
    AreaPanel panel{Theme::darkTheme()};
};

TEST_F(AreaPanelTest, AddsUpTheSlicesByNameMostExpensiveFirst) {
    show({0, 100'000'000});
    EXPECT_TRUE(test::holds(panel.summary(), {"100.0 ms on 2 tracks", "3 slices"}));
    ASSERT_EQ(panel.groups().rowCount(), 3);
    EXPECT_EQ(panel.groups().item(0, 0)->text(), QStringLiteral("aten::conv2d"));
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("aten::conv2d"), 3), QStringLiteral("70.0 ms"));
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("aten::conv2d"), 4), QStringLiteral("70.0 ms")) << "less 20 us";
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("cudaLaunchKernel"), 3), QStringLiteral("20.0 µs"));
}

TEST_F(AreaPanelTest, CountsOnlyThePartsInsideIt) {
    show({60'050'000, 70'050'000});
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("implicit_convolve_sgemm"), 3), QStringLiteral("10.0 ms"));
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("aten::conv2d"), 3), QStringLiteral("9.95 ms"));
    EXPECT_EQ(panel.groups().rowCount(), 2);
    EXPECT_EQ(panel.ranks().rowCount(), 1);
}

TEST_F(AreaPanelTest, TheSelectedNamesAreCopiedWithTheirTitles) {
    show({0, 100'000'000});
    panel.QWidget::show();
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    const QList<QTableWidget*> tables = panel.findChildren<QTableWidget*>();
    QTableWidget* names = *std::ranges::find(tables, &panel.groups());
    names->setFocus();
    names->selectRow(0);
    QTest::keyClick(names, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(test::begins(copied, "Name\tCount\tTotal\tSelf\tMean\tShare\naten::conv2d\t1\t70.0 ms"));
}

TEST_F(AreaPanelTest, EqualRowsKeepTheirOrderByNameAfterAnyNumberOfSums) {
    auto run = std::make_shared<AnalysedRun>(*test::HandMadeRun::make());
    const auto rank = std::const_pointer_cast<RankTrace>(run->run->ranks[0]);
    SliceTable& slices = rank->tracks[1].slices;
    for (const char* name : {"b_kernel", "a_kernel", "c_kernel"}) {
        const std::size_t i = slices.size();
        slices.resize(i + 1);
        slices.start_ns[i] = kBase + static_cast<TimeNs>(i) * 100'000'000;
        slices.end_ns[i] = slices.start_ns[i] + 1'000'000;
        slices.name[i] = rank->strings.intern(name);
        slices.category[i] = Category::Kernel;
        slices.parent[i] = kNoSlice;
    }
    panel.setRuns({run});
    for (int time = 0; time < 3; ++time) {
        show({100'000'000, 400'000'000});
        EXPECT_EQ(test::column(*panel.groups().model()).join(QLatin1Char(' ')),
                  QStringLiteral("a_kernel b_kernel c_kernel"))
            << time;
    }
}

TEST_F(AreaPanelTest, IsSavedWithWholeNumbersWhoseUnitTheTitlesHave) {
    show({0, 100'000'000});
    const std::string names = csvOf(panel.groups());
    EXPECT_TRUE(
        names.starts_with("Name,Count,Total (ns),Self (ns),Mean (ns),Share\r\naten::conv2d,1,70000000,69980000,"))
        << names;
    const std::string ranks = csvOf(panel.ranks());
    EXPECT_TRUE(ranks.starts_with("Rank,Busy,Compute (ns),Exposed (ns),Copy (ns),Idle (ns),")) << ranks;
    EXPECT_EQ(ranks.find(" ms"), std::string::npos) << ranks;
}

TEST_F(AreaPanelTest, GroupsSlicesByTheChosenProperty) {
    show({0, 100'000'000});
    choose(QStringLiteral("Group slices by"), QStringLiteral("By class"));
    EXPECT_EQ(panel.groups().horizontalHeaderItem(0)->text(), QStringLiteral("Class"));
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("cpu_op"), 3), QStringLiteral("70.0 ms"));
    EXPECT_TRUE(panel.groups().isColumnHidden(1));
    choose(QStringLiteral("Then group by"), QStringLiteral("then by name"));
    EXPECT_FALSE(panel.groups().isColumnHidden(1));
    EXPECT_EQ(cell(panel.groups(), QStringLiteral("cpu_op"), 1), QStringLiteral("aten::conv2d"));
}

TEST_F(AreaPanelTest, ShowsOnlyTheChosenClassAndText) {
    show({0, 100'000'000});
    choose(QStringLiteral("Class of the slices"), QStringLiteral("cuda_runtime"));
    ASSERT_EQ(panel.groups().rowCount(), 1);
    EXPECT_EQ(panel.groups().item(0, 0)->text(), QStringLiteral("cudaLaunchKernel"));
    EXPECT_EQ(panel.groups().item(0, 6)->text(), QStringLiteral("100 %"));
    box(QStringLiteral("Class of the slices"))->setCurrentIndex(0);
    QTest::keyClicks(panel.findChild<QLineEdit*>(), QStringLiteral("CONV2"));
    panel.finish();
    ASSERT_EQ(panel.groups().rowCount(), 1);
    EXPECT_EQ(panel.groups().item(0, 0)->text(), QStringLiteral("aten::conv2d"));
}

TEST_F(AreaPanelTest, OffersTheClassesInTheArea) {
    auto run = std::make_shared<AnalysedRun>(*test::HandMadeRun::make());
    const auto rank = std::const_pointer_cast<RankTrace>(run->run->ranks[0]);
    SliceTable& slices = rank->tracks[1].slices;
    const std::size_t i = slices.size();
    slices.resize(i + 1);
    slices.start_ns[i] = kBase + 200'000'000;
    slices.end_ns[i] = slices.start_ns[i] + 1'000'000;
    slices.name[i] = rank->strings.intern("ProfilerStep#1");
    slices.category[i] = Category::GpuAnnotation;
    slices.parent[i] = kNoSlice;
    panel.setRuns({run});
    QComboBox* classes = box(QStringLiteral("Class of the slices"));
    show({0, 100'000'000});
    EXPECT_EQ(classes->findText(QStringLiteral("gpu_user_annotation")), -1);
    EXPECT_EQ(classes->findText(QStringLiteral("python_function")), -1) << "there is none";
    classes->setCurrentIndex(classes->findText(QStringLiteral("cpu_op")));
    show({150'000'000, 400'000'000});
    EXPECT_EQ(classes->currentText(), QStringLiteral("cpu_op")) << "what was chosen stays";
    EXPECT_EQ(panel.groups().rowCount(), 0);
    classes->setCurrentIndex(classes->findText(QStringLiteral("gpu_user_annotation")));
    panel.finish();
    EXPECT_EQ(panel.groups().rowCount(), 1);
}

TEST_F(AreaPanelTest, ForgetsItWithTheArea) {
    show({0, 100'000'000});
    panel.showArea({});
    EXPECT_EQ(panel.groups().rowCount(), 0);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("No area is marked")));
    EXPECT_FALSE(panel.groups().isVisibleTo(&panel)) << "no empty table below the words";
    show({0, 100'000'000});
    EXPECT_TRUE(panel.groups().isVisibleTo(&panel));
}

// A run whose rank communicates from 20 to 50 ms, exposed, and waits `waits` times in it for itself.
std::shared_ptr<const AnalysedRun> withExposed(std::size_t waits) {
    auto run = std::make_shared<AnalysedRun>(*test::HandMadeRun::make());
    RankFacts& rank = run->facts.ranks[0];
    rank.exposed_communication = IntervalSet::unionOf({{kBase + 20'000'000, kBase + 50'000'000}});
    Partition& p = *rank.steps[0].partition;
    p.comm_ns = 40'000'000;
    p.overlap_ns = 10'000'000;
    p.exposed_comm_ns = 30'000'000;
    for (std::size_t i = 0; i < waits; ++i) {
        ExposedWait& wait = rank.steps[0].waits.emplace_back();
        wait.span = {kBase + 20'000'000 + static_cast<TimeNs>(i) * 1'000'000,
                     kBase + 21'000'000 + static_cast<TimeNs>(i) * 1'000'000};
        wait.parts.push_back({wait.span, RankPosition(0), WaitedFor::Compute});
    }
    return run;
}

TEST(BandText, SaysHowLongItIsAndWhatItsStepHides) {
    const auto run = withExposed(2);
    const BandSelection band{0, RankPosition(), BandKind::Exposed, 0};
    EXPECT_EQ(bandTitle(*run, band), QStringLiteral("30.0 ms of exposed communication on rank 0"));
    const QString html = bandHtml(*run, nullptr, band, Theme::darkTheme());
    EXPECT_TRUE(
        test::holds(html, {"communicates and computes nothing", "40.0 ms: 25 % of it under compute, 30.0 ms exposed"}));
    EXPECT_EQ(html.count(QStringLiteral("rank 0 was computing")), 2);
    EXPECT_FALSE(html.contains(QStringLiteral("more")));
}

TEST(BandText, NamesTheCollectivesThatReachIntoIt) {
    auto run = std::make_shared<AnalysedRun>(*withExposed(1));
    CollectiveMember member;
    member.slices = {test::HandMadeRun::kKernel};
    for (const TimeNs start : {10'000'000, 25'000'000, 50'000'000}) {
        member.span = {kBase + start, kBase + start + 15'000'000};
        run->facts.collectives.collectives.emplace_back().members = {member};
    }
    const CollectiveIndex collectives(run->facts.collectives);
    const QString html = bandHtml(*run, &collectives, {0, RankPosition(), BandKind::Exposed, 0}, Theme::darkTheme());
    EXPECT_TRUE(test::holds(html, {"5.00 ms of its 15.0 ms is here", "15.0 ms of its 15.0 ms is here"}));
    EXPECT_EQ(html.count(QStringLiteral("is here")), 2) << "the third begins where the band ends";
}

TEST(BandText, CountsTheWaitsThatItDoesNotList) {
    const QString html =
        bandHtml(*withExposed(11), nullptr, {0, RankPosition(), BandKind::Exposed, 0}, Theme::darkTheme());
    EXPECT_EQ(html.count(QStringLiteral("rank 0 was computing")), 8);
    EXPECT_TRUE(html.contains(QStringLiteral("and 3 more"))) << html.toStdString();
}

/// Counts how often a cell is measured.
class CountingDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        ++measured;
        return QStyledItemDelegate::sizeHint(option, index);
    }
    mutable int measured = 0;
};

TEST(SumTable, MeasuresItsColumnsOnceForAnyNumberOfCells) {
    constexpr int kRows = 500;
    constexpr int kColumns = 7;
    const std::unique_ptr<QTableWidget> table(makeSumTable(QStringList(kColumns, QStringLiteral("Sum")), {}));
    CountingDelegate delegate;
    table->setItemDelegate(&delegate);
    table->resize(900, 300);
    table->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(table.get()));
    const auto fill = [&] {
        const TableFill filling(*table);
        table->setRowCount(kRows);
        for (int row = 0; row < kRows; ++row) {
            for (int column = 0; column < kColumns; ++column) {
                table->setItem(row, column, new NumberItem(QString::number(row * column * 1000), row));
            }
        }
    };
    for (int again = 0; again < 2; ++again) {
        delegate.measured = 0;
        fill();
        QCoreApplication::processEvents();
        EXPECT_GT(delegate.measured, 0);
        EXPECT_LE(delegate.measured, 4 * kRows * kColumns);
    }
    const int widest = QFontMetrics(table->font()).horizontalAdvance(QStringLiteral("1200000"));
    EXPECT_GE(table->columnWidth(kColumns - 1), widest) << "as wide as what it holds";
}

TEST_F(AreaPanelTest, TheTextAboutTheAreaIsCompleteInANarrowPanel) {
    QFont large = panel.font();
    large.setPointSizeF(2 * large.pointSizeF());
    panel.setFont(large);
    panel.resize(320, 400);
    panel.QWidget::show();
    show({0, 100'000'000});
    QCoreApplication::processEvents();
    for (const QLabel* words : panel.findChildren<QLabel*>()) {
        if (words->isVisible() && panel.summary().contains(words->text())) {
            EXPECT_GE(words->height(), words->heightForWidth(words->width())) << words->text().toStdString();
            EXPECT_GE(words->width(), std::min(200, words->fontMetrics().horizontalAdvance(words->text())))
                << words->text().toStdString();
        }
    }
}

TEST_F(AreaPanelTest, AnAreaThatIsStillDrawnIsAddedUpOnceItRests) {
    show({0, 100'000'000});
    const QString before = panel.summary();
    for (TimeNs end_ns = 10'000'000; end_ns < 15'000'000; end_ns += 1'000'000) {
        panel.showArea(areaOver({0, end_ns}));
        QTest::qWait(5);
        EXPECT_EQ(panel.summary(), before) << "the old sums stay";
        EXPECT_TRUE(panel.busy());
    }
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }));
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("14.0 ms on 2 tracks"))) << panel.summary().toStdString();
}

}  // namespace
}  // namespace rankscope::ui
