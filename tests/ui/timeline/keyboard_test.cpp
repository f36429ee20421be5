// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline by hands that have no mouse.
#include <gtest/gtest.h>

#include <QLineEdit>
#include <set>

#include "tests/ui/theme/heard_notices.h"
#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr TrackId kMain(0);
constexpr TrackId kCompute(2);
constexpr TrackId kComm(3);

// Three ranks, and one collective of them, for which all wait for rank 1.
std::shared_ptr<const AnalysedRun> runWithCollective() {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 3}));
    Collective all_reduce;
    for (RankPosition r{0}; r < 3; ++r) {
        CollectiveMember member;
        member.rank = r;
        member.slices = {{kComm, 1}};
        member.wait_ns = r == 1 ? 0 : 5'000;
        all_reduce.members.push_back(member);
    }
    run->facts.collectives.collectives = {all_reduce};
    return run;
}

class KeyboardTest : public ShownTimeline {
  protected:
    KeyboardTest() : ShownTimeline({1100, 900}, runWithCollective()) {}
    void act(TimelineAction action) {
        timeline.trigger(action);
        timeline.settle();
    }
    SliceSelection slice() {
        const auto* s = std::get_if<SliceSelection>(&timeline.selection());
        return s != nullptr ? *s : SliceSelection();
    }
    Unfolding unfoldingOf(TrackId track) {
        const LayoutRow* row = timeline.rowLayout().find(0, RankPosition(0), track);
        return row != nullptr ? row->unfolding : Unfolding::Folded;
    }
};

TEST_F(KeyboardTest, FoldingTheNameOfAOneRowTrackFoldsItsParent) {
    const auto named = [&] {
        for (std::size_t i = 0; i < timeline.spokenParts(); ++i) {
            if (timeline.spokenPart(i).chosen) {
                return timeline.rowLayout().rows()[i];
            }
        }
        return LayoutRow();
    };
    for (int i = 0; i < 20 && (named().kind != RowKind::Track || named().foldable); ++i) {
        act(TimelineAction::NextName);
    }
    ASSERT_EQ(named().kind, RowKind::Track);
    ASSERT_FALSE(named().foldable);
    act(TimelineAction::FoldTrack);
    EXPECT_EQ(named().unfolding, Unfolding::Folded) << "and the keyboard stands on what is folded";
    const RowKey folded = named().key;
    act(TimelineAction::FoldTrack);
    EXPECT_EQ(named().key, folded);
    EXPECT_EQ(named().unfolding, Unfolding::All) << "the same key unfolds it";
}

TEST_F(KeyboardTest, NothingIsReportedAboutGapsBeforeTheyAreCollected) {
    TimelineWidget early{Theme::darkTheme()};
    const auto* board = new test::HeardNotices(&early);
    early.setRuns({runWithCollective()});
    early.trigger(TimelineAction::NextGap);
    EXPECT_EQ(board->heard, QStringList(QStringLiteral("Gaps are still being collected.")));
    EXPECT_EQ(early.selection().index(), 0U);
    early.settle();
    early.trigger(TimelineAction::NextGap);
    EXPECT_TRUE(std::holds_alternative<GapSelection>(early.selection()));
    while (!board->heard.front().contains(QStringLiteral("No later GPU gap"))) {
        const Selection before = early.selection();
        early.trigger(TimelineAction::NextGap);
        ASSERT_TRUE(early.selection() != before || board->heard.front().startsWith(QStringLiteral("No later")));
    }
}

TEST_F(KeyboardTest, TheFirstStepIsToTheFirstSliceOfTheFirstTrackInSight) {
    for (const TimelineAction action : {TimelineAction::NextSlice, TimelineAction::RowBelow}) {
        timeline.select({});
        act(TimelineAction::FitAll);
        act(action);
        EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {kCompute, 0}}))
            << "streams stand first";
    }
}

