// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

/// All words of a widget and its children, with spaces where a line is not to break.
QString wordsOf(const QWidget& widget) {
    QString words;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        words += label->text() + QLatin1Char('\n');
    }
    return words.replace(QChar::Nbsp, QLatin1Char(' '));
}

TEST(DiagnosesPanel, ShowsWhatAFindingSavesAndBlocks) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.finish();
    const QString words = wordsOf(panel);
    EXPECT_TRUE(words.contains(QStringLiteral("The device waits for input"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("saves 50.1 ms of 100.0 ms a step (50 %)"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("blocks 60.0 ms")));
    EXPECT_TRUE(words.contains(QStringLiteral("high confidence")));
}

TEST(DiagnosesPanel, SaysOfWhichStepsPricesAreWhereTheStepAboveIsOfMore) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.ranks.front().step_source = StepSource::ProfilerStep;
    run->facts.verdict.coverage = {.steps = 29, .of_steps = 29, .time_ns = 60, .of_time_ns = 100};
    run->diagnosis.prices = {.steps = 28, .of_steps = 29, .time_ns = 59, .of_time_ns = 100};
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.finish();
    const QString of_both = QStringLiteral("median step 100.0 ms  ·  of 29 steps, prices of 28 of them");
    EXPECT_TRUE(wordsOf(panel).contains(of_both)) << wordsOf(panel).toStdString();
    const auto alike = std::make_shared<AnalysedRun>(*run);
    alike->diagnosis.prices = alike->facts.verdict.coverage;
    panel.setRuns({alike});
    panel.finish();
    EXPECT_FALSE(wordsOf(panel).contains(QStringLiteral("of them")));
}

TEST(DiagnosesPanel, SaysWhatCannotBeToldAndWhatToRecord) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.finish();
    EXPECT_TRUE(wordsOf(panel).contains(QStringLiteral("The traces hold no Python stacks.")));
    EXPECT_TRUE(wordsOf(panel).contains(QStringLiteral("Record with with_stack=True.")));
}

TEST(DiagnosesPanel, ExplainsThatAHealthyRunHasNoFinding) {
    auto healthy = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    healthy->diagnosis = {};
    DiagnosesPanel panel(Theme::lightTheme());
    panel.setRuns({healthy});
    panel.finish();
    EXPECT_TRUE(wordsOf(panel).contains(QStringLiteral("nothing that this version looks for costs")));
}

TEST(DiagnosesPanel, DoesNotClaimHealthWhileTheRunIsNotAnalysed) {
    auto loading = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    loading->diagnosis = {};
    loading->facts = {};
    DiagnosesPanel panel(Theme::lightTheme());
    panel.setRuns({loading});
    panel.finish();
    EXPECT_FALSE(wordsOf(panel).contains(QStringLiteral("No finding")));
}

TEST(DiagnosesPanel, GroupsTheFindingsOfSeveralRunsUnderTheirNames) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make("ZeroWorkers"), HandMadeRun::make("FourWorkers")});
    panel.finish();
    EXPECT_TRUE(wordsOf(panel).contains(QStringLiteral("ZeroWorkers")));
    EXPECT_TRUE(wordsOf(panel).contains(QStringLiteral("FourWorkers")));
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

TEST(FindingCard, IsNeverRedWhereItsPriceCannotBeTrusted) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        EXPECT_EQ(findingColour(Severity::High, Confidence::High, theme), theme.severity_high);
        EXPECT_EQ(findingColour(Severity::High, Confidence::Low, theme), theme.severity_medium);
        EXPECT_EQ(findingColour(Severity::Low, Confidence::Low, theme), theme.severity_low);
    }
}

TEST(FindingCard, TellsTheEstimateAndItsRangeWhereThePriceIsOne) {
    for (const auto& [low_ns, told] :
         {std::pair(40'000'000, QStringLiteral("saves about 50.1 ms of 100.0 ms a step (50 %), 40.0 ms to 60.2 ms")),
          std::pair(0, QStringLiteral("saves about 50.1 ms of 100.0 ms a step (50 %), up to 60.2 ms"))}) {
        auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
        run->diagnosis.findings[0].range = SavingRange{low_ns, 60'200'000};
        DiagnosesPanel panel(Theme::darkTheme());
        panel.setRuns({run});
        panel.finish();
        const QString words = wordsOf(panel);
        EXPECT_TRUE(words.contains(told)) << words.toStdString();
    }
}

}  // namespace
}  // namespace rankscope::ui
