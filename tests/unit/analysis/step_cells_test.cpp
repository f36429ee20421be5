// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_cells.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

// `ranks` ranks of ten steps of 10 ms that idle for 1 ms give or take 2 %.
RunFacts evenRun(std::size_t ranks) {
    RunFacts facts;
    facts.median_step_ns = 10'000'000;
    for (std::size_t r = 0; r < ranks; ++r) {
        RankFacts rank;
        for (std::int64_t s = 0; s < 10; ++s) {
            RankStep step;
            step.index = s;
            step.span = {s * 10'000'000, (s + 1) * 10'000'000};
            step.partition.emplace().idle_ns =
                1'000'000 + static_cast<DurationNs>((r * 7 + 13 * static_cast<std::size_t>(s)) % 20) * 1'000;
            rank.steps.push_back(std::move(step));
        }
        facts.ranks.push_back(std::move(rank));
    }
    return facts;
}

TEST(StepCells, OneSlowRankAmong512StandsOut) {
    RunFacts facts = evenRun(512);
    for (RankStep& step : facts.ranks[317].steps) {
        step.partition->idle_ns += 3'000'000;
    }
    const StepCells cells = stepCells(facts, StepMeasure::Idle);
    for (std::size_t r = 0; r < 512; ++r) {
        for (std::size_t s = 0; s < 10; ++s) {
            const double heat = cells.heat(RankPosition(r), s).value();
            if (r == 317) {
                EXPECT_GT(heat, 0.95);
            } else {
                EXPECT_LT(heat, 0.05);
            }
        }
    }
}

TEST(StepCells, ChanceInAnEvenRunStaysCool) {
    const StepCells cells = stepCells(evenRun(8), StepMeasure::Idle);
    for (std::size_t r = 0; r < 8; ++r) {
        EXPECT_LT(cells.heat(RankPosition(r), 3).value(), 0.05);
    }
}

TEST(StepCells, AnOutlierIsHotButSetsNoScale) {
    RunFacts facts = evenRun(4);
    facts.ranks[0].steps[0].outlier = true;
    facts.ranks[0].steps[0].partition->idle_ns = 500'000'000;
    facts.ranks[2].steps[5].partition->idle_ns = 4'000'000;
    const StepCells cells = stepCells(facts, StepMeasure::Idle);
    EXPECT_EQ(cells.heat(RankPosition(0), 0), 1.0);
    EXPECT_GT(cells.heat(RankPosition(2), 5).value(), 0.95);
}

TEST(StepCells, IterationsOfAnotherKindAreHeldAgainstTheirOwn) {
    RunFacts facts = evenRun(2);
    for (std::size_t s = 0; s < 10; ++s) {
        RunStep step;
        step.duration_ns = 10'000'000;
        step.kind = IterationKind::Decode;
        step.by_rank.assign(2, RankStepPosition(s));
        if (s % 3 == 0) {  // prompts take ten times as long, and idle for as much longer
            step.kind = IterationKind::Prefill;
            step.other_kind = true;
            step.outlier = true;
            step.duration_ns = 100'000'000;
            for (RankFacts& rank : facts.ranks) {
                rank.steps[s].outlier = true;
                rank.steps[s].partition->idle_ns *= 10;
            }
        }
        facts.steps.push_back(step);
    }
    facts.ranks[1].steps[6].partition->idle_ns += 30'000'000;
    const StepCells cells = stepCells(facts, StepMeasure::Idle);
    EXPECT_LT(cells.heat(RankPosition(0), 3).value(), 0.05) << "a prefill as all others";
    EXPECT_LT(cells.heat(RankPosition(0), 4).value(), 0.05);
    EXPECT_EQ(cells.heat(RankPosition(1), 6), 1.0) << "a prefill that idles longer than the others";
    EXPECT_NEAR(static_cast<double>(cells.typicalOf(RankPosition(0), 3).median_ns), 10e6, 0.3e6);
    EXPECT_NEAR(static_cast<double>(cells.typicalOf(RankPosition(0), 4).median_ns), 1e6, 0.03e6);
}

TEST(StepCells, ARankWhoseDeviceHasMoreToComputeStandsOut) {
    RunFacts facts = evenRun(16);
    for (RankFacts& rank : facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition->compute_ns = 5'000'000;
        }
    }
    for (RankStep& step : facts.ranks[3].steps) {
        step.partition->compute_ns = 8'000'000;
    }
    const StepCells cells = stepCells(facts, StepMeasure::Compute);
    EXPECT_EQ(cells.heat(RankPosition(3), 4), 1.0);
    EXPECT_EQ(cells.heat(RankPosition(2), 4), 0.0);
    EXPECT_EQ(cells.typical.median_ns, 5'000'000);
}

TEST(StepCells, WhatIsNotKnownHasNoHeat) {
    RunFacts facts = evenRun(2);
    facts.ranks[1].steps[4].partition.reset();
    const StepCells idle = stepCells(facts, StepMeasure::Idle);
    EXPECT_FALSE(idle.heat(RankPosition(1), 4).has_value());
    EXPECT_FALSE(idle.heat(RankPosition(7), 0).has_value());
    EXPECT_FALSE(stepCells(facts, StepMeasure::Lateness).any()) << "ranks without common collectives";
    EXPECT_TRUE(stepCells(facts, StepMeasure::StepTime).any());
}

}  // namespace
}  // namespace rankscope
