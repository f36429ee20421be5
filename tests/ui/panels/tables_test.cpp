// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "tests/ui/table_parts.h"
#include "tests/ui/theme/heard_notices.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

/// Two ranks with two kernels each, one of that name, and one operator. The first has that number.
std::shared_ptr<const AnalysedRun> makeRun(std::string_view name = "gemm", int first = 0) {
    auto run = std::make_shared<Run>();
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->facts.ranks.resize(2);
    for (int r = 0; r < 2; ++r) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber(first + r);
        KernelRow gemm{trace->strings.intern(name), WorkClass::Compute, 10, 5'000, 5'000, 400, 600, 0};
        KernelRow add{trace->strings.intern("Add_kernel"), WorkClass::Compute, 30, 3'000, 3'000, 90, 110, 0};
        analysed->facts.ranks[static_cast<std::size_t>(r)].kernels = {{gemm, add}, 8'000, 1};
        OperatorRow op;
        op.name = trace->strings.intern("aten::mm");
        op.calls = 10;
        op.self_ns = 700;
        op.total_ns = op.summed_ns = 900;
        analysed->facts.ranks[static_cast<std::size_t>(r)].operators.rows = {op};
        run->ranks.push_back(std::move(trace));
    }
    analysed->clock.ranks.resize(2);
    analysed->run = std::move(run);
    return analysed;
}

class Tables : public testing::Test {
  protected:
    Tables() : panel(Theme::darkTheme()), table(panel.findChild<QTableView*>()) {
        panel.resize(900, 300);
        panel.show();
        panel.setRuns({makeRun()});
        wait();
    }

    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.job().busy(); }, 60'000));
    }
    [[nodiscard]] QString cell(int row, int column) const {
        return table->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QStringList names() const { return test::column(*table->model()); }
    void clickTitle(int column) {
        QHeaderView* header = table->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 20, header->height() / 2));
        wait();
    }

    TablesPanel panel;
    QTableView* table;
};

TEST_F(Tables, KernelsOfAllRanksAreTogetherTheLongestFirst) {
    EXPECT_EQ(names(), QStringList({QStringLiteral("gemm"), QStringLiteral("Add_kernel")}));
    EXPECT_EQ(cell(0, 2), QStringLiteral("20")) << "calls of both ranks";
    EXPECT_EQ(cell(0, 3), QStringLiteral("10.0 µs"));
}

TEST_F(Tables, OneRankCanBeLookedAtAlone) {
    auto* ranks = panel.findChildren<QComboBox*>().last();
    ranks->setCurrentIndex(2);
    wait();
    EXPECT_EQ(ranks->currentText(), QStringLiteral("rank 1"));
    EXPECT_EQ(cell(0, 2), QStringLiteral("10"));
}

TEST_F(Tables, RanksThatCameWhileTheTablesWereHiddenAreOfferedWhenTheyAreSeen) {
    auto* ranks = panel.findChildren<QComboBox*>().last();
    panel.hide();
    panel.setRuns({makeRun("gemm", 7)});
    panel.show();
    EXPECT_EQ(ranks->itemText(2), QStringLiteral("rank 8"));
}

TEST_F(Tables, NamesTakeWhatTheNumbersLeaveOfTheWidth) {
    panel.resize(1600, 300);
    int all = 0;
    for (int column = 0; column < table->model()->columnCount(); ++column) {
        all += table->columnWidth(column);
    }
    EXPECT_EQ(all, table->viewport()->width());
    const int wide = table->columnWidth(0);
    panel.resize(500, 300);
    EXPECT_LT(table->columnWidth(0), wide);
    for (const QString& name : names()) {
        EXPECT_GE(table->columnWidth(0), table->fontMetrics().horizontalAdvance(name)) << "short names stay whole";
    }
}

TEST_F(Tables, AClickOnATitleSortsAndASecondTurnsItRound) {
    clickTitle(2);
    EXPECT_EQ(names().first(), QStringLiteral("Add_kernel")) << "most calls first";
    clickTitle(2);
    EXPECT_EQ(names().first(), QStringLiteral("gemm"));
}

TEST_F(Tables, TypingFiltersByNameInAnyCase) {
    QTest::keyClicks(panel.findChild<QLineEdit*>(), QStringLiteral("add"));
    wait();
    EXPECT_EQ(names(), QStringList({QStringLiteral("Add_kernel")}));
}

