// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTreeWidget>
#include <algorithm>

#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/explanation_panel.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/steps_model.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

constexpr int kPatience = 10'000;

/// All words of a widget and its children, with spaces where a line is not to break.
QString wordsOf(const QWidget& widget) {
    QString words;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        words += label->text() + QLatin1Char('\n');
    }
    return words.replace(QChar::Nbsp, QLatin1Char(' '));
}

/// Sends a real click to the link `name` of a document, where it is drawn.
void clickLink(QTextBrowser& browser, const QString& name) {
    const QTextCursor found = browser.document()->find(name);
    ASSERT_FALSE(found.isNull()) << "no link " << name.toStdString();
    QTextCursor before = found;
    before.setPosition(found.selectionStart());
    browser.setTextCursor(before);
    browser.ensureCursorVisible();
    QTextCursor middle = found;
    middle.setPosition((found.selectionStart() + found.selectionEnd()) / 2);
    QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, browser.cursorRect(middle).center());
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

TEST(ExplanationPanel, WhatUnfoldsLeavesWhatIsReadWhereItIs) {
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
    EXPECT_EQ(bar.value(), before);
    EXPECT_GT(bar.maximum(), before) << "there is more below";
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

TEST(FindingCard, IsNeverRedWhereItsPriceCannotBeTrusted) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        EXPECT_EQ(findingColour(Severity::High, Confidence::High, theme), theme.severity_high);
        EXPECT_EQ(findingColour(Severity::High, Confidence::Low, theme), theme.severity_medium);
        EXPECT_EQ(findingColour(Severity::Low, Confidence::Low, theme), theme.severity_low);
    }
}

TEST(FindingCard, TellsARangeWhereThePriceIsOne) {
    for (const auto& [low_ns, told] :
         {std::pair(40'000'000, QStringLiteral("saves 40.0 ms to 60.2 ms of 100.0 ms a step (40 % to 60 %)")),
          std::pair(0, QStringLiteral("saves up to 60.2 ms of 100.0 ms a step (60 %)"))}) {
        auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
        run->diagnosis.findings[0].range = SavingRange{low_ns, 60'200'000};
        DiagnosesPanel panel(Theme::darkTheme());
        panel.setRuns({run});
        panel.finish();
        const QString words = wordsOf(panel);
        EXPECT_TRUE(words.contains(told)) << words.toStdString();
    }
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

TEST(DetailsPanel, ShowsTheSliceAndItsLaunch) {
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    panel.showSlice({0, RankPosition(0), HandMadeRun::kKernel});
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() == 1; }, kPatience));
    const QString facts = panel.factsText();
    EXPECT_TRUE(facts.contains(QStringLiteral("implicit_convolve_sgemm")));
    EXPECT_TRUE(facts.contains(QStringLiteral("60.1 ms from the run's start"))) << facts.toStdString();
    EXPECT_TRUE(facts.contains(QStringLiteral("39.9 ms")) || facts.contains(QStringLiteral("40.0 ms")));
    EXPECT_TRUE(facts.contains(QStringLiteral("cudaLaunchKernel")));
}

/// The hand-made run twice side by side, with its kernel as an all-reduce that rank 1 comes to 8 ms later.
std::shared_ptr<const AnalysedRun> runWithACollective() {
    auto analysed = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    auto run = std::make_shared<Run>(*analysed->run);
    const auto other = std::const_pointer_cast<RankTrace>(HandMadeRun::make()->run->ranks[0]);
    other->rank = RankNumber(1);
    run->ranks.push_back(other);
    analysed->run = std::move(run);
    analysed->clock.ranks.resize(2);
    analysed->facts.ranks.resize(2);
    Collective collective;
    collective.kind = CollectiveKind::AllReduce;
    collective.transfer_ns = 2'000'000;
    collective.members.resize(2);
    for (RankPosition rank{0}; rank < 2; ++rank) {
        collective.members[rank].rank = rank;
        collective.members[rank].slices = {HandMadeRun::kKernel};
        collective.members[rank].wait_ns = rank == 0 ? 8'000'000 : 0;
    }
    analysed->facts.collectives.collectives = {collective};
    ExposedWait wait;
    wait.parts.resize(2);
    wait.parts[0] = {.span = {0, 5'000'000}, .rank = RankPosition(1), .what = WaitedFor::Compute};
    wait.parts[1] = {
        .span = {5'000'000, 8'000'000}, .rank = RankPosition(1), .what = WaitedFor::Idle, .cause = Cause::DataLoader};
    analysed->facts.ranks[0].steps[0].waits = {wait};
    return analysed;
}

