// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <utility>

#include "tests/ui/holds.h"
#include "tests/ui/panels/hand_made_run.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

/// All words of a panel, with spaces where a line is not to break.
QString wordsOf(const DiagnosesPanel& panel) {
    return test::labelWords(panel).replace(QChar::Nbsp, QLatin1Char(' '));
}

/// All words of the panel of these runs.
QString wordsOf(const OpenRuns& runs) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns(runs);
    panel.finish();
    return wordsOf(panel);
}

/// The words of the lines of the first card of a run, from top to bottom; the mark after the number that it is beside.
QStringList linesOfCard(const std::shared_ptr<const AnalysedRun>& run) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.resize(400, 500);
    panel.setRuns({run});
    panel.finish();
    panel.show();
    QCoreApplication::processEvents();
    QList<QLabel*> labels = panel.findChild<FindingCard*>()->findChildren<QLabel*>();
    std::ranges::stable_sort(labels, {}, [](const QLabel* label) { return std::pair(label->y() / 10, label->x()); });
    QStringList lines;
    for (const QLabel* label : labels) {
        lines << label->text().replace(QChar::Nbsp, QLatin1Char(' '));
    }
    return lines;
}

TEST(FindingCard, HasThreeLinesTheNumberFirstAndTheMarkOfAQuickWin) {
    EXPECT_EQ(linesOfCard(HandMadeRun::make()),
              (QStringList{QStringLiteral("50.1 ms (50 %)"), QStringLiteral("quick win"),
                           QStringLiteral("The device waits for input"), QStringLiteral("num_workers=4")}));
}

TEST(FindingCard, NamesItsRanksInARunOfSeveral) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::ofRanks(4));
    EXPECT_EQ(linesOfCard(run).back(), QStringLiteral("rank 0  ·  num_workers=4"));
}

TEST(FindingCard, SaysThatASavingIsAnUpperBoundAndThenMarksNoQuickWin) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->diagnosis.findings[0].at_most = true;
    const QStringList lines = linesOfCard(run);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0], QStringLiteral("up to 50.1 ms (50 %)"));
    run->diagnosis.findings[0].saving_ns = 0;
    run->diagnosis.findings[0].remedies.clear();
    EXPECT_EQ(linesOfCard(run),
              (QStringList{QStringLiteral("no price"), QStringLiteral("The device waits for input")}));
}

TEST(FindingCard, HasAllNumbersInItsTipAndInWhatItSays) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.finish();
    const auto* card = panel.findChild<FindingCard*>();
    for (const QString& all : {card->toolTip(), card->spokenContent()}) {
        EXPECT_TRUE(test::holds(QString(all).replace(QChar::Nbsp, QLatin1Char(' ')),
                                {"saves 50.1 ms of 100.0 ms per step (50 %)", "blocks 60.0 ms", "high confidence"}));
    }
    EXPECT_TRUE(test::holds(card->spokenContent(), {"high severity", "quick win", "num_workers=4"}));
}

TEST(DiagnosesPanel, SaysOfWhichStepsPricesAreWhereTheStepAboveIsOfMore) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.ranks.front().step_source = StepSource::ProfilerStep;
    run->facts.verdict.coverage = {.steps = 29, .of_steps = 29, .time_ns = 60, .of_time_ns = 100};
    run->diagnosis.prices = {.steps = 28, .of_steps = 29, .time_ns = 59, .of_time_ns = 100};
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.finish();
    const QString of_both = QStringLiteral("median step 100.0 ms  ·  28 of 29 steps priced");
    EXPECT_TRUE(wordsOf(panel).contains(of_both)) << wordsOf(panel).toStdString();
    const auto alike = std::make_shared<AnalysedRun>(*run);
    alike->diagnosis.prices = alike->facts.verdict.coverage;
    panel.setRuns({alike});
    panel.finish();
    EXPECT_FALSE(wordsOf(panel).contains(QStringLiteral("priced")));
}

TEST(DiagnosesPanel, SaysWhatIsUnknownAndWhatToRecord) {
    EXPECT_TRUE(test::holds(wordsOf(OpenRuns{HandMadeRun::make()}),
                            {"The traces hold no Python stacks.", "Record with with_stack=True."}));
}

