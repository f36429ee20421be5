// SPDX-License-Identifier: GPL-3.0-or-later
// A device that starts launched work late, though it has nothing to do; and small causes before it.

#include <array>
#include <functional>

#include "core/analysis/stages.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr int kLaunches = 40;
constexpr std::array kLatePlaces = {5, 30};  ///< far enough apart for the device to catch up

/// A host that launches a kernel of 100 us each 300 us, to a device that is idle by then. It answers after 5 us, and
/// later before two kernels of each step.
struct SlowDevice {
    std::function<double(int step, std::size_t place)> late_us = [](int, std::size_t) { return 0.0; };
    double usual_us = 5;
    int steps = 6;
};

std::shared_ptr<const RankTrace> lateRankOf(const SlowDevice& job) {
    auto [model, main, stream] = threadAndStream();
    double host_us = 100;
    double device_us = 0;
    for (int step = 0; step < job.steps; ++step) {
        const double begin_us = host_us;
        for (int kernel = 0; kernel < kLaunches; ++kernel) {
            const auto* const place = std::ranges::find(kLatePlaces, kernel);
            const bool late = place != kLatePlaces.end();
            const double late_us = late ? job.late_us(step, static_cast<std::size_t>(place - kLatePlaces.begin())) : 0;
            device_us = std::max(device_us + 1, host_us + 6 + job.usual_us + late_us);
            model.kernel(main, host_us, 6, stream, "kernel" + std::to_string(kernel), device_us, 100);
            device_us += 100;
            host_us += 300;
        }
        model.call(main, "cudaStreamSynchronize", host_us, std::max(1.0, device_us + 5 - host_us));
        host_us = std::max(host_us + 1, device_us + 5) + 10;
        model.step(main, step, begin_us, host_us - begin_us);
        host_us += 5;
    }
    return model.build();
}

/// 3 to 4 ms, another time in each step.
double threeOrFour(int step, std::size_t place) {
    return 3'000.0 + 500 * (step % 3) + 37 * static_cast<double>(place);
}

CauseTimes idleOfLate(const SlowDevice& job) {
    const AnalysedRank rank = analyseRank(lateRankOf(job), NameRules::builtIn());
    checkFacts(rank.facts);
    CauseTimes causes;
    for (const MeasuredStep& step : rank.facts.steps) {
        for (std::size_t i = 0; i < kCauseCount; ++i) {
            causes.ns[i] += step.idle_causes.ns[i];
        }
    }
    return causes;
}

TEST(LateAnswer, OwnsTheTimeAfterALaunchCallThatHasReturned) {
    DurationNs planted_ns = 0;
    for (int step = 0; step < 6; ++step) {
        for (std::size_t place = 0; place < kLatePlaces.size(); ++place) {
            planted_ns += static_cast<DurationNs>(1000 * threeOrFour(step, place));
        }
    }
    const CauseTimes causes = idleOfLate({.late_us = threeOrFour});
    EXPECT_NEAR(static_cast<double>(causes[Cause::LateAnswer]), static_cast<double>(planted_ns),
                0.02 * static_cast<double>(planted_ns));
    EXPECT_EQ(causes[Cause::DeviceShared], 0) << "always the same work: nobody else's time slices";
    EXPECT_LT(causes[Cause::LaunchLatency], 6'000'000) << "a late answer is no slow launch";
}

TEST(LateAnswer, IsNoneWhereTheDeviceTakesItsUsualTime) {
    EXPECT_EQ(idleOfLate({})[Cause::LateAnswer], 0);
    EXPECT_EQ(idleOfLate({.usual_us = 150})[Cause::LateAnswer], 0);
    EXPECT_EQ(findingOf(analyse(runOf({lateRankOf({})})), "late-answer"), nullptr);
}

TEST(LateAnswer, IsAFindingThatSavesWhatAPromptDeviceDoes) {
    const AnalysedRun late = analyse(runOf({lateRankOf({.late_us = threeOrFour})}));
    const AnalysedRun prompt = analyse(runOf({lateRankOf({})}));
    const Finding& finding = findingIn(late, "late-answer");
    const auto saved = static_cast<double>(late.facts.median_step_ns - prompt.facts.median_step_ns);
    EXPECT_NEAR(static_cast<double>(finding.saving_ns), saved, 0.1 * saved);
    EXPECT_EQ(finding.confidence, Confidence::Low);
    EXPECT_THAT(finding.why, testing::ContainsRegex("5\\.0[0-9]* [^ ]+ is usual on this GPU"));
    EXPECT_THAT(finding.why, HasSubstr("The trace cannot tell why"));
    EXPECT_EQ(late.run->ranks[0]->name(finding.evidence.at(0).slice), "cudaLaunchKernel");
}

TEST(LateAnswer, SaysThatItsDelaysAreMultiplesOfATick) {
    const auto slices = [](int, std::size_t place) { return 4'000.0 * static_cast<double>(1 + place); };
    const AnalysedRun run = analyse(runOf({lateRankOf({.late_us = slices, .steps = 14})}));
    const Finding& late = findingIn(run, "late-answer");
    EXPECT_THAT(late.why, HasSubstr("multiples of 4.00 ms"));
    EXPECT_THAT(late.remedies.at(0).action, HasSubstr("virtual"));
    const auto alike = [](int, std::size_t) { return 3'000.0; };
    const AnalysedRun same = analyse(runOf({lateRankOf({.late_us = alike, .steps = 14})}));
    EXPECT_THAT(findingIn(same, "late-answer").why, Not(HasSubstr("multiples"))) << "one length is on any grid";
}

/// Five copies of 9 us from pageable memory make the host wait for a kernel of 5 ms; the device answers the launch
/// behind them 4 ms late, whatever was launched before.
std::shared_ptr<const RankTrace> tinyCopies() {
    auto [model, main, stream] = threadAndStream();
    double host_us = 100;
    double device_us = 0;
    for (int step = 0; step < 6; ++step) {
        const double begin_us = host_us;
        const auto launch = [&](double length_us, double late_us) {
            device_us = std::max(device_us + 1, host_us + 11 + late_us);
            model.kernel(main, host_us, 6, stream, "gemm", device_us, length_us);
            device_us += length_us;
            host_us += 20;
        };
        launch(5'000, 0);
        for (int copy = 0; copy < 5; ++copy) {
            const double start_us = std::max(host_us + 8, device_us + 1);
            const auto call = model.call(main, "cudaMemcpyAsync", host_us, start_us + 12 - host_us);
            const auto copied = model.slice(stream, Category::Memcpy, "Memcpy HtoD (Pageable -> Device)", start_us, 9);
            model.launch(call, copied);
            model.bytes(copied, 9'000);
            device_us = start_us + 9;
            host_us = start_us + 42;
        }
        launch(1'000, 4'000);
        model.call(main, "cudaStreamSynchronize", host_us, device_us + 5 - host_us);
        model.step(main, step, begin_us, device_us + 15 - begin_us);
        host_us = device_us + 20;
    }
    return model.build();
}

TEST(Prices, OfTinyCopiesHaveNothingOfWhatALateDeviceCosts) {
    const AnalysedRun run = analyse(runOf({tinyCopies()}));
    EXPECT_NEAR(microseconds(findingIn(run, "late-answer").saving_ns), 4'000, 200);
    const Finding& copies = findingIn(run, "unpinned-memcpy");
    EXPECT_LT(2 * copies.saving_ns, 3 * copies.blocked_ns) << copies.why;
    EXPECT_EQ(copies.severity, Severity::Low);
}

}  // namespace
}  // namespace rankscope::test
