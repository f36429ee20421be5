// SPDX-License-Identifier: GPL-3.0-or-later
// Marks, links and what a session keeps, by real keys and clicks.
#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>
#include <QToolTip>

#include "core/base/format.h"
#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/selection/links.h"
#include "ui/timeline/selection/marks.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

class MarksTest : public ShownTimeline {
  protected:
    MarksTest() : ShownTimeline({1200, 640}, test::makeRun({})) {}
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&timeline, key, modifiers); }
    /// Keeps a mark of the first gap in the second step of a rank, with this note.
    void keepMark(std::uint32_t rank, const char* words) {
        timeline.select(GapSelection{0, RankPosition(rank), RankStepPosition(1), 0});
        key(Qt::Key_M, Qt::ShiftModifier);
        ASSERT_TRUE(note()->isVisible());
        QTest::keyClicks(note(), words);
        QTest::keyClick(note(), Qt::Key_Return);
    }
    QLineEdit* note() { return timeline.findChild<QLineEdit*>(); }
    QPoint flagOf(const TimeMark& mark) {
        const QRect tracks = timeline.tracksArea();
        const double x = timeline.viewport().xAt(mark.span.start_ns);
        return {tracks.left() + static_cast<int>(x) + 3, tracks.top() - 6};
    }
};

TEST_F(MarksTest, AMarkIsOfTheSelectionAndTheNextTakesItsPlace) {
    timeline.select(GapSelection{0, RankPosition(0), RankStepPosition(1), 0});
    key(Qt::Key_M);
    ASSERT_EQ(timeline.marks().size(), 1U);
    EXPECT_EQ(timeline.marks()[0].span, (TimeSpan{test::kStepNs, test::kStepNs + test::kGapNs}));
    timeline.select(GapSelection{0, RankPosition(0), RankStepPosition(2), 0});
    key(Qt::Key_M);
    ASSERT_EQ(timeline.marks().size(), 1U);
    EXPECT_EQ(timeline.marks()[0].span.start_ns, 2 * test::kStepNs);
}

TEST_F(MarksTest, AKeptMarkStaysAndCarriesANote) {
    keepMark(0, "warm-up");
    EXPECT_FALSE(note()->isVisible());
    timeline.select(GapSelection{0, RankPosition(0), RankStepPosition(2), 0});
    key(Qt::Key_M);
    ASSERT_EQ(timeline.marks().size(), 2U);
    EXPECT_EQ(timeline.marks()[0].text, QStringLiteral("warm-up"));
    EXPECT_TRUE(timeline.marks()[0].kept);
    EXPECT_FALSE(timeline.marks()[1].kept);
}

TEST_F(MarksTest, EscInANoteLeavesItAndAllElseAsItWas) {
    const Selection gap = GapSelection{0, RankPosition(0), RankStepPosition(1), 0};
    keepMark(0, "warm-up");
    timeline.trigger(TimelineAction::NoteMark);
    ASSERT_TRUE(note()->isVisible());
    QTest::keyClicks(note(), "another");
    QTest::keyClick(note(), Qt::Key_Escape);
    EXPECT_FALSE(note()->isVisible());
    EXPECT_EQ(timeline.marks()[0].text, QStringLiteral("warm-up"));
    EXPECT_EQ(timeline.selection(), gap);
    EXPECT_EQ(timeline.focusWidget(), &timeline);
    key(Qt::Key_Delete);
    EXPECT_TRUE(timeline.marks().empty()) << "it was still chosen";
}

TEST_F(MarksTest, AClickChoosesAMarkAndDeleteRemovesIt) {
    timeline.select(GapSelection{0, RankPosition(0), RankStepPosition(1), 0});
    key(Qt::Key_M);
    key(Qt::Key_Escape);
    key(Qt::Key_Delete);
    EXPECT_EQ(timeline.marks().size(), 1U) << "none is chosen";
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, flagOf(timeline.marks()[0]));
    key(Qt::Key_Delete);
    EXPECT_TRUE(timeline.marks().empty());
}

TEST_F(MarksTest, AClickBelowTheRulersLabelsSetsAFlagAndASecondOneWritesItsNote) {
    const QRect tracks = timeline.tracksArea();
    const QPoint strip(tracks.left() + 400, tracks.top() - 4);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(strip.x(), tracks.top() - 22));
    EXPECT_TRUE(timeline.marks().empty()) << "among the labels nothing is set";
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, strip);
    ASSERT_EQ(timeline.marks().size(), 1U);
    EXPECT_TRUE(timeline.marks()[0].kept);
    EXPECT_NEAR(timeline.viewport().xAt(timeline.marks()[0].span.start_ns), 400.0, 1.0);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, strip + QPoint(2, 0));
    EXPECT_EQ(timeline.marks().size(), 1U) << "a flag is chosen where one stands";
    ASSERT_TRUE(note()->isVisible());
    QTest::keyClicks(note(), "here");
    QTest::keyClick(note(), Qt::Key_Return);
    EXPECT_EQ(timeline.marks()[0].text, QStringLiteral("here"));
    key(Qt::Key_Delete);
    EXPECT_TRUE(timeline.marks().empty());
}

