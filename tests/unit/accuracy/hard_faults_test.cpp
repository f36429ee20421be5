// SPDX-License-Identifier: GPL-3.0-or-later
// A few of the faults that are hard to tell, and that their judge can say no: ./dev accuracy --hard runs them all.

#include <algorithm>

#include "tests/accuracy/hard_score.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy::hard {
namespace {

const std::vector<Case>& cases() {
    static const std::vector<Case> all = allCases();
    return all;
}

Score judged(const std::string& name) {
    const auto found = std::ranges::find(cases(), name, &Case::name);
    EXPECT_NE(found, cases().end()) << name;
    return found == cases().end() ? Score{} : judge(*found);
}

class HardFaults : public testing::TestWithParam<const char*> {};

TEST_P(HardFaults, AreFoundWithTheirRanksAndPriceAtEachResolution) {
    const Score score = judged(GetParam());
    ASSERT_FALSE(score.faults.empty());
    EXPECT_TRUE(std::ranges::all_of(score.faults, &FaultScore::demanded));
    EXPECT_THAT(failuresOf(score), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(InBothSimulators, HardFaults,
                         testing::Values("generator/two at once/slow-kernels+allocator",
                                         "generator/3 % of a step/slow-kernels/1",
                                         "generator/in 5 of 12 steps/slow-kernels", "generator/throttled GPUs/late",
                                         "generator/throttled GPUs/always", "generator/throttled GPUs/all ranks, ramp",
                                         "machine/throttled GPUs/1", "machine/throttled GPUs/4",
                                         "machine/5 % of a step/slow-host/2", "machine/in 8 of 12 steps/slow host/3",
                                         "machine/stragglers that move/4 ranks/1.15"));

TEST(HardRuns, AHealthyRunHasNoFalseAlarm) {
    EXPECT_THAT(failuresOf(judged("generator/nothing/1")), testing::IsEmpty());
}

TEST(HardRuns, EachCaseHasItsOwnName) {
    std::vector<std::string> names;
    std::ranges::transform(cases(), std::back_inserter(names), &Case::name);
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

/// A run with one fault of 10 %, found or not.
Score scoredRun(bool found, bool alarm) {
    Score score;
    score.name = "generator/x/1";
    score.row = "generator, x";
    score.faults = {{"host-sync", true, true, {}}};
    for (std::size_t at = 0; at < kResolutions; ++at) {
        score.faults.front().at.at(at) = {found, found, found, found, ""};
        if (alarm) {
            score.alarms.at(at) = {"launch-bound"};
        }
    }
    return score;
}

TEST(HardJudge, AcceptsRightResults) {
    EXPECT_TRUE(holds(rowsOf({scoredRun(true, false)})));
    EXPECT_THAT(failuresOf(scoredRun(true, false)), testing::IsEmpty());
}

TEST(HardJudge, SaysWhatIsMissedAndWhatIsAlarm) {
    EXPECT_FALSE(holds(rowsOf({scoredRun(false, false)})));
    EXPECT_THAT(failuresOf(scoredRun(false, false)).front(), testing::HasSubstr("host-sync not found"));
    EXPECT_FALSE(holds(rowsOf({scoredRun(true, true)})));
    EXPECT_THAT(failuresOf(scoredRun(true, true)).front(), testing::HasSubstr("false alarm launch-bound"));
}

TEST(HardJudge, CountsByRow) {
    const std::vector<Row> rows = rowsOf({scoredRun(true, false), scoredRun(false, true)});
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].demanded, 2U);
    EXPECT_EQ(rows[0].at[0].found, 1U);
    EXPECT_EQ(rows[0].at[0].alarms, 1U);
    EXPECT_THAT(markdownOf(rows),
                testing::HasSubstr("| generator, x | 2 | 2 | 1 | 1 | 1 | 1 | 2 | 1 | `launch-bound` 3 |"));
}

TEST(HardStrength, IsNearTheRequestedOne) {
    const auto linear = [](double strength) { return strength / 100; };
    EXPECT_NEAR(strengthFor(0.05, 0, 100, linear), 5, 0.5);
    EXPECT_EQ(strengthFor(2, 0, 100, linear), 100) << "it never gets there";
    EXPECT_NEAR(strengthFor(0.1, 100, 1, [](double bandwidth) { return 1 / bandwidth; }), 10, 0.5);
}

}  // namespace
}  // namespace rankscope::accuracy::hard
