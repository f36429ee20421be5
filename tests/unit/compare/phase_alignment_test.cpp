// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/phase_alignment.h"

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A phase of a step: a range on the host with one kernel launched in it.
struct Part {
    std::string range;
    double device_us = 0;  // length of its kernel
};

constexpr double kStepUs = 2000;
constexpr double kHostUs = 20;     // each range on the host
constexpr double kBetweenUs = 10;  // on the device, between two kernels

/// Steps from number 5, each of `parts` one behind the other; the device runs behind the host.
AnalysedRun runOfParts(const std::vector<std::vector<Part>>& steps) {
    auto [builder, thread, stream] = threadAndStream();
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const double begin = kStepUs * static_cast<double>(s);
        builder.step(thread, 5 + static_cast<std::int64_t>(s), begin, kStepUs - 1);
        double host = begin + 10;
        double device = begin + 50;
        for (const Part& part : steps[s]) {
            if (!part.range.empty()) {
                builder.slice(thread, Category::UserAnnotation, part.range, host, kHostUs);
            }
            builder.kernel(thread, host + 2, 5, stream, "gemm", device, part.device_us);
            host += kHostUs + 1;
            device += part.device_us + kBetweenUs;
        }
    }
    return analyse(runOf({builder.build()}));
}

std::vector<Part> training(double forward_us, double backward_us, double optimizer_us) {
    return {{"forward", forward_us}, {"", 15}, {"backward", backward_us}, {"optimizer", optimizer_us}};
}

struct Aligned {
    Aligned(const AnalysedRun& a, const AnalysedRun& b)
        : steps(pairRunSteps(a, b, Counterparts(a, b))),
          phases(pairPhases(a, b, steps, Counterparts(a, b))),
          way(alignByPhase(steps, phases)) {}
    std::vector<StepPair> steps;
    std::vector<StepPhases> phases;
    StepAlignment way;
};

TimeNs middleOf(const TimeSpan& span) {
    return span.start_ns + span.length() / 2;
}

TEST(PhaseAlignment, InsideAStepEachPhaseIsAlignedWithTheSame) {
    const AnalysedRun a = runOfParts({training(300, 600, 100), training(300, 600, 100)});
    const AnalysedRun b = runOfParts({training(300, 150, 400), training(290, 150, 400)});
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.phases.size(), 2U);
    for (const StepPhases& step : aligned.phases) {
        ASSERT_EQ(step.pairs.size(), 3U);
        EXPECT_TRUE(step.missing_in_a.empty() && step.missing_in_b.empty());
        const std::array<Phase, 3> order = {Phase::Forward, Phase::Backward, Phase::Optimizer};
        for (std::size_t p = 0; p < order.size(); ++p) {
            EXPECT_EQ(step.pairs[p].phase, order[p]);
            const TimeSpan& in_a = step.pairs[p].a_span;
            const TimeSpan& in_b = step.pairs[p].b_span;
            EXPECT_EQ(aligned.way.toB(in_a.start_ns), in_b.start_ns);
            EXPECT_EQ(aligned.way.toB(in_a.end_ns), in_b.end_ns);
            EXPECT_NEAR(static_cast<double>(aligned.way.toB(middleOf(in_a))), static_cast<double>(middleOf(in_b)), 1.0);
            EXPECT_NEAR(static_cast<double>(aligned.way.toA(middleOf(in_b))), static_cast<double>(middleOf(in_a)), 1.0);
        }
    }
    EXPECT_EQ(aligned.phases[0].pairs[1].b_span.length(), 150'000) << "what the device did, not what the host did";
}

TEST(PhaseAlignment, AlignedByStepAloneTheMiddleOfTheBackwardIsElsewhere) {
    const AnalysedRun a = runOfParts({training(300, 600, 100), training(300, 600, 100)});
    const AnalysedRun b = runOfParts({training(300, 150, 400), training(290, 150, 400)});
    const Aligned aligned(a, b);
    const PhasePair& backward = aligned.phases[0].pairs[1];
    const StepAlignment by_step(aligned.steps);
    EXPECT_FALSE(backward.b_span.contains(by_step.toB(middleOf(backward.a_span))));
    EXPECT_TRUE(backward.b_span.contains(aligned.way.toB(middleOf(backward.a_span))));
}

