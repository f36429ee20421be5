// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a row, without a widget.
#include "ui/timeline/rows/row_menu.h"

#include <gtest/gtest.h>

#include <QStringList>

#include "tests/ui/timeline/timeline_fixture.h"

namespace rankscope::ui {
namespace {

class RowMenuTest : public testing::Test {
  protected:
    [[nodiscard]] RowLayout layout() const { return {model, choices}; }
    [[nodiscard]] QStringList titles(const LayoutRow& row) const {
        QStringList out;
        for (const RowMenuEntry& entry : rowMenu(row, choices)) {
            out << QString(entry.title).remove(QLatin1Char('&'));
        }
        return out;
    }
    void choose(const LayoutRow& row, int entry) {
        rowMenu(row, choices).at(static_cast<std::size_t>(entry)).change(choices);
    }

    TimelineModel model{{test::makeRun({.ranks = 2})}};
    RowChoices choices;
};

TEST_F(RowMenuTest, OffersWhatARowCanDo) {
    const RowLayout rows = layout();
    EXPECT_EQ(titles(*rows.find(0, RankPosition(0), TrackId(2))), (QStringList{"Pin to the Top", "Hide"}));
    EXPECT_EQ(titles(*rows.findRank(0, RankPosition(0))), (QStringList{"Show Counters", "Hide"}));
    EXPECT_EQ(titles(rows.rows().front()), (QStringList{"Show the Run's Counters"}));
}

TEST_F(RowMenuTest, ChangesCanBeUndone) {
    const LayoutRow track = *layout().find(0, RankPosition(0), TrackId(2));
    choose(track, 0);
    EXPECT_EQ(choices.pinned.size(), 1U);
    EXPECT_EQ(titles(track).front(), QStringLiteral("Unpin"));
    choose(track, 0);
    EXPECT_TRUE(choices.pinned.empty());
    choose(track, 1);
    EXPECT_EQ(layout().find(0, RankPosition(0), TrackId(2)), nullptr);
    EXPECT_NE(layout().find(0, RankPosition(1), TrackId(2)), nullptr) << "of the other rank";
    const LayoutRow rank = *layout().findRank(0, RankPosition(0));
    EXPECT_EQ(titles(rank), (QStringList{"Show Counters", "Hide", "Show Hidden Rows (1)"}));
    EXPECT_TRUE(rowMenu(rank, choices).back().apart);
    choose(rank, 2);
    EXPECT_NE(layout().find(0, RankPosition(0), TrackId(2)), nullptr);
}

TEST_F(RowMenuTest, ARankShowsItsCountersAndHidesThem) {
    const LayoutRow rank = *layout().findRank(0, RankPosition(0));
    choose(rank, 0);
    EXPECT_TRUE(showsCounters(*model.rank(0, RankPosition(0))->trace, choices));
    EXPECT_EQ(titles(rank), (QStringList{"Hide Counters", "Hide"}));
    choose(rank, 0);
    EXPECT_FALSE(showsCounters(*model.rank(0, RankPosition(0))->trace, choices));
}

TEST_F(RowMenuTest, TheHeaderOfARunShowsItsCountersAndHidesThem) {
    const LayoutRow run = layout().rows().front();
    choose(run, 0);
    EXPECT_TRUE(showsCounters(0U, choices));
    EXPECT_EQ(titles(run), (QStringList{"Hide the Run's Counters"}));
    choose(run, 0);
    EXPECT_FALSE(showsCounters(0U, choices));
}

TEST_F(RowMenuTest, TheHeaderOfARunShowsTheHiddenRowsOfAllRanks) {
    hideRow(keyOf(*model.rank(0, RankPosition(0))->trace), choices);
    hideRow(keyOf(*model.rank(0, RankPosition(1))->trace, TrackId(2)), choices);
    const LayoutRow run = layout().rows().front();
    EXPECT_EQ(titles(run), (QStringList{"Show the Run's Counters", "Show Hidden Rows (2)"}));
    choose(run, 1);
    EXPECT_TRUE(choices.hidden.empty());
}

TEST_F(RowMenuTest, HeightsAndOrdersThatWereChosenCanBeTakenBack) {
    const LayoutRow track = *layout().find(0, RankPosition(0), TrackId(2));
    choices.sizes[track.key] = 40;
    choices.orders[keyOf(*model.rank(0, RankPosition(0))->trace)] = {3, 2};
    EXPECT_EQ(titles(track), (QStringList{"Pin to the Top", "Hide", "Usual Height", "Usual Order"}));
    choose(track, 3);
    EXPECT_TRUE(choices.orders.empty());
    choose(track, 2);
    EXPECT_TRUE(choices.sizes.empty());
}

TEST_F(RowMenuTest, FoldsADeepTrackElseItsGroupElseItsRank) {
    const RowLayout rows = layout();
    const auto folded = [&](std::uint32_t track) {
        return rowToFold(model, rows, SliceSelection{0, RankPosition(0), {TrackId(track), 0}});
    };
    EXPECT_EQ(folded(0), rows.find(0, RankPosition(0), TrackId(0))) << "the main thread is three rows deep";
    EXPECT_EQ(folded(1)->kind, RowKind::Group) << "the other thread has one row";
    EXPECT_EQ(folded(2), rows.findRank(0, RankPosition(0))) << "a stream";
    EXPECT_EQ(rowToFold(model, rows, GapSelection{0, RankPosition(1), RankStepPosition(0), 0}),
              rows.findRank(0, RankPosition(1)));
    EXPECT_EQ(rowToFold(model, rows, Selection()), nullptr);
    EXPECT_EQ(rankRowToFold(rows, SliceSelection{0, RankPosition(1), {TrackId(0), 0}}),
              rows.findRank(0, RankPosition(1)));
}

}  // namespace
}  // namespace rankscope::ui
