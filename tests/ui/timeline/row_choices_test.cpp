// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the rows, and what is folded, pinned, hidden, moved and resized: real events on the real widget.
#include <gtest/gtest.h>

#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

// Twenty ranks of which nothing tells any apart but rank 5, which a finding names.
std::shared_ptr<const AnalysedRun> twentyRanks() {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 20, .steps = 2, .late_rank = 5}));
    run->facts.median_step_ns = test::kStepNs;
    for (RankFacts& rank : run->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition.emplace();
            step.partition->compute_ns = test::kStepNs;
        }
    }
    return run;
}

class RowsTest : public ShownRows {
  protected:
    QStringList titles(RowKind kind) { return titlesOf({kind}); }
    void drag(const QPoint& from, const QPoint& to) { test::drag(timeline, from, to); }
    // Chooses an entry of the menu that a right click on the name of a row brings up.
    bool chooseFor(const LayoutRow& row, const QString& entry) {
        const QPoint at = headOf(row);
        test::askMenu(timeline, at);
        return std::ranges::any_of(timeline.findChildren<QMenu*>(Qt::FindDirectChildrenOnly), [&entry](QMenu* menu) {
            return menu->isVisible() && test::chooseEntry(*menu, entry);
        });
    }
    const LayoutRow& track(std::uint32_t rank, std::uint32_t id) {
        return *rows().find(0, RankPosition(rank), TrackId(id));
    }
};

TEST_F(RowsTest, RanksThatDoNotDifferAreOneRow) {
    setRun(twentyRanks());
    EXPECT_EQ(titles(RowKind::Rank), (QStringList{"rank 0", "rank 5"}));
    EXPECT_EQ(titles(RowKind::Alike), (QStringList{"and 18 more like rank 0"}));
}

TEST_F(RowsTest, AClickOnThatRowUnfoldsThem) {
    setRun(twentyRanks());
    const LayoutRow* alike = rows().visibleProxy(0, RankPosition(7), TrackId(2));
    ASSERT_EQ(alike->kind, RowKind::Alike);
    const RowKey key = alike->key;  // a click lays the rows out anew
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, headOf(*alike));
    EXPECT_EQ(titles(RowKind::Rank).size(), 20);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, headOf(*rows().find(key)));
    EXPECT_EQ(titles(RowKind::Rank).size(), 2);
}

TEST_F(RowsTest, TheSelectedRankGetsItsOwnRow) {
    setRun(twentyRanks());
    timeline.reveal(SliceSelection{0, RankPosition(7), {TrackId(2), 3}});
    EXPECT_EQ(titles(RowKind::Rank), (QStringList{"rank 0", "rank 5", "rank 7"}));
    EXPECT_EQ(titles(RowKind::Alike), (QStringList{"and 17 more like rank 0"}));
    EXPECT_TRUE(chooseFor(*rows().findRank(0, RankPosition(7)), "Fold with Ranks Like It"));
    EXPECT_EQ(titles(RowKind::Alike), (QStringList{"and 18 more like rank 0"}));
}

TEST_F(RowsTest, ASelectionMadeBeforeAlikeRanksAreKnownStaysInView) {
    timeline.setRuns({twentyRanks()});
    timeline.reveal(SliceSelection{0, RankPosition(7), {TrackId(2), 3}});
    timeline.settle();
    ASSERT_NE(rows().findRank(0, RankPosition(7)), nullptr);
    EXPECT_EQ(rows().visibleProxy(0, RankPosition(8), TrackId(2))->kind, RowKind::Alike) << "by now it is known";
}

TEST_F(RowsTest, OneRankThatIsFoldedIsNamed) {
    auto run = std::make_shared<AnalysedRun>(*twentyRanks());
    setRun(run);
    LayoutRow row;
    row.kind = RowKind::Alike;
    row.rank = RankPosition(0);
    row.members = {RankPosition(1)};
    row.away = true;
    EXPECT_EQ(rowText(model, row).title, QStringLiteral("rank 1, like rank 0"));
    row.members.emplace_back(2);
    EXPECT_EQ(rowText(model, row).title, QStringLiteral("2 ranks like rank 0")) << "rank 0 stands elsewhere";
    row.away = false;
    EXPECT_EQ(rowText(model, row).title, QStringLiteral("and 2 more like rank 0"));
}

TEST_F(RowsTest, FewRanksUnlikeOnesAndWantedOnesHaveTheirOwnRows) {
    setRun(twentyRanks());
    timeline.setAlikeFolded(false);
    EXPECT_EQ(titles(RowKind::Rank).size(), 20);
    setRun(test::makeRun({.ranks = 4}));
    timeline.setAlikeFolded(true);
    EXPECT_EQ(titles(RowKind::Rank).size(), 4);
}

