// SPDX-License-Identifier: GPL-3.0-or-later
// What memory is for: real events on the real panel, of a rank at its peak and of a snapshot.
#include "ui/panels/memory/memory_panel.h"

#include <gtest/gtest.h>

#include <QAbstractTextDocumentLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTextTable>

#include "core/ingest/snapshot/load_snapshot.h"
#include "tests/support/analysed.h"
#include "tests/support/memory_snapshot.h"
#include "tests/support/model_builder.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/memory/memory_tables.h"
#include "ui/panels/memory/memory_text.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {
namespace {

constexpr std::int64_t kMb = 1'000'000;

/// A step of training with 10 MB of parameters, an activation of 3 MB by aten::mm, and a gradient of 1 MB.
std::shared_ptr<const RankTrace> trainingRank(std::int32_t number, std::int64_t activation = 3 * kMb,
                                              const std::string& path = {}) {
    test::ModelBuilder builder;
    TraceFile file;
    file.path = path;
    builder.file(file);
    const std::uint32_t main = builder.thread("main");
    const std::uint32_t stream = builder.stream("7");
    builder.rank(number, 2);
    builder.device({0, "A device", 64 * kMb, 80});
    builder.step(main, 5, 0, 1000);
    builder.slice(main, Category::UserAnnotation, "forward", 100, 300);
    builder.slice(main, Category::UserAnnotation, "backward", 500, 300);
    builder.op(main, "Optimizer.step#AdamW.step", 900, 50);
    builder.op(main, "aten::mm", 150, 40);
    builder.op(main, "aten::mm_backward", 590, 20);
    builder.kernel(main, 160, 5, stream, "gemm", 170, 100);
    builder.block(155, 1, activation, 10 * kMb);
    builder.block(600, 2, kMb);
    builder.block(700, 1, -activation);
    builder.block(960, 2, -kMb);
    return builder.build();
}

std::shared_ptr<const AnalysedRun> trainingRun() {
    return std::make_shared<const AnalysedRun>(test::analyse(test::runOf({trainingRank(0), trainingRank(1, 5 * kMb)})));
}

std::shared_ptr<const OpenSnapshot> opened(const std::string& path) {
    auto open = std::make_shared<OpenSnapshot>();
    Result<MemorySnapshot> read = loadSnapshot(path);
    EXPECT_TRUE(read.ok()) << path;
    open->snapshot = std::move(read).value();
    open->facts = snapshotFacts(open->snapshot);
    return open;
}

class MemoryPanelTest : public testing::Test {
  protected:
    MemoryPanelTest() : panel(Theme::darkTheme()) {
        panel.resize(1200, 420);
        panel.show();
    }
    void open(const OpenRuns& runs, const OpenSnapshots& snapshots = {}) {
        panel.setOpen(runs, snapshots);
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.job().busy(); }, 20'000));
        QCoreApplication::processEvents();
    }
    QComboBox& source() { return *panel.findChild<QComboBox*>(); }
    QTableView& table() { return panel.tables().view(); }
    [[nodiscard]] QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    QPushButton* button(const QString& words) { return test::buttonIn(panel, words); }
    void press(const QString& words) { test::clickButton(panel, words); }
    void clickRow(int row) {
        const QModelIndex at = table().model()->index(row, 0);
        table().scrollTo(at);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(at).center());
    }

    MemoryPanel panel;
};

TEST_F(MemoryPanelTest, BeginsWithTheFullestRankAndWhatUsesItsMemory) {
    open({trainingRun()});
    EXPECT_EQ(source().count(), 2);
    EXPECT_EQ(source().currentText(), QStringLiteral("rank 1"));
    const QString said = panel.summary();
    EXPECT_TRUE(said.startsWith(QStringLiteral("rank 1: 16.0 MB at the peak"))) << said.toStdString();
    EXPECT_TRUE(test::holds(said, {"Activations", "Gradients", "in step 5, in the backward", "64.0"}));
    EXPECT_TRUE(said.contains(QStringLiteral("Activations take most")) || said.contains(QStringLiteral("throughout")))
        << said.toStdString();
}

