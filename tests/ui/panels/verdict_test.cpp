// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on top of the diagnoses: its words are those of the reports, and its links lead somewhere.
#include <gtest/gtest.h>

#include <QApplication>
#include <QFontMetrics>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

#include "core/report/model/summary.h"
#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/linked_label.h"
#include "ui/panels/verdict_card.h"
#include "ui/panels/verdict_text.h"
#include "ui/panels/words.h"

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
                    QMouseEvent move(QEvent::MouseMove, at, label->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
                    QApplication::sendEvent(label, &move);
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

TEST_F(VerdictTest, StandsAboveTheFindingsWithWhatItStandsOn) {
    const auto run = judgedRun();
    show(run);
    EXPECT_TRUE(words().startsWith(QStringLiteral("Input-bound\n"))) << words().toStdString();
    EXPECT_TRUE(words().contains(text(report::coverageText(run->facts.verdict.coverage))))
        << "the words of the reports";
    EXPECT_TRUE(words().contains(QStringLiteral("of 1 of 1 step, 91 % of the time recorded"))) << words().toStdString();
    const auto* finding = panel.findChild<FindingCard*>();
    EXPECT_LT(card().mapTo(&panel, QPoint()).y() + card().height(), finding->mapTo(&panel, QPoint()).y() + 1);
}

TEST_F(VerdictTest, NamesTheSharesThatAreSeenTheGreatestWaitFirst) {
    show(judgedRun());
    const QString all = words();
    EXPECT_TRUE(all.contains(QStringLiteral("compute 40 %"))) << all.toStdString();
    EXPECT_LT(all.indexOf(QStringLiteral("waiting for input and copies 58 %")),
              all.indexOf(QStringLiteral("waiting for the host's launches 2.0 %")));
    EXPECT_FALSE(all.contains(QStringLiteral("exposed communication"))) << "under half a percent";
}

TEST_F(VerdictTest, WhyItIsSoUnfoldsAndFoldsAgain) {
    show(judgedRun());
    EXPECT_FALSE(words().contains(QStringLiteral("Compute is not above")));
    ASSERT_TRUE(click(QStringLiteral("fold:reason")));
    EXPECT_TRUE(words().contains(QStringLiteral("Compute is not above"))) << words().toStdString();
    ASSERT_TRUE(click(QStringLiteral("fold:reason")));
    EXPECT_FALSE(words().contains(QStringLiteral("Compute is not above")));
}

TEST_F(VerdictTest, WhereItCannotBeToldSaysWhyAtOnce) {
    auto run = judgedRun();
    run->facts.verdict = {std::nullopt, "No rank has device work.", std::nullopt};
    show(run);
    EXPECT_TRUE(words().startsWith(QStringLiteral("Cannot tell what binds it"))) << words().toStdString();
    EXPECT_TRUE(words().contains(QStringLiteral("No rank has device work.")));
}

TEST_F(VerdictTest, WhySaysFirstOfWhatTheSharesAre) {
    const QString why = verdictReasonText(*judgedRun());
    EXPECT_TRUE(why.startsWith(QStringLiteral("Shares are of the path that the end of a step waits for.")))
        << why.toStdString();
    EXPECT_TRUE(why.contains(QStringLiteral("the mean over the paths of all ranks"))) << why.toStdString();
    auto untold = judgedRun();
    untold->facts.verdict = {std::nullopt, "No rank has device work.", std::nullopt};
    EXPECT_EQ(verdictReasonText(*untold), QStringLiteral("No rank has device work.")) << "there are no shares";
}

TEST_F(VerdictTest, ItsNumbersLeadToThePathThatTheyAreOfAndToTheLengthsOfSteps) {
    show(judgedRun());
    QSignalSpy asked(&panel, &DiagnosesPanel::chartAsked);
    for (const StepChart chart : {StepChart::Path, StepChart::Lengths}) {
        ASSERT_TRUE(click(QStringLiteral("chart:%1").arg(static_cast<int>(chart))));
        ASSERT_EQ(asked.count(), 1);
        EXPECT_EQ(asked.takeFirst()[1].value<StepChart>(), chart);
    }
}

TEST_F(VerdictTest, APhaseLeadsToItsTimeInTheTypicalStep) {
    show(judgedRun());
    EXPECT_TRUE(words().contains(QStringLiteral("backward 25 %"))) << words().toStdString();
    std::optional<TimeSpan> asked;
    QObject::connect(&panel, &DiagnosesPanel::spanActivated, &panel,
                     [&](std::uint32_t, RankPosition, const TimeSpan& span) { asked = span; });
    ASSERT_TRUE(click(QStringLiteral("phase:1")));
    EXPECT_EQ(asked, (TimeSpan{1'060'000'000, 1'085'000'000}));
}

TEST_F(VerdictTest, TheLatestRankIsNamedAndLeadsToItsLatestStep) {
    show(judgedRun());
    EXPECT_TRUE(words().contains(QStringLiteral("rank 1, 150 % of the mean"))) << words().toStdString();
    std::optional<SliceSelection> asked;
    QObject::connect(&panel, &DiagnosesPanel::sliceActivated, &panel,
                     [&](const SliceSelection& slice) { asked = slice; });
    ASSERT_TRUE(click(QStringLiteral("late:1")));
    EXPECT_EQ(asked, (SliceSelection{0, RankPosition(1), HandMadeRun::kOperator}));
}

TEST_F(VerdictTest, OfSeveralSetsOfPeersWhoIsLateBesideItsOwnIsNamedAndNobodyWhereNoneIs) {
    const auto run = judgedRun();
    StragglerFacts& stragglers = run->facts.stragglers;
    ASSERT_EQ(stragglers.ranks.size(), 2U);
    stragglers.peers = {{RankPosition(0)}, {RankPosition(1)}};
    stragglers.ranks[0].segment_ns = 2 * stragglers.ranks[1].segment_ns;  // it has the longer stage
    stragglers.ranks[0].over_mean = 1.001;
    stragglers.ranks[1].over_mean = 1.3;
    show(run);
    EXPECT_TRUE(words().contains(QStringLiteral("rank 1, 130 % of its peers' mean"))) << words().toStdString();
    const auto even = std::make_shared<AnalysedRun>(*run);
    even->facts.stragglers.ranks[1].over_mean = 1.0;
    show(even);
    EXPECT_TRUE(words().contains(QStringLiteral("nobody by 1 % of a step"))) << words().toStdString();
}

TEST_F(VerdictTest, NobodyIsNamedWhereNobodyIsLate) {
    const auto run = judgedRun();
    run->facts.median_step_ns = 100'000'000;
    run->facts.stragglers.ranks[1].steps[0].late_ns = 900'000;
    show(run);
    EXPECT_TRUE(words().contains(QStringLiteral("nobody by 1 % of a step"))) << words().toStdString();
    EXPECT_FALSE(words().contains(QStringLiteral("150 %")));
}

TEST_F(VerdictTest, WhoComesLateUnfoldsToTheTableOfTheReports) {
    const auto run = judgedRun();
    show(run);
    ASSERT_TRUE(click(QStringLiteral("fold:late")));
    const report::Table table = report::latenessTable(*run, 3);
    for (std::size_t column = 1; column < table.header.size(); ++column) {
        EXPECT_TRUE(words().contains(text(table.header[column]))) << table.header[column];
        const QString cell = text(table.rows[0][column]);
        const QString shown = cell == QStringLiteral("-") ? QStringLiteral("–") : cell;
        EXPECT_TRUE(words().replace(QChar::Nbsp, QLatin1Char(' ')).contains(shown)) << table.rows[0][column];
    }
    QSignalSpy asked(&panel, &DiagnosesPanel::chartAsked);
    const auto clicked = [this] { return click(QStringLiteral("chart:2")); };
    ASSERT_TRUE(QTest::qWaitFor(clicked, 5'000)) << "all ranks; the card is " << card().height() << " pixels high";
    EXPECT_EQ(asked[0][1].value<StepChart>(), StepChart::Lateness);
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

TEST_F(VerdictTest, WhoComesLateNamesFindingsByTheirTitles) {
    const auto run = judgedRun();
    Finding& finding = run->diagnosis.findings.front();
    finding.saving_ns = 30'000'000;
    finding.ranks = {RankPosition(1)};
    run->facts.stragglers.ranks[1].z_score = -2.5;
    show(run);
    ASSERT_TRUE(click(QStringLiteral("fold:late")));
    const QString all = words().replace(QChar::Nbsp, QLatin1Char(' '));
    EXPECT_TRUE(all.contains(QStringLiteral("30.0 ms (%1)").arg(text(finding.title)))) << all.toStdString();
    EXPECT_FALSE(all.contains(QString::fromUtf8(findingName(finding.id).data()))) << all.toStdString();
    EXPECT_TRUE(all.contains(QStringLiteral("\u22122.50"))) << all.toStdString();
}

TEST_F(VerdictTest, RanksThatComeLateStandBelowEachOtherWhereTheyHaveNoRoomBesideEachOther) {
    const auto run = judgedRun();
    const Theme theme = Theme::darkTheme();
    QTextDocument table;
    table.setDefaultFont(theme.ui_font);
    table.setDocumentMargin(0);
    const int cell = QFontMetrics(theme.ui_font).horizontalAdvance(QStringLiteral("0 ns (0.0 %)"));
    for (const int width : {cell * 11 / 5, 3 * cell, 4 * cell, 12 * cell}) {
        const QString html = latenessHtml(*run, true, width, theme);
        const auto tables = html.count(QStringLiteral("<table"));
        EXPECT_EQ(tables, width > 3 * cell ? 1 : width < 3 * cell ? 2 : tables) << width;
        EXPECT_EQ(html.count(QStringLiteral("\"late:")), 2) << "both ranks, however narrow it is";
        table.setHtml(html);
        table.setTextWidth(width);
        EXPECT_LE(table.size().width(), width);
    }
}

TEST_F(VerdictTest, InLargeTextNoShareIsCutAtTheEdgeOfANarrowPanel) {
    const Theme larger = Theme::darkTheme().withTextSize(1.6);
    QTextDocument legend;
    legend.setDefaultFont(larger.ui_font);
    legend.setDocumentMargin(0);
    const Verdict verdict = judgedRun()->facts.verdict;
    for (const int width : {160, 240, 320, 800}) {
        const QString html = verdictLegendHtml(verdict, width, larger);
        EXPECT_EQ(html.contains(QStringLiteral("waiting for input")), width < 800) << "together where there is room";
        legend.setHtml(html);
        legend.setTextWidth(width);
        EXPECT_LE(legend.idealWidth(), width);
    }
}

}  // namespace
}  // namespace rankscope::ui
