// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts of the event-driven machine, which shares no assumption with the replay: slow ones, and threads that stand
// still.

#include "tests/accuracy/hard_cases.h"
#include "tests/accuracy/hard_score.h"
#include "tests/accuracy/machine_score.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using accuracy::MachineResult;
using accuracy::MachineScore;

std::vector<std::string> listed(const MachineResult& result) {
    std::vector<std::string> ids;
    std::ranges::transform(result.findings, std::back_inserter(ids), &accuracy::SeenFinding::id);
    return ids;
}

/// Found on the right ranks at each resolution, at a price within 2 % of the step of what it truly costs.
void expectFound(const MachineScore& score) {
    for (std::size_t at = 0; at < score.results.size(); ++at) {
        EXPECT_TRUE(score.found(at)) << at;
        EXPECT_TRUE(score.ranksRight(at)) << at;
        EXPECT_LT(static_cast<double>(score.priceError(at)),
                  0.02 * static_cast<double>(score.results[at].covered.step_ns))
            << at;
    }
}

// Everything takes longer on that host: launches, what the operating system does in between, and the DataLoader.
TEST(SlowHosts, HoldTheStallsAndTheLateBatchesOfTheirRank) {
    const MachineScore score = accuracy::judgeCase("slow-host/2/2");
    expectFound(score);
    for (const MachineResult& result : score.results) {
        EXPECT_EQ(listed(result), std::vector<std::string>{"straggler-rank"});
    }
}

// Its operators take several times as long as elsewhere, and so does what follows each wait for the GPU. That the wait
// is longer there is a symptom.
TEST(SlowHosts, OfThreePercentAreNotCalledWaitsForTheGpu) {
    namespace hard = accuracy::hard;
    const std::vector<hard::Case> cases = hard::machineCases();
    const auto slow = std::ranges::find(cases, "machine/3 % of a step/slow-host/2", &hard::Case::name);
    ASSERT_NE(slow, cases.end());
    const hard::Score score = hard::judge(*slow);
    EXPECT_THAT(hard::failuresOf(score), testing::IsEmpty());
}

// The rank is late where it collects, and only there: so that is what it is late by.
TEST(SlowHosts, AreNoneWhereTheRankIsLateByItsStallsAlone) {
    const MachineScore score = accuracy::judgeCase("collections-of-one/3/2");
    expectFound(score);
    for (const MachineResult& result : score.results) {
        EXPECT_EQ(listed(result).front(), "host-stall");
        EXPECT_THAT(listed(result), testing::Not(testing::Contains("straggler-rank")));
    }
}

// At 250 ns the shortest stretches between operators have no length, and the names around a stall were others.
TEST(HostStalls, AreTheSameWhereTimesAreRounded) {
    expectFound(accuracy::judgeCase("collections/2/2"));
}

// All ranks stop at once, one of them in a launch call while its device had work: that starts when the call goes on.
TEST(HostStalls, InALaunchCallWhileTheDeviceStillHasWorkArePriced) {
    expectFound(accuracy::judgeCase("container-quota/1/2"));
}

// Two long steps, a stall in another one, on two ranks: one cause, one finding, one price.
TEST(HostStalls, InLongStepsAndInOthersAreOneFinding) {
    const MachineScore score = accuracy::judgeCase("collections/2/1");
    expectFound(score);
    for (const MachineResult& result : score.results) {
        EXPECT_EQ(listed(result).front(), "host-stall");
        EXPECT_THAT(listed(result), testing::Not(testing::Contains("step-spikes")));
    }
}

}  // namespace
}  // namespace rankscope::test