TEST(DetailsPanel, OfACollectiveSaysForWhomItWaitedAndWhatThatRankDid) {
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({runWithACollective()});
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    panel.showSlice({0, RankPosition(0), HandMadeRun::kKernel});
    const auto told = [&] { return shown.count() == 1 && panel.factsText().contains(QStringLiteral("arrived last")); };
    ASSERT_TRUE(QTest::qWaitFor(told, kPatience)) << panel.factsText().toStdString();
    const QString facts = panel.factsText();
    for (const char* words :
         {"2.00 ms", "8.00 ms", "5.00 ms computing", "3.00 ms DataLoader", "rank 1, arrived last"}) {
        EXPECT_TRUE(facts.contains(QLatin1String(words))) << words << " in " << facts.toStdString();
    }
}

TEST(DetailsPanel, OfAWaitThatIsHiddenInPartSaysHowMuchOfItIsDivided) {
    auto run = std::make_shared<AnalysedRun>(*runWithACollective());
    run->facts.collectives.collectives[0].members[0].wait_ns = 9'500'000;  // 1.5 ms of it beside compute
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    panel.showSlice({0, RankPosition(0), HandMadeRun::kKernel});
    const auto told = [&] { return shown.count() == 1 && panel.factsText().contains(QStringLiteral("arrived last")); };
    ASSERT_TRUE(QTest::qWaitFor(told, kPatience)) << panel.factsText().toStdString();
    const QString facts = panel.factsText();
    for (const char* words : {"9.50 ms", "Of it in the open", "8.00 ms, for a rank that was:", "5.00 ms computing"}) {
        EXPECT_TRUE(facts.contains(QLatin1String(words))) << words << " in " << facts.toStdString();
    }
}

TEST(DetailsPanel, AClickOnTheOtherRankOfACollectiveAsksForItsPart) {
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({runWithACollective()});
    panel.resize(900, 600);
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    std::optional<SliceSelection> asked;
    QObject::connect(&panel, &DetailsPanel::sliceActivated, &panel,
                     [&](const SliceSelection& slice) { asked = slice; });
    panel.showSlice({0, RankPosition(0), HandMadeRun::kKernel});
    panel.show();
    const auto told = [&] { return shown.count() == 1 && panel.factsText().contains(QStringLiteral("rank 1")); };
    ASSERT_TRUE(QTest::qWaitFor(told, kPatience)) << panel.factsText().toStdString();
    clickLink(*panel.findChildren<QTextBrowser*>().front(), QStringLiteral("rank 1"));
    EXPECT_EQ(asked, (SliceSelection{0, RankPosition(1), HandMadeRun::kKernel}));
}

TEST(DetailsPanel, SaysWhyTheArgumentsCannotBeRead) {
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    panel.showSlice({0, RankPosition(0), HandMadeRun::kOperator});
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() == 1; }, kPatience));
    EXPECT_TRUE(panel.argsText().contains(QStringLiteral("/nowhere/rank0.json"))) << panel.argsText().toStdString();
    EXPECT_TRUE(panel.factsText().contains(QStringLiteral("70.0 ms"))) << "the columns are shown all the same";
}

TEST(StepsPanel, HasARowForEachRankOfAStepWithItsFourParts) {
    StepsModel model(Theme::darkTheme());
    model.setRuns({HandMadeRun::make()});
    ASSERT_EQ(model.rowCount(), 1);
    const auto cell = [&](int column) { return model.index(0, column).data().toString(); };
    EXPECT_EQ(cell(StepsModel::kStep), QStringLiteral("3"));
    EXPECT_EQ(cell(StepsModel::kStepTime), QStringLiteral("100.0 ms"));
    EXPECT_EQ(cell(StepsModel::kIdle), QStringLiteral("60.1 ms"));
    const std::vector<BarPart> parts = model.parts(0);
    ASSERT_EQ(parts.size(), 4U);
    EXPECT_EQ(parts[0].ns + parts[1].ns + parts[2].ns + parts[3].ns, 100'000'000);
}

