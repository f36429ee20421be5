// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in the window: snapshots that are dropped on it, what the session keeps of them, and what it is for at the
// peak of real traces.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <algorithm>

#include "tests/support/memory_snapshot.h"
#include "tests/support/real_traces.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/memory/memory_tables.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/locate_offer.h"
#include "ui/window/opening/open_requests.h"
#include "ui/window/opening/welcome_page.h"
#include "ui/window/report_export.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

class MemoryInTheWindow : public CompareWindow {
  protected:
    MemoryPanel& memory() { return workspace().memory(); }
    QString snapshot(const std::string& name = "snapshot.pickle", const std::vector<std::string>& options = {}) {
        return QString::fromStdString(test::writeSnapshot(folder(), name, options));
    }
    void show(const QStringList& paths, Qt::KeyboardModifiers modifiers = {}) {
        drop(paths, modifiers);
        waitUntilShown();
    }
    void waitUntilShown() {
        ASSERT_TRUE(waitUntilIdle());
        waitUntilQuiet();
    }
    [[nodiscard]] QStringList failures() {
        const LoadingModel& model = window().loadingStrip().model();
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row) {
            all << model.index(row, LoadingModel::kName).data().toString() + QStringLiteral(": ") +
                       model.index(row, LoadingModel::kState).data().toString();
        }
        return all;
    }
    void openSession(const QString& file) {
        drop({file});
        waitUntilShown();
    }
};

TEST_F(MemoryInTheWindow, ADroppedSnapshotIsShownWithTheOpenRun) {
    show({writeRank(0), writeRank(1)});
    show({snapshot("rank1_memory_snapshot.pickle")});
    EXPECT_EQ(ranksOf(), 2) << "nothing is replaced";
    ASSERT_EQ(window().session().snapshots().size(), 1U);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("memory"));
    EXPECT_TRUE(workspace().bottomPanelVisible());
    EXPECT_TRUE(memory().isVisible());
    EXPECT_TRUE(memory().summary().contains(QStringLiteral("16.8 MB in use"))) << memory().summary().toStdString();
    EXPECT_EQ(memory().findChild<QComboBox*>()->currentText(),
              QStringLiteral("rank 1 · Snapshot rank1_memory_snapshot.pickle"));
    EXPECT_TRUE(failures().isEmpty()) << failures().join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(window().requests().recent().entries().size(), 2);
    show({snapshot("rank1_memory_snapshot.pickle")});
    EXPECT_EQ(window().session().snapshots().size(), 1U) << "the same file is read again, not shown twice";
}

TEST_F(MemoryInTheWindow, ASnapshotIsClosedAndReopenedByTheCommandsOfRuns) {
    QAction* close = action("file.close");
    QAction* reopen = action("file.reopen");
    show({snapshot("first.pickle")});
    ASSERT_TRUE(close->isEnabled()) << "there is no run";
    close->trigger();
    EXPECT_TRUE(window().session().snapshots().empty());
    EXPECT_FALSE(close->isEnabled());
    ASSERT_TRUE(reopen->isEnabled());
    reopen->trigger();
    waitUntilShown();
    ASSERT_EQ(window().session().snapshots().size(), 1U);
    EXPECT_FALSE(reopen->isEnabled());
    show({writeRank(0)});  // takes the place of both
    EXPECT_TRUE(window().session().snapshots().empty());
    window().session().closeAll();
    reopen->trigger();
    waitUntilShown();
    EXPECT_EQ(window().session().runs().size(), 1U);
    reopen->trigger();
    waitUntilShown();
    EXPECT_EQ(window().session().runs().size(), 1U) << "beside what is open";
    EXPECT_EQ(window().session().snapshots().size(), 1U);
}

TEST_F(MemoryInTheWindow, ASnapshotAloneIsShownWithoutARunUnderAnyName) {
    show({snapshot("odd.name")});
    EXPECT_TRUE(window().session().runs().empty());
    EXPECT_TRUE(memory().isVisible());
    EXPECT_FALSE(window().findChild<WelcomePage*>()->isVisible());
    EXPECT_TRUE(window().windowTitle().startsWith(QStringLiteral("odd.name"))) << window().windowTitle().toStdString();
    EXPECT_TRUE(action("view.memory")->isEnabled());
    EXPECT_FALSE(action("view.charts")->isEnabled());
    test::clickButton(memory(), QStringLiteral("Close the Snapshot"));
    EXPECT_TRUE(window().session().snapshots().empty());
    EXPECT_TRUE(window().findChild<WelcomePage*>()->isVisible());
}

TEST_F(MemoryInTheWindow, TracesAndSnapshotsThatAreDroppedTogetherAreOpenedTogether) {
    (void)snapshot("run/rank0.pickle");
    (void)writeRank(0);
    show({inFolder("run")});
    EXPECT_EQ(ranksOf(), 1);
    EXPECT_EQ(window().session().snapshots().size(), 1U);
    show({writeRank(1)});
    EXPECT_EQ(ranksOf(), 1);
    EXPECT_TRUE(window().session().snapshots().empty()) << "they were of the run that made way";
    trigger("file.close-all");
}

TEST_F(MemoryInTheWindow, ASnapshotThatIsDroppedDuringALoadDoesNotEndIt) {
    const QString small = snapshot();
    drop({zero()});
    show({small});
    EXPECT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().snapshots().size(), 1U);
}

