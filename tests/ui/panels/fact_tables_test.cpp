// SPDX-License-Identifier: GPL-3.0-or-later
// All tables of the reports in the window: none is missing, and a row leads to where it was.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QCoreApplication>
#include <QFont>
#include <QFontMetrics>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "core/report/companions/companion_tables.h"
#include "core/report/tables/run_tables.h"
#include "tests/ui/panels/hand_made_run.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/shared/data_table_model.h"
#include "ui/panels/shared/fact_tables.h"
#include "ui/theme/core_text.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

/// Whether a translator is given `words`, as they are or as a template that they were made from.
bool isTranslated(const QString& words) {
    static const std::vector<QRegularExpression> texts = [] {
        std::vector<QRegularExpression> made;
        for (const QString& text : coreTexts()) {
            if (text != QStringLiteral("{}")) {
                const QString pattern =
                    QRegularExpression::escape(text).replace(QStringLiteral("\\{\\}"), QStringLiteral(".+"));
                made.emplace_back(QRegularExpression::anchoredPattern(pattern),
                                  QRegularExpression::CaseInsensitiveOption);  // as coreText() has titles
            }
        }
        return made;
    }();
    return std::ranges::any_of(texts,
                               [&words](const QRegularExpression& text) { return text.match(words).hasMatch(); });
}

TEST(FactTables, TitlesOfTablesAndColumnsAreTranslated) {
    const auto run = HandMadeRun::make();
    QStringList escaped;
    std::vector<std::pair<std::string, report::DataTable>> all;
    for (const report::RunTable& table : report::runTableList()) {
        all.emplace_back(table.title, table.make(*run));
    }
    const auto of_companions = report::companionTables({});
    ASSERT_EQ(of_companions.size(), report::kCompanionTitles.size());
    for (std::size_t i = 0; i < of_companions.size(); ++i) {
        all.emplace_back(report::kCompanionTitles[i], report::dataTableOf(of_companions[i], {run.get()}));
    }
    for (const auto& [name, table] : all) {
        std::vector<std::string> titles = {name};
        for (const report::Column& column : table.columns) {
            titles.push_back(column.title);
        }
        for (const std::string& title : titles) {
            const QString words = QString::fromStdString(title);
            static const QRegularExpression letter(QStringLiteral("\\p{L}"));
            if (words.contains(letter) && !isTranslated(words) && !escaped.contains(words)) {
                escaped.append(words);
            }
        }
    }
    EXPECT_TRUE(escaped.isEmpty()) << escaped.join(QStringLiteral(" | ")).toStdString();
}

TEST(FactTables, EachTableOfTheReportsIsOfferedOrOfAJobThatThisIsNot) {
    const auto run = HandMadeRun::make();
    QComboBox box;
    offerFacts(box, run.get());
    const auto tables = report::runTableList();
    ASSERT_EQ(report::runTables(*run).size(), tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const bool offered = box.findData(static_cast<uint>(i)) >= 0;
        EXPECT_TRUE(offered || tables[i].make(*run).rows.empty()) << tables[i].title;
    }
    EXPECT_EQ(box.findText(QStringLiteral("Stages of a pipeline")), -1) << "it has no pipeline";
    EXPECT_GE(box.findText(QStringLiteral("Steps of each rank")), 0);
}

TEST(FactTables, OfLogsAndDumpsAreOfferedWhereTheyAreOpen) {
    const auto run = HandMadeRun::ofRanks(2);
    auto dumps = std::make_shared<ReadDumps>();
    dumps->hang.ranks = {1};
    dumps->dumps.push_back({"rank_1.pickle", 1, "2.9", "", {}, {}});
    JobCompanions companions;
    companions.dumps = dumps;
    QComboBox box;
    offerFacts(box, run.get(), companions);
    const int at = box.findText(QStringLiteral("Ranks in flight recorder dumps"));
    ASSERT_GE(at, 0);
    EXPECT_EQ(box.findText(QStringLiteral("Calls in NCCL's logs")), -1) << "no log is open";
    const FactTable table = makeFacts(*run, box.itemData(at).toUInt(), companions);
    ASSERT_EQ(table.table.rows.size(), 1);
    EXPECT_EQ(table.table.columns.front().title, "Rank");
    ASSERT_EQ(table.places.size(), 1);
    EXPECT_EQ(table.places[0].rank, RankPosition(1)) << "a row leads to its rank";
}

