// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs whose kernels take longer as time goes on: found by the same kernels, proven by sensors, and silent elsewhere.

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"
#include "tests/support/twice.h"

namespace rankscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kSteps = 12;
constexpr std::uint32_t kGrid = 7;

/// A rank whose steps run the same twenty kernels of 400 us, of four names, and wait for the GPU at their end.
class Heating {
  public:
    std::function<double(int step, int kernel)> factor = [](int, int) { return 1.0; };
    std::function<std::uint32_t(int step)> grid = [](int) { return kGrid; };
    std::function<int(int step)> kernels = [](int) { return 20; };
    std::function<void(ModelBuilder&, int step, double at_us)> monitor;

    std::shared_ptr<const RankTrace> steps(int count = kSteps) const {
        ModelBuilder model;
        const std::uint32_t main = model.thread("1");
        const std::uint32_t stream = model.stream("7");
        double at_us = 0;
        for (int step = 0; step < count; ++step) {
            const double start_us = at_us;
            double device_us = at_us + 12;
            for (int i = 0; i < kernels(step); ++i) {
                static constexpr std::array<const char*, 4> kNames = {"gemm", "conv", "norm", "add"};
                const double length_us = 400 * factor(step, i);
                const auto kernel = model.kernel(main, at_us + 4, 6, stream, kNames.at(static_cast<std::size_t>(i % 4)),
                                                 device_us, length_us);
                model.grid(kernel, grid(step));
                device_us += length_us + 1;
                at_us += 25;
            }
            model.call(main, "cudaDeviceSynchronize", at_us, device_us + 8 - at_us);
            at_us = device_us + 13;
            model.step(main, step, start_us, at_us - start_us);
            if (monitor) {
                monitor(model, step, (start_us + at_us) / 2);
            }
            at_us += 1;
        }
        TraceFile file;
        file.window = {0, std::llround(at_us * 1000)};
        model.file(file);
        return model.build();
    }
    [[nodiscard]] AnalysedRun analysed(int count = kSteps) const { return analyse(runOf({steps(count)})); }
};

/// From step 6 on all kernels take 1.25 times as long.
Heating slowFromSix() {
    Heating rank;
    rank.factor = [](int step, int) { return step < 6 ? 1.0 : 1.25; };
    return rank;
}

const Finding* slowedIn(const AnalysedRun& run) {
    return findingOf(run, "gpu-slows-down");
}

TEST(GpuSlowsDown, IsFoundWhereTheSameKernelsTakeLongerFromSomeStepOn) {
    const AnalysedRun run = slowFromSix().analysed();
    const Finding& finding = findingIn(run, "gpu-slows-down");
    EXPECT_THAT(finding.steps, testing::ElementsAre(6, 7, 8, 9, 10, 11));
    EXPECT_EQ(finding.ranks.size(), 1U);
    EXPECT_TRUE(finding.at_most);
    EXPECT_EQ(findingCauseName(finding.cause), "") << "nothing proves it";
    EXPECT_THAT(finding.why, HasSubstr("In 6 of 12 steps the same kernels take 1.25 times as long as in the first 4"));
    EXPECT_THAT(finding.why, HasSubstr("nvidia-smi dmon"));
    ASSERT_EQ(finding.evidence.size(), 6U) << "three kinds, each early and late";
    EXPECT_THAT(finding.evidence[1].note, HasSubstr("takes 500 µs here, 1.25 times as long"));
}

