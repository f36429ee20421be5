// SPDX-License-Identifier: GPL-3.0-or-later
// What works with mouse and keys on one timeline works on two that are compared: search, details, overview.
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>
#include <algorithm>

#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/timeline/overview.h"
#include "ui/widgets/search_bar.h"
#include "ui/window/appearance.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

class HandsOnAPair : public CompareWindow {
  protected:
    void SetUp() override {
        ASSERT_TRUE(compareSamples());
        bar = view().findChild<SearchBar*>();
        field = bar->findChild<QLineEdit*>();
    }
    [[nodiscard]] Search& search() { return view().search(); }
    [[nodiscard]] DetailsPanel& details() { return panel().details(); }
    void searchFor(const QString& words) {
        QTest::keyClick(&timeline(Side::A), Qt::Key_Slash);
        QTest::keyClicks(field, words);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !search().busy(); }, kPatience));
    }
    [[nodiscard]] QString state() { return test::labelWords(*bar); }
    [[nodiscard]] SliceSelection selected(Side side) {
        const auto* slice = std::get_if<SliceSelection>(&timeline(side).selection());
        return slice == nullptr ? SliceSelection{} : SliceSelection{indexOf(side), slice->rank, slice->slice};
    }
    /// Presses Enter in the field and waits for the counterpart.
    void walk(Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(field, Qt::Key_Return, modifiers);
        ASSERT_TRUE(waitUntilFound());
    }

    SearchBar* bar = nullptr;
    QLineEdit* field = nullptr;
};

TEST_F(HandsOnAPair, SlashSearchesBothRunsAndCountsTheHitsOfEach) {
    QTest::keyClick(&timeline(Side::B), Qt::Key_Slash);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_TRUE(field->hasFocus());
    searchFor(QStringLiteral("nccl"));
    ASSERT_NE(search().results(), nullptr);
    ASSERT_EQ(search().results()->runs.size(), 2U);
    const std::uint64_t in_a = search().results()->runs[0].total;
    const std::uint64_t in_b = search().results()->runs[1].total;
    EXPECT_GT(in_a, 0U);
    EXPECT_GT(in_b, 0U);
    EXPECT_EQ(state().remove(QLatin1Char(',')).remove(QLatin1Char('\n')),
              QStringLiteral("%1 hits (%2 in A %3 in B)").arg(in_a + in_b).arg(in_a).arg(in_b));
}

TEST_F(HandsOnAPair, HitsAreMarkedOnBothTimelinesAndGoWithTheSearch) {
    searchFor(QStringLiteral("nccl"));
    for (const Side side : {Side::A, Side::B}) {
        EXPECT_GT(timeline(side).overview().hitPixels(), 0) << indexOf(side);
        const std::size_t kept = search().results()->runs[indexOf(side)].hits.size();
        EXPECT_EQ(search().results()->timelines[indexOf(side)].on_axis.size(), kept);
    }
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(timeline(Side::A).overview().hitPixels() + timeline(Side::B).overview().hitPixels(), 0);
    EXPECT_TRUE(timeline(Side::A).hasFocus());
}

TEST_F(HandsOnAPair, EnterGoesFromHitToHitAndShowsItsCounterpart) {
    searchFor(QStringLiteral("ncclDevKernel"));
    walk();
    const auto first = search().current();
    ASSERT_TRUE(first);
    EXPECT_EQ(selected(Side::A), search().results()->at(*first));
    EXPECT_NE(timeline(Side::B).selection().index(), 0U) << panel().pairText().toStdString();
    EXPECT_NEAR(startX(Side::A), startX(Side::B), 1.5);
    walk();
    EXPECT_EQ(selected(Side::A), search().results()->at(*first + 1));
    walk(Qt::ShiftModifier);
    EXPECT_EQ(selected(Side::A), search().results()->at(*first));
    EXPECT_TRUE(field->hasFocus()) << "one may go on typing";
}

