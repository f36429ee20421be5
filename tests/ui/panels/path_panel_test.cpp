// SPDX-License-Identifier: GPL-3.0-or-later
// The critical path as sums: by what it went to, and by rank.
#include "ui/panels/steps/path_panel.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QCoreApplication>
#include <QFont>
#include <QFontMetrics>
#include <QHeaderView>
#include <QImage>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <algorithm>

#include "tests/support/analysed.h"
#include "tests/support/late_ranks.h"
#include "tests/ui/holds.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

class PathPanelTest : public testing::Test {
  protected:
    PathPanelTest() {
        panel.resize(1000, 300);
        panel.setRuns({run});
        panel.show();
        QObject::connect(&panel, &PathPanel::sliceActivated,
                         [this](const SliceSelection& slice) { asked.push_back(slice); });
    }
    void inView(std::size_t step) {
        panel.setStepInView(StepSelection{0, RunStepPosition(step)});
        panel.job().finish();
    }
    void choose(PathPanel::Scope scope) {
        test::named<QComboBox>(panel, QStringLiteral("Critical path of")).setCurrentIndex(scope);
        panel.job().finish();
    }
    static int rowOf(const QTableWidget& table, const QString& name) { return test::rowOf(*table.model(), name); }
    static QString cell(const QTableWidget& table, const QString& name, int column) {
        const int row = rowOf(table, name);
        return row < 0 ? QStringLiteral("no such row") : table.item(row, column)->text();
    }
    /// The same table as the user has it.
    QTableWidget* shown(const QTableWidget& table) {
        const QList<QTableWidget*> all = panel.findChildren<QTableWidget*>();
        return *std::ranges::find(all, &table);
    }
    /// A real click on a row of a table of the panel.
    void click(const QTableWidget& table, const QString& name) {
        QTableWidget* view = shown(table);
        const QRect place = view->visualItemRect(view->item(rowOf(table, name), 1));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, place.center());
    }

    std::shared_ptr<const AnalysedRun> run =
        std::make_shared<const AnalysedRun>(test::analyse(test::runWithALateRank(4)));
    PathPanel panel{Theme::darkTheme()};
    std::vector<SliceSelection> asked;
};

TEST_F(PathPanelTest, SumsThePathOfTheStepInViewUpByWhatItWentToAndByRank) {
    inView(1);
    EXPECT_TRUE(test::begins(panel.summary(), "Critical path of step 6: 1.00 ms"));
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("turns once"))) << panel.summary().toStdString();
    EXPECT_EQ(cell(panel.parts(), QStringLiteral("Compute"), 1), QStringLiteral("495 µs"));
    EXPECT_EQ(cell(panel.parts(), QStringLiteral("Exposed transfer"), 1), QStringLiteral("100 µs"));
    EXPECT_EQ(cell(panel.parts(), QStringLiteral("Exposed transfer"), 2), QStringLiteral("10 %"));
    EXPECT_EQ(panel.parts().item(1, 0)->text(), QStringLiteral("DataLoader")) << "the largest first";
    EXPECT_EQ(cell(panel.ranks(), QStringLiteral("rank 1"), 1), QStringLiteral("800 µs"));
    EXPECT_EQ(cell(panel.ranks(), QStringLiteral("rank 1"), 3), QStringLiteral("1")) << "rank 0 waited for it";
    EXPECT_EQ(cell(panel.ranks(), QStringLiteral("rank 0"), 1), QStringLiteral("200 µs"));
    EXPECT_EQ(cell(panel.ranks(), QStringLiteral("rank 0"), 3), QStringLiteral("0"));
}

TEST_F(PathPanelTest, HasRoomForTheLongestTimesInASmallWindow) {
    panel.resize(820, 220);  // below the timeline of a window of 1280 x 720, beside the list of pages
    inView(1);
    QCoreApplication::processEvents();
    for (const QTableWidget* table : {&panel.parts(), &panel.ranks()}) {
        const int last = table->columnCount() - 1;
        for (int row = 0; row < table->rowCount(); ++row) {
            const QString time = table->item(row, last)->text().section(QStringLiteral("  "), 0, 0);
            const int needed = table->fontMetrics().horizontalAdvance(time + QStringLiteral("  …"));
            EXPECT_GE(table->columnWidth(last), needed + 20) << time.toStdString();
        }
        for (int column = 1; column < last; ++column) {
            const QString title = table->horizontalHeaderItem(column)->text();
            EXPECT_GT(table->columnWidth(column), table->horizontalHeader()->fontMetrics().horizontalAdvance(title));
        }
    }
}

