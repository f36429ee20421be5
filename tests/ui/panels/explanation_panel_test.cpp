// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <algorithm>
#include <cstdlib>

#include "tests/ui/panels/click_link.h"
#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/explanation_panel.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

TEST(ExplanationPanel, SaysWhatItComesDownToWhatItIsMadeOfAndWhatToChange) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    const QString words = panel.text().replace(QChar::Nbsp, QLatin1Char(' '));
    EXPECT_TRUE(words.contains(QStringLiteral("The next batch is not there.")));
    EXPECT_TRUE(words.contains(QStringLiteral("step 3: 60.0 ms in all")));
    EXPECT_TRUE(words.contains(QStringLiteral("45.0 ms")));
    EXPECT_TRUE(words.contains(QStringLiteral("75 %")));
    EXPECT_TRUE(words.contains(QStringLiteral("Set num_workers=4.")));
    EXPECT_TRUE(words.contains(QStringLiteral("Set pin_memory=True.")));
    EXPECT_TRUE(words.contains(QStringLiteral("blocks the device for 60.0 ms")));
}

TEST(ExplanationPanel, SaysOfWhichStepsItIsWhereTheStepBesideItIsOfMore) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.showFinding({0, 0});
    EXPECT_FALSE(panel.text().contains(QStringLiteral("of them")));
    run->facts.verdict.coverage = {.steps = 29, .of_steps = 29, .time_ns = 60, .of_time_ns = 100};
    run->diagnosis.prices = {.steps = 28, .of_steps = 29, .time_ns = 59, .of_time_ns = 100};
    panel.showFinding({0, 0});
    EXPECT_TRUE(panel.text().contains(QStringLiteral("The median step is of 29 steps, prices of 28 of them.")))
        << panel.text().toStdString();
}

TEST(ExplanationPanel, TellsThePriceAsTheCardDoes) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->diagnosis.findings[0].range = SavingRange{0, 60'200'000};
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.showFinding({0, 0});
    const QString words = panel.text().replace(QChar::Nbsp, QLatin1Char(' '));
    EXPECT_TRUE(words.contains(QStringLiteral("It saves about 50.1 ms of 100.0 ms a step (50 %), up to 60.2 ms.")))
        << words.toStdString();
}

TEST(ExplanationPanel, UnfoldsAllOfItAndWhyItIsSureAtAClick) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.resize(420, 900);
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    panel.show();
    const QString all = QStringLiteral("The DataLoader takes 60.0 ms of each step.");
    const QString sure = QStringLiteral("It was seen in each step.");
    EXPECT_FALSE(panel.text().contains(all));
    EXPECT_FALSE(panel.text().contains(sure));
    auto* browser = panel.findChild<QTextBrowser*>();
    clickLink(*browser, QStringLiteral("In full"));
    EXPECT_TRUE(panel.text().contains(all));
    clickLink(*browser, QStringLiteral("Why high confidence"));
    EXPECT_TRUE(panel.text().contains(sure));
    clickLink(*browser, QStringLiteral("In full"));
    EXPECT_FALSE(panel.text().contains(all));
    EXPECT_TRUE(panel.text().contains(sure));
}

TEST(ExplanationPanel, WhatUnfoldsBelowComesIntoSightAndItsTitleStaysSo) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.resize(420, 260);
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    panel.show();
    QCoreApplication::processEvents();
    auto* browser = panel.findChild<QTextBrowser*>();
    QScrollBar& bar = *browser->verticalScrollBar();
    bar.setValue(bar.maximum());
    const int before = bar.value();
    ASSERT_GT(before, 0);
    clickLink(*browser, QStringLiteral("In full"));
    QCoreApplication::processEvents();
    EXPECT_GT(bar.maximum(), before) << "there is more below";
    EXPECT_GT(bar.value(), before) << "and it is seen";
    const QTextCursor title = browser->document()->find(QStringLiteral("In full"));
    EXPECT_GE(browser->cursorRect(title).bottom(), 0);
    const int unfolded = bar.value();
    bar.setValue(0);
    clickLink(*browser, QStringLiteral("In full"));
    QCoreApplication::processEvents();
    EXPECT_LE(bar.value(), unfolded);
}

TEST(ExplanationPanel, KeepsToItsRunWhereOthersAreClosedAndSaysNothingOfOneThatIs) {
    ExplanationPanel panel(Theme::darkTheme());
    const auto first = HandMadeRun::make();
    const auto second = HandMadeRun::make();
    panel.setRuns({first, second});
    panel.showFinding({1, 0});
    const QString of_second = panel.text();
    ASSERT_TRUE(of_second.contains(QStringLiteral("The next batch is not there.")));
    panel.setRuns({second});
    EXPECT_EQ(panel.text(), of_second);
    panel.setRuns({first});
    EXPECT_FALSE(panel.text().contains(QStringLiteral("The next batch is not there.")));
}

TEST(ExplanationPanel, APartLeadsToItsLongestSlice) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.resize(420, 900);
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    panel.show();
    std::optional<SliceSelection> asked;
    QObject::connect(&panel, &ExplanationPanel::sliceActivated, &panel,
                     [&](const SliceSelection& slice) { asked = slice; });
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("next of the loader"));
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->slice, HandMadeRun::kOperator);
}