TEST_F(HandsOnAPair, TheWalkBeginsInTheTimelineThatOneIsIn) {
    searchFor(QStringLiteral("nccl"));
    timeline(Side::B).setFocus();
    QTest::keyClick(&timeline(Side::B), Qt::Key_Return);
    ASSERT_TRUE(waitUntilFound());
    ASSERT_TRUE(search().current());
    EXPECT_EQ(search().results()->at(*search().current()).run, indexOf(Side::B));
    EXPECT_EQ(selected(Side::B), search().results()->at(*search().current()));
    EXPECT_EQ(view().activeSide(), Side::B);
}

TEST_F(HandsOnAPair, TheRunOfAHitIsFirst) {
    searchFor(QStringLiteral("nccl"));
    trigger("search.hits");
    const auto* table = panel().hits().findChild<QTableView*>();
    EXPECT_EQ(table->model()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("Run"));
    EXPECT_FALSE(table->isColumnHidden(0));
    EXPECT_EQ(table->model()->index(0, 0).data().toString(), QStringLiteral("ZeroWorkers"));
}

TEST_F(HandsOnAPair, BehindTheLastHitOfATheFirstOfBComes) {
    searchFor(QStringLiteral("nccl"));
    const std::size_t of_a = search().results()->runs.front().hits.size();
    trigger("search.hits");
    auto* table = panel().hits().findChild<QTableView*>();
    ASSERT_GT(table->model()->rowCount(), static_cast<int>(of_a));
    table->scrollTo(table->model()->index(static_cast<int>(of_a) - 1, 2));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(table->model()->index(static_cast<int>(of_a) - 1, 2)).center());
    ASSERT_TRUE(waitUntilFound());
    EXPECT_EQ(selected(Side::A), search().results()->at(of_a - 1));
    EXPECT_TRUE(panel().hits().isVisible()) << "the table stays";
    walk();
    EXPECT_EQ(selected(Side::B), search().results()->at(of_a));
}

TEST_F(HandsOnAPair, AClickedSliceShowsItsWholeRecord) {
    for (const Side side : {Side::A, Side::B}) {
        QSignalSpy read(&details(), &DetailsPanel::argsShown);
        ASSERT_TRUE(clickWidestKernel(side));
        ASSERT_TRUE(read.count() > 0 || read.wait(kPatience));
        ASSERT_TRUE(waitUntilFound());
        const SliceSelection at = selected(side);
        const AnalysedRun& run = view().compared()->run(side);
        EXPECT_TRUE(details().isVisible());
        EXPECT_TRUE(details().factsText().contains(text(run.run->ranks[at.rank]->name(at.slice)).left(20)))
            << details().factsText().toStdString();
        EXPECT_TRUE(details().factsText().contains(text(run.run->name))) << "which of the two it is of";
        EXPECT_TRUE(details().argsText().contains(QStringLiteral("stream"))) << details().argsText().toStdString();
    }
}

TEST_F(HandsOnAPair, ALinkInTheDetailsLeadsOnInTheSameRun) {
    ASSERT_TRUE(selectWidestKernel(Side::B));
    const SliceSelection kernel = selected(Side::B);
    const SliceRef launch = view().compared()->b->run->ranks[kernel.rank]->launches.launchOf(kernel.slice);
    ASSERT_TRUE(launch.valid());
    auto* facts = details().findChild<QTextBrowser*>();
    Q_EMIT facts->anchorClicked(QUrl(sliceLink({kernel.run, kernel.rank, launch})));
    ASSERT_TRUE(waitUntilFound());
    EXPECT_EQ(selected(Side::B), (SliceSelection{indexOf(Side::B), kernel.rank, launch}));
    EXPECT_TRUE(details().isVisible());
}

TEST_F(HandsOnAPair, EscapeEmptiesTheDetails) {
    ASSERT_TRUE(selectWidestKernel(Side::A));
    const QString before = details().factsText();
    QTest::keyClick(&timeline(Side::A), Qt::Key_Escape);
    EXPECT_NE(details().factsText(), before);
    EXPECT_EQ(details().argsText(), QString());
}