TEST(FactTables, ACriticalRankIsShownByItsNumberOnly) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::ofRanks(2));
    run->facts.steps.front().critical_rank = RankPosition(1);
    const auto tables = report::runTableList();
    const auto at = std::ranges::find(tables, "Steps of the run", &report::RunTable::title);
    ASSERT_NE(at, tables.end());
    const report::DataTable table = makeFacts(*run, static_cast<std::size_t>(at - tables.begin())).table;
    const auto has = [&table](std::string_view key) {
        return std::ranges::find(table.columns, key, &report::Column::key) != table.columns.end();
    };
    EXPECT_TRUE(has("critical_rank"));
    EXPECT_FALSE(has("critical_id"));
}

TEST(FactTables, AStatisticIsNamedByItsWordsAndNotByItsKey) {
    const auto run = HandMadeRun::ofRanks(2);
    const auto tables = report::runTableList();
    const auto at = std::ranges::find(tables, "Statistics over ranks", &report::RunTable::title);
    ASSERT_NE(at, tables.end());
    const report::DataTable table = makeFacts(*run, static_cast<std::size_t>(at - tables.begin())).table;
    ASSERT_FALSE(table.rows.empty());
    EXPECT_EQ(table.columns.front().title, "Rank fact");
    EXPECT_EQ(table.rows.front().front(), report::Cell(std::string("Step")));
}

/// The first cell in the column with this key of a table of the reports, as the window shows it.
report::Cell firstCell(const AnalysedRun& run, std::string_view title, std::string_view key) {
    const auto tables = report::runTableList();
    const auto at = std::ranges::find(tables, title, &report::RunTable::title);
    const report::DataTable table = makeFacts(run, static_cast<std::size_t>(at - tables.begin())).table;
    const auto column = std::ranges::find(table.columns, key, &report::Column::key);
    return column == table.columns.end() || table.rows.empty()
               ? report::Cell()
               : table.rows.front()[static_cast<std::size_t>(column - table.columns.begin())];
}

TEST(FactTables, ListsAndSchedulesReadAsInAllTexts) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::ofRanks(2));
    run->diagnosis.findings.front().steps = {3, 4, 5, 9};
    EXPECT_EQ(firstCell(*run, "Findings", "steps"), report::Cell(std::string("3 to 5, 9")));
    Pipeline pipeline;
    pipeline.size = 2;
    pipeline.ranks = {RankPosition(0), RankPosition(1)};
    pipeline.schedule = Schedule::OneFOneB;
    run->facts.pipeline.pipelines = {pipeline};
    EXPECT_EQ(firstCell(*run, "Pipelines", "ranks"), report::Cell(std::string("0, 1")));
    EXPECT_EQ(firstCell(*run, "Pipelines", "schedule"), report::Cell(std::string("1F1B")));
}

class AllFacts : public testing::Test {
  protected:
    AllFacts() : run(HandMadeRun::make()), panel(Theme::darkTheme()), table(panel.findChild<QTableView*>()) {
        panel.resize(1000, 300);
        panel.show();
        panel.setRuns({run});
        wait();
        test::clickButton(panel, QStringLiteral("All Facts"));
        wait();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.job().busy(); }, 60'000));
    }
    [[nodiscard]] QComboBox* box(const char* name) const { return &test::named<QComboBox>(panel, QLatin1String(name)); }
    void choose(const char* title) {
        QComboBox* const tables = box("Table");
        ASSERT_GE(tables->findText(QLatin1String(title)), 0);
        tables->setCurrentIndex(tables->findText(QLatin1String(title)));
        wait();
    }
    [[nodiscard]] QStringList titles() const { return test::titles(*table->model()); }
    void enterOnFirst() {
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
    }

    std::shared_ptr<const AnalysedRun> run;
    TablesPanel panel;
    QTableView* table;
};

