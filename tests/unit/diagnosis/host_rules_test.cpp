// SPDX-License-Identifier: GPL-3.0-or-later
// What the host does while the device waits: allocation, one piece of code, or the feeding itself.

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A loop of 5 steps. Each launches `kernels` kernels of `kernel_us`, `launch_every_us` apart on the host; before the
/// middle one the host does what the test plants.
struct HostLoop {
    int kernels = 40;
    double kernel_us = 200;
    double launch_every_us = 20;
    double code_us = 0;          ///< in the middle, without a launch
    const char* code = nullptr;  ///< the Python function around it; nullptr: nothing is recorded
    double beside_us = 0;        ///< after the code, with nothing recorded
    double malloc_us = 0;        ///< cudaMalloc in the middle, after a cudaFree that waits for the device
    bool in_optimizer = false;   ///< all launches stand in Optimizer.step#

    [[nodiscard]] std::shared_ptr<const RankTrace> build() const {
        auto [model, main, stream] = threadAndStream();
        double host_us = 0;
        double device_us = 0;
        for (int s = 0; s < 5; ++s) {
            const double begin_us = host_us;
            host_us += 10;
            for (int k = 0; k < kernels; ++k) {
                if (k == kernels / 2) {
                    disturb(model, main, host_us, device_us);
                }
                model.op(main, "aten::mm", host_us, launch_every_us - 2);
                model.call(main, "cudaStreamIsCapturing", host_us + 1, 1);
                const double start_us = std::max(host_us + launch_every_us - 2, device_us + 1);
                model.kernel(main, host_us + launch_every_us - 10, 5, stream, "gemm", start_us, kernel_us);
                device_us = start_us + kernel_us;
                host_us += launch_every_us;
            }
            if (in_optimizer) {
                model.slice(main, Category::UserAnnotation, "Optimizer.step#SGD.step", begin_us + 1,
                            host_us - begin_us - 2);
            }
            model.step(main, s, begin_us, host_us - begin_us);
        }
        return model.build();
    }

    void disturb(ModelBuilder& model, std::uint32_t main, double& host_us, double device_us) const {
        if (code != nullptr) {
            // Four calls inside: none is more than half of what the device waits for.
            model.python(main, code, host_us, code_us);
            for (int call = 0; call < 4; ++call) {
                model.python(main, "numpy/core.py(" + std::to_string(10 * call) + "): part",
                             host_us + 5 + 0.25 * call * code_us, 0.22 * code_us);
            }
        }
        host_us += code_us + beside_us;
        if (malloc_us > 0) {
            const double end_us = std::max(host_us, device_us) + 5;
            model.call(main, "cudaFree", host_us, end_us - host_us);
            model.call(main, "cudaMalloc", end_us, malloc_us);
            host_us = end_us + malloc_us;
        }
    }
};

AnalysedRun analyseHostLoop(const HostLoop& loop) {
    return analyse(runOf({loop.build()}));
}

TEST(AllocatorStall, OwnsTheCallsAndNamesThem) {
    const AnalysedRun run = analyseHostLoop({.malloc_us = 700});
    const Finding& stall = findingIn(run, "allocator-stall");
    // The device has drained when cudaFree returns: 5 us of it, and cudaMalloc.
    EXPECT_NEAR(microseconds(stall.blocked_ns), 705, 20);
    EXPECT_NEAR(microseconds(stall.saving_ns), 705, 60);
    // Of the five steps the first follows no other: it makes no price.
    EXPECT_NE(stall.why.find("4 calls of cudaFree, 4 calls of cudaMalloc in 4 steps"), std::string::npos) << stall.why;
    EXPECT_NE(stall.remedies.at(0).action.find("empty_cache"), std::string::npos);
    const auto& trace = *run.run->ranks[0];
    EXPECT_EQ(trace.name(stall.evidence.at(0).slice), "cudaMalloc");
    EXPECT_EQ(findingOf(run, "host-code"), nullptr);
    EXPECT_EQ(findingOf(run, "launch-bound"), nullptr);
}

