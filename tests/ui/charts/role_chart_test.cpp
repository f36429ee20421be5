// SPDX-License-Identifier: GPL-3.0-or-later
// Exposed communication by role: what is drawn, what it says, and what a click on it means.
#include "ui/charts/role_chart.h"

#include <gtest/gtest.h>

#include <QBarSet>
#include <QChart>
#include <QLabel>
#include <QSignalSpy>
#include <QStackedBarSeries>
#include <QTest>

#include "tests/support/grid_run.h"
#include "tests/ui/charts/chart_parts.h"
#include "ui/charts/bar_names.h"

namespace rankscope::ui {
namespace {

class RoleCharts : public testing::Test {
  protected:
    RoleCharts() {
        chart.resize(1100, 260);
        chart.show();
    }
    const QStackedBarSeries& bars() {
        auto* found = qobject_cast<QStackedBarSeries*>(chart.chart().series().value(0));
        EXPECT_NE(found, nullptr);
        return *found;
    }
    std::vector<QString> names() { return test::shownBy<BarNames>(chart); }

    RoleChart chart{Theme::darkTheme()};
};

TEST_F(RoleCharts, TheBarOfARankIsWhatItExposesInAStepByRole) {
    chart.setRun(test::runOnAGrid({.data = 2, .pipeline = 1, .tensor = 2}), 0);
    ASSERT_EQ(bars().count(), 2) << "a role of which nothing is exposed has no colour";
    EXPECT_EQ(bars().barSets()[0]->label(), QStringLiteral("data"));
    EXPECT_EQ(bars().barSets()[1]->label(), QStringLiteral("tensor"));
    ASSERT_EQ(bars().barSets()[1]->count(), 4);
    EXPECT_DOUBLE_EQ(bars().barSets()[0]->at(3) + bars().barSets()[1]->at(3), 2.0) << "milliseconds";
    const QString said = chart.view().spokenPart(3).name + chart.view().spokenPart(3).about;
    EXPECT_TRUE(said.contains(QStringLiteral("rank 3 · dp 1, tp 1: 2.00 ms exposed per step"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("tensor: 1.50 ms"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("mean of "))) << "ranks need not have as many steps";
}

TEST_F(RoleCharts, BarsAreNamedByTheirPlacesWhereAllHaveRoom) {
    chart.setRun(test::runOnAGrid({.data = 2, .pipeline = 1, .tensor = 2}), 0);
    EXPECT_EQ(names().at(1), QStringLiteral("rank 1 · dp 0, tp 1"));
    chart.setRun(test::runOnAGrid({.data = 8, .pipeline = 1, .tensor = 4}), 0);
    EXPECT_EQ(names().at(1), QStringLiteral("1"));
}

TEST_F(RoleCharts, EnterLeadsToTheStepInWhichMostWasExposed) {
    const auto run = test::runOnAGrid({.data = 2, .pipeline = 1, .tensor = 2});
    run->facts.parallelism.ranks[2].steps[1][Role::Data] += 1'000;
    chart.setRun(run, 0);
    QSignalSpy asked(&chart, &RunChart::stepActivated);
    chart.view().setFocus();
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(&chart.view(), Qt::Key_Right);
    }
    QTest::keyClick(&chart.view(), Qt::Key_Return);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][1].value<RankPosition>(), RankPosition(2));
    EXPECT_EQ(asked[0][2].value<RankStepPosition>(), RankStepPosition(1));
}

TEST_F(RoleCharts, OfAGreatRunThoseAreShownThatExposeMost) {
    const auto run = test::runOnAGrid({.data = 8, .pipeline = 4, .tensor = 8});
    run->facts.parallelism.ranks[200].exposed[Role::Tensor] *= 3;
    chart.setRun(run, 0);
    EXPECT_EQ(chart.view().spokenParts(), 120U);
    bool shown = false;
    for (std::size_t i = 0; i < chart.view().spokenParts(); ++i) {
        const SpokenPart part = chart.view().spokenPart(i);
        shown = shown || (part.name + part.about).contains(QStringLiteral("rank 200 "));
    }
    EXPECT_TRUE(shown);
}

TEST_F(RoleCharts, SaysWhereNothingIsExposed) {
    const auto run = test::runOnAGrid({.data = 1, .pipeline = 1, .tensor = 2});
    for (RankRoles& rank : run->facts.parallelism.ranks) {
        rank.exposed = {};
    }
    chart.setRun(run, 0);
    EXPECT_TRUE(chart.findChild<QLabel*>()->text().contains(QStringLiteral("No step has exposed communication")));
}

TEST_F(RoleCharts, WhereNamesHaveNoRoomEveryNthIsShown) {
    chart.resize(520, 260);
    chart.setRun(test::runOnAGrid({.data = 16, .pipeline = 1, .tensor = 4}), 0);
    const std::vector<QString> shown = names();
    ASSERT_GT(shown.size(), 3U);
    const int apart = shown[1].toInt() - shown[0].toInt();
    EXPECT_GT(apart, 1);
    for (std::size_t i = 1; i < shown.size(); ++i) {
        EXPECT_EQ(shown[i].toInt() - shown[i - 1].toInt(), apart) << i;
    }
}

}  // namespace
}  // namespace rankscope::ui