TEST_F(HandsOnAPair, EachTimelineHasItsOverviewAndOneCommandHidesBoth) {
    EXPECT_TRUE(timeline(Side::A).overview().isVisible());
    EXPECT_TRUE(timeline(Side::B).overview().isVisible());
    trigger("view.overview");
    EXPECT_FALSE(timeline(Side::A).overview().isVisible());
    EXPECT_FALSE(timeline(Side::B).overview().isVisible());
    trigger("view.overview");
    EXPECT_TRUE(timeline(Side::B).overview().isVisible());
}

TEST_F(HandsOnAPair, AClickIntoAnOverviewMovesBothTimelines) {
    Overview& overview = timeline(Side::A).overview();
    const TimeSpan before_a = timeline(Side::A).viewport().window();
    const TimeSpan before_b = timeline(Side::B).viewport().window();
    const QRect busy = overview.busyArea();
    QTest::mouseClick(&overview, Qt::LeftButton, {}, QPoint(busy.right() - 20, busy.center().y()));
    timeline(Side::A).settle();
    EXPECT_NE(timeline(Side::A).viewport().window(), before_a);
    EXPECT_NE(timeline(Side::B).viewport().window(), before_b);
}

TEST_F(HandsOnAPair, WhatTheCellsShowIsTheSameInBoth) {
    timeline(Side::B).overview().setMeasure(StepMeasure::Idle);
    EXPECT_EQ(timeline(Side::A).overview().measure(), StepMeasure::Idle);
}

TEST_F(HandsOnAPair, TheArgumentsOfAClickedPairAreComparedOnceTheyAreReadBack) {
    ASSERT_TRUE(selectWidestKernel(Side::A));
    const QString words = panel().pairText();
    EXPECT_TRUE(words.contains(QStringLiteral("Different arguments")) ||
                words.contains(QStringLiteral("Same arguments")))
        << words.toStdString();
    EXPECT_FALSE(words.contains(QStringLiteral("correlation"))) << words.toStdString();
}

TEST_F(HandsOnAPair, TheTextOfAPairTakesTheColoursOfAnotherTheme) {
    window().appearance().choose(ThemeChoice::Dark);
    ASSERT_TRUE(selectWidestKernel(Side::A));
    window().appearance().choose(ThemeChoice::Light);
    bool said = false;
    for (const auto* words : panel().findChildren<QTextBrowser*>()) {
        said |= words->toHtml().contains(Theme::lightTheme().text_dim.name());
        EXPECT_FALSE(words->toHtml().contains(Theme::darkTheme().text_dim.name()))
            << words->toPlainText().toStdString();
    }
    EXPECT_TRUE(said);
}

/// The bundled pair, aligned by phase.
class PhasesOfAPair : public HandsOnAPair {
  protected:
    void SetUp() override {
        HandsOnAPair::SetUp();
        QTest::keyClick(&timeline(Side::A), Qt::Key_L, Qt::ControlModifier);
        ASSERT_TRUE(view().byPhase());
    }
    /// The phases of a step that has some, behind the first: nothing before it runs on evenly.
    [[nodiscard]] const StepPhases& phases() {
        const auto& all = view().compared()->phases;
        return *std::ranges::find_if(std::next(all.begin()), all.end(),
                                     [](const StepPhases& step) { return step.pairs.size() > 1; });
    }
    /// Puts an instant in the middle of a timeline, as panning does.
    void center(Side side, TimeNs at_ns, DurationNs length) {
        timeline(side).showWindow({at_ns - length / 2, at_ns + length / 2});
    }
    [[nodiscard]] static TimeNs middleOf(const TimelineWidget& of) {
        return of.viewport().timeAt(of.viewport().width() / 2.0);
    }
    /// How far through a span an instant is, from 0 to 1.
    [[nodiscard]] static double share(const TimeSpan& span, TimeNs at_ns) {
        return static_cast<double>(at_ns - span.start_ns) / static_cast<double>(span.length());
    }
};