TEST(AllocatorStall, IsNoneWithoutSuchCalls) {
    EXPECT_EQ(findingOf(analyseHostLoop({.code_us = 9'000, .code = "train.py(8): log"}), "allocator-stall"), nullptr);
}

TEST(HostCode, IsTheCodeAroundAStretchWithoutALaunch) {
    const AnalysedRun run = analyseHostLoop({.code_us = 30'000, .code = "train.py(87): compute_metrics"});
    const Finding& code = findingIn(run, "host-code");
    EXPECT_NE(code.title.find("train.py(87): compute_metrics"), std::string::npos) << code.title;
    // The device first works off what was launched before; then it waits for the rest of the 30 ms.
    const DurationNs idle_ns = run.facts.ranks[0].steps[2].partition->idle_ns;
    EXPECT_NEAR(microseconds(code.blocked_ns), microseconds(idle_ns), 60);
    EXPECT_NEAR(microseconds(code.saving_ns), microseconds(idle_ns), 60);
    EXPECT_EQ(run.run->ranks[0]->name(code.evidence.at(0).slice), "train.py(87): compute_metrics");
    EXPECT_EQ(findingOf(run, "launch-bound"), nullptr);
    EXPECT_EQ(findingOf(run, "unexplained-idle"), nullptr);
}

TEST(HostCode, OwnsOnlyWhatStandsInsideIt) {
    const AnalysedRun run = analyseHostLoop({.code_us = 30'000, .code = "train.py(8): log", .beside_us = 5'000});
    const Finding& code = findingIn(run, "host-code");
    const DurationNs idle_ns = run.facts.ranks[0].steps[2].partition->idle_ns;
    EXPECT_NEAR(microseconds(code.blocked_ns), microseconds(idle_ns) - 5'000, 60);
}

TEST(HostCode, OfARangeThatLaunchesIsNotToBeTakenOutOfTheStep) {
    const AnalysedRun run = analyseHostLoop({.code_us = 30'000, .in_optimizer = true});
    const Finding& code = findingIn(run, "host-code");
    EXPECT_THAT(code.title, testing::StartsWith("CPU launches nothing for long inside Optimizer.step#"));
    EXPECT_THAT(code.why, HasSubstr("the CPU launches nothing for that long"));
    ASSERT_EQ(code.remedies.size(), 1U);
    EXPECT_THAT(code.remedies.front().action, HasSubstr("fused=True"));
}

TEST(HostCode, IsNoneWhileTheDeviceHasWork) {
    EXPECT_EQ(findingOf(analyseHostLoop({.code_us = 1'000, .code = "train.py(8): log"}), "host-code"), nullptr);
}

TEST(UnexplainedIdle, OwnsALongStretchWithNothingRecorded) {
    const AnalysedRun run = analyseHostLoop({.code_us = 9'000});
    const Finding& idle = findingIn(run, "unexplained-idle");
    EXPECT_NEAR(microseconds(idle.saving_ns), microseconds(run.facts.ranks[0].steps[2].partition->idle_ns), 60);
    EXPECT_EQ(idle.why.find(" 0 ns"), std::string::npos) << idle.why;
    EXPECT_EQ(findingOf(run, "host-code"), nullptr);
    EXPECT_EQ(findingOf(run, "launch-bound"), nullptr);
}

TEST(LaunchBound, IsAHostThatNeedsLongerForALaunchThanTheDeviceForTheWork) {
    const AnalysedRun run = analyseHostLoop({.kernel_us = 4});
    const Finding& bound = findingIn(run, "launch-bound");
    // 40 kernels of 4 us in 40 x 20 us: all but the kernels' segment time can go.
    EXPECT_NEAR(microseconds(run.facts.median_step_ns), 810, 20);
    EXPECT_NEAR(microseconds(bound.saving_ns), 810 - 160, 30);
    EXPECT_EQ(bound.severity, Severity::High);
    EXPECT_NE(bound.why.find("in operator code"), std::string::npos) << bound.why;
    EXPECT_NE(bound.why.find("from the launch call to the start"), std::string::npos) << bound.why;
    EXPECT_NE(bound.why.find("40 of the step's 40 kernels (100 %) are shorter"), std::string::npos) << bound.why;
    EXPECT_NE(bound.remedies.at(0).action.find("torch.compile"), std::string::npos);
    EXPECT_EQ(findingOf(run, "host-code"), nullptr);
    EXPECT_EQ(findingOf(run, "unexplained-idle"), nullptr);
}

TEST(LaunchBound, PointsAtTheOptimizerWhereItsLaunchesAreLate) {
    const auto advises_fused = [](const HostLoop& loop) {
        const AnalysedRun run = analyseHostLoop(loop);
        const Finding* bound = findingOf(run, "launch-bound");
        return bound != nullptr && std::ranges::any_of(bound->remedies, [](const Remedy& remedy) {
                   return remedy.action.find("fused=True") != std::string::npos;
               });
    };
    EXPECT_TRUE(advises_fused({.kernel_us = 4, .in_optimizer = true}));
    EXPECT_FALSE(advises_fused({.kernel_us = 4}));
}

TEST(LaunchBound, IsNoneWhereTheHostRunsAhead) {
    EXPECT_EQ(findingOf(analyseHostLoop({}), "launch-bound"), nullptr);
}

TEST(LateHost, NoTimeIsClaimedTwice) {
    for (const HostLoop& loop :
         {HostLoop{.kernel_us = 4, .code_us = 9'000, .code = "train.py(8): log"},
          HostLoop{.kernel_us = 4, .code_us = 9'000},
          HostLoop{.kernel_us = 4, .code_us = 3'000, .code = "train.py(8): log", .malloc_us = 700}}) {
        const AnalysedRun run = analyseHostLoop(loop);
        DurationNs claimed_ns = 0;
        for (const Finding& finding : run.diagnosis.findings) {
            claimed_ns += finding.blocked_ns;
        }
        EXPECT_GE(run.diagnosis.findings.size(), 2U);
        EXPECT_LE(claimed_ns, run.facts.ranks[0].steps[2].partition->idle_ns + 2'000);
    }
}

}  // namespace
}  // namespace rankscope::test
