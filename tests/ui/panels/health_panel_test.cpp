// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>
#include <QTreeWidget>

#include "tests/ui/holds.h"
#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/widgets/figure_delegate.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

TEST(HealthPanel, NamesTheByteOfEachParseIssue) {
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::make()});
    const auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_EQ(tree->topLevelItemCount(), 1);
    QTreeWidgetItem* rank = tree->topLevelItem(0);
    rank->setExpanded(true);
    EXPECT_EQ(rank->text(2), QStringLiteral("1,234"));
    QString lines;
    for (int i = 0; i < rank->childCount(); ++i) {
        lines += rank->child(i)->text(0) + QLatin1Char('\n');
    }
    EXPECT_TRUE(lines.contains(QStringLiteral("byte 98,765: bare NaN"))) << lines.toStdString();
    EXPECT_FALSE(rank->child(0)->toolTip(0).isEmpty()) << "at the side a line may have no room for its last words";
}

TEST(HealthPanel, ANoteAboutSeveralRanksIsShownOnce) {
    const auto hand_made = HandMadeRun::make();
    auto run = std::make_shared<rankscope::Run>(*hand_made->run);
    auto analysed = std::make_shared<AnalysedRun>(*hand_made);
    run->ranks.clear();
    analysed->facts.ranks.assign(3, hand_made->facts.ranks.front());
    analysed->clock.ranks.assign(3, hand_made->clock.ranks.front());
    for (std::int32_t number = 0; number < 3; ++number) {
        auto rank = std::make_shared<RankTrace>();
        rank->rank = RankNumber(number);
        rank->health.notes = {"No memory."};
        if (number == 1) {
            rank->health.notes.emplace_back("No stacks.");
        } else {
            analysed->facts.ranks[static_cast<std::size_t>(number)].communication_suspects = {{"my_all_reduce", 2, 30}};
        }
        run->ranks.push_back(rank);
    }
    analysed->run = run;
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({analysed});
    const auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_EQ(tree->topLevelItemCount(), 3 + 2);
    EXPECT_EQ(tree->topLevelItem(3)->text(0), QStringLiteral("all 3 ranks: No memory."));
    const auto* said = qobject_cast<QLabel*>(tree->itemWidget(tree->topLevelItem(4), 0));
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(test::holds(said->text(), {"my_all_reduce", "4 calls", "ranks 0, 2"}));
    QStringList lines;
    for (int rank = 0; rank < 3; ++rank) {
        QTreeWidgetItem* row = tree->topLevelItem(rank);
        row->setExpanded(true);
        for (int i = 0; i < row->childCount(); ++i) {
            EXPECT_EQ(tree->itemWidget(row->child(i), 0), nullptr);
            lines.append(row->child(i)->text(0));
        }
    }
    EXPECT_FALSE(lines.contains(QStringLiteral("No memory.")));
    EXPECT_EQ(lines.count(QStringLiteral("No stacks.")), 1) << "it is of one rank alone";
}

TEST(HealthPanel, ManyRanksAreAddedInSeveralEventsInTheirOrder) {
    constexpr int kRanks = 450;
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::ofRanks(kRanks)});
    const auto* tree = panel.findChild<QTreeWidget*>();
    EXPECT_LT(tree->topLevelItemCount(), kRanks) << "not all in one event";
    panel.hide();
    QCoreApplication::processEvents();
    panel.setRuns({HandMadeRun::ofRanks(kRanks)});
    panel.show();
    ASSERT_TRUE(QTest::qWaitFor([tree] { return tree->topLevelItemCount() > kRanks; }));
    for (int rank = 0; rank < kRanks; ++rank) {
        EXPECT_EQ(tree->topLevelItem(rank)->text(0), QStringLiteral("rank %1").arg(rank));
    }
    EXPECT_EQ(tree->topLevelItem(kRanks)->text(0), QStringLiteral("A note of the run."));
    EXPECT_TRUE(tree->topLevelItem(kRanks)->isFirstColumnSpanned());
    EXPECT_FALSE(tree->topLevelItem(kRanks - 1)->isFirstColumnSpanned());
}

TEST(HealthPanel, WhatItWasGivenWhileItWasHiddenIsThereWhenItIsShown) {
    HealthPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.setRuns({HandMadeRun::make(), HandMadeRun::make()});
    panel.show();
    EXPECT_EQ(panel.findChild<QTreeWidget*>()->topLevelItemCount(), 2);
    panel.setRuns({});
    EXPECT_EQ(panel.findChild<QTreeWidget*>()->topLevelItemCount(), 0);
}

TEST(HealthPanel, RowsAreAsHighAsThoseOfTablesAndNumbersHaveDigitsOfOneWidth) {
    const Theme theme = Theme::darkTheme();
    HealthPanel panel(theme);
    panel.resize(800, 300);
    panel.show();
    panel.setRuns({HandMadeRun::make()});
    const auto* tree = panel.findChild<QTreeWidget*>();
    EXPECT_GE(tree->visualItemRect(tree->topLevelItem(0)).height(), rowHeight(tree->fontMetrics()));
    EXPECT_EQ(FigureDelegate::metricsOf(*tree), QFontMetrics(theme.mono_font));
}

TEST(HealthPanel, LinesOfWordsGoOverAllColumnsAndRowsOfNumbersDoNot) {
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::make(), HandMadeRun::make()});
    const auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_EQ(tree->topLevelItemCount(), 2);
    const QTreeWidgetItem* run = tree->topLevelItem(1);
    EXPECT_TRUE(run->isFirstColumnSpanned());
    EXPECT_TRUE(run->isExpanded());
    ASSERT_GT(run->childCount(), 0);
    EXPECT_FALSE(run->child(0)->isFirstColumnSpanned());
    run->child(0)->setExpanded(true);
    ASSERT_GT(run->child(0)->childCount(), 0);
    EXPECT_TRUE(run->child(0)->child(0)->isFirstColumnSpanned());
}

}  // namespace
}  // namespace rankscope::ui