TEST_F(MemoryPanelTest, TheBarOfPartsAddsUpToTheAllocatedMemory) {
    const auto run = trainingRun();
    const MemoryPage page = peakPage(*run, RankPosition(1), 0);
    std::int64_t sum = 0;
    for (const BarPart& part : partsOfPage(page, Theme::darkTheme())) {
        sum += part.ns;
    }
    EXPECT_EQ(sum, 16 * kMb);
    std::int64_t all = 0;
    for (const BarPart& part : limitOfPage(page, Theme::darkTheme())) {
        all += part.ns;
    }
    EXPECT_EQ(all, 64 * kMb) << "in use, the cache and what is left are the device";
}

TEST_F(MemoryPanelTest, ARowLeadsToTheOperatorThatAskedForIt) {
    const auto run = trainingRun();
    open({run});
    ASSERT_GE(table().model()->rowCount(), 2);
    EXPECT_EQ(cell(0, 0), QStringLiteral("aten::mm"));
    EXPECT_EQ(cell(0, 1), QStringLiteral("Activations"));
    EXPECT_EQ(cell(0, 2), QStringLiteral("5.00 MB"));
    const QSignalSpy asked(&panel, &MemoryPanel::sliceActivated);
    clickRow(0);
    ASSERT_EQ(asked.count(), 1);
    const auto slice = asked.front().front().value<SliceSelection>();
    EXPECT_EQ(slice.rank, RankPosition(1));
    EXPECT_EQ(run->run->ranks[1]->name(slice.slice), "aten::mm");
}

TEST_F(MemoryPanelTest, ColumnsAndRowsOfItsTablesGrowWithTheTextAndShrinkWithIt) {
    open({trainingRun()});
    const auto is_number = [this](int column) {
        const QVariant where = table().model()->index(0, column).data(Qt::TextAlignmentRole);
        return where.value<Qt::Alignment>().testFlag(Qt::AlignRight);
    };
    int number = 0;
    while (!is_number(number)) {
        ASSERT_LT(++number, table().model()->columnCount());
    }
    const int narrow = table().columnWidth(number);
    const int low = table().rowHeight(0);
    panel.setTheme(Theme::darkTheme().withTextSize(2));
    settle();
    EXPECT_NEAR(table().columnWidth(number), 2 * narrow, 2 + 0.1 * narrow);
    EXPECT_GE(table().rowHeight(0), 2 * low - 2);
    panel.setTheme(Theme::darkTheme());
    settle();
    EXPECT_NEAR(table().columnWidth(number), narrow, 2);
    EXPECT_NEAR(table().rowHeight(0), low, 1);
}

TEST_F(MemoryPanelTest, ACheckpointLeadsToItsStep) {
    const auto run = trainingRun();
    open({run});
    press(QStringLiteral("Checkpoints"));
    ASSERT_EQ(table().model()->rowCount(), 4) << "the start, forward, backward, optimizer";
    EXPECT_EQ(cell(1, 0), QStringLiteral("step 5, after the forward"));
    EXPECT_EQ(cell(2, 5), QStringLiteral("−4.00 MB")) << "the backward lets go of the activation and makes a gradient";
    const QSignalSpy asked(&panel, &MemoryPanel::sliceActivated);
    clickRow(1);
    ASSERT_EQ(asked.count(), 1);
    const auto step = asked.front().front().value<SliceSelection>();
    EXPECT_EQ(run->run->ranks[1]->name(step.slice), "ProfilerStep#5");
    const QSignalSpy stretch(&panel, &MemoryPanel::spanActivated);
    clickRow(0);
    ASSERT_EQ(stretch.count(), 1);
    EXPECT_EQ(stretch.front().at(2).value<TimeSpan>().length(), 1'000'000) << "no instant, but all that is recorded";
    QTest::keyClick(&table(), Qt::Key_Down);
    QTest::keyClick(&table(), Qt::Key_Return);
    EXPECT_EQ(asked.count(), 2) << "the keyboard does what the mouse does";
}

TEST_F(MemoryPanelTest, APeakIsShownWhereItWas) {
    open({trainingRun()});
    const QSignalSpy asked(&panel, &MemoryPanel::sliceActivated);
    Q_EMIT panel.findChild<QTextBrowser*>()->anchorClicked(QUrl(QLatin1String(kPeakLink)));
    EXPECT_EQ(asked.count(), 1);
}

