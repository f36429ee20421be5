// SPDX-License-Identifier: GPL-3.0-or-later
// Communication on the compute stream: the planted run without overlap, with its NCCL kernels moved there.

#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/simulate.h"

namespace rankscope::test {
namespace {

AnalysedRun withoutOverlap(bool on_one_stream) {
    tracegen::RunResult run = tracegen::simulate(tracegen::configOf(4, 6, {"late-all-reduce"}));
    for (std::vector<tracegen::Event>& rank : run.events) {
        for (tracegen::Event& event : rank) {
            if (on_one_stream && event.stream == tracegen::Stream::Communication) {
                event.stream = tracegen::Stream::Compute;
            }
        }
    }
    return analyse(accuracy::loadSimulated(run));
}

TEST(Streams, CommunicationOnTheComputeStreamIsASeparateCause) {
    const AnalysedRun one = withoutOverlap(true);
    const Finding& finding = findingIn(one, "exposed-communication");
    EXPECT_EQ(findingCauseName(finding.cause), "same-stream");
    EXPECT_DOUBLE_EQ(finding.cause_share.value_or(0), 1.0);
    EXPECT_EQ(finding.title, "Communication runs on the compute stream");
    EXPECT_THAT(finding.why, testing::HasSubstr("100 % of the exposed transfer time is on the compute stream"));
    EXPECT_THAT(finding.why, testing::HasSubstr("stream 7"));
    EXPECT_THAT(finding.why, testing::Not(testing::HasSubstr("no compute is left")));
    EXPECT_THAT(finding.evidence.at(0).note, testing::HasSubstr("on the compute stream"));
    for (const Remedy& remedy : finding.remedies) {
        EXPECT_THAT(remedy.action, testing::AnyOf(testing::HasSubstr("async_op=True"), testing::HasSubstr("NCCL"),
                                                  testing::HasSubstr("CUDA_LAUNCH_BLOCKING")));
    }
}

TEST(Streams, OnASeparateStreamTheCauseIsAnother) {
    const AnalysedRun two = withoutOverlap(false);
    const Finding& finding = findingIn(two, "exposed-communication");
    EXPECT_NE(findingCauseName(finding.cause), "same-stream");
    EXPECT_GT(finding.cause_share.value_or(0), 0.5);
    EXPECT_THAT(finding.why, testing::Not(testing::HasSubstr("on the compute stream")));
    EXPECT_EQ(finding.title, "Communication is not overlapped with compute");
}

}  // namespace
}  // namespace rankscope::test