TEST_F(PhasesOfAPair, TheMiddleIsAtTheSamePointOfTheSamePhase) {
    for (const PhasePair& pair : phases().pairs) {
        for (const Side side : {Side::A, Side::B}) {
            const TimeSpan& led = side == Side::A ? pair.a_span : pair.b_span;
            const TimeSpan& other = side == Side::A ? pair.b_span : pair.a_span;
            center(side, led.start_ns + led.length() / 4, led.length());
            const TimelineWidget& follows = timeline(otherOf(side));
            const double pixel = static_cast<double>(follows.viewport().window().length()) /
                                 follows.viewport().width() / static_cast<double>(other.length());
            EXPECT_NEAR(share(other, middleOf(follows)), 0.25, 2 * pixel + 1e-6) << phaseName(pair.phase);
        }
    }
}

TEST_F(PhasesOfAPair, TheWheelKeepsThePhaseOfTheMiddle) {
    const PhasePair& pair = phases().pairs.back();
    center(Side::A, pair.a_span.start_ns + pair.a_span.length() / 2, 4 * pair.a_span.length());
    TimelineWidget& a = timeline(Side::A);
    const QPointF at = a.tracksArea().topLeft() + QPointF(30, 40);
    test::turnWheel(a, at, 240, Qt::ControlModifier);
    a.settle();
    const StepAlignment way = alignByPhase(view().compared()->steps, view().compared()->phases);
    const TimelineWidget& b = timeline(Side::B);
    EXPECT_NEAR(b.viewport().xAt(way.toB(middleOf(a))), b.viewport().width() / 2.0, 1.5);
}

TEST_F(PhasesOfAPair, TheLineNamesThePhaseInTheMiddle) {
    const PhasePair& pair = phases().pairs.front();
    center(Side::A, pair.a_span.start_ns + pair.a_span.length() / 2, pair.a_span.length());
    EXPECT_TRUE(view().stepsText().contains(text(phaseName(pair.phase)))) << view().stepsText().toStdString();
}

TEST_F(PhasesOfAPair, AClickedSliceIsStillBelowItsCounterpart) {
    ASSERT_TRUE(selectWidestKernel(Side::A));
    ASSERT_NE(timeline(Side::B).selection().index(), 0U);
    EXPECT_NEAR(startX(Side::A), startX(Side::B), 1.5);
}

TEST_F(PhasesOfAPair, ThePairThatWasClickedMovesEvenlyWhenOneIsPanned) {
    ASSERT_TRUE(selectWidestKernel(Side::A));
    constexpr double kPixels = 3;
    const Viewport& a = timeline(Side::A).viewport();
    const auto moved = static_cast<DurationNs>(kPixels * static_cast<double>(a.window().length()) / a.width());
    const double before = startX(Side::B);
    timeline(Side::A).showWindow({a.window().start_ns + moved, a.window().end_ns + moved});
    EXPECT_LT(startX(Side::B), before);
    EXPECT_GT(startX(Side::B), before - 5 * kPixels) << "the other jumped";
}

TEST_F(PhasesOfAPair, AsOftenAsOneLikesAndNotWhileTheyMoveFreely) {
    trigger("compare.by-phase");
    EXPECT_FALSE(view().byPhase());
    trigger("compare.link");
    EXPECT_FALSE(action("compare.by-phase")->isEnabled());
    trigger("compare.link");
    EXPECT_TRUE(action("compare.by-phase")->isEnabled());
}

TEST_F(PhasesOfAPair, ASessionKeepsIt) {
    const QString path = inFolder("pair.rankscope");
    window().sessions().save(path);
    trigger("compare.by-phase");
    trigger("compare.leave");
    ASSERT_FALSE(view().byPhase());
    window().sessions().open(path);
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_TRUE(view().byPhase());
    EXPECT_TRUE(action("compare.by-phase")->isChecked());
}

}  // namespace
}  // namespace rankscope::ui
