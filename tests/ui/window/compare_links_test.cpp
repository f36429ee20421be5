// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs that are compared: what moves together, and every link, with real events.
#include <QApplication>
#include <QHeaderView>
#include <algorithm>

#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"

namespace rankscope::ui {
namespace {

/// The bundled pair, compared.
class ComparePair : public CompareWindow {
  protected:
    void SetUp() override { ASSERT_TRUE(compareSamples()); }
    [[nodiscard]] const ComparedRuns& runs() { return *view().compared(); }
};

TEST_F(ComparePair, BothBeginAtTheSameStepOnTheSameScale) {
    const StepPair& typical = runs().steps[*runs().typical_step];
    const Viewport& a = timeline(Side::A).viewport();
    const Viewport& b = timeline(Side::B).viewport();
    EXPECT_NEAR(a.xAt(typical.a_span.start_ns), b.xAt(typical.b_span.start_ns), 1.0);
    const double scale_a = static_cast<double>(a.window().length()) / a.width();
    const double scale_b = static_cast<double>(b.window().length()) / b.width();
    EXPECT_NEAR(scale_a / scale_b, 1.0, 1e-3);
}

TEST_F(ComparePair, PanningOneByAStepPansTheOtherByItsOwn) {
    ASSERT_GT(runs().steps.size(), *runs().typical_step + 1);
    const StepPair& next = runs().steps[*runs().typical_step + 1];
    TimelineWidget& a = timeline(Side::A);
    a.showWindow({next.a_span.start_ns, next.a_span.start_ns + a.viewport().window().length()});
    EXPECT_NEAR(timeline(Side::B).viewport().xAt(next.b_span.start_ns), 0.0, 1.0);
    const auto index = runs().b->facts.steps[next.b].index;
    EXPECT_EQ(view().stepsText(), QStringLiteral("Step %1 of A against step %1 of B.").arg(index));
}

TEST_F(ComparePair, AtRestTheFirstStepInSightBeginsInOneColumn) {
    const StepPair& first = runs().steps.front();
    TimelineWidget& a = timeline(Side::A);
    const DurationNs length = first.a_span.length();
    a.showWindow({first.a_span.start_ns - length / 10, first.a_span.start_ns + length / 2});
    const auto start_x = [](const TimelineWidget& of, const TimeSpan& span) {
        return of.viewport().xAt(span.start_ns);
    };
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return std::abs(start_x(a, first.a_span) - start_x(timeline(Side::B), first.b_span)) < 1.5; },
        kPatience));
}

TEST_F(ComparePair, TheWheelZoomsBothAndTheOtherFollowsFromEitherSide) {
    for (const Side side : {Side::A, Side::B}) {
        TimelineWidget& led = timeline(side);
        const TimelineWidget& other = timeline(otherOf(side));
        const DurationNs before = other.viewport().window().length();
        const QPointF at = led.tracksArea().center();
        test::turnWheel(led, at, 240, Qt::ControlModifier);
        led.settle();
        EXPECT_LT(other.viewport().window().length(), before * 9 / 10);
    }
}

TEST_F(ComparePair, MovedFreelyTheOtherStaysAndLinkedAgainItComes) {
    const TimeSpan before = timeline(Side::B).viewport().window();
    timeline(Side::A).setFocus();
    QTest::keyClick(&timeline(Side::A), Qt::Key_L);
    EXPECT_FALSE(view().linked());
    timeline(Side::A).fitAll();
    timeline(Side::A).settle();
    EXPECT_EQ(timeline(Side::B).viewport().window(), before);
    EXPECT_TRUE(view().stepsText().contains(QStringLiteral("not linked")));
    QTest::keyClick(&timeline(Side::A), Qt::Key_L);
    EXPECT_NE(timeline(Side::B).viewport().window(), before);
}

TEST_F(ComparePair, AClickOnAKernelShowsItsCounterpartInTheOtherRun) {
    ASSERT_TRUE(selectWidestKernel(Side::A));
    const auto* in_a = std::get_if<SliceSelection>(&timeline(Side::A).selection());
    const auto* in_b = std::get_if<SliceSelection>(&timeline(Side::B).selection());
    ASSERT_NE(in_a, nullptr);
    ASSERT_NE(in_b, nullptr) << panel().pairText().toStdString();
    EXPECT_EQ(runs().a->run->ranks[in_a->rank]->name(in_a->slice), runs().b->run->ranks[in_b->rank]->name(in_b->slice));
    EXPECT_NEAR(startX(Side::A), startX(Side::B), 1.5) << "they stand below each other";
    EXPECT_TRUE(panel().pairText().contains(QStringLiteral("B − A"))) << panel().pairText().toStdString();
}