TEST_F(KeyboardTest, TheFirstStepDoesNotMoveTheView) {
    timeline.setOverviewVisible(false);
    timeline.resize(1100, 200);
    TimelineState state = timeline.state();
    state.window = {2 * test::kStepNs + 4'000'000, 2 * test::kStepNs + 6'000'000};
    state.scroll = timeline.rowLayout().find(0, RankPosition(1), kCompute)->y;
    timeline.setState(state);
    timeline.settle();
    ASSERT_EQ(timeline.state().scroll, state.scroll);
    const TimeSpan window = timeline.viewport().window();
    act(TimelineAction::NextSlice);
    EXPECT_EQ(slice().rank, RankPosition(1));
    EXPECT_EQ(slice().slice.track, kCompute);
    const TimeSpan span = timeline.spanOf(timeline.selection());
    EXPECT_GE(span.start_ns, window.start_ns);
    EXPECT_LT(span.start_ns, window.start_ns + window.length() / 4);
    EXPECT_EQ(timeline.viewport().window(), window);
    EXPECT_EQ(timeline.state().scroll, state.scroll);
}

TEST_F(KeyboardTest, WhatCanDoNothingSaysWhy) {
    auto* board = new test::HeardNotices(&timeline);
    const auto said = [&](TimelineAction action) {
        board->heard.clear();
        act(action);
        return board->heard.value(0);
    };
    using enum TimelineAction;
    for (const TimelineAction action :
         {NextMark, PreviousMark, NoteMark, RemoveMark, GoBack, GoForward, Undo, Redo, FollowLink, OtherLink,
          OtherLinkBack, AreaOfSelection, AreaToSelection, FoldTrack, FoldRank, PinTrack, HideTrack, ShowHidden}) {
        EXPECT_FALSE(said(action).isEmpty()) << static_cast<int>(action);
    }
    EXPECT_EQ(said(NextMark), QStringLiteral("No marks."));
    EXPECT_EQ(said(Undo), QStringLiteral("Nothing to undo."));
    EXPECT_EQ(said(Redo), QStringLiteral("Nothing to redo."));
    EXPECT_EQ(said(FoldTrack), QStringLiteral("The selection cannot be folded."));
    const auto last = static_cast<SliceIndex>(run->run->ranks[0]->tracks[kCompute.value].slices.size() - 1);
    timeline.select(SliceSelection{0, RankPosition(0), {kCompute, last}});
    EXPECT_EQ(said(NextSlice), QStringLiteral("No later slice on this row."));
    EXPECT_EQ(said(PreviousSlice), QString()) << "there is one";
    EXPECT_EQ(said(GoBack), QString());
    act(Mark);
    act(Clear);
    EXPECT_EQ(said(RemoveMark), QStringLiteral("No mark is selected."));
}

TEST_F(KeyboardTest, ANumberThatNoRankHasIsReported) {
    EXPECT_TRUE(timeline.showRank(RankNumber(2)));
    EXPECT_FALSE(timeline.showRank(RankNumber(7)));
}

TEST_F(KeyboardTest, DownGoesIntoASliceAndUpOutOfIt) {
    timeline.select(SliceSelection{0, RankPosition(0), {kMain, 0}});
    act(TimelineAction::RowBelow);
    const SliceTable& slices = run->run->ranks[0]->tracks[kMain.value].slices;
    EXPECT_EQ(slices.parent[slice().slice.slice], 0U);
    act(TimelineAction::RowBelow);
    EXPECT_EQ(slices.depth[slice().slice.slice], 2);
    act(TimelineAction::RowAbove);
    act(TimelineAction::RowAbove);
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {kMain, 0}}));
}

TEST_F(KeyboardTest, DownGoesToTheSliceOfTheSameTimeOnTheTrackBelow) {
    // The last kernels but some of a step run beside its collective.
    timeline.select(SliceSelection{0, RankPosition(0), {kCompute, 25}});
    act(TimelineAction::RowBelow);
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(0), {kComm, 1}}));
    act(TimelineAction::RowAbove);
    EXPECT_EQ(slice().slice.track, kCompute);
    EXPECT_TRUE(timeline.spanOf(SliceSelection{0, RankPosition(0), {kComm, 1}})
                    .overlaps(timeline.spanOf(timeline.selection())));
}

