// SPDX-License-Identifier: GPL-3.0-or-later
// A few runs of the matrix that `./dev accuracy` runs in full.

#include "tests/accuracy/score.h"
#include "tests/accuracy/tally.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

CaseScore judgeNamed(const std::string& name) {
    const std::vector<Case> cases = filtered(matrix(), {name});
    const auto exact = std::ranges::find(cases, name, &Case::name);
    if (exact == cases.end()) {
        ADD_FAILURE() << "the matrix has no " << name;
        return {};
    }
    return judge(*exact);
}

class FaultOfTheMatrix : public testing::TestWithParam<const char*> {};

TEST_P(FaultOfTheMatrix, IsFoundOnItsRanksAndPricedWithinTheTolerance) {
    const CaseScore score = judgeNamed(GetParam());
    EXPECT_EQ(score.error, "");
    ASSERT_EQ(score.faults.size(), 1U);
    const FaultScore& fault = score.faults.front();
    EXPECT_TRUE(fault.demanded);
    ASSERT_TRUE(fault.found()) << fault.finding;
    EXPECT_EQ(fault.found_ranks, fault.ranks);
    EXPECT_TRUE(fault.priceRight()) << "off by " << fault.priceError() << " ns, tolerance " << fault.tolerance();
}

INSTANTIATE_TEST_SUITE_P(Sample, FaultOfTheMatrix,
                         testing::Values("dataloader/2/cuda/4", "dataloader/3/rocm/2", "dataloader/2/old/2",
                                         "unpinned-memcpy/2/cuda/4", "unpinned-memcpy/3/rocm/2", "allocator/2/cuda/4",
                                         "allocator/3/old/2", "memory-pressure/2/rocm/4", "slow-network/2/cuda/4",
                                         "slow-network/3/old/2", "late-all-reduce/2/rocm/4", "slow-collective/2/cuda/4",
                                         "large-buckets/2/cuda/4", "slow-collective/3/rocm/2"));

TEST(MovingFaultOfTheMatrix, IsPricedWithWhatWouldShowInTheStepsThatHideIt) {
    const CaseScore score = judgeNamed("cold-batches/2/cuda/64");  // six steps are late, and two hide their late ranks
    EXPECT_EQ(score.error, "");
    ASSERT_EQ(score.faults.size(), 1U);
    const FaultScore& fault = score.faults.front();
    ASSERT_TRUE(fault.found()) << fault.finding;
    EXPECT_TRUE(fault.ranksRight());
    EXPECT_TRUE(fault.priceRight()) << "off by " << fault.priceError() << " ns, tolerance " << fault.tolerance();
    EXPECT_TRUE(score.strays.empty()) << "the waits for the loader are those of the late ranks";
}

class HealthyRunOfTheMatrix : public testing::TestWithParam<int> {};

TEST_P(HealthyRunOfTheMatrix, HasNoFindingAboveLow) {
    const std::string name = "healthy/" + std::to_string(GetParam()) + '/';
    const std::vector<Case> cases = filtered(matrix(), {name});
    ASSERT_EQ(cases.size(), 1U);
    const CaseScore score = judge(cases.front());
    EXPECT_EQ(score.error, "");
    for (const StrayFinding& stray : score.strays) {
        EXPECT_EQ(stray.severity, Severity::Low) << stray.id << ": " << stray.why;
    }
}

INSTANTIATE_TEST_SUITE_P(Sample, HealthyRunOfTheMatrix, testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace rankscope::accuracy