TEST_F(ComparePair, AGapThatIsGoneSaysWhatTookItsPlace) {
    // The longest wait for the DataLoader in A, clicked.
    clickRow(ComparePage::Findings, 0);
    ASSERT_TRUE(waitUntilFound());
    TimelineWidget& a = timeline(Side::A);
    const Frame frame = a.frame();
    ASSERT_FALSE(frame.gaps.empty());
    const auto widest = std::ranges::max_element(frame.gaps, {}, [](const FrameGap& gap) { return gap.x1 - gap.x0; });
    clickAt(a, QRectF(widest->x0, widest->y, widest->x1 - widest->x0, widest->height));
    ASSERT_TRUE(waitUntilFound());
    ASSERT_NE(std::get_if<GapSelection>(&a.selection()), nullptr);
    const QString words = panel().pairText();
    EXPECT_TRUE(words.contains(QStringLiteral("The GPU is idle"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("What B does there"))) << words.toStdString();
}

TEST_F(ComparePair, EveryLineOfEveryTableLeadsIntoTheTimelines) {
    for (std::size_t i = 0; i < kComparePages; ++i) {
        const auto page = static_cast<ComparePage>(i);
        const int rows = panel().table(page).view().model()->rowCount();
        ASSERT_GT(rows, 0) << i;
        for (int row = 0; row < std::min(rows, 6); ++row) {
            QTest::keyClick(&timeline(Side::A), Qt::Key_Escape);
            clickRow(page, row);
            ASSERT_TRUE(waitUntilFound());
            const bool shown = timeline(Side::A).selection().index() != 0 || timeline(Side::B).selection().index() != 0;
            EXPECT_TRUE(shown) << "page " << i << ", row " << row << ": " << panel().pairText().toStdString();
        }
    }
}

TEST_F(ComparePair, AFindingSaysWhyItIsOne) {
    clickRow(ComparePage::Findings, 0);
    ASSERT_TRUE(waitUntilFound());
    const FindingPair& pair = runs().comparison.findings.front();
    ASSERT_TRUE(pair.a);
    const QString why = text(runs().a->diagnosis.findings[*pair.a].why).simplified();
    EXPECT_TRUE(panel().pairText().contains(why.left(40))) << panel().pairText().toStdString();
}

TEST_F(ComparePair, ABandOfCommunicationLeadsToTheCounterpartOfItsCollective) {
    TimelineWidget& a = timeline(Side::A);
    const Frame frame = a.frame();
    ASSERT_FALSE(frame.band_rows.empty());
    const FrameBandRow& band_row = frame.band_rows.front();
    ASSERT_LT(band_row.first, band_row.last);
    const FrameBand* widest = &frame.bands[band_row.first];
    for (std::uint32_t i = band_row.first; i < band_row.last; ++i) {
        widest = frame.bands[i].x1 - frame.bands[i].x0 > widest->x1 - widest->x0 ? &frame.bands[i] : widest;
    }
    clickAt(a, QRectF(widest->x0, band_row.y, widest->x1 - widest->x0, band_row.height));
    ASSERT_TRUE(waitUntilFound());
    ASSERT_NE(std::get_if<BandSelection>(&a.selection()), nullptr);
    const auto* in_b = std::get_if<SliceSelection>(&timeline(Side::B).selection());
    ASSERT_NE(in_b, nullptr) << panel().pairText().toStdString();
    EXPECT_NE(runs().b->run->ranks[in_b->rank]->name(in_b->slice).find("nccl"), std::string_view::npos);
    EXPECT_TRUE(panel().pairText().contains(QStringLiteral("Its longest:")))
        << "what was clicked: " << panel().pairText().toStdString();
    ASSERT_TRUE(selectWidestKernel(Side::A));
    EXPECT_FALSE(panel().pairText().contains(QStringLiteral("Its longest:"))) << "a slice is what it is";
}

TEST_F(ComparePair, EnterFollowsALineToo) {
    panel().showPage(ComparePage::Kernels);
    QTableView& table = panel().table(ComparePage::Kernels).view();
    table.setFocus();
    table.setCurrentIndex(table.model()->index(0, 0));
    QTest::keyClick(&table, Qt::Key_Return);
    ASSERT_TRUE(waitUntilFound());
    EXPECT_NE(timeline(Side::A).selection().index(), 0U);
}

TEST_F(ComparePair, ATitleSortsItsTable) {
    panel().showPage(ComparePage::Kernels);
    CompareTable& kernels = panel().table(ComparePage::Kernels);
    const QHeaderView& header = *kernels.view().horizontalHeader();
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, QPoint(header.sectionViewportPosition(2) + 20, 10));
    ASSERT_TRUE(waitUntilFound());
    const auto& table = *runs().table(ComparePage::Kernels);
    const auto* model = qobject_cast<const DataTableModel*>(kernels.view().model());
    for (int row = 1; row < model->rowCount(); ++row) {
        const auto& above = table.rows[model->sourceRow(row - 1)][2];
        const auto& below = table.rows[model->sourceRow(row)][2];
        EXPECT_TRUE(below.index() == 0 || !(above < below)) << row;
    }
}

