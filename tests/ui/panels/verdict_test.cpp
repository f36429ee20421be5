// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on top of the diagnoses: its words are those of the reports, and its links and pictures lead somewhere.
#include <gtest/gtest.h>

#include <QFontMetrics>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

#include "core/report/words/summary.h"
#include "tests/ui/holds.h"
#include "tests/ui/panels/hand_made_run.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/diagnosis/late_dots.h"
#include "ui/panels/diagnosis/phase_strip.h"
#include "ui/panels/diagnosis/step_places.h"
#include "ui/panels/diagnosis/verdict_card.h"
#include "ui/panels/diagnosis/verdict_text.h"
#include "ui/panels/shared/words.h"
#include "ui/widgets/linked_label.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

/// The hand-made run, bound by its input, with a backward in its one step and two ranks of which one comes late.
std::shared_ptr<AnalysedRun> judgedRun() {
    auto analysed = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    const auto other = std::const_pointer_cast<RankTrace>(HandMadeRun::make()->run->ranks[0]);
    other->rank = RankNumber(1);
    auto run = std::make_shared<rankscope::Run>(*analysed->run);
    run->ranks.push_back(other);
    analysed->run = run;
    analysed->clock.ranks.resize(2);
    RunFacts& facts = analysed->facts;
    facts.ranks.push_back(facts.ranks[0]);
    facts.ranks[0].device = 0;
    facts.steps[0].by_rank = {RankStepPosition(), RankStepPosition()};
    facts.verdict = {Bound::Input, "compute 40 %, waiting for input and copies 58 %, and so on. Compute is not enough.",
                     BoundShares{.compute = 0.4, .communication = 0.001, .input = 0.58, .launch = 0.02}};
    facts.verdict.coverage = {.steps = 1, .of_steps = 1, .time_ns = 91, .of_time_ns = 100};
    for (RankFacts& rank : facts.ranks) {
        rank.phases.told[Phase::Backward] = true;
        rank.phases.told[Phase::Other] = true;
        rank.phases.steps.resize(1);
        rank.phases.steps[0][Phase::Backward] = {30'000'000, 25'000'000, 25'000'000};
        rank.phases.spans = {{{Phase::Backward, {1'060'000'000, 1'085'000'000}}}};
    }
    facts.stragglers.ranks.resize(2);
    facts.stragglers.segments.resize(1);
    for (RankPosition r{0}; r < 2; ++r) {
        RankLateness& late = facts.stragglers.ranks[r];
        late.rank = r;
        late.segment_ns = r == 1 ? 60'000'000 : 20'000'000;
        late.over_mean = r == 1 ? 1.5 : 0.5;
        late.steps = {{RunStepPosition(), late.segment_ns, r == 1 ? 40'000'000 : 0}};
    }
    return analysed;
}

class VerdictTest : public testing::Test {
  protected:
    void show(const std::shared_ptr<const AnalysedRun>& run) {
        panel.resize(360, 900);
        panel.setRuns({run});
        panel.show();
        panel.finish();
        QTest::qWait(20);  // the findings get their room
    }
    [[nodiscard]] const VerdictCard& card() { return *panel.findChild<VerdictCard*>(); }
    [[nodiscard]] PhaseStrip& strip() { return *panel.findChild<PhaseStrip*>(); }
    [[nodiscard]] LateDots& dots() { return *panel.findChild<LateDots*>(); }
    [[nodiscard]] QString words() { return card().words().replace(QChar::Nbsp, QLatin1Char(' ')); }

    /// Moves the pointer over the card until it is on the link, and clicks there; false where the link is nowhere.
    bool click(const QString& link) {
        for (LinkedLabel* label : panel.findChildren<LinkedLabel*>()) {
            QString under;
            const auto heard = QObject::connect(label, &QLabel::linkHovered, [&](const QString& to) { under = to; });
            const auto forget = qScopeGuard([&] { QObject::disconnect(heard); });
            for (int y = 2; y < label->height(); y += 4) {
                for (int x = 1; x < label->width(); x += 4) {
                    const QPointF at(x, y);
                    test::moveTo(*label, at);
                    if (under == link) {
                        QTest::mouseClick(label, Qt::LeftButton, {}, at.toPoint());
                        QTest::qWait(20);  // what was unfolded gets its room
                        return true;
                    }
                }
            }
        }
        return false;
    }