TEST(StepsPanel, SaysWhatAnIterationWorksOn) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    run->facts.steps.front().kind = IterationKind::Decode;
    StepsModel model(Theme::darkTheme());
    model.setRuns({run});
    EXPECT_EQ(model.index(0, StepsModel::kNotes).data().toString(), QStringLiteral("decode"));
    run->facts.steps.front().other_kind = true;
    run->facts.ranks.front().steps.front().outlier = true;
    run->facts.ranks.front().steps.front().outlier_reason =
        "it is a decode iteration, and prices are of prefill iterations";
    model.setRuns({run});
    EXPECT_EQ(model.index(0, StepsModel::kNotes).data().toString(),
              QStringLiteral("it is a decode iteration, and prices are of prefill iterations"));
}

TEST(StepsPanel, ADoubleClickAsksForTheStepsMark) {
    StepsPanel panel(Theme::darkTheme());
    panel.resize(1000, 300);
    panel.setRuns({HandMadeRun::make()});
    panel.show();
    std::optional<SliceSelection> asked;
    QObject::connect(&panel, &StepsPanel::sliceActivated, &panel, [&](const SliceSelection& slice) { asked = slice; });
    auto* table = panel.findChild<QTableView*>();
    const QPoint at = table->visualRect(table->model()->index(0, StepsModel::kStep)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    EXPECT_EQ(asked, (SliceSelection{0, RankPosition(0), HandMadeRun::kOperator}));
}

TEST(HealthPanel, NamesTheByteOfEachParseIssue) {
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::make()});
    const auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_EQ(tree->topLevelItemCount(), 1);
    QTreeWidgetItem* rank = tree->topLevelItem(0);
    rank->setExpanded(true);
    EXPECT_EQ(rank->text(2), QStringLiteral("1,234"));
    QString lines;
    for (int i = 0; i < rank->childCount(); ++i) {
        lines += rank->child(i)->text(0) + QLatin1Char('\n');
    }
    EXPECT_TRUE(lines.contains(QStringLiteral("byte 98,765: bare NaN"))) << lines.toStdString();
}

TEST(HealthPanel, WhatIsSaidOfSeveralRanksStandsOnce) {
    const auto hand_made = HandMadeRun::make();
    auto run = std::make_shared<rankscope::Run>(*hand_made->run);
    auto analysed = std::make_shared<AnalysedRun>(*hand_made);
    run->ranks.clear();
    analysed->facts.ranks.assign(3, hand_made->facts.ranks.front());
    analysed->clock.ranks.assign(3, hand_made->clock.ranks.front());
    for (std::int32_t number = 0; number < 3; ++number) {
        auto rank = std::make_shared<RankTrace>();
        rank->rank = RankNumber(number);
        rank->health.notes = {"No memory."};
        if (number == 1) {
            rank->health.notes.emplace_back("No stacks.");
        } else {
            analysed->facts.ranks[static_cast<std::size_t>(number)].communication_suspects = {{"my_all_reduce", 2, 30}};
        }
        run->ranks.push_back(rank);
    }
    analysed->run = run;
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({analysed});
    const auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_EQ(tree->topLevelItemCount(), 3 + 2);
    EXPECT_EQ(tree->topLevelItem(3)->text(0), QStringLiteral("all 3 ranks: No memory."));
    const auto* said = qobject_cast<QLabel*>(tree->itemWidget(tree->topLevelItem(4), 0));
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->text().contains(QStringLiteral("my_all_reduce"))) << said->text().toStdString();
    EXPECT_TRUE(said->text().contains(QStringLiteral("4 calls"))) << said->text().toStdString();
    EXPECT_TRUE(said->text().contains(QStringLiteral("ranks 0, 2"))) << said->text().toStdString();
    QStringList lines;
    for (int rank = 0; rank < 3; ++rank) {
        QTreeWidgetItem* row = tree->topLevelItem(rank);
        row->setExpanded(true);
        for (int i = 0; i < row->childCount(); ++i) {
            EXPECT_EQ(tree->itemWidget(row->child(i), 0), nullptr);
            lines.append(row->child(i)->text(0));
        }
    }
    EXPECT_FALSE(lines.contains(QStringLiteral("No memory.")));
    EXPECT_EQ(lines.count(QStringLiteral("No stacks.")), 1) << "it is of one rank alone";
}

