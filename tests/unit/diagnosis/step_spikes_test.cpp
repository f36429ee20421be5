// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A rank of which each step runs twenty kernels of 400 us forward, as many backward and five of an optimizer, with
/// what else a step does behind them.
class Training {
  public:
    ModelBuilder model;
    std::uint32_t main = model.thread("1");
    std::uint32_t stream = model.stream("7");
    double host_us = 0;
    double device_us = 0;

    /// A kernel of `length_us`, in an operator of this name.
    void kernel(const std::string& op, double length_us) {
        model.op(main, op, host_us, 20);
        device_us = std::max(device_us, host_us + 12);
        model.kernel(main, host_us + 4, 6, stream, "k", device_us, length_us);
        device_us += length_us;
        host_us += 25;
    }
    void forward() {
        for (int i = 0; i < 20; ++i) {
            kernel("aten::mm", 400);
        }
    }
    /// The host waits until the device is done.
    void sync() {
        const double end_us = std::max(host_us, device_us) + 8;
        model.call(main, "cudaDeviceSynchronize", host_us, end_us - host_us);
        host_us = end_us + 5;
    }
    /// Copies so much to the host, which waits for it.
    void save(double megabytes) {
        const double length_us = megabytes * 100;
        model.op(main, "aten::copy_", host_us, 15);
        const auto call = model.call(main, "cudaMemcpyAsync", host_us + 2, 8);
        const auto copy = model.slice(stream, Category::Memcpy, "Memcpy DtoH (Device -> Pinned)",
                                      std::max(device_us, host_us + 12), length_us);
        device_us = std::max(device_us, host_us + 12) + length_us;
        model.launch(call, copy);
        model.bytes(copy, static_cast<std::int64_t>(megabytes * 1e6));
        host_us += 20;
        sync();
    }

    /// So many steps; `extra` is done at the end of each, by its number.
    std::shared_ptr<const RankTrace> steps(
        int count, const std::function<void(Training&, int)>& extra,
        const std::function<bool(int)>& trains = [](int) { return true; }) {
        for (int step = 0; step < count; ++step) {
            const double start_us = host_us;
            forward();
            for (int i = 0; i < 20; ++i) {
                kernel("autograd::engine::evaluate_function: MmBackward0", 400);
            }
            if (trains(step)) {
                const double from_us = host_us;
                for (int i = 0; i < 5; ++i) {
                    kernel("aten::add_", 300);
                }
                model.slice(main, Category::UserAnnotation, "Optimizer.step#SGD.step", from_us - 1,
                            host_us - from_us + 1);
            }
            sync();
            extra(*this, step);
            model.step(main, step, start_us, host_us - start_us);
            host_us += 1;
        }
        return model.build();
    }
};

AnalysedRun trained(const std::function<void(Training&, int)>& extra, int count = 12) {
    return analyse(runOf({Training().steps(count, extra)}));
}

TEST(StepSpikes, ACheckpointEveryFiveStepsIsPricedOverTheWindow) {
    const AnalysedRun run = trained([](Training& training, int step) {
        if (step % 5 == 1) {
            training.save(200);  // 20 ms, and another 30 to write it
            training.host_us += 30'000;
        }
    });
    const Finding& spikes = findingIn(run, "step-spikes");
    EXPECT_EQ(findingCauseName(spikes.cause), "checkpoint");
    EXPECT_EQ(spikes.steps, (std::vector<std::int64_t>{1, 6, 11}));
    EXPECT_EQ(spikes.confidence, Confidence::High);
    // Three of the eleven steps that follow another one take 50 ms more.
    EXPECT_NEAR(static_cast<double>(spikes.saving_ns), 50'000.0 * kUs * 3 / 11, 100.0 * kUs);
    EXPECT_NE(spikes.why.find("every 5 steps"), std::string::npos) << spikes.why;
    EXPECT_NE(spikes.why.find("200"), std::string::npos) << spikes.why;
    EXPECT_EQ(&spikes, &run.diagnosis.findings.front());
}

TEST(StepSpikes, AnEvaluationIsToldByMoreOfAForwardAndNoMoreOfABackward) {
    const AnalysedRun run = trained([](Training& training, int step) {
        for (int batch = 0; step % 4 == 2 && batch < 3; ++batch) {
            training.forward();
            training.sync();
        }
    });
    const Finding& spikes = findingIn(run, "step-spikes");
    EXPECT_EQ(findingCauseName(spikes.cause), "evaluation");
    EXPECT_EQ(spikes.steps, (std::vector<std::int64_t>{2, 6, 10}));
}

TEST(StepSpikes, CodeThatOnlyLongStepsRunIsNamed) {
    const AnalysedRun run = trained([](Training& training, int step) {
        if (step == 3 || step == 9) {
            training.model.python(training.main, "train.py(88): write_images", training.host_us, 25'000);
            training.host_us += 25'000;
        }
    });
    const Finding& spikes = findingIn(run, "step-spikes");
    EXPECT_EQ(findingCauseName(spikes.cause), "host-code");
    EXPECT_NE(spikes.why.find("write_images"), std::string::npos) << spikes.why;
    EXPECT_EQ(run.run->ranks[0]->name(spikes.evidence.at(0).slice), "train.py(88): write_images");
}

TEST(StepSpikes, ALeftOutStepIsNotHidden) {
    // One of thirty steps, under a tenth of the time: no other price has it.
    const auto save_once = [](Training& training, int step) {
        if (step == 7) {
            training.save(90);
        }
    };
    const AnalysedRun run = trained(save_once, 30);
    ASSERT_TRUE(run.facts.steps[7].outlier);
    const Finding& spikes = findingIn(run, "step-spikes");
    EXPECT_EQ(spikes.steps, std::vector<std::int64_t>{7});
    EXPECT_EQ(spikes.confidence, Confidence::Low);
    EXPECT_EQ(spikes.coverage.steps, run.diagnosis.prices.steps + 1);
    EXPECT_LT(run.diagnosis.prices.time_ns, spikes.coverage.time_ns);
}

TEST(StepSpikes, AreNoneInEvenSteps) {
    EXPECT_EQ(findingOf(trained([](Training&, int) {}), "step-spikes"), nullptr);
    EXPECT_EQ(findingOf(trained([](Training& training, int step) { training.host_us += 200 * (step * 7 % 5); }),
                        "step-spikes"),
              nullptr);
}

TEST(StepSpikes, WarmUpIsNone) {
    EXPECT_EQ(findingOf(trained([](Training& training, int step) { training.host_us += step < 2 ? 40'000 : 0; }),
                        "step-spikes"),
              nullptr);
}

TEST(StepSpikes, AnOptimizerThatWorksInSomeStepsOnlyAccumulatesGradients) {
    const auto trains = [](int step) { return step % 4 == 3; };
    const auto extra = [](Training& training, int step) {
        if (step % 4 == 3) {
            training.save(200);
        }
    };
    EXPECT_EQ(findingOf(analyse(runOf({Training().steps(12, extra, trains)})), "step-spikes"), nullptr);
}

TEST(StepSpikes, OnePauseThatNothingExplainsIsNone) {
    EXPECT_EQ(findingOf(trained([](Training& training, int step) { training.host_us += step == 5 ? 20'000 : 0; }),
                        "step-spikes"),
              nullptr);
}

}  // namespace
}  // namespace rankscope::test