TEST_F(MemoryPanelTest, AnotherRankIsChosenAndStaysChosenWhenMoreIsKnown) {
    const auto run = trainingRun();
    open({run});
    QTest::keyClick(&source(), Qt::Key_Up);
    settle();
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("rank 0: 14.0 MB"))) << panel.summary().toStdString();
    open({run});
    EXPECT_EQ(source().currentText(), QStringLiteral("rank 0"));
}

TEST_F(MemoryPanelTest, SaysWhatToRecordWhereNoMemoryIs) {
    test::ModelBuilder builder;
    const std::uint32_t main = builder.thread("main");
    builder.kernel(main, 10, 5, builder.stream("7"), "gemm", 20, 10);
    open({std::make_shared<const AnalysedRun>(test::analyse(test::runOf({builder.build()})))});
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("profile_memory=True"))) << panel.summary().toStdString();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("_dump_snapshot()")));
    EXPECT_FALSE(table().isVisible());
    open({});
    EXPECT_EQ(panel.summary().section(QLatin1Char('\n'), 0, 0), QStringLiteral("Open a run to see its memory."));
}

TEST_F(MemoryPanelTest, TheFormulaIsNextToTheMeasuredValues) {
    AnalysedRun run = *trainingRun();
    run.facts.memory.model.parameters = 1'000'000'000;
    open({std::make_shared<const AnalysedRun>(std::move(run))});
    const QString said = panel.summary().replace(QChar::Nbsp, QLatin1Char(' '));
    EXPECT_TRUE(said.contains(QStringLiteral("12.0 GB"))) << "Adam's state in mixed precision" << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("1,000,000,000 parameters, as entered")));
}

TEST_F(MemoryPanelTest, NoTitleAndNoNumberOfTheFormulaBreaksInHalfAPanel) {
    AnalysedRun run = *trainingRun();
    run.facts.memory.model.parameters = 1'000'000'000;
    open({std::make_shared<const AnalysedRun>(std::move(run))});
    panel.resize(910, 240);
    QCoreApplication::processEvents();
    int checked = 0;
    for (const QTextBrowser* text : panel.findChildren<QTextBrowser*>()) {
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            const QString words = block.text().replace(QChar::Nbsp, QLatin1Char(' '));
            const bool number = words == QStringLiteral("12.0 GB") || words == QStringLiteral("Share");
            const bool title = words == QStringLiteral("mixed precision") || words == QStringLiteral("all in 32 bit");
            checked += number || title ? 1 : 0;
            if (number || title) {
                const auto most = title ? static_cast<int>(words.count(QLatin1Char(' '))) + 1 : 1;
                EXPECT_LE(block.layout()->lineCount(), most) << words.toStdString();
            }
        }
    }
    EXPECT_GE(checked, 3);
}

TEST_F(MemoryPanelTest, ASnapshotIsShownWithItsStacksBlocksAndSegments) {
    const test::TempFolder folder;
    const auto snapshot = opened(test::writeSnapshot(folder, "snapshot.pickle"));
    open({}, {snapshot});
    const QString said = panel.summary();
    EXPECT_TRUE(said.startsWith(QStringLiteral("snapshot.pickle: 16.8 MB in use"))) << said.toStdString();
    EXPECT_TRUE(test::holds(said, {"fragmentation", "Memory ran out", "Fragmented", "Free segments", "At its peak"}));
    EXPECT_EQ(cell(0, 0), QStringLiteral("model.py(12): __init__"));
    EXPECT_EQ(cell(0, 1), QStringLiteral("Parameters"));
    table().setFocus();
    clickRow(0);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("/job/train.py(90): <module>"))) << "the whole stack";
    for (const char* tables : {"Stacks at the Peak", "Largest Blocks", "Segments"}) {
        press(QLatin1String(tables));
        EXPECT_GT(table().model()->rowCount(), 0) << tables;
    }
    EXPECT_EQ(table().model()->rowCount(), 3);
    QTest::mouseClick(table().horizontalHeader()->viewport(), Qt::LeftButton, {},
                      {table().columnViewportPosition(2) + 10, 10});
    EXPECT_TRUE(table().horizontalHeader()->isSortIndicatorShown());
    const QSignalSpy closed(&panel, &MemoryPanel::closeAsked);
    press(QStringLiteral("Close the Snapshot"));
    EXPECT_EQ(closed.count(), 1);
}