TEST_F(AllFacts, ARowOfAStepLeadsToItsTime) {
    QSignalSpy shown(&panel, &TablesPanel::spanActivated);
    choose("Steps of each rank");
    ASSERT_GT(table->model()->rowCount(), 0);
    EXPECT_TRUE(titles().contains(QStringLiteral("Duration")));
    EXPECT_FALSE(titles().contains(QStringLiteral("Run"))) << "it is chosen above";
    enterOnFirst();
    ASSERT_EQ(shown.size(), 1);
    const TimeSpan step = run->facts.ranks[RankPosition(0)].steps[RankStepPosition(0)].span;
    EXPECT_EQ(shown[0][2].value<TimeSpan>().length(), step.length());
}

TEST_F(AllFacts, AFactThatIsAFileOfItsOwnIsChosenLikeAnyOther) {
    choose("Files of each rank");  // core/facts/trace_files.cpp, which nothing names
    EXPECT_EQ(table->model()->rowCount(), static_cast<int>(run->run->ranks.size()));
    const auto path = titles().indexOf(QStringLiteral("Path"));
    ASSERT_GE(path, 0);
    EXPECT_EQ(table->model()->index(0, static_cast<int>(path)).data().toString(),
              QStringLiteral("/nowhere/rank0.json"));
}

TEST_F(AllFacts, ARowWithAStepAndNoTimeLeadsToTheStep) {
    QSignalSpy shown(&panel, &TablesPanel::stepActivated);
    choose("Why the GPU was idle");
    ASSERT_GT(table->model()->rowCount(), 0);
    enterOnFirst();
    ASSERT_EQ(shown.size(), 1);
    EXPECT_EQ(shown[0][2].value<RankStepPosition>(), RankStepPosition(0));
}

TEST_F(AllFacts, ARowOfARankLeadsToTheRank) {
    QSignalSpy shown(&panel, &TablesPanel::rankActivated);
    choose("Clocks");
    enterOnFirst();
    ASSERT_EQ(shown.size(), 1);
    EXPECT_EQ(shown[0][1].value<RankPosition>(), RankPosition(0));
}

TEST_F(AllFacts, TheFilterLooksInEveryColumn) {
    choose("Findings");
    const int all = table->model()->rowCount();
    ASSERT_GT(all, 0);
    auto* filter = panel.findChild<QLineEdit*>();
    QTest::keyClicks(filter, QStringLiteral("there is no such word"));
    wait();
    EXPECT_EQ(table->model()->rowCount(), 0);
    filter->clear();
    QTest::keyClicks(filter, QString::fromStdString(run->diagnosis.findings.front().title).mid(2, 8));
    wait();
    EXPECT_GT(table->model()->rowCount(), 0);
}

TEST_F(AllFacts, TheFilterFindsRowsWithAllWordsAndQuotedWordsTogether) {
    choose("Steps of each rank");
    ASSERT_GT(table->model()->rowCount(), 0);
    const auto cell = [this](const char* title) {
        const auto column = static_cast<int>(titles().indexOf(QLatin1String(title)));
        return table->model()->index(0, column).data().toString();
    };
    const QString words = cell("Complete") + QLatin1Char(' ') + cell("Step");
    auto* filter = panel.findChild<QLineEdit*>();
    filter->setText(words.toUpper());
    wait();
    EXPECT_GT(table->model()->rowCount(), 0) << words.toStdString();
    filter->setText(words + QStringLiteral(" there-is-no-such-word"));
    wait();
    EXPECT_EQ(table->model()->rowCount(), 0);
    filter->setText(QLatin1Char('"') + words + QLatin1Char('"'));
    wait();
    EXPECT_EQ(table->model()->rowCount(), 0) << "no cell holds both";
    filter->setText(QStringLiteral("\""));
    wait();
    EXPECT_GT(table->model()->rowCount(), 0) << "it says nothing yet";
}

TEST_F(AllFacts, ATextIsCutOnlyWhereTheTableHasNoRoomLeft) {
    panel.resize(2400, 300);
    for (const char* title : {"Health of the files", "Clocks", "Findings", "Steps of each rank", "Check"}) {
        choose(title);
        QCoreApplication::processEvents();
        int filled = 0;
        bool is_cut = false;
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            filled += table->columnWidth(column);
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QString words = table->model()->index(row, column).data().toString();
                const bool is_text = table->model()->index(row, column).data(Qt::FontRole).isNull();
                is_cut = is_cut || (is_text && table->fontMetrics().horizontalAdvance(words) + 2 * kCellPadding >
                                                   table->columnWidth(column));
            }
        }
        EXPECT_TRUE(!is_cut || filled + table->model()->columnCount() >= table->viewport()->width())
            << title << ": " << filled << " of " << table->viewport()->width();
    }
}

