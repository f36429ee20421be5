// SPDX-License-Identifier: GPL-3.0-or-later
// Work is slower beside a collective that waits for a late rank: what that costs belongs to the lateness.
#include "core/analysis/replay/contention.h"

#include "tests/accuracy/machine_score.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {
namespace {

using accuracy::MachineScore;

// On this machine work beside communication is slowed down, and the price of lateness was 14 % too low without it.
TEST(Contention, IsPartOfWhatASlowDeviceCosts) {
    const MachineScore score = accuracy::judgeCase("slow-device/2/1");
    ASSERT_TRUE(score.found(0));
    EXPECT_TRUE(score.ranksRight(0));
    EXPECT_LT(static_cast<double>(score.priceError(0)), 0.05 * static_cast<double>(score.results[0].covered.price_ns));
}

TEST(Contention, IsSaidWhereItWasMeasuredOnly) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // By hand, of the same pairs of kernels of ranks 0 to 2 and the late rank 3: 1.14 to 1.23 times as long beside a
    // collective, 0.99 to 1.02 times apart from all.
    const AnalysedRun rocm = loadAndAnalyse(realTraces() / "resnet_ddp_4ranks_rocm");
    const Finding& late = findingIn(rocm, "straggler-rank");
    EXPECT_THAT(late.why, testing::ContainsRegex("slows the other ranks' kernels by (1[4-9]|2[0-3]) %"));
}

TEST(Contention, IsNotFoundWhereWorkTakesAsLongBesideACollective) {
    const tracegen::Config config = tracegen::configOf(4, 8, {"slow-kernels:ranks=2"});
    const AnalysedRun run = analyse(accuracy::loadSimulated(tracegen::simulate(config)));
    const Finding& late = findingIn(run, "straggler-rank");
    EXPECT_THAT(late.why, testing::Not(testing::HasSubstr("slows the other ranks' kernels")));
}

// Rank 3 is late in seven steps of twelve, and in the other five another one is, by as much.
TEST(MovingStragglers, AreNoSteadyOneThatIsLateSomewhatMoreOften) {
    const MachineScore score = accuracy::judgeCase("uneven-batches/3/1");
    ASSERT_TRUE(score.found(0));
    EXPECT_EQ(score.results[0].findings.at(0).id, "moving-straggler");
    EXPECT_TRUE(score.ranksRight(0));
    EXPECT_TRUE(score.priceRight(0));
    EXPECT_EQ(std::ranges::count(score.results[0].findings, "straggler-rank", &accuracy::SeenFinding::id), 0);
}

TEST(WaitingCollectives, EndWhereTheirTransferBegins) {
    RunReplayModel model;
    ReplayEvent collective;
    collective.communication = true;
    collective.span = {1'000, 9'000};
    collective.rendezvous = 0;
    ReplayEvent own = collective;  // without other ranks it waits for nobody
    own.span = {20'000, 30'000};
    own.rendezvous = ReplayEvent::kNone;
    model.ranks.resize(1);
    model.ranks[0].events = {collective, own};
    model.rendezvous.resize(1);
    model.rendezvous[0].transfer_ns = 3'000;
    const IntervalSet waiting = waitingCollectives(model, RankPosition(0));
    EXPECT_EQ(waiting, IntervalSet::unionOf({{1'000, 6'000}}));
}

}  // namespace
}  // namespace rankscope::test