TEST_F(RowsTest, TheControlOverTheNamesPutsRanksInOrder) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 4, .late_rank = 2}));
    run->diagnosis.findings[0].saving_ns = 1'000'000;
    setRun(run);
    const QSignalSpy told(&timeline, &TimelineWidget::rowsChanged);
    auto* button = timeline.findChild<QPushButton*>(QString(), Qt::FindDirectChildrenOnly);
    ASSERT_NE(button, nullptr);
    EXPECT_TRUE(button->isVisible());
    EXPECT_EQ(button->text(), QStringLiteral("By number"));
    button->menu()->actions().at(2)->trigger();
    EXPECT_EQ(timeline.rankOrder(), RankOrder::Cost);
    EXPECT_EQ(button->text(), QStringLiteral("By cost of findings"));
    EXPECT_EQ(titles(RowKind::Rank), (QStringList{"rank 2", "rank 0", "rank 1", "rank 3"}));
    EXPECT_EQ(told.size(), 1);
}

TEST_F(RowsTest, APinnedTrackStaysAtTheTopWhileTheOthersScroll) {
    setRun(test::makeRun({.ranks = 6}));
    ASSERT_TRUE(chooseFor(track(0, 3), "Pin to the Top"));
    const LayoutRow& pinned = rows().rows().front();
    EXPECT_TRUE(pinned.pinned);
    EXPECT_EQ(rowText(model, pinned).title, QStringLiteral("rank 0 · stream 20"));
    test::turnWheel(timeline, {600, 400}, -120 * 20);
    const Frame& frame = timeline.frame();
    ASSERT_EQ(frame.sticky, pinned.height);
    EXPECT_EQ(frame.rows.front().row, 0U);
    EXPECT_EQ(frame.slice_rows.front().track, TrackId(3));
    EXPECT_EQ(frame.slice_rows.front().y, 0);
    EXPECT_GT(rows().rows()[frame.rows[1].row].y, 300) << "the others have scrolled";
    // A click there takes the pinned track's slice, though another row lies behind.
    const FrameItem& item = frame.items[frame.slice_rows.front().first];
    QTest::mouseClick(&timeline, Qt::LeftButton, {},
                      timeline.tracksArea().topLeft() + QPoint((item.x0 + item.x1) / 2, 5));
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {TrackId(3), item.slice}}));
    ASSERT_TRUE(chooseFor(pinned, "Unpin"));
    EXPECT_FALSE(rows().rows().front().pinned);
}

TEST_F(RowsTest, NothingThatScrollsIsDrawnOverAPinnedTrack) {
    setRun(test::makeRun({.ranks = 6, .late_rank = 0}));
    ASSERT_TRUE(chooseFor(track(5 - 5, 3), "Pin to the Top"));
    const auto top = [&] {
        return timeline.grab(QRect(timeline.tracksArea().topLeft(), QSize(800, timeline.frame().sticky))).toImage();
    };
    const QImage before = top();
    for (int i = 0; i < 7; ++i) {
        QWheelEvent wheel(QPointF(600, 400), timeline.mapToGlobal(QPointF(600, 400)), {0, -11}, {}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&timeline, &wheel);
        EXPECT_EQ(top(), before) << "after " << i + 1 << " times 11 pixels";
    }
}

TEST_F(RowsTest, ARevealedRowIsShownEvenIfItWasHidden) {
    setRun(test::makeRun({}));
    ASSERT_TRUE(chooseFor(*rows().findRank(0, RankPosition(1)), "Hide"));
    EXPECT_EQ(rows().findRank(0, RankPosition(1)), nullptr);
    timeline.reveal(SliceSelection{0, RankPosition(1), {TrackId(2), 0}});
    EXPECT_NE(rows().find(0, RankPosition(1), TrackId(2)), nullptr);
}

TEST_F(RowsTest, ATrackIsMovedByItsNameAmongTheTracksOfItsList) {
    setRun(test::makeRun({}));
    ASSERT_LT(track(0, 2).y, track(0, 3).y);
    drag(headOf(track(0, 3)), headOf(track(0, 2), 2));
    EXPECT_LT(track(0, 3).y, track(0, 2).y);
    EXPECT_LT(track(1, 2).y, track(1, 3).y) << "each rank has its own order";
    drag(headOf(track(0, 3)), headOf(track(1, 3)));
    EXPECT_LT(track(0, 2).y, track(0, 3).y) << "dragged beyond its list it comes last there";
    EXPECT_LT(track(0, 3).y, rows().findRank(0, RankPosition(1))->y);
    ASSERT_TRUE(chooseFor(track(0, 3), "Usual Order"));
}