TEST_F(MarksTest, RestingOnAFlagShowsItsNoteAndItsTime) {
    const QRect tracks = timeline.tracksArea();
    const QPoint strip(tracks.left() + 400, tracks.top() - 4);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, strip);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, strip + QPoint(2, 0));
    QTest::keyClicks(note(), "a note that has no room beside the flag");
    QTest::keyClick(note(), Qt::Key_Return);
    const QString tip = test::tipAt(timeline, strip + QPoint(2, 0));
    EXPECT_TRUE(tip.contains(QStringLiteral("a note that has no room beside the flag"))) << tip.toStdString();
    const QString time = QString::fromStdString(formatDuration(timeline.marks()[0].span.start_ns));
    EXPECT_TRUE(tip.contains(time)) << tip.toStdString();
    QToolTip::hideText();
}

TEST_F(MarksTest, TheStateComesBackInAnotherTimeline) {
    keepMark(0, "");
    timeline.setOverlay(Overlay::Overlap, false);
    QTest::mouseClick(
        &timeline, Qt::LeftButton, {},
        QPoint(40, timeline.tracksArea().top() + timeline.rowLayout().findRank(0, RankPosition(1))->y + 8));
    timeline.fitSelection();
    timeline.settle();
    const TimelineState state = timeline.state();
    EXPECT_EQ(state.marks.size(), 1U);
    EXPECT_FALSE(state.folds.empty());

    TimelineWidget other(Theme::lightTheme());
    other.resize(1200, 640);
    other.setRuns({test::makeRun({})});
    other.show();
    other.settle();
    other.setState(state);
    EXPECT_EQ(other.state(), state);
    EXPECT_EQ(other.viewport().window(), timeline.viewport().window());
    EXPECT_EQ(other.rowLayout().findRank(0, RankPosition(1))->unfolding, Unfolding::Folded);
}

TEST_F(MarksTest, GoWithTheRunThatTheyAreOf) {
    keepMark(1, "");
    const auto other = test::makeRun({.name = "other"});
    timeline.setRuns({run, other});
    ASSERT_EQ(timeline.marks().size(), 1U) << "another run beside it changes nothing";
    timeline.setRuns({other, run});
    ASSERT_EQ(timeline.marks().size(), 1U);
    EXPECT_EQ(timeline.marks()[0].run, 1U);
    timeline.setRuns({});
    EXPECT_TRUE(timeline.marks().empty());
    timeline.setRuns({other});
    EXPECT_TRUE(timeline.marks().empty());
    EXPECT_TRUE(timeline.state().marks.empty());
}

TEST_F(MarksTest, MoveWithTheClockOfTheirRank) {
    keepMark(1, "");
    const auto on_another_clock = std::make_shared<AnalysedRun>(*run);
    on_another_clock->clock.ranks[RankPosition(1)].offset_ns += 3'000'000;
    timeline.setRuns({on_another_clock});
    ASSERT_EQ(timeline.marks().size(), 1U);
    EXPECT_EQ(timeline.marks()[0].span, timeline.spanOf(timeline.selection()));
    EXPECT_EQ(timeline.marks()[0].span.start_ns, test::kStepNs + 3'000'000);
}

