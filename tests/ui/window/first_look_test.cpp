// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen first of a run, and the walk through its findings from there.
#include <QTest>

#include "core/analysis/steps/typical_run_step.h"
#include "tests/support/analysed.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/finding_marks.h"
#include "ui/window/finding_walk.h"
#include "ui/window/first_look.h"

namespace rankscope::ui {
namespace {

class FirstLookTest : public test::WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(openAndWait({zero()}));
        waitUntilQuiet();
    }
    [[nodiscard]] const AnalysedRun& run() { return *window().session().runs().front(); }
    [[nodiscard]] TimeSpan step() { return findingOnStep(window().session().runs(), {0, 0}).step; }
    [[nodiscard]] TimeSpan seen() {
        timeline().settle();
        return timeline().viewport().window();
    }
    [[nodiscard]] bool showsStep() {
        const TimeSpan now = seen();
        return now.start_ns <= step().start_ns && now.end_ns >= step().end_ns &&
               now.length() < step().length() * 11 / 10;
    }
};

TEST_F(FirstLookTest, IsTheTypicalStepWithThePlacesOfTheFirstFinding) {
    const auto typical = typicalRunStep(run().facts);
    ASSERT_TRUE(typical);
    EXPECT_TRUE(showsStep());
    const FindingMarks& marks = timeline().findingMarks();
    EXPECT_EQ(marks.finding, 0U);
    EXPECT_EQ(marks.step, *typical);
    EXPECT_FALSE(marks.empty());
    EXPECT_EQ(timeline().selection(), Selection());
}

TEST_F(FirstLookTest, ShowsAllRanksAndTheThreadsOfTheFirstEvidence) {
    const RankPosition first = run().diagnosis.findings.front().evidence.front().rank;
    window().resize(1600, 1000);
    QCoreApplication::processEvents();
    timeline().settle();
    const RowLayout& rows = timeline().rowLayout();
    EXPECT_LE(rows.height(), timeline().tracksArea().height());
    for (RankPosition rank{0}; rank < run().run->ranks.size(); ++rank) {
        const TrackId main = run().facts.ranks[rank].main_thread;
        EXPECT_EQ(rows.find(0, rank, main) != nullptr, rank == first);
    }
}

TEST_F(FirstLookTest, FShowsTheWholeRun) {
    trigger("go.fit");
    EXPECT_EQ(seen(), timeline().viewport().limits());
}

TEST_F(FirstLookTest, OfSeveralRunsIsAllOfThem) {
    ASSERT_TRUE(openAndWait({four()}, OpenMode::Beside));
    waitUntilQuiet();
    ASSERT_EQ(window().session().runs().size(), 2U);
    EXPECT_EQ(seen(), timeline().viewport().limits());
}

TEST_F(FirstLookTest, NFramesTheFindingThenGoesToItsPlaceThenToTheNext) {
    timeline().fitAll();
    EXPECT_FALSE(workspace().diagnoses().selected());
    QTest::keyClick(&timeline(), Qt::Key_N);
    EXPECT_TRUE(showsStep()) << "though the view was on its way to the whole run";
    EXPECT_EQ(timeline().selection(), Selection());
    EXPECT_EQ(workspace().diagnoses().selected(), (FindingSelection{0, 0}));
    QTest::keyClick(&timeline(), Qt::Key_N);
    const Evidence& evidence = run().diagnosis.findings.front().evidence.front();
    EXPECT_EQ(timeline().selection(), Selection(SliceSelection{0, evidence.rank, evidence.slice}));
    EXPECT_EQ(workspace().diagnoses().selected(), (FindingSelection{0, 0}));
    QTest::keyClick(&timeline(), Qt::Key_N, Qt::ShiftModifier);
    EXPECT_TRUE(showsStep());
    EXPECT_EQ(timeline().selection(), Selection());
}

/// A run that is read first and analysed then, on a timeline without a window.
class ReadAndAnalysed : public testing::Test {
  protected:
    ReadAndAnalysed() {
        auto bare = std::make_shared<AnalysedRun>();
        bare->run = analysed->run;
        read = bare;
        timeline.resize(1100, 640);
        show({read});
    }
    void show(const OpenRuns& runs) {
        timeline.setRuns(runs);
        timeline.settle();
        look.setRuns(runs);
    }
    [[nodiscard]] TimeSpan window() const { return timeline.viewport().window(); }