TEST_F(KeyboardTest, DownAloneReachesEveryTrackThatIsShown) {
    std::set<std::pair<std::uint32_t, RankPosition>> reached;
    std::size_t shown = 0;
    for (const LayoutRow& row : timeline.rowLayout().rows()) {
        shown += row.kind == RowKind::Track ? 1 : 0;
    }
    act(TimelineAction::RowBelow);
    for (Selection last; last != timeline.selection();) {
        last = timeline.selection();
        reached.emplace(slice().rank, slice().slice.track.value);
        act(TimelineAction::RowBelow);
    }
    EXPECT_EQ(reached.size(), shown);
}

TEST_F(KeyboardTest, ATrackAndARankAreFoldedAndUnfolded) {
    timeline.select(SliceSelection{0, RankPosition(0), {kMain, 0}});
    const Unfolding before = unfoldingOf(kMain);
    ASSERT_NE(before, Unfolding::Folded);
    act(TimelineAction::FoldTrack);
    EXPECT_EQ(unfoldingOf(kMain), Unfolding::Folded);
    act(TimelineAction::FoldTrack);
    EXPECT_NE(unfoldingOf(kMain), Unfolding::Folded);
    act(TimelineAction::FoldRank);
    EXPECT_EQ(timeline.rowLayout().findRank(0, RankPosition(0))->unfolding, Unfolding::Folded);
    EXPECT_NE(timeline.rowLayout().findRank(0, RankPosition(1))->unfolding, Unfolding::Folded);
    act(TimelineAction::FoldRank);
    EXPECT_NE(timeline.rowLayout().findRank(0, RankPosition(0))->unfolding, Unfolding::Folded);
}

TEST_F(KeyboardTest, OfSeveralLinksAnotherCanBeTaken) {
    const SliceSelection last{0, RankPosition(1), {kComm, 1}};
    timeline.select(last);
    act(TimelineAction::FollowLinkBack);
    EXPECT_EQ(slice().rank, 0U);
    act(TimelineAction::FollowLink);
    EXPECT_EQ(timeline.selection(), Selection(last));
    const QImage before = timeline.grab().toImage();
    act(TimelineAction::OtherLinkBack);
    EXPECT_NE(timeline.grab().toImage(), before) << "one sees which it is";
    act(TimelineAction::FollowLinkBack);
    EXPECT_EQ(slice().rank, 2U);
    timeline.select(last);
    act(TimelineAction::OtherLinkBack);
    act(TimelineAction::OtherLinkBack);
    act(TimelineAction::FollowLinkBack);
    EXPECT_EQ(slice().rank, 0U) << "round the end";
}

TEST_F(KeyboardTest, MarksAreChosenOneAfterTheOtherAndTheirNotesWritten) {
    for (const RankStepPosition step : {RankStepPosition(1), RankStepPosition(3)}) {
        timeline.select(GapSelection{0, RankPosition(0), step, 0});
        act(TimelineAction::KeepMark);
        timeline.findChild<QLineEdit*>()->hide();
    }
    act(TimelineAction::Clear);
    timeline.showWindow({2 * test::kStepNs, 4 * test::kStepNs});
    act(TimelineAction::NextMark);
    act(TimelineAction::NoteMark);
    auto* note = timeline.findChild<QLineEdit*>();
    ASSERT_TRUE(note->isVisible());
    note->setText(QStringLiteral("the later"));
    Q_EMIT note->editingFinished();
    act(TimelineAction::PreviousMark);
    EXPECT_TRUE(timeline.viewport().window().contains(test::kStepNs)) << "it is brought into sight";
    act(TimelineAction::RemoveMark);
    ASSERT_EQ(timeline.marks().size(), 1U);
    EXPECT_EQ(timeline.marks()[0].text, QStringLiteral("the later"));
}

}  // namespace
}  // namespace rankscope::ui