TEST_F(MemoryInTheWindow, WithAltASnapshotIsNotComparedWithTheRun) {
    show({writeRank(0)});
    show({snapshot()}, Qt::AltModifier);
    EXPECT_FALSE(window().comparing().active());
    EXPECT_EQ(window().session().snapshots().size(), 1U);
}

TEST_F(MemoryInTheWindow, WhatIsNoPlainSnapshotIsRefusedWithFileByteAndCause) {
    const QString runs_code = QString::fromStdString(folder().write("evil.pickle",
                                                                    "\x80\x02"
                                                                    "cos\nsystem\n."));
    const QString cut = snapshot("cut.pickle");
    QFile file(cut);
    ASSERT_TRUE(file.resize(file.size() / 2));
    show({runs_code, cut});
    EXPECT_TRUE(window().session().snapshots().empty());
    const QStringList told = failures();
    ASSERT_EQ(told.size(), 2);
    EXPECT_TRUE(std::ranges::any_of(told, [](const QString& line) {
        return line.startsWith(QStringLiteral("evil.pickle: ")) && line.contains(QStringLiteral("byte 2")) &&
               line.contains(QStringLiteral("GLOBAL"));
    })) << told.join(QLatin1Char('\n')).toStdString();
    EXPECT_TRUE(std::ranges::any_of(told, [](const QString& line) {
        return line.startsWith(QStringLiteral("cut.pickle: ")) && line.contains(QStringLiteral("byte"));
    })) << told.join(QLatin1Char('\n')).toStdString();
    EXPECT_TRUE(window().loadingStrip().isVisible());
    EXPECT_TRUE(window().requests().recent().entries().isEmpty());
}

TEST_F(MemoryInTheWindow, TheSessionKeepsSnapshotsAndLooksForThoseThatAreMissed) {
    show({writeRank(0)});
    show({snapshot("deep/rank0.pickle")});
    const QString kept = inFolder("mine.rankscope");
    window().sessions().save(kept);
    window().session().closeAll();
    EXPECT_TRUE(window().session().snapshots().empty());
    openSession(kept);
    ASSERT_EQ(window().session().snapshots().size(), 1U);
    EXPECT_EQ(ranksOf(), 1);
    window().session().closeAll();
    std::filesystem::create_directories(folder().path() / "moved/deep");
    std::filesystem::rename(folder().path() / "deep/rank0.pickle", folder().path() / "moved/deep/rank0.pickle");
    openSession(kept);
    EXPECT_TRUE(window().session().snapshots().empty());
    const auto* offer = window().findChild<LocateOffer*>();
    ASSERT_TRUE(offer->isVisible());
    EXPECT_TRUE(offer->findChild<QLabel*>()->text().contains(QStringLiteral("Of the 2 files")))
        << offer->findChild<QLabel*>()->text().toStdString();
    window().sessions().locate(inFolder("moved"));
    waitUntilShown();
    EXPECT_EQ(window().session().snapshots().size(), 1U);
}

TEST_F(MemoryInTheWindow, ASessionOfASnapshotAloneComesBack) {
    show({snapshot()});
    window().sessions().saveLast();
    window().session().closeAll();
    window().sessions().openLast();
    waitUntilShown();
    EXPECT_EQ(window().session().snapshots().size(), 1U);
    EXPECT_TRUE(memory().isVisible());
}

TEST_F(MemoryInTheWindow, ReportsThatAreSavedHaveTheSnapshot) {
    show({snapshot()});
    const QString page = inFolder("report.html");
    window().reports().saveReport(page, ReportFormat::HtmlPage);
    window().reports().job().finish();
    QFile file(page);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("Memory snapshot snapshot.pickle"));
    const QSignalSpy refused(&window().reports(), &ReportExport::failed);
    window().reports().saveReport(snapshot(), ReportFormat::HtmlPage);
    EXPECT_EQ(refused.count(), 1) << "a snapshot is not written over";
}

TEST_F(MemoryInTheWindow, TheSampleSaysWhyItsMemoryIsUnknown) {
    show({zero()});
    trigger("view.memory");
    waitUntilShown();
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("memory"));
    EXPECT_TRUE(memory().summary().contains(QStringLiteral("profile_memory=True"))) << memory().summary().toStdString();
}

TEST_F(MemoryInTheWindow, ARowOfARealTraceLeadsToItsOperatorOnTheTimeline) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    show({QString::fromStdString((test::realTraces() / "hta/df_index_resolver").string())});
    trigger("view.memory");
    waitUntilShown();
    const AnalysedRun& run = *window().session().runs()[0];
    ASSERT_TRUE(run.facts.memory.any());
    QTableView& table = memory().tables().view();
    ASSERT_GT(table.model()->rowCount(), 0);
    const std::vector<OperatorMemory>& operators = run.facts.memory.ranks[0][0].operators;
    const auto known = std::ranges::find_if(operators, [](const OperatorMemory& sum) { return sum.slice.valid(); });
    ASSERT_NE(known, operators.end());
    const auto row = static_cast<int>(known - operators.begin());
    table.scrollTo(table.model()->index(row, 0));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
    const auto* slice = std::get_if<SliceSelection>(&workspace().timeline().selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(run.run->ranks[0]->name(slice->slice), known->name);
}

}  // namespace
}  // namespace rankscope::ui
