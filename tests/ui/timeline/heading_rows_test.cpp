// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks under headings, by their places in a dimension of the grid of their job: real events on the real widget.
#include <gtest/gtest.h>

#include <QAction>
#include <QMenu>
#include <QTest>

#include "tests/support/grid_run.h"
#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/rows/rank_order_button.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class HeadingsTest : public ShownRows {
  protected:
    HeadingsTest() {
        setRun(test::runOnAGrid({.data = 2, .pipeline = 3, .tensor = 2, .missing = {}, .late_stage = 1}));
    }
    QStringList titles() { return titlesOf({RowKind::Heading, RowKind::Rank}); }
    const LayoutRow& heading(const QString& title) {
        for (const LayoutRow& row : rows().rows()) {
            if (row.kind == RowKind::Heading && rowText(model, row).title == title) {
                return row;
            }
        }
        ADD_FAILURE() << "no heading " << title.toStdString();
        return rows().rows().front();
    }
    // Chooses an entry of the menu of the button over the names, as a click on it would.
    void choose(const QString& entry) {
        auto* button = timeline.findChild<RankOrderButton*>();
        Q_EMIT button->menu()->aboutToShow();
        EXPECT_TRUE(test::chooseEntry(*button->menu(), entry)) << entry.toStdString();
    }
};

TEST_F(HeadingsTest, ARankIsNamedByItsPlaceInTheGrid) {
    const LayoutRow* row = rows().findRank(0, RankPosition(7));
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(rowText(model, *row).title, QStringLiteral("rank 7"));
    EXPECT_TRUE(rowText(model, *row).detail.startsWith(QStringLiteral("dp 1, pp 0, tp 1")))
        << rowText(model, *row).detail.toStdString();
}

TEST_F(HeadingsTest, RanksAreUnderAHeadingForEachPlaceInTheChosenDimension) {
    choose(QStringLiteral("Under headings: pipeline"));
    EXPECT_EQ(titles(),
              QStringList({"Pipeline: pp 0", "rank 0", "rank 1", "rank 6", "rank 7", "Pipeline: pp 1", "rank 2",
                           "rank 3", "rank 8", "rank 9", "Pipeline: pp 2", "rank 4", "rank 5", "rank 10", "rank 11"}));
    EXPECT_EQ(rowText(model, heading(QStringLiteral("Pipeline: pp 1"))).detail, QStringLiteral("4 ranks"));
    choose(QStringLiteral("Under headings: data"));
    EXPECT_EQ(titles().front(), QStringLiteral("Data: dp 0"));
    EXPECT_EQ(titles()[7], QStringLiteral("Data: dp 1"));
    choose(QStringLiteral("No headings"));
    EXPECT_EQ(titles().front(), QStringLiteral("rank 0"));
    EXPECT_EQ(titles().size(), 12);
}

TEST_F(HeadingsTest, TheOrderAppliesBelowEachHeading) {
    setRun(test::runOnAGrid({.data = 2, .pipeline = 2, .tensor = 1, .missing = {}, .late_stage = 1}));
    timeline.setRankOrder(RankOrder::Lateness);
    EXPECT_EQ(titles(), QStringList({"rank 1", "rank 3", "rank 0", "rank 2"}));
    choose(QStringLiteral("Under headings: data"));
    EXPECT_EQ(titles(), QStringList({"Data: dp 0", "rank 1", "rank 0", "Data: dp 1", "rank 3", "rank 2"}));
}

TEST_F(HeadingsTest, AClickOnAHeadingFoldsItsRanksAndTheNextOneUnfoldsThem) {
    choose(QStringLiteral("Under headings: pipeline"));
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, headOf(heading(QStringLiteral("Pipeline: pp 0"))));
    EXPECT_EQ(rows().findRank(0, RankPosition(7)), nullptr);
    EXPECT_NE(rows().findRank(0, RankPosition(2)), nullptr);
    const LayoutRow* proxy = rows().visibleProxy(0, RankPosition(7), TrackId(0));
    ASSERT_NE(proxy, nullptr);
    EXPECT_EQ(proxy->kind, RowKind::Heading) << "links to a folded rank end at its heading";
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, headOf(heading(QStringLiteral("Pipeline: pp 0"))));
    EXPECT_NE(rows().findRank(0, RankPosition(7)), nullptr);
}