TEST(ExplanationPanel, NoNumberOfItsTableBreaksWhereTheTextIsLarge) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->diagnosis.findings[0].example =
        FindingExample{.rank = RankPosition(0), .step = 3, .total_ns = 1'234'567'000, .parts = {}};
    run->diagnosis.findings[0].example->parts = {
        {.what = "kernels_with_names_that_are_long", .time_ns = 1'234'567'000, .slice = HandMadeRun::kOperator}};
    ExplanationPanel panel(Theme::darkTheme().withTextSize(1.6));
    panel.setFont(Theme::darkTheme().withTextSize(1.6).ui_font);
    panel.resize(280, 600);
    panel.setRuns({run});
    panel.showFinding({0, 0});
    panel.show();
    QCoreApplication::processEvents();
    int numbers = 0;
    const QTextDocument& document = *panel.findChild<QTextBrowser*>()->document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const QString words = block.text().replace(QChar::Nbsp, QLatin1Char(' '));
        if (words == QStringLiteral("100 %") || words == QStringLiteral("1.23 s")) {
            ++numbers;
            EXPECT_EQ(block.layout()->lineCount(), 1) << words.toStdString();
        }
    }
    EXPECT_EQ(numbers, 2);
}

TEST(ExplanationPanel, ALongNameMayBreakBetweenItsWordsAndIsCopiedAsItIs) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.ranks[0].steps[0].gaps[0].parts[0].label = "torch.distributed.ddp.reducer::copy_bucket_to_grad_2.5";
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.showGap({0, RankPosition(), RankStepPosition(), 0});
    auto* body = panel.findChild<QTextBrowser*>();
    const QString words = body->toPlainText();
    const QString broken = QStringLiteral("torch.|distributed.|ddp.|reducer::|copy_|bucket_|to_|grad_|2.5")
                               .replace(QLatin1Char('|'), QChar(0x200b));
    EXPECT_TRUE(words.contains(broken)) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("implicit_convolve_sgemm"))) << "a short one stays as it is";
    body->selectAll();
    body->copy();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(
        QStringLiteral("torch.distributed.ddp.reducer::copy_bucket_to_grad_2.5")));
}

TEST(ExplanationPanel, AClickOnEvidenceAsksForItsSlice) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.resize(420, 600);
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    panel.show();
    std::optional<SliceRef> asked;
    QObject::connect(&panel, &ExplanationPanel::evidenceActivated, &panel,
                     [&](std::uint32_t, const Evidence& evidence) { asked = evidence.slice; });
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("aten::conv2d"));
    EXPECT_EQ(asked, HandMadeRun::kOperator);
}

TEST(ExplanationPanel, AGapListsItsPartsAndWhatEndedIt) {
    ExplanationPanel panel(Theme::lightTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.showGap({0, RankPosition(), RankStepPosition(), 0});
    const QString words = panel.text();
    EXPECT_TRUE(words.contains(QStringLiteral("Gap of 60.1 ms on rank 0, step 3"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("DataLoader")));
    EXPECT_TRUE(words.contains(QStringLiteral("next of the loader")));
    EXPECT_TRUE(words.contains(QStringLiteral("60.0 ms")));
    EXPECT_TRUE(words.contains(QStringLiteral("Launch latency")));
    EXPECT_TRUE(words.contains(QStringLiteral("50.0 µs")));
    EXPECT_TRUE(words.contains(QStringLiteral("implicit_convolve_sgemm")));
    EXPECT_TRUE(words.contains(QStringLiteral("cudaLaunchKernel")));
}

TEST(ExplanationPanel, AClickOnTheReleasingKernelAsksForIt) {
    ExplanationPanel panel(Theme::lightTheme());
    panel.resize(420, 600);
    panel.setRuns({HandMadeRun::make()});
    panel.showGap({0, RankPosition(), RankStepPosition(), 0});
    panel.show();
    std::optional<SliceSelection> asked;
    QObject::connect(&panel, &ExplanationPanel::sliceActivated, &panel,
                     [&](const SliceSelection& slice) { asked = slice; });
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("implicit_convolve"));
    EXPECT_EQ(asked, (SliceSelection{0, RankPosition(0), HandMadeRun::kKernel}));
}

TEST(ExplanationPanel, ForgetsAFindingThatIsGone) {
    ExplanationPanel panel(Theme::lightTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    panel.setRuns({});
    EXPECT_FALSE(panel.text().contains(QStringLiteral("DataLoader")));
}

TEST(ExplanationPanel, TheFrameOfTheKeyboardTouchesNoLetterAndTheHeadingStandsAboveTheText) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.resize(420, 400);
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    panel.show();
    QCoreApplication::processEvents();
    const auto* body = panel.findChild<QTextBrowser*>();
    EXPECT_GE(body->document()->documentMargin(), 4);
    const QList<QLabel*> labels = panel.findChildren<QLabel*>();
    const QLabel& heading = **std::ranges::find(labels, QStringLiteral("The device waits for input"), &QLabel::text);
    const int words_at =
        body->viewport()->mapTo(&panel, QPoint()).x() + static_cast<int>(body->document()->documentMargin());
    const int heading_at = heading.mapTo(&panel, heading.contentsRect().topLeft()).x();
    EXPECT_LE(std::abs(words_at - heading_at), 1);
}

}  // namespace
}  // namespace rankscope::ui