TEST_F(PathPanelTest, HasRoomForItsTitlesWhileItIsEmptyToo) {
    for (const double size : {1.0, 1.6}) {
        const Theme theme = Theme::darkTheme().withTextSize(size);
        panel.setStyleSheet(theme.styleSheet());
        panel.setTheme(theme);
        for (const QTableWidget* table : {&panel.parts(), &panel.ranks()}) {
            ASSERT_EQ(table->rowCount(), 0);
            QFont bold = table->horizontalHeader()->font();
            bold.setBold(true);
            for (int column = 1; column + 1 < table->columnCount(); ++column) {
                const QString title = table->horizontalHeaderItem(column)->text();
                EXPECT_GE(table->columnWidth(column), QFontMetrics(bold).horizontalAdvance(title) + 2 * kCellPadding)
                    << title.toStdString() << " " << size;
            }
        }
    }
}

TEST_F(PathPanelTest, LinksOfTheSelectedRowKeepTheirColour) {
    const Theme theme = Theme::darkTheme();
    panel.setStyleSheet(theme.styleSheet());
    inView(1);
    for (const QTableWidget* of : {&panel.parts(), &panel.ranks()}) {
        QTableWidget* table = shown(*of);
        QTableWidgetItem* link = table->item(0, table->columnCount() - 1);
        table->selectRow(0);
        const auto seen = [&] { return table->viewport()->grab(table->visualItemRect(link)).toImage(); };
        const QImage as_link = seen();
        link->setForeground(theme.error);
        EXPECT_NE(seen(), as_link);
    }
}

TEST_F(PathPanelTest, AClickOnARowLeadsToItsLongestStretch) {
    inView(1);
    click(panel.parts(), QStringLiteral("DataLoader"));
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].rank, RankPosition(1));
    EXPECT_EQ(run->run->ranks[1]->name(asked[0].slice), "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    click(panel.ranks(), QStringLiteral("rank 0"));
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_EQ(asked[1].rank, RankPosition(0));
}

TEST_F(PathPanelTest, ShowsAnyStepThatIsChosen) {
    inView(1);
    choose(PathPanel::kOneStep);
    auto* step = panel.findChild<QSpinBox*>();
    EXPECT_EQ(step->minimum(), 5);
    EXPECT_EQ(step->maximum(), 8);
    step->setFocus();
    step->selectAll();
    QTest::keyClicks(step, QStringLiteral("7"));
    QTest::keyClick(step, Qt::Key_Return);
    panel.job().finish();
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Critical path of step 7"))) << panel.summary().toStdString();
    inView(0);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Critical path of step 7"))) << "it stays with its step";
}

TEST_F(PathPanelTest, OfAllSteadyStepsIsThePathOfTheVerdict) {
    choose(PathPanel::kSteadySteps);
    EXPECT_TRUE(test::begins(panel.summary(), "Critical path of 4 steady steps: 4.00 ms"));
    const PathTimes& times = run->facts.ranks[0].path;
    EXPECT_EQ(cell(panel.parts(), QStringLiteral("Compute"), 1), duration(times.compute_ns));
    EXPECT_EQ(cell(panel.parts(), QStringLiteral("DataLoader"), 1), duration(times.idle[Cause::DataLoader]));
    EXPECT_EQ(cell(panel.ranks(), QStringLiteral("rank 1"), 3), QStringLiteral("1")) << "from where it never leaves it";
}

TEST_F(PathPanelTest, ShowsAllSteadyStepsOfTheRunWhoseVerdictLeadsHere) {
    const auto other = std::make_shared<const AnalysedRun>(test::analyse(test::runWithALateRank(3)));
    panel.setRuns({run, other});
    inView(1);
    panel.showSteadySteps(1);
    panel.job().finish();
    EXPECT_TRUE(test::begins(panel.summary(), "Critical path of 3 steady steps"));
    inView(0);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Critical path of 3 steady steps"))) << "it stays with them";
}

TEST_F(PathPanelTest, SaysOfWhichRunTheStepInViewIs) {
    panel.setRuns({run, run});
    panel.setStepInView(StepSelection{1, RunStepPosition(1)});
    panel.job().finish();
    EXPECT_EQ(test::named<QComboBox>(panel, QStringLiteral("Run")).currentIndex(), 1);
}

TEST_F(PathPanelTest, IsSortedByTheClickedColumnAndSavedAsShown) {
    inView(1);
    QTableWidget* table = shown(panel.parts());
    table->sortByColumn(1, Qt::AscendingOrder);
    EXPECT_EQ(table->item(table->rowCount() - 1, 0)->text(), QStringLiteral("Compute"));
    const std::string csv = csvOf(*table);
    EXPECT_TRUE(csv.starts_with("What,Time (ns),Share,Longest")) << csv;
    EXPECT_NE(csv.find("DataLoader,"), std::string::npos) << csv;
}

TEST_F(PathPanelTest, SaysWhyThereIsNone) {
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("No step is in view."))) << panel.summary().toStdString();
    EXPECT_EQ(panel.parts().rowCount(), 0);
    panel.setRuns({});
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Open a run to see its critical path.")))
        << panel.summary().toStdString();
}

}  // namespace
}  // namespace rankscope::ui
