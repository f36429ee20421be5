// SPDX-License-Identifier: GPL-3.0-or-later
// The list of collectives by group and role: real events on the real panel.
#include "ui/panels/communication/collectives_panel.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QHeaderView>
#include <QTableView>
#include <QTest>

#include "tests/support/grid_run.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/communication/collectives_model.h"

namespace rankscope::ui {
namespace {

class CollectivesPanelTest : public testing::Test {
  protected:
    CollectivesPanelTest() {
        run = test::runOnAGrid({.data = 2, .pipeline = 1, .tensor = 2});
        addCollectives();
        panel.resize(1100, 300);
        panel.setRuns({run});
        panel.show();
        panel.job().finish();
        QObject::connect(&panel, &CollectivesPanel::sliceActivated,
                         [this](const SliceSelection& slice) { asked.push_back(slice); });
    }
    // One of each group, each a millisecond after the one before; in each the member with the greater number begins
    // first.
    void addCollectives() {
        const auto& groups = run->facts.parallelism.groups;
        for (std::uint32_t g = 0; g < groups.size(); ++g) {
            if (groups[g].ranks.size() < 2) {
                continue;
            }
            Collective collective;
            collective.kind = groups[g].role == Role::Tensor ? CollectiveKind::AllGather : CollectiveKind::AllReduce;
            collective.group = g;
            collective.bytes = 1'000'000 * (g + 1);
            for (const RankNumber number : groups[g].ranks) {
                CollectiveMember member;
                member.rank = RankPosition(number.value);
                const TimeNs at = 1'000'000'000 + std::int64_t{g} * 1'000'000 - std::int64_t{number.value} * 100;
                member.span = {at, at + 50'000 + number.value};
                member.slices = {{TrackId(0), 1}};
                collective.members.push_back(member);
            }
            run->facts.collectives.collectives.push_back(collective);
        }
    }
    QTableView& table() { return *panel.findChild<QTableView*>(); }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    QStringList column(int column) { return test::column(*table().model(), column); }
    QComboBox& which() { return test::named<QComboBox>(panel, QStringLiteral("Group or role")); }
    void choose(const QString& entry) {
        const int at = which().findText(entry, Qt::MatchStartsWith);
        ASSERT_GE(at, 0) << entry.toStdString();
        which().setCurrentIndex(at);
        panel.job().finish();
    }
    void clickTitle(int column) {
        const QHeaderView& titles = *table().horizontalHeader();
        QTest::mouseClick(titles.viewport(), Qt::LeftButton, {},
                          {titles.sectionViewportPosition(column) + 20, titles.height() / 2});
        panel.job().finish();
    }

    std::shared_ptr<AnalysedRun> run;
    CollectivesPanel panel{Theme::darkTheme()};
    std::vector<SliceSelection> asked;
};

TEST_F(CollectivesPanelTest, ListsEachCollectiveWithItsGroupAndRoleByStart) {
    EXPECT_EQ(column(CollectivesModel::kRole), QStringList({"data", "data", "tensor", "tensor"}));
    EXPECT_EQ(column(CollectivesModel::kOperation),
              QStringList({"all-reduce", "all-reduce", "all-gather", "all-gather"}));
    EXPECT_EQ(cell(0, CollectivesModel::kGroup), QStringLiteral("mesh_dp"));
    EXPECT_EQ(cell(0, CollectivesModel::kRanks), QStringLiteral("2 of 2"));
    EXPECT_EQ(cell(0, CollectivesModel::kStep), QStringLiteral("–")) << "it begins before the first step";
    EXPECT_EQ(cell(3, CollectivesModel::kStep), QStringLiteral("0"));
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("4 collectives"))) << panel.summary().toStdString();
}

TEST_F(CollectivesPanelTest, ListsThoseOfOneRoleOrOfOneGroup) {
    choose(QStringLiteral("Role: tensor"));
    EXPECT_EQ(column(CollectivesModel::kRole), QStringList({"tensor", "tensor"}));
    choose(QStringLiteral("Group: mesh_tp (ranks 2"));
    EXPECT_EQ(column(CollectivesModel::kOperation), QStringList({"all-gather"}));
    choose(QStringLiteral("All groups"));
    EXPECT_EQ(column(CollectivesModel::kRole).size(), 4);
}

TEST_F(CollectivesPanelTest, AClickOnATitleSortsAndTheNextOneTurnsTheOrderAround) {
    clickTitle(CollectivesModel::kBytes);
    const QString largest = cell(0, CollectivesModel::kBytes);
    clickTitle(CollectivesModel::kBytes);
    EXPECT_EQ(cell(3, CollectivesModel::kBytes), largest);
    EXPECT_NE(cell(0, CollectivesModel::kBytes), largest);
}

TEST_F(CollectivesPanelTest, AClickOnARowLeadsToItsFirstKernel) {
    const QTableView& view = table();
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(0, 2)).center());
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].rank, RankPosition(2)) << "which begins before rank 0";
}

TEST_F(CollectivesPanelTest, WhatWasChosenStaysWhenTheRunIsAnalysedAgain) {
    choose(QStringLiteral("Role: tensor"));
    auto again = std::make_shared<AnalysedRun>(*run);
    panel.setRuns({again});
    panel.job().finish();
    EXPECT_EQ(which().currentText(), QStringLiteral("Role: tensor"));
    EXPECT_EQ(column(CollectivesModel::kRole), QStringList({"tensor", "tensor"}));
}

}  // namespace
}  // namespace rankscope::ui