TEST_F(RowsTest, TheLowerEdgeOfANameMakesItsRowsHigher) {
    setRun(test::makeRun({}));
    const int before = track(0, 2).height;
    const QPoint edge = headOf(track(0, 2), before - 2);
    drag(edge, edge + QPoint(0, 20));
    EXPECT_EQ(track(0, 2).height, before + 20);
    EXPECT_EQ(timeline.frame().slice_rows.front().height, 18 + 20 - metrics::kRowGap);
    ASSERT_TRUE(chooseFor(track(0, 2), "Usual Height"));
    EXPECT_EQ(track(0, 2).height, before);
}

TEST_F(RowsTest, AllOfItComesBackWithTheState) {
    setRun(twentyRanks());
    timeline.setRankOrder(RankOrder::Lateness);
    timeline.reveal(SliceSelection{0, RankPosition(7), {TrackId(2), 3}});
    ASSERT_TRUE(chooseFor(track(0, 3), "Pin to the Top"));
    timeline.select(SliceSelection{0, RankPosition(0), {TrackId(2), 3}});
    timeline.trigger(TimelineAction::HideTrack);
    timeline.trigger(TimelineAction::AreaOfAll);
    const TimelineState state = timeline.state();
    ASSERT_TRUE(state.area.has_value());
    TimelineWidget other(Theme::darkTheme());
    other.resize(timeline.size());
    other.setRuns({twentyRanks()});
    other.settle();
    other.setState(state);
    EXPECT_EQ(other.state(), state);
    EXPECT_EQ(other.rowLayout().height(), rows().height());
    EXPECT_EQ(other.area().has_value(), timeline.area().has_value());
    EXPECT_EQ(other.area()->area.tracks, timeline.area()->area.tracks);
}

class AreaKeys : public RowsTest {};

TEST_F(AreaKeys, RMarksTheAreaOfTheSelection) {
    const auto run = test::makeRun({});
    setRun(run);
    const SliceSelection slice{0, RankPosition(0), {TrackId(2), 3}};
    timeline.select(slice);
    QTest::keyClick(&timeline, Qt::Key_R);
    ASSERT_TRUE(timeline.area().has_value());
    EXPECT_EQ(timeline.area()->area.tracks, (std::vector<Area::Location>{{RankPosition(0), TrackId(2)}}));
    EXPECT_EQ(timeline.area()->area.span, run->run->ranks[0]->span(slice.slice));
}

TEST_F(AreaKeys, TheEdgesOfAnAreaAreDragged) {
    setRun(test::makeRun({}));
    timeline.select(SliceSelection{0, RankPosition(0), {TrackId(2), 30}});
    QTest::keyClick(&timeline, Qt::Key_R);
    const TimeSpan before = timeline.area()->area.span;
    const QRect tracks = timeline.tracksArea();
    const int right =
        tracks.left() + static_cast<int>(timeline.viewport().xAt(before.end_ns - 1'700'000'000'000'000'000));
    const int y = tracks.top() + track(0, 2).y + 8;
    drag({right, y}, {right + 100, y});
    ASSERT_TRUE(timeline.area().has_value());
    EXPECT_EQ(timeline.area()->area.span.start_ns, before.start_ns);
    EXPECT_GT(timeline.area()->area.span.end_ns, before.end_ns);
    EXPECT_EQ(timeline.area()->area.tracks.size(), 1U);
}

TEST_F(AreaKeys, ADragOnTheRulerTakesThatTimeOnAllTracks) {
    setRun(test::makeRun({}));
    const QRect tracks = timeline.tracksArea();
    const int y = tracks.top() - 20;
    drag({tracks.left() + 200, y}, {tracks.left() + 500, y});
    ASSERT_TRUE(timeline.area().has_value());
    const TimeNs base = 1'700'000'000'000'000'000;
    EXPECT_EQ(timeline.area()->area.span.start_ns, base + timeline.viewport().timeAt(200));
    EXPECT_EQ(timeline.area()->area.span.end_ns, base + timeline.viewport().timeAt(500));
    const auto of_both_ranks = timeline.area()->area.tracks;
    timeline.trigger(TimelineAction::AreaOfAll);
    timeline.trigger(TimelineAction::AreaOfAll);
    EXPECT_EQ(timeline.area()->area.tracks, of_both_ranks);
}

}  // namespace
}  // namespace rankscope::ui
