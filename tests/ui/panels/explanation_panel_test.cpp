// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/ui/holds.h"
#include "tests/ui/panels/click_link.h"
#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/diagnosis/explanation_panel.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

/// A panel that is shown, with the finding of the run made by hand.
class PanelOfAFinding : public ExplanationPanel {
  public:
    explicit PanelOfAFinding(const QSize& size) : ExplanationPanel(Theme::darkTheme()) {
        resize(size);
        setRuns({HandMadeRun::make()});
        showFinding({0, 0});
        show();
    }
};

TEST(ExplanationPanel, SaysWhatItComesDownToWhatItIsMadeOfAndWhatToChange) {
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.showFinding({0, 0});
    const QString words = panel.text().replace(QChar::Nbsp, QLatin1Char(' '));
    EXPECT_TRUE(test::holds(words, {"The next batch is not there.", "step 3: 60.0 ms in all", "45.0 ms", "75 %",
                                    "Set num_workers=4.", "Set pin_memory=True.", "blocks the device for 60.0 ms"}));
}

TEST(ExplanationPanel, SaysWhichStepsItCoversWhereTheStepNextToItCoversMore) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.showFinding({0, 0});
    EXPECT_FALSE(panel.text().contains(QStringLiteral("priced")));
    run->facts.verdict.coverage = {.steps = 29, .of_steps = 29, .time_ns = 60, .of_time_ns = 100};
    run->diagnosis.prices = {.steps = 28, .of_steps = 29, .time_ns = 59, .of_time_ns = 100};
    panel.showFinding({0, 0});
    EXPECT_TRUE(test::holds(panel.text(), {"Basis: 28 of 29 steps priced."}));
}

TEST(ExplanationPanel, ShowsThePriceAsTheCardDoes) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->diagnosis.findings[0].range = SavingRange{0, 60'200'000};
    ExplanationPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.showFinding({0, 0});
    const QString words = panel.text().replace(QChar::Nbsp, QLatin1Char(' '));
    EXPECT_TRUE(test::holds(words, {"Fixing it saves about 50.1 ms of 100.0 ms per step: 50 % (95 %: 0 to 60.2 ms)."}));
}

TEST(ExplanationPanel, ShowsCauseEvidenceChangeAndDoubtInThisOrder) {
    const PanelOfAFinding panel(QSize(420, 900));
    const QString words = panel.text();
    qsizetype before = -1;
    for (const char* part : {"The next batch is not there.", "Evidence", "aten::conv2d", "In full", "What to change",
                             "Set num_workers=4.", "Why high confidence"}) {
        const qsizetype at = words.indexOf(QLatin1String(part));
        EXPECT_GT(at, before) << part;
        before = at;
    }
}

TEST(ExplanationPanel, UnfoldsAllOfItAndWhyItIsSureAtAClick) {
    const PanelOfAFinding panel(QSize(420, 900));
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

/// Presses Tab until the keyboard is on the link that begins so; false if there is none.
bool tabTo(QTextBrowser& browser, const QString& link) {
    for (int stops = 0; stops < 20 && browser.hasFocus(); ++stops) {
        if (browser.textCursor().selectedText().startsWith(link)) {
            return true;
        }
        QTest::keyClick(&browser, Qt::Key_Tab);
    }
    return false;
}

TEST(ExplanationPanel, DoubtsUnfoldAndFoldByKeyAndTheKeyboardStaysOnThem) {
    PanelOfAFinding panel(QSize(420, 900));
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    auto* browser = panel.findChild<QTextBrowser*>();
    browser->setFocus(Qt::TabFocusReason);
    ASSERT_TRUE(tabTo(*browser, QStringLiteral("▸ Why high confidence")));
    QTest::keyClick(browser, Qt::Key_Return);
    EXPECT_TRUE(panel.text().contains(QStringLiteral("It was seen in each step.")));
    EXPECT_EQ(browser->textCursor().selectedText(), QStringLiteral("▾ Why high confidence"));
    QTest::keyClick(browser, Qt::Key_Return);
    EXPECT_FALSE(panel.text().contains(QStringLiteral("It was seen in each step.")));
}

TEST(ExplanationPanel, DetailsOfARemedyUnfoldUnderIt) {
    const PanelOfAFinding panel(QSize(420, 900));
    const QString first = QStringLiteral("Workers prepare batches during the step.");
    const QString second = QStringLiteral("It makes the copies faster.");
    EXPECT_FALSE(panel.text().contains(first));
    auto* browser = panel.findChild<QTextBrowser*>();
    clickLink(*browser, QStringLiteral("details"));
    EXPECT_TRUE(panel.text().contains(first));
    EXPECT_FALSE(panel.text().contains(second)) << "they are of another remedy";
    EXPECT_LT(panel.text().indexOf(first), panel.text().indexOf(QStringLiteral("Set pin_memory=True.")));
    clickLink(*browser, QStringLiteral("details"));
    EXPECT_FALSE(panel.text().contains(first));
}

TEST(ExplanationPanel, ShowsTheFirstPlacesAndUnfoldsTheOthers) {
    const auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    auto& evidence = run->diagnosis.findings[0].evidence;
    evidence.resize(5, evidence.front());
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        evidence[i].note = "place " + std::to_string(i);
    }
    ExplanationPanel panel(Theme::darkTheme());
    panel.resize(420, 900);
    panel.setRuns({run});
    panel.showFinding({0, 0});
    panel.show();
    EXPECT_TRUE(panel.text().contains(QStringLiteral("place 2")));
    EXPECT_FALSE(panel.text().contains(QStringLiteral("place 3")));
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("2 more places"));
    EXPECT_TRUE(panel.text().contains(QStringLiteral("place 4")));
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("fewer places"));
    EXPECT_FALSE(panel.text().contains(QStringLiteral("place 3")));
}