TEST(DiagnosesPanel, ExplainsThatAHealthyRunHasNoFinding) {
    auto healthy = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    healthy->diagnosis = {};
    EXPECT_TRUE(wordsOf(OpenRuns{healthy}).contains(QStringLiteral("nothing costs")));
}

TEST(DiagnosesPanel, DoesNotClaimHealthWithoutGpuWork) {
    auto of_host = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    of_host->diagnosis = {};
    of_host->facts.efficiency.no_flops = NoFlops::NoDevice;
    EXPECT_TRUE(wordsOf(OpenRuns{of_host}).contains(QStringLiteral("nothing can be priced")));
    EXPECT_FALSE(wordsOf(OpenRuns{of_host}).contains(QStringLiteral("nothing costs")));
}

TEST(DiagnosesPanel, DoesNotClaimHealthWhileTheRunIsNotAnalysed) {
    auto loading = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    loading->diagnosis = {};
    loading->facts = {};
    EXPECT_FALSE(wordsOf(OpenRuns{loading}).contains(QStringLiteral("No finding")));
}

TEST(DiagnosesPanel, GroupsTheFindingsOfSeveralRunsUnderTheirNames) {
    EXPECT_TRUE(test::holds(wordsOf(OpenRuns{HandMadeRun::make("ZeroWorkers"), HandMadeRun::make("FourWorkers")}),
                            {"ZeroWorkers", "FourWorkers"}));
}

TEST(DiagnosesPanel, AClickAndTheEnterKeySelectACard) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.resize(400, 500);
    panel.setRuns({HandMadeRun::make()});
    panel.finish();
    panel.show();
    const QSignalSpy selected(&panel, &DiagnosesPanel::findingSelected);
    auto* card = panel.findChild<FindingCard*>();
    ASSERT_NE(card, nullptr);
    QTest::mouseClick(card, Qt::LeftButton);
    ASSERT_EQ(selected.count(), 1);
    EXPECT_TRUE(card->selected());
    panel.select(std::nullopt);
    EXPECT_FALSE(card->selected());
    QTest::keyClick(card, Qt::Key_Return);
    EXPECT_EQ(selected.count(), 2);
    EXPECT_EQ(panel.selected(), (FindingSelection{0, 0}));
}

TEST(FindingCard, ShowsTheRangeOfASavingInTheDimLine) {
    for (const auto& [low_ns, range] : {std::pair(40'000'000, QStringLiteral("95 %: 40.0 to 60.2 ms")),
                                        std::pair(0, QStringLiteral("95 %: 0 to 60.2 ms"))}) {
        auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
        run->diagnosis.findings[0].range = SavingRange{low_ns, 60'200'000};
        const QStringList lines = linesOfCard(run);
        ASSERT_EQ(lines.size(), 4);
        EXPECT_EQ(lines[0], QStringLiteral("50.1 ms (50 %)"));
        EXPECT_EQ(lines[3], QStringLiteral("num_workers=4  ·  ") + range);
    }
}

TEST(FindingCard, NothingOfItIsCutWhereItIsNarrowAndTheTextLarge) {
    const Theme large = Theme::darkTheme().withTextSize(1.6);
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->diagnosis.findings[0].range = SavingRange{0, 60'200'000};
    DiagnosesPanel panel(large);
    panel.setFont(large.ui_font);
    panel.setStyleSheet(large.styleSheet());
    panel.resize(300, 700);
    panel.setRuns({run});
    panel.finish();
    panel.show();
    QTest::qWait(20);  // the findings get their room
    const auto* card = panel.findChild<FindingCard*>();
    EXPECT_LE(card->mapTo(&panel, card->rect().topRight()).x(), panel.width());
    for (const QLabel* label : card->findChildren<QLabel*>()) {
        const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
        EXPECT_GE(label->height(), needed) << label->text().toStdString();
        EXPECT_LE(label->geometry().right(), card->width()) << label->text().toStdString();
        EXPECT_LE(label->geometry().bottom(), card->height()) << label->text().toStdString();
    }
}

}  // namespace
}  // namespace rankscope::ui
