// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/panels/hand_made_run.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/trace/clocks_panel.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

TEST(ClocksPanel, ManyRanksAreFilledInSeveralEventsEvenIfTheRunChanges) {
    constexpr int kRanks = 450;
    ClocksPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::ofRanks(kRanks)}, {});
    const auto* table = panel.findChild<QTableWidget*>();
    EXPECT_EQ(table->item(kRanks - 1, 0), nullptr) << "not all in one event";
    panel.hide();
    panel.setRuns({HandMadeRun::ofRanks(3)}, {});
    QCoreApplication::processEvents();
    panel.setRuns({HandMadeRun::ofRanks(kRanks)}, {});
    panel.show();
    ASSERT_TRUE(QTest::qWaitFor([table] { return table->item(kRanks - 1, 0) != nullptr; }));
    for (int rank = 0; rank < kRanks; ++rank) {
        ASSERT_NE(table->item(rank, 0), nullptr) << rank;
        EXPECT_EQ(table->item(rank, 0)->text(), QStringLiteral("rank %1").arg(rank));
    }
}

TEST(ClocksPanel, TheColumnThatIsTypedInIsInSightInASmallWindow) {
    ClocksPanel panel(Theme::darkTheme());
    panel.setStyleSheet(Theme::darkTheme().styleSheet());
    panel.resize(850, 220);  // below the timeline of a window of 1280 x 720, beside the list of pages
    panel.show();
    panel.setRuns({HandMadeRun::ofRanks(3)}, {});
    const auto* table = panel.findChild<QTableWidget*>();
    EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width());
}

TEST(ClocksPanel, ManyNotesLeaveRoomForTheTable) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::ofRanks(3));
    for (int host = 0; host < 40; ++host) {
        run->clock.notes.push_back("A note of host " + std::to_string(host) + ".");
    }
    ClocksPanel panel(Theme::darkTheme());
    panel.resize(600, 300);
    panel.show();
    panel.setRuns({run}, {});
    EXPECT_TRUE(test::labelWords(panel).contains(QStringLiteral("A note of host 4.\nand 35 more, in the report")));
    EXPECT_GT(panel.findChild<QTableWidget*>()->height(), 100);
}

TEST(ClocksPanel, ItsFiguresGrowWithTheText) {
    ClocksPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::ofRanks(3)}, {});
    const Theme larger = Theme::darkTheme().withTextSize(1.6);
    panel.setTheme(larger);
    const auto* table = panel.findChild<QTableWidget*>();
    for (int column = 3; column < table->columnCount(); ++column) {
        EXPECT_EQ(table->item(0, column)->font(), larger.mono_font) << column;
    }
}

}  // namespace
}  // namespace rankscope::ui
