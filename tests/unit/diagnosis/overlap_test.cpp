// SPDX-License-Identifier: GPL-3.0-or-later
// What two findings save together is not always the sum.

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Six steps of a host that waits `loader_us` for a batch, launches 50 kernels of 100 us, runs a piece of code for
/// `code_us`, and launches 50 more. The device needs 10 ms for them, the host 2 ms and the two others.
AnalysedRun hostWith(double loader_us, double code_us) {
    ModelBuilder model;
    const auto main = model.thread("1");
    const auto stream = model.stream("7");
    double host_us = 0;
    double device_us = 0;
    const auto launch = [&] {
        for (int k = 0; k < 50; ++k) {
            const double start_us = std::max(host_us + 12, device_us + 1);
            model.kernel(main, host_us + 4, 5, stream, "gemm", start_us, 99);
            device_us = start_us + 99;
            host_us += 20;
        }
    };
    for (int s = 0; s < 6; ++s) {
        const double begin_us = host_us;
        if (loader_us > 0) {
            model.slice(main, Category::UserAnnotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                        host_us, loader_us);
            host_us += loader_us;
        }
        launch();
        if (code_us > 0) {
            model.python(main, "train.py(87): metrics", host_us, code_us);
            host_us += code_us;
        }
        launch();
        model.step(main, s, begin_us, host_us - begin_us);
    }
    return analyse(runOf({model.build()}));
}

TEST(Overlaps, AreToldWhereOneFindingHidesAPartOfAnother) {
    // Alone each brings the host from 26 ms a step to 14. Together they bring it to 2, but the device needs 10.
    const AnalysedRun run = hostWith(12'000, 12'000);
    const Finding& loader = findingIn(run, "dataloader-stall");
    const Finding& code = findingIn(run, "host-code");
    EXPECT_FALSE(loader.overlap) << "it is the first";
    ASSERT_TRUE(code.overlap);
    EXPECT_EQ(code.overlap->with, FindingId::DataloaderStall);
    EXPECT_EQ(code.overlap->alone_ns, code.saving_ns);
    EXPECT_GT(code.overlap->alone_ns, 1.5 * static_cast<double>(code.overlap->after_ns));
    EXPECT_NEAR(microseconds(code.overlap->after_ns), 14'000 - 10'000, 600);
    EXPECT_THAT(code.why, testing::HasSubstr("this saves only"));
    EXPECT_THAT(code.why, testing::HasSubstr(loader.title));
}

TEST(Overlaps, AreNoneWhereThereIsOneProblem) {
    for (const AnalysedRun& run : {hostWith(14'000, 0), hostWith(0, 14'000)}) {
        EXPECT_FALSE(run.diagnosis.findings.empty());
        for (const Finding& finding : run.diagnosis.findings) {
            EXPECT_FALSE(finding.overlap) << findingName(finding.id);
        }
    }
}

TEST(Overlaps, LeaveEachNanosecondToOneFinding) {
    for (const AnalysedRun& run : {hostWith(12'000, 12'000), hostWith(14'000, 0)}) {
        DurationNs blocked_ns = 0;
        for (const Finding& finding : run.diagnosis.findings) {
            blocked_ns += finding.blocked_ns;
        }
        const RankStep& step = run.facts.ranks[0].steps[3];
        EXPECT_GT(blocked_ns, 0);
        EXPECT_LE(blocked_ns, step.partition->idle_ns + step.span.length() / 100);
    }
}

TEST(Overlaps, NameWhatHidesTheLaunchesOfARunWithoutWorkers) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers" / "ZeroWorkers");
    const Finding& launches = findingIn(run, "launch-bound");
    ASSERT_TRUE(launches.overlap);
    EXPECT_EQ(launches.saving_ns, launches.overlap->after_ns) << "most of it is saved with others";
    EXPECT_GT(launches.overlap->alone_ns, 2 * launches.saving_ns);
    EXPECT_THAT(launches.why, testing::HasSubstr("Alone it would save"));
}

}  // namespace
}  // namespace rankscope::test
