// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

#include "tests/ui/holds.h"
#include "tests/ui/panels/click_link.h"
#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/selection/details_panel.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

constexpr int kPatience = 10'000;

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

/// What the panel says of the part of rank 0 in the collective.
QString factsOfTheCollective(const std::shared_ptr<const AnalysedRun>& run) {
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    panel.showSlice({0, RankPosition(0), HandMadeRun::kKernel});
    const auto told = [&] { return shown.count() == 1 && panel.factsText().contains(QStringLiteral("arrived last")); };
    EXPECT_TRUE(QTest::qWaitFor(told, kPatience)) << panel.factsText().toStdString();
    return panel.factsText();
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

TEST(DetailsPanel, OfACopyHasTheBytesThatTheTraceHasOnItsCall) {
    auto run = std::make_shared<AnalysedRun>(*HandMadeRun::make());
    const auto rank = std::const_pointer_cast<RankTrace>(run->run->ranks[0]);
    const SliceRef copy = HandMadeRun::kKernel;
    const SliceRef call = rank->launches.launchOf(copy);
    ASSERT_TRUE(call.valid());
    rank->tracks[copy.track.value].slices.category[copy.slice] = Category::Memcpy;
    rank->tracks[call.track.value].bytes.slice = {call.slice};
    rank->tracks[call.track.value].bytes.value = {4'096};
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({run});
    panel.showSlice({0, RankPosition(0), copy});
    EXPECT_TRUE(panel.factsText().contains(QStringLiteral("Bytes"))) << panel.factsText().toStdString();
}

TEST(DetailsPanel, OfACollectiveSaysForWhomItWaitedAndWhatThatRankDid) {
    const QString facts = factsOfTheCollective(runWithACollective());
    EXPECT_TRUE(
        test::holds(facts, {"2.00 ms", "8.00 ms", "5.00 ms computing", "3.00 ms DataLoader", "rank 1, arrived last"}));
}

TEST(DetailsPanel, OfAWaitThatIsHiddenInPartSaysHowMuchOfItIsDivided) {
    auto run = std::make_shared<AnalysedRun>(*runWithACollective());
    run->facts.collectives.collectives[0].members[0].wait_ns = 9'500'000;  // 1.5 ms of it beside compute
    const QString facts = factsOfTheCollective(run);
    EXPECT_TRUE(test::holds(facts, {"9.50 ms", "The late rank was", "5.00 ms computing",
                                    "8.00 ms in all: compute hides the rest of the wait"}));
}

TEST(DetailsPanel, AClickOnTheOtherRankOfACollectiveAsksForItsPart) {
    DetailsPanel panel(Theme::darkTheme());
    panel.setRuns({runWithACollective()});
    panel.resize(900, 600);
    QSignalSpy shown(&panel, &DetailsPanel::argsShown);
    const QSignalSpy asked(&panel, &DetailsPanel::sliceActivated);
    panel.showSlice({0, RankPosition(0), HandMadeRun::kKernel});
    panel.show();
    const auto told = [&] { return shown.count() == 1 && panel.factsText().contains(QStringLiteral("rank 1")); };
    ASSERT_TRUE(QTest::qWaitFor(told, kPatience)) << panel.factsText().toStdString();
    clickLink(*panel.findChildren<QTextBrowser*>().front(), QStringLiteral("rank 1"));
    EXPECT_EQ(asked.value(0).value(0).value<SliceSelection>(),
              (SliceSelection{0, RankPosition(1), HandMadeRun::kKernel}));
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

}  // namespace
}  // namespace rankscope::ui