TEST_F(Tables, OperatorsHaveTheirOwnTable) {
    test::clickButton(panel, QStringLiteral("Operators"));
    wait();
    EXPECT_EQ(names(), QStringList({QStringLiteral("aten::mm")}));
}

TEST_F(Tables, TheSelectedRowsAreCopiedWithTheirTitles) {
    table->selectAll();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), 4) << "titles, two rows, and the end";
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("Name\tClass\tCalls")));
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("gemm\tcompute\t20")));
}

/// The action of a table's menu whose title holds `words`.
QAction* menuAction(const QTableView& of, const QString& words) {
    for (QAction* action : of.actions()) {
        if (action->text().contains(words)) {
            return action;
        }
    }
    return nullptr;
}

TEST_F(Tables, AllRowsAreCopiedAsCsvInTheirOrderWithWholeNumbers) {
    QAction* copy = menuAction(*table, QStringLiteral("opy the Table"));
    ASSERT_NE(copy, nullptr);
    copy->trigger();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("gemm,"))) << lines[1].toStdString();
    EXPECT_TRUE(lines[0].contains(QStringLiteral("_ns"))) << lines[0].toStdString();
    EXPECT_TRUE(lines[1].contains(QStringLiteral(",20,10000,"))) << "for programs: " << lines[1].toStdString();
    EXPECT_EQ(lines[0].count(QLatin1Char(',')), lines[1].count(QLatin1Char(',')));
}

TEST_F(Tables, TheTableIsSavedInTheFileThatIsChosenAndTheWindowNamesIt) {
    const auto* board = new test::HeardNotices(&panel);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("kernels.csv"));
    test::saveAs(path);
    QAction* save = menuAction(*table, QStringLiteral("ave the Table"));
    ASSERT_NE(save, nullptr);
    save->trigger();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().toStdString(), csvOf(*table));
    EXPECT_EQ(board->heard, QStringList({QStringLiteral("Saved"), path}));
}

TEST_F(Tables, ATableIsSavedByTheNamesOfItsRunAndPanelAndAsCsv) {
    QWidget window;
    window.setWindowTitle(QStringLiteral("Zero Workers – Rankscope"));
    panel.setWindowTitle(QStringLiteral("Tables"));
    panel.setParent(&window);
    EXPECT_EQ(defaultCsvName(*table), QStringLiteral("Zero-Workers-tables.csv"));
    window.setWindowTitle(QStringLiteral("ZeroWorkers + FourWorkers – Rankscope"));
    EXPECT_EQ(defaultCsvName(*table), QStringLiteral("rankscope-tables.csv"));
    window.setWindowTitle(QStringLiteral("Rankscope"));
    EXPECT_EQ(defaultCsvName(*table), QStringLiteral("rankscope-tables.csv"));
    const QTemporaryDir folder;
    QString proposed;
    QTimer::singleShot(0, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        proposed = QFileInfo(dialog->selectedFiles().value(0)).fileName();
        dialog->selectFile(folder.filePath(QStringLiteral("mine")));
        QMetaObject::invokeMethod(dialog, "accept");
    });
    menuAction(*table, QStringLiteral("ave the Table"))->trigger();
    EXPECT_EQ(proposed, QStringLiteral("rankscope-tables.csv"));
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("mine.csv"))));
    panel.setParent(nullptr);
}