TEST_F(ComparePair, NLeadsFromFindingToFindingAndRoundTheEnd) {
    timeline(Side::A).setFocus();
    const int rows = panel().table(ComparePage::Findings).view().model()->rowCount();
    ASSERT_GT(rows, 0);
    for (int i = 0; i <= rows; ++i) {
        QTest::keyClick(&timeline(Side::A), Qt::Key_N);
        ASSERT_TRUE(waitUntilFound());
        EXPECT_EQ(panel().table(ComparePage::Findings).view().currentIndex().row(), i % rows);
    }
}

TEST_F(ComparePair, EscapeForgetsWhatWasSelectedInBoth) {
    clickRow(ComparePage::Kernels, 0);
    ASSERT_TRUE(waitUntilFound());
    ASSERT_NE(timeline(Side::A).selection().index(), 0U);
    timeline(Side::A).setFocus();
    QTest::keyClick(&timeline(Side::A), Qt::Key_Escape);
    EXPECT_EQ(timeline(Side::A).selection(), Selection());
    EXPECT_EQ(timeline(Side::B).selection(), Selection());
}

TEST_F(ComparePair, SwappedTheBaselineIsTheOther) {
    trigger("compare.swap");
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("FourWorkers ZeroWorkers"));
    EXPECT_TRUE(panel().verdictText().contains(QStringLiteral("Difference of recordings")))
        << panel().verdictText().toStdString();
}

TEST_F(ComparePair, TheTimelinesAreLeftAndRightOrAboveAndBelow) {
    const auto left = [this](Side side) { return timeline(side).mapTo(&window(), QPoint(0, 0)).x(); };
    const auto top = [this](Side side) { return timeline(side).mapTo(&window(), QPoint(0, 0)).y(); };
    EXPECT_LT(left(Side::A), left(Side::B));
    timeline(Side::A).setFocus();
    QTest::keyClick(&timeline(Side::A), Qt::Key_L, Qt::ShiftModifier);
    QCoreApplication::processEvents();
    EXPECT_EQ(left(Side::A), left(Side::B));
    EXPECT_LT(top(Side::A), top(Side::B));
}

TEST_F(ComparePair, TheSelectionStaysInViewWhenTheyAreAboveEachOther) {
    TimelineWidget& a = timeline(Side::A);
    const auto selected = [&a]() -> std::optional<FrameGap> {
        const Frame frame = a.frame();
        const auto at = std::ranges::find_if(
            frame.gaps, [&](const FrameGap& gap) { return Selection(gap.which) == a.selection(); });
        const bool seen = at != frame.gaps.end() && at->y >= 0 && at->y + at->height <= frame.height;
        return seen ? std::optional(*at) : std::nullopt;
    };
    // The lowest gap that is in sight.
    const Frame frame = a.frame();
    std::optional<FrameGap> lowest;
    for (const FrameGap& gap : frame.gaps) {
        lowest = gap.y + gap.height <= frame.height && (!lowest || gap.y > lowest->y) ? gap : lowest;
    }
    ASSERT_TRUE(lowest);
    a.select(Selection(lowest->which));
    ASSERT_TRUE(waitUntilFound());
    ASSERT_TRUE(selected());
    for (int time = 0; time < 2; ++time) {
        trigger("compare.stack");
        QCoreApplication::processEvents();
        ASSERT_TRUE(waitUntilFound());
        EXPECT_TRUE(selected()) << time;
    }
}