TEST_F(MemoryPanelTest, ASnapshotIsNextToTheRankInItsFileName) {
    const test::TempFolder folder;
    const auto of_rank = opened(test::writeSnapshot(folder, "rank0_memory_snapshot.pickle"));
    const auto of_nobody = opened(test::writeSnapshot(folder, "other.pickle"));
    open({trainingRun()}, {of_nobody, of_rank});
    QStringList names;
    for (int i = 0; i < source().count(); ++i) {
        names << source().itemText(i);
    }
    EXPECT_EQ(names,
              QStringList({QStringLiteral("rank 0"), QStringLiteral("rank 0 · Snapshot rank0_memory_snapshot.pickle"),
                           QStringLiteral("rank 1"), QStringLiteral("Snapshot other.pickle")}));
    panel.showSnapshot(of_rank);
    settle();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("of the GPU's 64.0"))) << "its rank's device";
}

TEST_F(MemoryPanelTest, ASnapshotOfSeveralRunsIsOfTheOneInItsFolder) {
    const test::TempFolder folder;
    const auto snapshot = opened(test::writeSnapshot(folder, "a/snapshots/rank0.pickle"));
    const auto run_in = [&folder](const char* name) {
        const std::string path = (folder.path() / name / "rank0.json").string();
        return std::make_shared<const AnalysedRun>(test::analyse(test::runOf({trainingRank(0, kMb, path)})));
    };
    const OpenRuns runs = {run_in("b"), run_in("a")};
    EXPECT_EQ(rankOfSnapshot(*snapshot, runs), (RankOfRun{1, RankPosition(0)}));
    EXPECT_EQ(rankOfSnapshot(*snapshot, {run_in("b"), run_in("c")}), std::nullopt) << "either could be it";
    EXPECT_EQ(rankOfSnapshot(*snapshot, {run_in("b")}), (RankOfRun{0, RankPosition(0)}));
}

TEST_F(MemoryPanelTest, EventsWithoutTotalsAreDistinguishedFromNoEvents) {
    auto run = std::make_shared<AnalysedRun>(*trainingRun());
    run->facts.memory = {};
    const std::vector<std::string> lines = report::memoryLines(*run);
    const MemoryPage page = emptyPage(*run);
    EXPECT_EQ(page.title == QStringLiteral("No memory was recorded"), lines.empty()) << page.title.toStdString();
    if (!lines.empty()) {
        EXPECT_EQ(page.title, QStringLiteral("Memory use unknown"));
    }
}

TEST_F(MemoryPanelTest, FiguresOfPartsAndOfReservedMemoryAreAligned) {
    open({trainingRun()});
    const QTextDocument& text = *panel.findChild<QTextBrowser*>()->document();
    std::vector<QTextTable*> tables;
    for (QTextFrame* frame : text.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            tables.push_back(table);
        }
    }
    ASSERT_EQ(tables.size(), 2U);
    const auto place = [&](QTextTable* table, int column) {
        const QTextBlock block = table->cellAt(table->rows() - 1, column).firstCursorPosition().block();
        return text.documentLayout()->blockBoundingRect(block);
    };
    for (const int column : {1, 2}) {
        EXPECT_NEAR(place(tables[0], column).left(), place(tables[1], column).left(), 1.5) << column;
        EXPECT_NEAR(place(tables[0], column).width(), place(tables[1], column).width(), 1.5) << column;
    }
    const QTextBlock figure = tables[0]->cellAt(1, 2).firstCursorPosition().block();
    EXPECT_EQ(figure.layout()->lineCount(), 1) << "a figure keeps its unit: " << figure.text().toStdString();
    EXPECT_GE(text.documentMargin(), 4) << "words do not touch the frame of the keyboard";
    EXPECT_EQ(source().sizeAdjustPolicy(), QComboBox::AdjustToContents);
}

}  // namespace
}  // namespace rankscope::ui
