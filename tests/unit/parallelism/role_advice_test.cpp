// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/analysed.h"
#include "tests/support/testing.h"
#include "tests/unit/parallelism/job.h"

namespace rankscope::test {
namespace {

/// All that is advised of the run.
std::string adviceOf(const AnalysedRun& run) {
    std::string text;
    for (const Finding& finding : run.diagnosis.findings) {
        for (const Remedy& remedy : finding.remedies) {
            text += std::string(findingName(finding.id)) + ": " + remedy.action + "\n";
        }
    }
    return text;
}

/// Four steps of two ranks that use DDP, with exposed all-reduces of gradients in one group.
std::shared_ptr<const Run> ddpJob() {
    const std::vector<ProcessGroup> groups = {groupOf("0", "default_pg", {0, 1})};
    const std::vector<Call> calls =
        together({times(1, {Sent::Forward, "broadcast"}), times(5, {Sent::Gradient, "allreduce"})});
    return jobOf({{0, 2, groups, calls, true, 4}, {1, 2, groups, calls, true, 4}});
}

TEST(AdviceByRole, IsOfDdpWhereItsGroupIsForData) {
    EXPECT_THAT(adviceOf(analyse(ddpJob())), HasSubstr("bucket_cap_mb of DistributedDataParallel"));
}

TEST(AdviceByRole, NamesNoOptionOfDdpWhereNoGroupIsForData) {
    AnalysisOptions options;
    options.roles = {{"default_pg", Role::Tensor}};
    const auto run = analyseRun(ddpJob(), options, {}, {});
    ASSERT_TRUE(run.ok());
    const std::string advice = adviceOf(run.value());
    EXPECT_THAT(advice, HasSubstr("launch-bound")) << "what has nothing to do with DDP is advised all the same";
    EXPECT_THAT(advice, Not(HasSubstr("DistributedDataParallel")));
    EXPECT_THAT(advice, Not(HasSubstr("bucket_cap_mb")));
}

}  // namespace
}  // namespace rankscope::test