TEST_F(ComparePair, WhatMakesNoSenseWhileComparingCannotBeDone) {
    EXPECT_FALSE(action("view.charts")->isEnabled());
    EXPECT_FALSE(action("compare.open-runs")->isEnabled());
    EXPECT_FALSE(action("copy.place")->isEnabled()) << "it is of one timeline";
    for (const char* works : {"search.open", "search.next", "view.overview", "view.save-timeline", "compare.details"}) {
        EXPECT_TRUE(action(works)->isEnabled()) << works;
    }
    trigger("compare.leave");
    EXPECT_TRUE(action("view.charts")->isEnabled());
    EXPECT_TRUE(action("compare.open-runs")->isEnabled());
    EXPECT_FALSE(action("compare.swap")->isEnabled());
}

TEST_F(ComparePair, TabLeadsThroughItAndBack) {
    timeline(Side::A).setFocus();
    const QSet<QWidget*> seen = test::tabStops(60);
    EXPECT_TRUE(seen.contains(&timeline(Side::B)));
    EXPECT_TRUE(seen.contains(&panel().table(ComparePage::Step).view()));
    EXPECT_EQ(QApplication::focusWidget(), &timeline(Side::A)) << "nothing keeps the keyboard to itself";
}

TEST_F(ComparePair, AtRestTheStepThatFillsTheViewIsAlignedNotTheNextAtItsEdge) {
    const std::size_t at = *runs().typical_step;
    ASSERT_GT(runs().steps.size(), at + 1);
    TimelineWidget& a = timeline(Side::A);
    const TimeSpan step = runs().steps[at].a_span;
    const TimeSpan next = runs().steps[at + 1].a_span;
    a.showWindow({step.start_ns + step.length() / 3, next.start_ns + next.length() / 20});
    QTest::qWait(400);  // it comes to rest
    const auto index = runs().a->facts.steps[runs().steps[at].a].index;
    EXPECT_EQ(view().stepsText(), QStringLiteral("Step %1 of A against step %1 of B.").arg(index));
    const TimeSpan seen = timeline(Side::B).viewport().window();
    const TimeSpan in_b = runs().steps[at].b_span;
    EXPECT_LT(seen.start_ns, in_b.end_ns);
    EXPECT_GT(seen.start_ns, in_b.start_ns) << "as far through as A";
}

TEST_F(ComparePair, ByPhaseTheMiddleIsNamedOnceTheAlignedPairIsOutOfView) {
    const std::size_t at = *runs().typical_step;
    ASSERT_GT(runs().steps.size(), at + 2);
    TimelineWidget& a = timeline(Side::A);
    const TimeSpan aligned = runs().steps[at].a_span;
    a.showWindow({aligned.start_ns + aligned.length() / 3, aligned.end_ns});
    QTest::qWait(400);
    trigger("compare.by-phase");
    const TimeSpan step = runs().steps[at + 2].a_span;
    a.showWindow({step.start_ns - step.length() / 2, step.end_ns});  // it begins a third from the left
    QTest::qWait(400);
    const auto index = runs().a->facts.steps[runs().steps[at + 2].a].index;
    EXPECT_TRUE(view().stepsText().startsWith(QStringLiteral("Step %1 of A against step %1 of B").arg(index)))
        << view().stepsText().toStdString();
}

TEST_F(ComparePair, ColumnsSayThatTheyAreOfSelfTimeOrDifferences) {
    const auto titles = [&](ComparePage page) { return test::titles(*panel().table(page).view().model()); };
    EXPECT_TRUE(titles(ComparePage::Operators).contains(QStringLiteral("Self in A / step")));
    EXPECT_TRUE(titles(ComparePage::Kernels).contains(QStringLiteral("A / step")));
    EXPECT_TRUE(titles(ComparePage::Ranks).contains(QStringLiteral("Compute, B − A")));
    EXPECT_TRUE(titles(ComparePage::Ranks).contains(QStringLiteral("A / step")));
}

}  // namespace
}  // namespace rankscope::ui