/// A run of so many ranks, each as the hand-made one's.
std::shared_ptr<const AnalysedRun> manyRanks(std::size_t ranks) {
    const auto hand_made = HandMadeRun::make();
    auto run = std::make_shared<rankscope::Run>(*hand_made->run);
    auto analysed = std::make_shared<AnalysedRun>(*hand_made);
    run->ranks.clear();
    for (std::size_t i = 0; i < ranks; ++i) {
        auto rank = std::make_shared<RankTrace>();
        rank->rank = RankNumber(static_cast<std::int32_t>(i));
        run->ranks.push_back(rank);
    }
    run->notes = {"A note of the run."};
    analysed->facts.ranks.assign(ranks, hand_made->facts.ranks.front());
    analysed->clock.ranks.assign(ranks, hand_made->clock.ranks.front());
    analysed->run = run;
    return analysed;
}

TEST(HealthPanel, ManyRanksAreAddedInSeveralEventsInTheirOrder) {
    constexpr int kRanks = 450;
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({manyRanks(kRanks)});
    const auto* tree = panel.findChild<QTreeWidget*>();
    EXPECT_LT(tree->topLevelItemCount(), kRanks) << "not all in one event";
    panel.hide();
    QCoreApplication::processEvents();
    panel.setRuns({manyRanks(kRanks)});
    panel.show();
    ASSERT_TRUE(QTest::qWaitFor([tree] { return tree->topLevelItemCount() > kRanks; }));
    for (int rank = 0; rank < kRanks; ++rank) {
        EXPECT_EQ(tree->topLevelItem(rank)->text(0), QStringLiteral("rank %1").arg(rank));
    }
    EXPECT_EQ(tree->topLevelItem(kRanks)->text(0), QStringLiteral("A note of the run."));
    EXPECT_TRUE(tree->topLevelItem(kRanks)->isFirstColumnSpanned());
    EXPECT_FALSE(tree->topLevelItem(kRanks - 1)->isFirstColumnSpanned());
}

TEST(ClocksPanel, ManyRanksAreFilledInSeveralEventsWhateverBecomesOfTheRunMeanwhile) {
    constexpr int kRanks = 450;
    ClocksPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({manyRanks(kRanks)}, {});
    const auto* table = panel.findChild<QTableWidget*>();
    EXPECT_EQ(table->item(kRanks - 1, 0), nullptr) << "not all in one event";
    panel.hide();
    panel.setRuns({manyRanks(3)}, {});
    QCoreApplication::processEvents();
    panel.setRuns({manyRanks(kRanks)}, {});
    panel.show();
    ASSERT_TRUE(QTest::qWaitFor([table] { return table->item(kRanks - 1, 0) != nullptr; }));
    for (int rank = 0; rank < kRanks; ++rank) {
        ASSERT_NE(table->item(rank, 0), nullptr) << rank;
        EXPECT_EQ(table->item(rank, 0)->text(), QStringLiteral("rank %1").arg(rank));
    }
}

TEST(ClocksPanel, ManyNotesLeaveRoomForTheTable) {
    const auto run = std::make_shared<AnalysedRun>(*manyRanks(3));
    for (int host = 0; host < 40; ++host) {
        run->clock.notes.push_back("A note of host " + std::to_string(host) + ".");
    }
    ClocksPanel panel(Theme::darkTheme());
    panel.resize(600, 300);
    panel.show();
    panel.setRuns({run}, {});
    const QList<QLabel*> labels = panel.findChildren<QLabel*>();
    const bool told = std::ranges::any_of(labels, [](const QLabel* label) {
        return label->text().contains(QStringLiteral("A note of host 4.\nand 35 more, in the report"));
    });
    EXPECT_TRUE(told);
    EXPECT_GT(panel.findChild<QTableWidget*>()->height(), 100);
}