TEST_F(MarksTest, AStateOfAnotherRunBreaksNothing) {
    TimelineState state;
    TimeMark mark;
    mark.span = {5, 9};
    mark.run = 7;
    state.marks = {mark};
    state.window = {-5, 1'000'000'000'000};
    state.scroll = 1'000'000;
    state.folds = {{7, RankPosition(0), 1, 0, 0},
                   {0, RankPosition(9), 1, 0, 0},
                   {0, RankPosition(0), 200, 3, 1},
                   {0, RankPosition(0), 3, 99'999, 77}};
    timeline.setState(state);
    EXPECT_TRUE(timeline.marks().empty());
    EXPECT_EQ(timeline.viewport().window(), timeline.viewport().limits());
    EXPECT_FALSE(timeline.grab().isNull());
}

TEST_F(MarksTest, AKernelIsLinkedToItsLaunchAndBack) {
    const TimelineModel model({run});
    const Launch launch = run->run->ranks[1]->launches.all()[3];
    for (const SliceRef end : {launch.host, launch.device}) {
        const std::vector<Link> links = linksOf(model, SliceSelection{0, RankPosition(1), end});
        ASSERT_EQ(links.size(), 1U);
        EXPECT_EQ(links[0].kind, LinkKind::Launch);
        EXPECT_EQ(links[0].from, (SliceSelection{0, RankPosition(1), launch.host}));
        EXPECT_EQ(links[0].to, (SliceSelection{0, RankPosition(1), launch.device}));
    }
    const QImage before = timeline.grab().toImage();
    timeline.select(SliceSelection{0, RankPosition(1), launch.device});
    EXPECT_NE(timeline.grab().toImage(), before);
}

TEST_F(MarksTest, ALinkThatIsFoldedAwayIsNotDrawnAcrossTheHeader) {
    const Launch launch = run->run->ranks[0]->launches.all()[3];
    timeline.reveal(SliceSelection{0, RankPosition(0), launch.device});
    timeline.settle();
    const auto links_change_the_picture = [this] {
        timeline.setOverlay(Overlay::Links, false);
        const QImage without = timeline.grab().toImage();
        timeline.setOverlay(Overlay::Links, true);
        return timeline.grab().toImage() != without;
    };
    EXPECT_TRUE(links_change_the_picture());
    timeline.trigger(TimelineAction::FoldRank);
    ASSERT_EQ(timeline.rowLayout().findRank(0, RankPosition(0))->unfolding, Unfolding::Folded);
    EXPECT_FALSE(links_change_the_picture());
}

TEST_F(MarksTest, AForwardOperatorIsLinkedToItsBackwardAndBack) {
    timeline.setRuns({test::makeRun({.backward = true})});
    timeline.settle();
    const SliceSelection forward{0, RankPosition(1), {TrackId(0), test::kFirstOperator}};
    const SliceSelection backward{0, RankPosition(1), {TrackId(1), 0}};
    const TimelineModel model({test::makeRun({.backward = true})});
    for (const SliceSelection& end : {forward, backward}) {
        const std::vector<Link> links = linksOf(model, end);
        ASSERT_EQ(links.size(), 1U);
        EXPECT_EQ(links[0].kind, LinkKind::Flow);
        EXPECT_EQ(links[0].from, forward);
        EXPECT_EQ(links[0].to, backward);
    }
    timeline.select(forward);
    key(Qt::Key_BracketRight);
    EXPECT_EQ(timeline.selection(), Selection(backward));
    key(Qt::Key_BracketLeft);
    EXPECT_EQ(timeline.selection(), Selection(forward));
    timeline.settle();
    const QImage with = timeline.grab().toImage();
    timeline.setOverlay(Overlay::Links, false);
    EXPECT_NE(timeline.grab().toImage(), with) << "the arrow is drawn, and can be switched off";
}

TEST_F(MarksTest, AGapIsLinkedAlongTheChainThatExplainsIt) {
    auto explained = std::make_shared<AnalysedRun>(*test::makeRun({}));
    Gap& gap = explained->facts.ranks[0].steps[1].gaps[0];
    const SliceRef loading{TrackId(0), 1};
    gap.parts[0].evidence.add(loading);
    gap.launch = run->run->ranks[0]->launches.all()[40].host;
    gap.releasing = run->run->ranks[0]->launches.all()[40].device;
    const TimelineModel model({explained});
    const std::vector<Link> links = linksOf(model, GapSelection{0, RankPosition(0), RankStepPosition(1), 0});
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(links[0].from, (SliceSelection{0, RankPosition(0), loading}));
    EXPECT_EQ(links[0].to, (SliceSelection{0, RankPosition(0), gap.launch}));
    EXPECT_EQ(links[1].from, links[0].to);
    EXPECT_EQ(links[1].to, (SliceSelection{0, RankPosition(0), gap.releasing}));
    for (const Link& link : links) {
        EXPECT_EQ(link.kind, LinkKind::Cause);
    }
}

TEST_F(MarksTest, ACollectiveIsLinkedOverAllRanksToTheOneThatArrivedLast) {
    auto linked = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 3}));
    Collective all_reduce;
    for (RankPosition r{0}; r < 3; ++r) {
        CollectiveMember member;
        member.rank = r;
        member.slices = {{TrackId(3), 1}};
        member.wait_ns = r == 1 ? 0 : 5'000;
        all_reduce.members.push_back(member);
    }
    linked->facts.collectives.collectives = {all_reduce};
    TimelineModel model({linked});
    const SliceSelection part{0, RankPosition(2), {TrackId(3), 1}};
    EXPECT_TRUE(linksOf(model, part).empty()) << "nothing is looked for before there is an index";
    IndexStore store;
    store.want(model.sources());
    store.finish();
    (void)model.takeIndices(store);
    const std::vector<Link> links = linksOf(model, part);
    ASSERT_EQ(links.size(), 2U);
    for (const Link& link : links) {
        EXPECT_EQ(link.kind, LinkKind::Collective);
        EXPECT_TRUE(link.to_is_last);
        EXPECT_EQ(link.to.rank, 1U);
    }
}

}  // namespace
}  // namespace rankscope::ui