TEST(GpuSlowsDown, IsPricedInTheMeanOfAllStepsAtTheSpeedOfTheFirst) {
    const AnalysedRun run = slowFromSix().analysed();
    // Of the eleven steps that are priced, six lose 20 x 100 us.
    EXPECT_NEAR(microseconds(findingIn(run, "gpu-slows-down").saving_ns), 6 * 2'000.0 / 11, 20);
}

TEST(GpuSlowsDown, IsFoundWhereTheyTakeLongerAndLonger) {
    Heating rank;
    rank.factor = [](int step, int) { return 1 + 0.02 * step; };
    const AnalysedRun run = rank.analysed();
    EXPECT_NE(slowedIn(run), nullptr);
}

TEST(GpuSlowsDown, BeginsWithTheFirstStepThatIsClearlySlower) {
    Heating rank;
    rank.factor = [](int step, int) { return step < 6 ? 1.0 + 0.001 * step : 1.25; };
    const AnalysedRun run = rank.analysed();
    EXPECT_EQ(findingIn(run, "gpu-slows-down").steps.front(), 6);
}

TEST(GpuSlowsDown, MayBeFastAgain) {
    Heating rank;
    rank.factor = [](int step, int) { return step >= 4 && step < 8 ? 1.2 : 1.0; };
    const AnalysedRun run = rank.analysed();
    EXPECT_THAT(findingIn(run, "gpu-slows-down").steps, testing::ElementsAre(4, 5, 6, 7));
}

TEST(GpuSlowsDown, IsNotAWarmUp) {
    Heating rank;
    for (const int warm : {2, 4, 6}) {
        rank.factor = [warm](int step, int) { return step < warm ? 1.3 : 1.0; };
        EXPECT_EQ(slowedIn(rank.analysed()), nullptr) << warm;
    }
}

TEST(GpuSlowsDown, IsNotStepsThatOnlyDiffer) {
    Heating rank;
    rank.factor = [](int step, int) { return step % 2 == 0 ? 1.0 : 1.05; };
    EXPECT_EQ(slowedIn(rank.analysed()), nullptr);
    rank.factor = [](int step, int) { return step == 7 || step == 8 ? 1.4 : 1.0; };
    EXPECT_EQ(slowedIn(rank.analysed()), nullptr) << "two steps are too few";
}

TEST(GpuSlowsDown, IsNotMoreWork) {
    Heating rank = slowFromSix();
    rank.grid = [](int step) { return step < 6 ? kGrid : kGrid + 1; };
    EXPECT_EQ(slowedIn(rank.analysed()), nullptr) << "launched for larger shapes";
    rank = slowFromSix();
    rank.kernels = [](int step) { return step < 6 ? 20 : 24; };
    EXPECT_EQ(slowedIn(rank.analysed()), nullptr) << "more kernels";
    rank = Heating();
    rank.factor = [](int step, int kernel) { return step >= 6 && kernel % 4 == 0 ? 1.5 : 1.0; };
    EXPECT_EQ(slowedIn(rank.analysed()), nullptr) << "of one kind of kernel";
}

TEST(GpuSlowsDown, IsNotTwoWindowsThatDiffer) {
    Heating slow;
    slow.factor = [](int, int) { return 1.25; };
    const auto later = recordedLater(slow.steps(7), 120'000'000'000, 100);
    EXPECT_EQ(slowedIn(analyse(runOf({joined({Heating().steps(7), later})}))), nullptr);
}

TEST(GpuSlowsDown, NeedsSixSteps) {
    Heating rank;
    rank.factor = [](int step, int) { return step < 3 ? 1.0 : 1.25; };
    EXPECT_EQ(slowedIn(rank.analysed(5)), nullptr);
    EXPECT_NE(slowedIn(rank.analysed(6)), nullptr);
}

/// The finding of slowFromSix() with these values of a sensor before and after.
std::string whyWith(Sensor sensor, double before, double after, std::optional<std::pair<Sensor, double>> limit = {}) {
    Heating rank = slowFromSix();
    rank.monitor = [=](ModelBuilder& model, int step, double at_us) {
        model.sensor(at_us, sensor, step < 6 ? before : after);
        if (limit) {
            model.sensor(at_us, limit->first, limit->second);
        }
    };
    const AnalysedRun run = rank.analysed();
    const Finding& finding = findingIn(run, "gpu-slows-down");
    EXPECT_EQ(findingCauseName(finding.cause) == "throttling", finding.why.find("proves") != std::string::npos);
    return finding.why;
}

TEST(ThrottleProof, IsAClockThatFallsWithTheKernels) {
    EXPECT_THAT(whyWith(Sensor::Clock, 1980, 1584),
                HasSubstr("The clock is 1584 MHz instead of 1980 MHz. That proves"));
    EXPECT_THAT(whyWith(Sensor::Clock, 1980, 1960), HasSubstr("do not prove it"));
}

TEST(ThrottleProof, IsPowerAtItsLimit) {
    const std::pair limit(Sensor::PowerLimit, 700.0);
    EXPECT_THAT(whyWith(Sensor::Power, 610, 695, limit), HasSubstr("The power of 695 W is at its limit of 700 W."));
    EXPECT_THAT(whyWith(Sensor::Power, 500, 600, limit), HasSubstr("do not prove it"));
    EXPECT_THAT(whyWith(Sensor::Power, 610, 700), HasSubstr("The power stays at 700 W and was 610 W"));
    EXPECT_THAT(whyWith(Sensor::Power, 700, 600), HasSubstr("do not prove it"));
}

TEST(ThrottleProof, IsATemperatureAtItsLimitAndNotHeatAlone) {
    const std::pair limit(Sensor::TemperatureLimit, 87.0);
    EXPECT_THAT(whyWith(Sensor::Temperature, 60, 86, limit), HasSubstr("86 °C is at its limit of 87 °C. That proves"));
    const std::string hot = whyWith(Sensor::Temperature, 60, 80);
    EXPECT_THAT(hot, HasSubstr("The temperature is 80 °C instead of 60 °C."));
    EXPECT_THAT(hot, HasSubstr("do not prove it"));
}

}  // namespace
}  // namespace rankscope::test
