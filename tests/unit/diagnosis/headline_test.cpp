// SPDX-License-Identifier: GPL-3.0-or-later
// What a run comes down to: what a finding names, or that it is not known and what to record.

#include "tests/support/analysed.h"
#include "tests/support/headline_check.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A loop of six steps of 20 kernels of 100 us. In the middle the CPU does nothing that is recorded for `pause_us`.
AnalysedRun pausingLoop(double pause_us) {
    auto [model, main, stream] = threadAndStream();
    double host_us = 0;
    double device_us = 0;
    for (int s = 0; s < 6; ++s) {
        const double begin_us = host_us;
        for (int k = 0; k < 20; ++k) {
            host_us += k == 10 ? pause_us : 0;
            device_us = std::max(device_us + 1, host_us + 12);
            model.kernel(main, host_us, 5, stream, "gemm", device_us, 100);
            device_us += 100;
            host_us += 20;
        }
        model.step(main, s, begin_us, host_us - begin_us);
    }
    return analyse(runOf({model.build()}));
}

TEST(Headline, SaysThatTheCauseIsNotRecordedAndWhatToRecord) {
    const AnalysedRun run = pausingLoop(9'000);
    checkHeadline(run);
    const Headline& headline = run.diagnosis.headline;
    EXPECT_EQ(headline.title, "idle, cause not recorded");
    EXPECT_FALSE(headline.known);
    EXPECT_THAT(headline.text, HasSubstr("with_stack=True"));
}

TEST(Headline, OfARunThatComputesIsThatWithoutAFinding) {
    const AnalysedRun run = pausingLoop(0);
    checkHeadline(run);
    EXPECT_EQ(run.diagnosis.headline.title, "compute-bound");
    EXPECT_TRUE(run.diagnosis.headline.known);
}

/// Iterations of a server: decodes of 5 ms, which begin `every_us` apart.
AnalysedRun server(double every_us) {
    auto [model, main, stream] = threadAndStream();
    double host_us = 100;
    for (int i = 0; i < 12; ++i) {
        model.slice(main, Category::UserAnnotation, "execute_context_0(0)_generation_16(16)", host_us, 1'000);
        double device_us = host_us + 20;
        for (int k = 0; k < 50; ++k) {
            model.kernel(main, host_us + 10 + 18.0 * k, 5, stream, "paged_attention_v1_kernel", device_us, 100);
            device_us += 101;
        }
        host_us += every_us;
    }
    return analyse(runOf({model.build()}));
}

TEST(Headline, OfAServerWithoutRequestsIsIdleAndNotBound) {
    const AnalysedRun run = server(60'000);
    checkHeadline(run);
    EXPECT_EQ(run.diagnosis.headline.title, "idle between iterations");
    EXPECT_THAT(run.diagnosis.headline.text, HasSubstr("the server has no request, or plans the next iteration"));
    EXPECT_FALSE(run.diagnosis.headline.known);
}

TEST(Headline, OfABusyServerIsWhatBindsIt) {
    const AnalysedRun run = server(5'100);
    checkHeadline(run);
    EXPECT_EQ(run.diagnosis.headline.title, "compute-bound");
}

}  // namespace
}  // namespace rankscope::test