    DiagnosesPanel panel{Theme::darkTheme()};
};

TEST_F(VerdictTest, IsTheHeadlineAboveTheFindings) {
    show(judgedRun());
    EXPECT_TRUE(words().startsWith(QStringLiteral("INPUT-BOUND\nThe GPU waits 58 % of the step for input data.")))
        << words().toStdString();
    const auto* finding = panel.findChild<FindingCard*>();
    EXPECT_LT(card().mapTo(&panel, QPoint()).y() + card().height(), finding->mapTo(&panel, QPoint()).y() + 1);
}

TEST_F(VerdictTest, OffersToTryTheChangesThatItIsAbout) {
    show(judgedRun());
    EXPECT_TRUE(words().contains(QStringLiteral("What if  Batches are always ready · other changes")))
        << words().toStdString();
    QSignalSpy asked(&panel, &DiagnosesPanel::whatIfAsked);
    ASSERT_TRUE(click(QStringLiteral("what-if:loader:ready")));
    ASSERT_TRUE(click(QStringLiteral("what-if:")));
    ASSERT_EQ(asked.size(), 2);
    EXPECT_EQ(asked[0][1].value<std::string>(), "loader:ready");
    EXPECT_EQ(asked[1][1].value<std::string>(), "") << "any";
}

TEST_F(VerdictTest, NamesTheSharesThatAreSeenTheGreatestWaitFirst) {
    show(judgedRun());
    const QString all = words();
    EXPECT_TRUE(all.contains(QStringLiteral("compute 40 %"))) << all.toStdString();
    EXPECT_LT(all.indexOf(QStringLiteral("waiting for input and copies 58 %")),
              all.indexOf(QStringLiteral("waiting for kernel launches 2.0 %")));
    EXPECT_LT(all.indexOf(QStringLiteral("input 58 %")), all.indexOf(QStringLiteral("launch 2.0 %")));
    EXPECT_FALSE(all.contains(QStringLiteral("comm 0")));
    EXPECT_FALSE(all.contains(QStringLiteral("exposed communication"))) << "under half a percent";
}

TEST_F(VerdictTest, WhyItIsSoIsFoldedAndUnfoldsByClick) {
    const auto run = judgedRun();
    show(run);
    EXPECT_FALSE(words().contains(QStringLiteral("Largest wait")));
    ASSERT_TRUE(click(QStringLiteral("fold:reason")));
    EXPECT_TRUE(test::holds(
        words(), {"Largest wait", "Shares are of the step's critical path.", "the mean over the paths of all ranks",
                  "Based on 1 of 1 step, 91 % of the recorded time"}));
    EXPECT_TRUE(words().contains(text(report::coverageText(run->facts.verdict.coverage)))) << "as in the reports";
    ASSERT_TRUE(click(QStringLiteral("fold:reason")));
    EXPECT_FALSE(words().contains(QStringLiteral("Largest wait")));
}

TEST_F(VerdictTest, WhyItIsSoUnfoldsByKeyAndTheKeyboardStaysThere) {
    show(judgedRun());
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    QWidget* head = card().stops().front();
    head->setFocus(Qt::TabFocusReason);
    QTest::keyClick(head, Qt::Key_Return);
    EXPECT_TRUE(words().contains(QStringLiteral("Largest wait"))) << words().toStdString();
    QCoreApplication::processEvents();
    QTest::keyClick(head, Qt::Key_Return);
    EXPECT_FALSE(words().contains(QStringLiteral("Largest wait")));
}

TEST_F(VerdictTest, WhereItIsUnknownSaysWhyAtOnceAndOnlyOnce) {
    auto run = judgedRun();
    run->facts.verdict = {std::nullopt, "No rank has device work.", std::nullopt};
    run->diagnosis.headline = {"cannot tell what limits the step", "No rank has device work."};
    show(run);
    EXPECT_TRUE(words().startsWith(QStringLiteral("CANNOT TELL WHAT LIMITS THE STEP\nNo rank has device work.")))
        << words().toStdString();
    const QString why = verdictReasonHtml(*run, Theme::darkTheme());
    EXPECT_FALSE(why.contains(QStringLiteral("No rank"))) << why.toStdString();
    EXPECT_FALSE(why.contains(QStringLiteral("Shares"))) << "there are none";
}

