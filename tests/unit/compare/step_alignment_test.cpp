// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/step_alignment.h"

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Steps of this many us, each with one kernel, the first `first` at `begin_us`.
AnalysedRun runOfSteps(const std::vector<double>& lengths_us, std::int64_t first = 5, double begin_us = 0) {
    auto [builder, thread, stream] = threadAndStream();
    double at = begin_us;
    builder.op(thread, "before", 0, 1);
    for (std::size_t i = 0; i < lengths_us.size(); ++i) {
        builder.step(thread, first + static_cast<std::int64_t>(i), at, lengths_us[i]);
        builder.kernel(thread, at + 10, 5, stream, "gemm", at + 20, 30);
        at += lengths_us[i];
    }
    return analyse(runOf({builder.build()}));
}

struct Aligned {
    Aligned(const AnalysedRun& a, const AnalysedRun& b) : pairs(pairRunSteps(a, b, Counterparts(a, b))), way(pairs) {}
    std::vector<StepPair> pairs;
    StepAlignment way;
};

TEST(StepAlignment, PutsTheStartOfStepNOnTheStartOfStepN) {
    const AnalysedRun a = runOfSteps({1000, 1000, 1000});
    const AnalysedRun b = runOfSteps({400, 500, 400}, 5, 3000);
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.pairs.size(), 3U);
    for (const StepPair& pair : aligned.pairs) {
        EXPECT_EQ(a.facts.steps[pair.a].index, b.facts.steps[pair.b].index);
        EXPECT_EQ(aligned.way.toB(pair.a_span.start_ns), pair.b_span.start_ns);
        EXPECT_EQ(aligned.way.toA(pair.b_span.start_ns), pair.a_span.start_ns);
    }
    EXPECT_EQ(aligned.way.toB(1'500'000), 3'400'000 + 250'000) << "half of the second step";
    EXPECT_EQ(aligned.way.toB(-7'000), 3'000'000 - 7'000) << "before the first step both go equally fast";
}

TEST(StepAlignment, StepsWithOtherNumbersPairByPlace) {
    const AnalysedRun a = runOfSteps({1000, 1000, 1000}, 5);
    const AnalysedRun b = runOfSteps({500, 500}, 900);
    const Aligned aligned(a, b);
    ASSERT_EQ(aligned.pairs.size(), 2U) << "A's third has none";
    EXPECT_EQ(aligned.way.toB(2'000'000), 1'000'000) << "the end of the last pair";
}

TEST(StepAlignment, APinMakesTwoTimesCorrespondAndStepsThatContradictItGiveWay) {
    const AnalysedRun a = runOfSteps({1000, 1000, 1000});
    Aligned aligned(a, a);
    aligned.way.pin(1'400'000, 1'200'000);
    EXPECT_EQ(aligned.way.toB(1'400'000), 1'200'000);
    EXPECT_EQ(aligned.way.toA(1'200'000), 1'400'000);
    EXPECT_EQ(aligned.way.toB(1'000'000), 1'000'000) << "steps before it stay";
    aligned.way.pin(1'400'000, 2'600'000);
    EXPECT_EQ(aligned.way.toB(1'400'000), 2'600'000);
    EXPECT_GT(aligned.way.toB(2'500'000), aligned.way.toB(2'000'000)) << "and time never runs backwards";
    aligned.way.unpin();
    EXPECT_EQ(aligned.way.toB(1'400'000), 1'400'000);
}

TEST(StepAlignment, RunsWithoutStepsAreAlignedByTheirStart) {
    EXPECT_EQ(StepAlignment().toB(12'345), 12'345);
    EXPECT_EQ(StepAlignment().toA(12'345), 12'345);
}

TEST(StepAlignment, TheTypicalPairIsNearestToTheMedianAndNoOutlier) {
    const AnalysedRun a = runOfSteps({9000, 1000, 1100, 1050, 1200});
    const Aligned aligned(a, a);
    const auto typical = typicalPair(a, a, aligned.pairs);
    ASSERT_TRUE(typical);
    EXPECT_EQ(a.facts.steps[aligned.pairs[*typical].a].duration_ns, a.facts.median_step_ns);
    EXPECT_EQ(typicalPair(a, a, {}), std::nullopt);
}

}  // namespace
}  // namespace rankscope::test