TEST_F(HeadingsTest, ASearchHitUnfoldsItsHeading) {
    choose(QStringLiteral("Under headings: pipeline"));
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, headOf(heading(QStringLiteral("Pipeline: pp 2"))));
    ASSERT_EQ(rows().findRank(0, RankPosition(11)), nullptr);
    timeline.bringRankIntoSight(0, RankPosition(11));
    EXPECT_NE(rows().findRank(0, RankPosition(11)), nullptr);
}

TEST_F(HeadingsTest, HiddenRanksStayHiddenAndPinnedTracksStayAtTheTop) {
    const auto& ranks = model.runs()[0].ranks;
    timeline.pinTrack({0, RankPosition(3), TrackId(0), {}, {}});
    TimelineState state = timeline.state();
    state.hidden.push_back({0, RankPosition(0), static_cast<std::uint8_t>(RowKind::Rank), 0});
    timeline.setState(state);
    choose(QStringLiteral("Under headings: tensor"));
    EXPECT_FALSE(titles().contains(QStringLiteral("rank 0")));
    EXPECT_TRUE(rows().rows().front().pinned);
    EXPECT_EQ(rows().rows().front().key.owner, ranks[3].trace.get());
}

TEST_F(HeadingsTest, UndoTakesTheHeadingsBackAndRedoPutsThemUpAgain) {
    choose(QStringLiteral("Under headings: tensor"));
    ASSERT_EQ(timeline.groupedBy(), Role::Tensor);
    timeline.trigger(TimelineAction::Undo);
    EXPECT_EQ(timeline.groupedBy(), std::nullopt);
    EXPECT_EQ(titles().front(), QStringLiteral("rank 0"));
    timeline.trigger(TimelineAction::Redo);
    EXPECT_EQ(titles().front(), QStringLiteral("Tensor: tp 0"));
}

TEST_F(HeadingsTest, TheSavedTimelineHasTheHeadingsAndWhichAreFolded) {
    choose(QStringLiteral("Under headings: pipeline"));
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, headOf(heading(QStringLiteral("Pipeline: pp 1"))));
    const TimelineState state = timeline.state();
    TimelineWidget other(Theme::darkTheme());
    other.resize(1100, 640);
    other.show();
    other.setRuns({model.runs()[0].run});
    other.setState(state);
    other.settle();
    EXPECT_EQ(other.groupedBy(), Role::Pipeline);
    EXPECT_EQ(other.rowLayout().findRank(0, RankPosition(2)), nullptr);
    EXPECT_NE(other.rowLayout().findRank(0, RankPosition(0)), nullptr);
}

TEST_F(HeadingsTest, ThereAreNoHeadingsWhereTheGridHasNoSuchDimension) {
    EXPECT_EQ(timeline.dimensions(), (std::vector<Role>{Role::Data, Role::Pipeline, Role::Tensor}));
    timeline.setGroupedBy(Role::Expert);
    EXPECT_EQ(titles().front(), QStringLiteral("rank 0"));
}

TEST_F(HeadingsTest, RanksThatAreAlikeFoldUnderTheirOwnHeading) {
    setRun(test::runOnAGrid({.data = 4, .pipeline = 2, .tensor = 4, .missing = {}, .late_stage = 1}));
    choose(QStringLiteral("Under headings: pipeline"));
    std::vector<std::size_t> alike;
    for (const LayoutRow& row : rows().rows()) {
        if (row.kind == RowKind::Alike) {
            alike.push_back(row.members.size());
        }
    }
    ASSERT_EQ(alike.size(), 2U) << "one under each heading";
    EXPECT_EQ(alike[0] + alike[1] + 2, 32U) << titles().join(QStringLiteral(", ")).toStdString();
}

TEST_F(HeadingsTest, TheOverviewHasTheRanksInTheSameOrder) {
    choose(QStringLiteral("Under headings: pipeline"));
    timeline.settle();
    QStringList names;
    for (std::size_t i = 0; i < timeline.overview().spokenParts(); ++i) {
        names << timeline.overview().spokenPart(i).name;
    }
    QStringList ranks = titles();
    ranks.removeIf([](const QString& title) { return title.startsWith(QStringLiteral("Pipeline")); });
    EXPECT_EQ(names, ranks);
}

}  // namespace
}  // namespace rankscope::ui