TEST_F(VerdictTest, ItsNumbersLeadToThePathThatTheyAreOfAndToTheLengthsOfSteps) {
    show(judgedRun());
    QSignalSpy asked(&panel, &DiagnosesPanel::chartAsked);
    ASSERT_TRUE(click(QStringLiteral("fold:reason")));
    for (const StepChart chart : {StepChart::Path, StepChart::Lengths, StepChart::Lateness}) {
        ASSERT_TRUE(click(QStringLiteral("chart:%1").arg(static_cast<int>(chart))));
        ASSERT_EQ(asked.count(), 1);
        EXPECT_EQ(asked.takeFirst()[1].value<StepChart>(), chart);
    }
}

TEST_F(VerdictTest, APhaseSaysItsNumbersToThePointerAndLeadsToItsTimeInTheTypicalStep) {
    show(judgedRun());
    EXPECT_TRUE(words().contains(QStringLiteral("backward 25 %"))) << words().toStdString();
    std::optional<TimeSpan> asked;
    QObject::connect(&panel, &DiagnosesPanel::spanActivated, &panel,
                     [&](std::uint32_t, RankPosition, const TimeSpan& span) { asked = span; });
    const QPoint middle = strip().placeOf(Phase::Backward).center().toPoint();
    EXPECT_NEAR(strip().placeOf(Phase::Backward).width(), strip().width() / 4.0, 2) << "the bar is a step";
    EXPECT_TRUE(test::holds(strip().tipOf(Phase::Backward), {"backward", "CPU, median rank: 30.0 ms, 30 % of all steps",
                                                             "GPU, median rank: 25.0 ms, 25 % of all steps"}));
    EXPECT_TRUE(test::tipAt(strip(), middle).contains(QStringLiteral("25.0")));
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, middle);
    EXPECT_EQ(asked, (TimeSpan{1'060'000'000, 1'085'000'000}));
}

TEST_F(VerdictTest, PhasesAreInTheOrderOfAStepAndTheKeyboardGoesThroughThem) {
    const auto run = judgedRun();
    for (RankFacts& rank : run->facts.ranks) {
        for (const Phase phase : {Phase::Forward, Phase::Optimizer}) {
            rank.phases.told[phase] = true;
            rank.phases.steps[0][phase] = {5'000'000, 5'000'000, 5'000'000};
        }
    }
    show(run);
    EXPECT_LT(strip().placeOf(Phase::Forward).left(), strip().placeOf(Phase::Backward).left());
    EXPECT_LT(strip().placeOf(Phase::Backward).left(), strip().placeOf(Phase::Optimizer).left());
    std::optional<TimeSpan> asked;
    QObject::connect(&panel, &DiagnosesPanel::spanActivated, &panel,
                     [&](std::uint32_t, RankPosition, const TimeSpan& span) { asked = span; });
    strip().setFocus(Qt::TabFocusReason);
    QTest::keyClick(&strip(), Qt::Key_Right);
    EXPECT_EQ(strip().current(), Phase::Forward);
    QTest::keyClick(&strip(), Qt::Key_Right);
    EXPECT_EQ(strip().current(), Phase::Backward);
    EXPECT_TRUE(strip().spokenContent().startsWith(QStringLiteral("Selected: backward"))) << "for screen readers";
    EXPECT_TRUE(strip().spokenPart(1).chosen);
    QTest::keyClick(&strip(), Qt::Key_Return);
    EXPECT_EQ(asked, (TimeSpan{1'060'000'000, 1'085'000'000}));
    QTest::keyClick(&strip(), Qt::Key_End);
    EXPECT_EQ(strip().current(), Phase::Optimizer);
}