    const std::shared_ptr<const AnalysedRun> analysed =
        std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::sample("ZeroWorkers")));
    std::shared_ptr<const AnalysedRun> read;
    TimelineWidget timeline{Theme::darkTheme()};
    FirstLook look{timeline};
};

TEST_F(ReadAndAnalysed, TheStepComesOnceTheFindingsAreKnown) {
    EXPECT_EQ(window(), timeline.viewport().limits());
    show({analysed});
    EXPECT_LT(window().length(), timeline.viewport().limits().length() / 2);
    EXPECT_FALSE(timeline.findingMarks().empty());
}

TEST_F(ReadAndAnalysed, AViewThatTheUserMovedStaysAndThePlacesAreMarked) {
    timeline.showWindow({1'000'000, 2'000'000});
    const TimeSpan before = window();
    show({analysed});
    EXPECT_EQ(window(), before);
    EXPECT_FALSE(timeline.findingMarks().empty());
}

TEST_F(ReadAndAnalysed, ARunOpenedInAdditionAndOneAnalysedAgainMoveNothing) {
    show({analysed});
    timeline.fitAll();
    timeline.settle();
    const auto again = std::make_shared<const AnalysedRun>(*analysed);
    show({again});
    EXPECT_EQ(window(), timeline.viewport().limits());
    EXPECT_EQ(timeline.findingMarks().of, again);
    const auto beside = std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::sample("FourWorkers")));
    show({again, beside});
    timeline.settle();
    EXPECT_EQ(window(), timeline.viewport().limits());
    EXPECT_EQ(timeline.findingMarks().of, again);
}

TEST_F(ReadAndAnalysed, ARunInPlaceOfItIsLookedAtAnew) {
    show({analysed});
    timeline.fitAll();
    timeline.settle();
    const auto other = std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::sample("FourWorkers")));
    show({other});
    EXPECT_LT(window().length(), timeline.viewport().limits().length());
    EXPECT_EQ(timeline.findingMarks().of, other);
}

std::shared_ptr<const AnalysedRun> withFindings(const std::vector<bool>& with_evidence) {
    auto run = std::make_shared<AnalysedRun>();
    for (const bool evidence : with_evidence) {
        Finding finding;
        finding.evidence.resize(evidence ? 2 : 0);
        run->diagnosis.findings.push_back(finding);
    }
    return run;
}

TEST(FindingWalk, ShowsEachFindingOnItsStepAndThenAtItsPlaceAndComesRound) {
    const OpenRuns runs = {withFindings({true, false}), withFindings({true})};
    std::vector<FindingStop> stops;
    std::optional<FindingStop> now;
    for (int n = 0; n < 5; ++n) {
        now = nextStop(runs, now, 1);
        ASSERT_TRUE(now);
        stops.push_back(*now);
    }
    EXPECT_EQ(stops, (std::vector<FindingStop>{{{0, 0}, FindingLook::OnStep},
                                               {{0, 0}, FindingLook::AtPlace},
                                               {{0, 1}, FindingLook::OnStep},
                                               {{1, 0}, FindingLook::OnStep},
                                               {{1, 0}, FindingLook::AtPlace}}));
    EXPECT_EQ(nextStop(runs, now, 1), stops.front());
    for (auto stop = stops.rbegin() + 1; stop != stops.rend(); ++stop) {
        now = nextStop(runs, now, -1);
        EXPECT_EQ(now, *stop) << "the same way back";
    }
}

TEST(FindingWalk, BeginsAtEitherEndAndStopsNowhereWithoutFindings) {
    const OpenRuns runs = {withFindings({true})};
    EXPECT_EQ(nextStop(runs, {}, 1), (FindingStop{{0, 0}, FindingLook::OnStep}));
    EXPECT_EQ(nextStop(runs, {}, -1), (FindingStop{{0, 0}, FindingLook::AtPlace}));
    EXPECT_EQ(nextStop({}, {}, 1), std::nullopt);
    EXPECT_EQ(nextStop({withFindings({})}, {}, 1), std::nullopt);
}

}  // namespace
}  // namespace rankscope::ui