TEST_F(AllFacts, TextsHaveTheirRoomAgainWhenTheFilterIsCleared) {
    panel.resize(2400, 300);
    choose("Check");
    const auto says = static_cast<int>(titles().indexOf(QStringLiteral("Says")));
    ASSERT_GE(says, 0);
    QCoreApplication::processEvents();  // a scroll bar takes its part
    const int whole = table->columnWidth(says);
    choose("Clocks");
    auto* filter = panel.findChild<QLineEdit*>();
    filter->setText(QStringLiteral("there-is-no-such-word"));
    wait();
    choose("Check");
    filter->clear();
    wait();
    QCoreApplication::processEvents();
    EXPECT_EQ(table->columnWidth(says), whole);
}

TEST_F(AllFacts, AColumnThatTheUserMadeNarrowerStaysSo) {
    choose("Check");
    const auto says = static_cast<int>(titles().indexOf(QStringLiteral("Says")));
    ASSERT_GE(says, 0);
    table->setColumnWidth(says, 90);
    panel.resize(2400, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(table->columnWidth(says), 90);
}

TEST_F(AllFacts, AStatisticHasTheUnitOfItsMeasureAndIsWholeInItsColumn) {
    choose("Statistics over ranks");
    const auto mean = static_cast<int>(titles().indexOf(QStringLiteral("Mean")));
    ASSERT_GE(mean, 0);
    const QStringList times = {QStringLiteral("Step"), QStringLiteral("Compute"), QStringLiteral("Idle")};
    const QStringList shares = {QStringLiteral("Comm overlapped"), QStringLiteral("GPU busy")};
    qsizetype told = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QString fact = table->model()->index(row, 0).data().toString();
        const QString words = table->model()->index(row, mean).data().toString();
        if (times.contains(fact)) {
            ++told;
            EXPECT_TRUE(words.endsWith(QLatin1Char('s'))) << fact.toStdString() << ": " << words.toStdString();
        } else if (shares.contains(fact)) {
            EXPECT_TRUE(words.endsWith(QLatin1Char('%'))) << fact.toStdString() << ": " << words.toStdString();
        }
    }
    EXPECT_EQ(told, times.size());
}

TEST_F(AllFacts, EachNumberHasRoomInItsColumn) {
    for (const char* title : {"Statistics over ranks", "Efficiency of each step", "Steps of each rank", "Check"}) {
        choose(title);
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QModelIndex at = table->model()->index(row, column);
                if (at.data(Qt::TextAlignmentRole).value<Qt::Alignment>().testFlag(Qt::AlignRight)) {
                    const QFontMetrics metrics(at.data(Qt::FontRole).value<QFont>());
                    EXPECT_LE(metrics.horizontalAdvance(at.data().toString()) + 2 * kCellPadding,
                              table->columnWidth(column))
                        << title << ", " << at.data().toString().toStdString();
                }
            }
        }
    }
}

TEST_F(AllFacts, ANameIsCopiedWholeFromAnyColumn) {
    DataTableModel model(Theme::darkTheme());
    auto names = std::make_shared<report::DataTable>();
    names->columns = {{"rank", "rank", report::Unit::Number}, {"name", "kernel", report::Unit::Name}};
    names->rows = {{std::int64_t{0}, std::string("void gemm<float>")}};
    model.set(names, {0});
    EXPECT_EQ(model.index(0, 1).data(kWholeTextRole).toString(), QStringLiteral("void gemm<float>"));
    EXPECT_FALSE(model.index(0, 0).data(kWholeTextRole).isValid()) << "what is shown is all of it";
    EXPECT_TRUE(model.index(0, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("gemm")));
}

TEST_F(AllFacts, ATableWithoutRowsSaysSo) {
    choose("Memory at the peak");
    EXPECT_FALSE(table->isVisible());
    EXPECT_TRUE(test::labelWords(panel).split(u'\n').contains(QStringLiteral("None in this run.")));
}

}  // namespace
}  // namespace rankscope::ui