TEST_F(VerdictTest, PhasesThatOverlapAndFillMoreThanAStepShareTheBar) {
    const auto run = judgedRun();
    for (RankFacts& rank : run->facts.ranks) {
        rank.phases.told[Phase::Communication] = true;
        rank.phases.steps[0][Phase::Backward] = {0, 100'000'000, 100'000'000};
        rank.phases.steps[0][Phase::Communication] = {0, 100'000'000, 100'000'000};
    }
    show(run);
    EXPECT_NEAR(strip().placeOf(Phase::Communication).right(), strip().width(), 1);
    EXPECT_NEAR(strip().placeOf(Phase::Communication).left(), strip().width() / 2.0, 1);
    EXPECT_TRUE(strip().overlap());
    EXPECT_TRUE(phasesTitleHtml(true, strip().overlap(), Theme::darkTheme()).contains(QStringLiteral("they overlap")));
    show(judgedRun());
    EXPECT_FALSE(strip().overlap());
}

TEST_F(VerdictTest, TheLatestRankIsNamedAndItsDotLeadsToItsLatestStep) {
    show(judgedRun());
    EXPECT_EQ(dots().labels().replaceInStrings(QStringLiteral("\u00a0"), QStringLiteral(" ")),
              QStringList{QStringLiteral("rank 1: 40.0 ms")});
    EXPECT_GT(dots().placeOf(RankPosition(1)).x(), dots().width() - 20);
    EXPECT_LT(dots().placeOf(RankPosition(0)).x(), 20);
    const QSignalSpy asked(&panel, &DiagnosesPanel::sliceActivated);
    QTest::mouseClick(&dots(), Qt::LeftButton, {}, dots().placeOf(RankPosition(1)).toPoint());
    EXPECT_EQ(asked.value(0).value(0).value<SliceSelection>(),
              (SliceSelection{0, RankPosition(1), HandMadeRun::kOperator}));
    dots().setFocus(Qt::TabFocusReason);
    QTest::keyClick(&dots(), Qt::Key_Left);
    EXPECT_EQ(dots().current(), RankPosition(0));
    QTest::keyClick(&dots(), Qt::Key_Return);
    EXPECT_EQ(asked.value(1).value(0).value<SliceSelection>().rank, RankPosition(0));
}

TEST_F(VerdictTest, ADotHasTheMeasuresOfTheReportsInItsTip) {
    const auto run = judgedRun();
    Finding& finding = run->diagnosis.findings.front();
    finding.saving_ns = 30'000'000;
    finding.ranks = {RankPosition(1)};
    run->facts.stragglers.ranks[1].z_score = -2.5;
    show(run);
    const QString tip = dots().tipOf(RankPosition(1)).replace(QChar::Nbsp, QLatin1Char(' '));
    const report::Table table = report::latenessTable(*run, 1);
    for (std::size_t column = 1; column + 1 < table.header.size(); ++column) {
        const QString line = text(table.header[column]) + QStringLiteral(": ") +
                             text(table.rows[0][column]).replace(QLatin1Char('-'), QChar(0x2212));
        EXPECT_TRUE(tip.contains(line)) << line.toStdString() << " in " << tip.toStdString();
    }
    EXPECT_TRUE(tip.contains(QStringLiteral("saves: 30.0 ms (%1)").arg(text(finding.title)))) << tip.toStdString();
    EXPECT_FALSE(tip.contains(QString::fromUtf8(findingName(finding.id).data()))) << "findings have titles for people";
    EXPECT_TRUE(test::tipAt(dots(), dots().placeOf(RankPosition(1)).toPoint()).contains(QStringLiteral("150")));
    EXPECT_EQ(dots().spokenPart(0).name.replace(QChar::Nbsp, QLatin1Char(' ')), QStringLiteral("rank 1: 40.0 ms"));
}

TEST_F(VerdictTest, NobodyIsNamedWhereNobodyIsLate) {
    const auto run = judgedRun();
    run->facts.median_step_ns = 100'000'000;
    run->facts.stragglers.ranks[1].steps[0].late_ns = 900'000;
    show(run);
    EXPECT_TRUE(words().contains(QStringLiteral("none by 1 % of a step"))) << words().toStdString();
    EXPECT_TRUE(dots().labels().isEmpty());
    EXPECT_LT(dots().placeOf(RankPosition(1)).x(), dots().width() / 3.0) << "little looks like little";
}