TEST(PhaseAlignment, StepsStillBeginTogetherAndTimeNeverRunsBackwards) {
    const AnalysedRun a = runOfParts({training(300, 600, 100), training(900, 600, 100), training(30, 60, 1)});
    const AnalysedRun b = runOfParts({training(30, 150, 400), training(290, 150, 900), training(30, 60, 1)});
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.steps.size(), 3U);
    for (const StepPair& step : aligned.steps) {
        EXPECT_EQ(aligned.way.toB(step.a_span.start_ns), step.b_span.start_ns);
    }
    TimeNs before = aligned.way.toB(0);
    for (TimeNs at = 1'000; at < 6'000'000; at += 1'000) {
        const TimeNs now = aligned.way.toB(at);
        EXPECT_GE(now, before) << at;
        before = now;
    }
}

TEST(PhaseAlignment, AStepWithoutAPhaseSaysWhichAndGoesOnInProportion) {
    const AnalysedRun a = runOfParts({training(300, 600, 100), {{"", 300}, {"", 600}}});
    const AnalysedRun b = runOfParts({{{"forward", 100}, {"backward", 400}}, training(300, 600, 100)});
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.phases.size(), 2U);
    EXPECT_EQ(aligned.phases[0].pairs.size(), 2U);
    EXPECT_TRUE(aligned.phases[0].missing_in_a.empty());
    EXPECT_EQ(aligned.phases[0].missing_in_b, std::vector{Phase::Optimizer});
    EXPECT_TRUE(aligned.phases[1].pairs.empty());
    EXPECT_EQ(aligned.phases[1].missing_in_a, (std::vector{Phase::Forward, Phase::Backward, Phase::Optimizer}));
    const StepPair& second = aligned.steps[1];
    EXPECT_NEAR(static_cast<double>(aligned.way.toB(middleOf(second.a_span))),
                static_cast<double>(middleOf(second.b_span)), 1.0);
}

TEST(PhaseAlignment, GradientAccumulationPairsForwardByForward) {
    const auto accumulated = [](double us, int times) {
        std::vector<Part> parts;
        for (int i = 0; i < times; ++i) {
            parts.push_back({"forward", us});
            parts.push_back({"backward", 2 * us});
        }
        parts.push_back({"optimizer", 50});
        return parts;
    };
    const AnalysedRun a = runOfParts({accumulated(100, 3)});
    const AnalysedRun b = runOfParts({accumulated(60, 2)});
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.phases.size(), 1U);
    ASSERT_EQ(aligned.phases[0].pairs.size(), 5U) << "two forwards, two backwards, the optimizer";
    const PhasePair& last = aligned.phases[0].pairs.back();
    EXPECT_EQ(last.phase, Phase::Optimizer);
    EXPECT_EQ(aligned.way.toB(last.a_span.start_ns), last.b_span.start_ns);
}

TEST(PhaseAlignment, WithoutADeviceTheHostShowsThePhases) {
    const auto host_only = [](double forward_us) {
        ModelBuilder builder;
        const std::uint32_t thread = builder.thread("1");
        builder.step(thread, 5, 0, 1000);
        builder.slice(thread, Category::UserAnnotation, "forward", 10, forward_us);
        builder.slice(thread, Category::UserAnnotation, "backward", 20 + forward_us, 100);
        builder.slice(thread, Category::UserAnnotation, "optimizer", 130 + forward_us, 50);
        return analyse(runOf({builder.build()}));
    };
    const AnalysedRun a = host_only(200);
    const AnalysedRun b = host_only(400);
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.phases.size(), 1U);
    ASSERT_EQ(aligned.phases[0].pairs.size(), 3U);
    EXPECT_EQ(aligned.phases[0].pairs[0].b_span.length(), 400'000);
}

}  // namespace
}  // namespace rankscope::test