TEST_F(Tables, ATagInANameIsShownAsWritten) {
    panel.setRuns({makeRun("<img src=\"file:///etc/passwd\">")});
    wait();
    const QString tip = table->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    EXPECT_FALSE(tip.contains(QStringLiteral("<img"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("&lt;img")));
    EXPECT_TRUE(cell(0, 0).startsWith(QStringLiteral("<img")));
}

TEST_F(Tables, ANameOfAMegabyteIsCutWhereItIsShownAndWholeWhereItIsCopied) {
    panel.setRuns({makeRun(std::string(1'000'000, 'k'))});
    wait();
    EXPECT_LT(cell(0, 0).size(), 1'000);
    EXPECT_LT(table->model()->index(0, 0).data(Qt::ToolTipRole).toString().size(), 3'000);
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_GT(QApplication::clipboard()->text().size(), 1'000'000);
}

TEST_F(Tables, ADoubleClickAsksWhereTheNameIs) {
    QSignalSpy asked(&panel, &TablesPanel::nameActivated);
    const QPoint at = table->visualRect(table->model()->index(1, 0)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].toString(), QStringLiteral("Add_kernel"));
}

/// Two ranks with this much memory, and twice as much.
std::shared_ptr<const AnalysedRun> memoryRun(std::int64_t bytes = 2'000'000) {
    AnalysedRun run = *makeRun();
    for (std::uint32_t r = 0; r < 2; ++r) {
        run.facts.ranks[r].device = 0;
        DeviceMemory memory;
        memory.device = 0;
        memory.peak.allocated_bytes = (r + 1) * bytes;
        memory.peak.reserved_bytes = (r + 1) * 2 * bytes;
        run.facts.ranks[r].memory = {memory};
    }
    return std::make_shared<const AnalysedRun>(std::move(run));
}

TEST_F(Tables, StatisticsOverRanksLeadToTheRankThatIsWorst) {
    panel.setRuns({memoryRun()});
    test::clickButton(panel, QStringLiteral("Over Ranks"));
    wait();
    const auto row = static_cast<int>(names().indexOf(QStringLiteral("Memory allocated, peak")));
    ASSERT_GE(row, 0) << names().join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(cell(row, 1), QStringLiteral("3.00 MB"));
    EXPECT_EQ(cell(row, 2), QStringLiteral("2.00 MB"));
    EXPECT_EQ(cell(row, 3), QStringLiteral("4.00 MB"));
    EXPECT_EQ(cell(row, 4), QStringLiteral("1.00 MB"));
    EXPECT_EQ(cell(row, 6), QStringLiteral("rank 1"));
    EXPECT_TRUE(table->model()->index(row, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    QSignalSpy asked(&panel, &TablesPanel::rankActivated);
    table->setCurrentIndex(table->model()->index(row, 0));
    QTest::keyClick(table, Qt::Key_Return);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked.front().at(1).value<RankPosition>(), RankPosition(1));
    auto* filter = panel.findChild<QLineEdit*>();
    QTest::keyClicks(filter, QStringLiteral("reserved"));
    wait();
    ASSERT_EQ(names(), QStringList{QStringLiteral("Memory reserved, peak")});
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Return);
    EXPECT_EQ(asked.count(), 2) << "the row that is shown, not the one at that place of all";
}

TEST_F(Tables, StatisticsOfAnotherRunGetTheRoomThatTheyNeed) {
    panel.setRuns({memoryRun()});
    test::clickButton(panel, QStringLiteral("Over Ranks"));
    wait();
    panel.setRuns({memoryRun(1'234'567'890'123'456'789)});
    wait();
    const auto row = static_cast<int>(names().indexOf(QStringLiteral("Memory allocated, peak")));
    const QFontMetrics metrics(table->model()->index(row, 1).data(Qt::FontRole).value<QFont>());
    ASSERT_GT(metrics.horizontalAdvance(cell(row, 1)), metrics.horizontalAdvance(QStringLiteral("3.00 MB")));
    EXPECT_GE(table->columnWidth(1), metrics.horizontalAdvance(cell(row, 1)));
}

template <class Panel>
void expectGrowth() {
    Panel panel(Theme::darkTheme());
    auto* table = panel.template findChild<QTableView*>();
    ASSERT_NE(table, nullptr);
    panel.setTheme(Theme::darkTheme());
    const int narrow = table->columnWidth(1);
    const int low = table->verticalHeader()->defaultSectionSize();
    panel.setTheme(Theme::darkTheme().withTextSize(1.6));
    EXPECT_NEAR(table->columnWidth(1), 1.6 * narrow, 2 + 0.05 * narrow);
    EXPECT_GT(table->verticalHeader()->defaultSectionSize(), low);
    panel.setTheme(Theme::darkTheme());
    EXPECT_NEAR(table->columnWidth(1), narrow, 2);
}

TEST(TablesOfPanels, TheirColumnsGrowWithTheTextAndShrinkWithIt) {
    expectGrowth<StepsPanel>();
    expectGrowth<ClocksPanel>();
    expectGrowth<HitsPanel>();
}

}  // namespace
}  // namespace rankscope::ui