TEST_F(VerdictTest, DotsOfManyRanksAreStackedAndEachIsFound) {
    const auto run = judgedRun();
    auto all = std::make_shared<rankscope::Run>(*run->run);
    StragglerFacts& stragglers = run->facts.stragglers;
    while (stragglers.ranks.size() < 6) {
        RankLateness next = stragglers.ranks[0];
        next.rank = RankPosition(stragglers.ranks.size());
        next.steps[0].late_ns = static_cast<DurationNs>(stragglers.ranks.size()) * 6'000'000;
        stragglers.ranks.push_back(next);
        all->ranks.push_back(all->ranks[0]);
        run->facts.ranks.push_back(run->facts.ranks[0]);
        run->clock.ranks.push_back(run->clock.ranks[0]);
    }
    run->run = all;
    stragglers.ranks[2].steps[0].late_ns = 0;  // as the first
    show(run);
    EXPECT_NE(dots().placeOf(RankPosition(0)).y(), dots().placeOf(RankPosition(2)).y());
    for (RankPosition rank{0}; rank < 6; ++rank) {
        EXPECT_EQ(dots().cellAt(dots().placeOf(rank)), rank);
        EXPECT_TRUE(dots().rect().contains(dots().placeOf(rank).toPoint()));
    }
}

TEST_F(VerdictTest, IsNotCutInLargeText) {
    const Theme large = Theme::lightTheme().withTextSize(1.6);
    panel.setFont(large.ui_font);
    panel.setTheme(large);
    panel.setStyleSheet(large.styleSheet());
    show(judgedRun());
    for (const QWidget* part : card().stops()) {
        if (part->isHidden()) {
            continue;
        }
        EXPECT_LE(part->geometry().right(), card().width());
        if (const auto* label = qobject_cast<const LinkedLabel*>(part); label != nullptr && label->isVisible()) {
            EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->words().toStdString();
        }
    }
    EXPECT_GT(dots().height(), LateDots(judgedRun(), Theme::lightTheme()).height());
    EXPECT_GT(strip().height(), PhaseStrip(judgedRun(), Theme::lightTheme()).height());
}

TEST_F(VerdictTest, IsThereOnlyOnceTheRunIsAnalysed) {
    auto loading = judgedRun();
    loading->facts = {};
    show(loading);
    EXPECT_EQ(panel.findChild<VerdictCard*>(), nullptr);
}

TEST_F(VerdictTest, APhaseWithoutWorkOfADeviceLeadsToItsRangesOnTheHost) {
    const auto run = judgedRun();
    const auto trace = std::const_pointer_cast<RankTrace>(HandMadeRun::make()->run->ranks[0]);
    const StringId load = trace->strings.intern("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    SliceTable& slices = trace->tracks[HandMadeRun::kOperator.track.value].slices;
    slices.name[HandMadeRun::kOperator.slice] = load;
    slices.category[HandMadeRun::kOperator.slice] = Category::UserAnnotation;
    const TimeSpan loading = trace->span(HandMadeRun::kOperator);
    auto all = std::make_shared<rankscope::Run>(*run->run);
    all->ranks[0] = trace;
    run->run = all;
    for (RankFacts& rank : run->facts.ranks) {
        rank.phases.told[Phase::Data] = true;
        rank.phases.steps[0][Phase::Data] = {60'000'000, 0, 0};
        rank.steps[0].host = {loading.start_ns - 1'000, loading.end_ns + 1'000};
    }
    const auto place = placeOfPhase(*run, Phase::Data);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->rank, RankPosition(0));
    EXPECT_EQ(place->span, loading);
    EXPECT_FALSE(placeOfPhase(*run, Phase::Other)) << "the rest is nowhere";
}

TEST_F(VerdictTest, InLargeTextNoShareIsCutAtTheEdgeOfANarrowPanel) {
    const Theme larger = Theme::darkTheme().withTextSize(1.6);
    QTextDocument legend;
    legend.setDefaultFont(larger.ui_font);
    legend.setDocumentMargin(0);
    const Verdict verdict = judgedRun()->facts.verdict;
    for (const int width : {110, 160, 240, 320, 800}) {
        const QString html = verdictLegendHtml(verdict, width, larger);
        legend.setHtml(html);
        legend.setTextWidth(width);
        EXPECT_LE(legend.idealWidth(), width);
    }
}

}  // namespace
}  // namespace rankscope::ui
