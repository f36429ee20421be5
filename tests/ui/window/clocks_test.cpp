// SPDX-License-Identifier: GPL-3.0-or-later
// The user knows better than the fit: typed offsets and the files' own times, in the real window.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/timeline/navigation/viewport.h"

namespace rankscope::ui {
namespace {

class Clocks : public test::WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
        panel = &window().workspace().clocks();
        window().workspace().showBelow(*panel);
        table = panel->findChild<QTableWidget*>();
    }

    /// Types into the last column of a row, as a user does.
    void type(int row, const QString& words) {
        const int last = table->columnCount() - 1;
        table->setCurrentCell(row, last);
        table->editItem(table->item(row, last));
        auto* editor = table->viewport()->findChild<QLineEdit*>();
        ASSERT_NE(editor, nullptr) << "the cell can be edited";
        editor->selectAll();
        QTest::keyClick(editor, Qt::Key_Delete);
        QTest::keyClicks(editor, words);
        QTest::keyClick(editor, Qt::Key_Return);
        QCoreApplication::processEvents();  // the cell takes it over
    }
    [[nodiscard]] bool waitForClock() {
        return QTest::qWaitFor([this] { return !window().session().reanalysis().busy(); }, kPatience);
    }
    [[nodiscard]] QPushButton* button(const QString& words) const { return test::buttonIn(*panel, words); }
    [[nodiscard]] const RankClock& clockOf(std::size_t rank) { return window().session().runs()[0]->clock.ranks[rank]; }
    [[nodiscard]] QString words() const { return test::labelWords(*panel); }

    ClocksPanel* panel = nullptr;
    QTableWidget* table = nullptr;
};

TEST_F(Clocks, ATypedOffsetAppliesEverywhereOnceTheRunIsAnalysedAgain) {
    ASSERT_EQ(table->rowCount(), 2);
    std::optional<ClockMethod> meanwhile;
    QObject::connect(panel, &ClocksPanel::chosen, &window(), [&] { meanwhile = clockOf(1).method; });
    type(1, QStringLiteral("1.5 ms"));
    ASSERT_TRUE(meanwhile);
    EXPECT_NE(*meanwhile, ClockMethod::Typed) << "what is shown stays until the new facts are there";
    ASSERT_TRUE(waitForClock());
    EXPECT_EQ(clockOf(1).method, ClockMethod::Typed);
    EXPECT_EQ(clockOf(1).offset_ns, 1'500'000);
    EXPECT_EQ(table->item(1, table->columnCount() - 1)->text(), QStringLiteral("1.5 ms"));
    EXPECT_EQ(window().session().choices()[0].clocks.typed_offset_ns.at(RankNumber(1)), 1'500'000);
    // The timeline's rank 1 begins and ends so much later.
    const AnalysedRun& run = *window().session().runs()[0];
    const TimeSpan window_of_rank = run.clock.ranks[1].toRun(FileSpan(run.run->ranks[1]->window));
    EXPECT_GE(workspace().timeline().viewport().extent().end_ns, window_of_rank.end_ns - run.clock.base_ns);
}

TEST_F(Clocks, AnEmptyCellAndForgettingGiveTheFitBack) {
    type(1, QStringLiteral("-20 us"));
    ASSERT_TRUE(waitForClock());
    EXPECT_EQ(clockOf(1).offset_ns, -20'000);
    type(1, {});
    ASSERT_TRUE(waitForClock());
    EXPECT_NE(clockOf(1).method, ClockMethod::Typed);
    type(0, QStringLiteral("5 us"));
    ASSERT_TRUE(waitForClock());
    QTest::mouseClick(button(QStringLiteral("Clear my offsets")), Qt::LeftButton);
    ASSERT_TRUE(waitForClock());
    EXPECT_NE(clockOf(0).method, ClockMethod::Typed);
    EXPECT_TRUE(window().session().choices()[0].clocks.typed_offset_ns.empty());
}

TEST_F(Clocks, AnInvalidDurationIsRefusedWithAReason) {
    type(1, QStringLiteral("soon"));
    EXPECT_FALSE(window().session().reanalysis().busy());
    EXPECT_TRUE(words().contains(QStringLiteral("“soon” is not a duration"))) << words().toStdString();
    EXPECT_EQ(table->item(1, table->columnCount() - 1)->text(), QString());
}

TEST_F(Clocks, TheFilesSegmentTimesCanBeSwitchedToAndBack) {
    type(1, QStringLiteral("3000 ns"));
    ASSERT_TRUE(waitForClock());
    QTest::mouseClick(button(QStringLiteral("The files' own times")), Qt::LeftButton);
    ASSERT_TRUE(waitForClock());
    EXPECT_EQ(clockOf(1).method, ClockMethod::FileTimes);
    EXPECT_EQ(clockOf(1).offset_ns, 0);
    EXPECT_FALSE(table->item(1, table->columnCount() - 1)->flags().testFlag(Qt::ItemIsEditable));
    EXPECT_EQ(table->item(1, table->columnCount() - 1)->text(), QString()) << "it does not count here";
    EXPECT_FALSE(words().contains(QStringLiteral("Double-click"))) << words().toStdString();
    QTest::mouseClick(button(QStringLiteral("One fitted clock")), Qt::LeftButton);
    ASSERT_TRUE(waitForClock());
    EXPECT_EQ(clockOf(1).method, ClockMethod::Typed) << "what was typed waited";
    EXPECT_EQ(clockOf(1).offset_ns, 3'000);
}

TEST_F(Clocks, TheNewestOfSeveralWishesWins) {
    Session& session = window().session();
    const QSignalSpy finished(&session.reanalysis(), &Reanalysis::finished);
    for (const DurationNs offset : {1'000, 2'000, 3'000}) {
        ClockChoice choice;
        choice.typed_offset_ns[RankNumber(0)] = offset;
        session.setClocks(0, choice);
    }
    ASSERT_TRUE(waitForClock());
    EXPECT_EQ(finished.count(), 1);
    EXPECT_EQ(clockOf(0).offset_ns, 3'000);
}

TEST_F(Clocks, ARunThatIsClosedDuringAReanalysisStaysClosed) {
    ClockChoice choice;
    choice.file_times = true;
    window().session().setClocks(0, choice);
    window().session().closeAll();
    ASSERT_TRUE(waitForClock());
    EXPECT_TRUE(window().session().runs().empty());
}

}  // namespace
}  // namespace rankscope::ui