TEST(ExplanationPanel, WhatUnfoldsBelowComesIntoSightAndItsTitleStaysSo) {
    const PanelOfAFinding panel(QSize(420, 260));
    QCoreApplication::processEvents();
    auto* browser = panel.findChild<QTextBrowser*>();
    QScrollBar& bar = *browser->verticalScrollBar();
    bar.setValue(bar.maximum());
    const int before = bar.value();
    ASSERT_GT(before, 0);
    clickLink(*browser, QStringLiteral("Why high confidence"));
    QCoreApplication::processEvents();
    EXPECT_GT(bar.maximum(), before) << "there is more below";
    EXPECT_GT(bar.value(), before) << "and it is seen";
    const QTextCursor title = browser->document()->find(QStringLiteral("Why high confidence"));
    EXPECT_GE(browser->cursorRect(title).bottom(), 0);
    const int unfolded = bar.value();
    bar.setValue(0);
    clickLink(*browser, QStringLiteral("Why high confidence"));
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
    panel.setRuns({});
    EXPECT_FALSE(panel.text().contains(QStringLiteral("DataLoader")));
}

TEST(ExplanationPanel, APartLeadsToItsLongestSlice) {
    PanelOfAFinding panel(QSize(420, 900));
    const QSignalSpy asked(&panel, &ExplanationPanel::sliceActivated);
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("next of the loader"));
    EXPECT_EQ(asked.value(0).value(0).value<SliceSelection>().slice, HandMadeRun::kOperator);
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
    PanelOfAFinding panel(QSize(420, 600));
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
    EXPECT_TRUE(test::holds(words, {"Gap of 60.1 ms on rank 0, step 3", "DataLoader", "next of the loader", "60.0 ms",
                                    "Launch latency", "50.0 µs", "implicit_convolve_sgemm", "cudaLaunchKernel"}));
}

TEST(ExplanationPanel, AClickOnTheReleasingKernelAsksForIt) {
    ExplanationPanel panel(Theme::lightTheme());
    panel.resize(420, 600);
    panel.setRuns({HandMadeRun::make()});
    panel.showGap({0, RankPosition(), RankStepPosition(), 0});
    panel.show();
    const QSignalSpy asked(&panel, &ExplanationPanel::sliceActivated);
    clickLink(*panel.findChild<QTextBrowser*>(), QStringLiteral("implicit_convolve"));
    EXPECT_EQ(asked.value(0).value(0).value<SliceSelection>(),
              (SliceSelection{0, RankPosition(0), HandMadeRun::kKernel}));
}

TEST(ExplanationPanel, TheFocusFrameTouchesNoLetterAndTheHeadingIsAboveTheText) {
    PanelOfAFinding panel(QSize(420, 400));
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