TEST(HealthPanel, WhatItWasGivenWhileItWasHiddenIsThereWhenItIsShown) {
    HealthPanel panel(Theme::darkTheme());
    panel.setRuns({HandMadeRun::make()});
    panel.setRuns({HandMadeRun::make(), HandMadeRun::make()});
    panel.show();
    EXPECT_EQ(panel.findChild<QTreeWidget*>()->topLevelItemCount(), 2);
    panel.setRuns({});
    EXPECT_EQ(panel.findChild<QTreeWidget*>()->topLevelItemCount(), 0);
}

TEST(HealthPanel, LinesOfWordsGoOverAllColumnsAndRowsOfNumbersDoNot) {
    HealthPanel panel(Theme::darkTheme());
    panel.show();
    panel.setRuns({HandMadeRun::make(), HandMadeRun::make()});
    const auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_EQ(tree->topLevelItemCount(), 2);
    const QTreeWidgetItem* run = tree->topLevelItem(1);
    EXPECT_TRUE(run->isFirstColumnSpanned());
    EXPECT_TRUE(run->isExpanded());
    ASSERT_GT(run->childCount(), 0);
    EXPECT_FALSE(run->child(0)->isFirstColumnSpanned());
    run->child(0)->setExpanded(true);
    ASSERT_GT(run->child(0)->childCount(), 0);
    EXPECT_TRUE(run->child(0)->child(0)->isFirstColumnSpanned());
}

TEST(Words, ALineNamesAKernelWithoutItsParametersAndCutsWhatIsLong) {
    EXPECT_EQ(nameInLine("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
              QStringLiteral("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
    const QString cut = nameInLine(std::string(200, 'k'));
    EXPECT_EQ(cut.size(), kLongestName);
    EXPECT_TRUE(cut.endsWith(QStringLiteral("…")));
}

TEST(Words, RanksAreNamedAsSpans) {
    rankscope::Run run;
    for (int rank = 0; rank < 8; ++rank) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber(rank);
        run.ranks.push_back(trace);
    }
    EXPECT_EQ(ranksName(run, {RankPosition(3)}), QStringLiteral("rank 3"));
    EXPECT_EQ(ranksName(run, {RankPosition(5), RankPosition(0), RankPosition(1), RankPosition(2)}),
              QStringLiteral("ranks 0–2, 5"));
    EXPECT_EQ(ranksName(run, {RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3), RankPosition(4),
                              RankPosition(5), RankPosition(6), RankPosition(7)}),
              QStringLiteral("all 8 ranks"));
    for (const std::size_t position : {4U, 6U}) {
        run.ranks[position] = std::make_shared<RankTrace>();  // no file says its number
    }
    EXPECT_EQ(ranksName(run, {RankPosition(4), RankPosition(6)}), QStringLiteral("file 5, file 7"));
    EXPECT_EQ(ranksName(run, {RankPosition(0), RankPosition(1), RankPosition(6)}), QStringLiteral("ranks 0–1, file 7"));
    EXPECT_EQ(ranksName(run, {RankPosition(3), RankPosition(6)}), QStringLiteral("rank 3, file 7"));
}

TEST(Words, NumbersHaveAMinusSignAndKeepTheirUnits) {
    EXPECT_EQ(printed(QStringLiteral("69.1 ms less (-75 % to -76 %), in the middle -3 of 2 steps, by-rank")),
              QStringLiteral(
                  "69.1\u00a0ms less (\u221275\u00a0% to \u221276\u00a0%), in the middle \u22123 of 2 steps, by-rank"));
}

TEST(Words, ANameOfTheLoaderFitsALineOfNames) {
    const std::string loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    EXPECT_EQ(nameInLine(loader), text(loader));
    EXPECT_EQ(nameInLine(std::string(100, 'a')).size(), 64);
}

}  // namespace
}  // namespace rankscope::ui
