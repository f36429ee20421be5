// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs whose work is divided in different ways.

#include "core/compare/compare_runs.h"
#include "core/compare/pairing/counterparts.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"

namespace rankscope::test {
namespace {

using testing::Contains;
using testing::SizeIs;
namespace machine = tracegen::machine;

/// Eight ranks, or as many as the grid has.
AnalysedRun trained(int data, int tensor) {
    machine::Config config = machine::jobConfig("tensor", 5);
    config.job->data = data;
    config.job->tensor = tensor;
    config.job->layers = 2;
    machine::resizeJob(config, data * tensor);
    config.steps = 4;
    return accuracy::analyseSimulated(machine::simulate(config));
}

AnalysedRun served(std::string_view preset, int tensor) {
    machine::Config config = machine::jobConfig(preset, 6);
    config.job->tensor = tensor;
    machine::resizeJob(config, tensor);
    return accuracy::analyseSimulated(machine::simulate(config));
}

/// "dp 1, tp 0 = dp 1", "dp 1, tp 1 = -", by rank of A, and then what only B has.
std::map<std::string, std::string> pairedPlaces(const AnalysedRun& a, const AnalysedRun& b,
                                                const RunComparison& comparison) {
    std::map<std::string, std::string> pairs;
    for (const RankPair& pair : comparison.ranks) {
        const auto text = [](const AnalysedRun& run, std::optional<RankPosition> rank) {
            return rank ? run.facts.parallelism.grid.placeText(*rank) : std::string("-");
        };
        pairs[pair.a ? text(a, pair.a) : "only B: " + text(b, pair.b)] = text(b, pair.b);
    }
    return pairs;
}

const ConfigDifference* differenceIn(const RunComparison& comparison, Aspect aspect) {
    const auto at = std::ranges::find(comparison.differs, aspect, &ConfigDifference::aspect);
    return at == comparison.differs.end() ? nullptr : &*at;
}

TEST(Grids, ThatDifferAreSaidAndPairRanksByPlace) {
    const AnalysedRun a = trained(4, 2);
    const AnalysedRun b = trained(8, 1);
    ASSERT_EQ(a.facts.parallelism.grid.text(), "data 4 x tensor 2");
    ASSERT_EQ(b.facts.parallelism.grid.text(), "data 8");
    const RunComparison comparison = compareRuns(a, b);
    const ConfigDifference* const grid = differenceIn(comparison, Aspect::Grid);
    ASSERT_NE(grid, nullptr);
    EXPECT_EQ(grid->a, "data 4 x tensor 2");
    EXPECT_EQ(grid->b, "data 8");
    EXPECT_EQ(grid->impact, Impact::Qualifies);
    EXPECT_TRUE(comparison.ranks_by_place);
    const std::map<std::string, std::string> expected = {
        {"dp 0, tp 0", "dp 0"},   {"dp 1, tp 0", "dp 1"},   {"dp 2, tp 0", "dp 2"},   {"dp 3, tp 0", "dp 3"},
        {"dp 0, tp 1", "-"},      {"dp 1, tp 1", "-"},      {"dp 2, tp 1", "-"},      {"dp 3, tp 1", "-"},
        {"only B: dp 4", "dp 4"}, {"only B: dp 5", "dp 5"}, {"only B: dp 6", "dp 6"}, {"only B: dp 7", "dp 7"}};
    EXPECT_EQ(pairedPlaces(a, b, comparison), expected);
    EXPECT_THAT(comparison.rank_notes, Contains(HasSubstr("data 4 x tensor 2 against data 8")));
    EXPECT_THAT(comparison.rank_notes,
                Contains(HasSubstr("B has no rank at the place of 4 ranks of A: rank 1 (dp 0, tp 1), rank 3")));
    EXPECT_THAT(comparison.rank_notes,
                Contains(HasSubstr("A has no rank at the place of 4 ranks of B: rank 4 (dp 4)")));
}

TEST(Grids, PairTheSliceOfARankWithThatOfItsPlace) {
    const AnalysedRun a = trained(4, 2);
    const AnalysedRun b = trained(8, 1);
    const Counterparts counterparts(a, b);
    EXPECT_TRUE(counterparts.stepOf(RankPosition(2), RankStepPosition(0))) << "dp 1 of both";
    EXPECT_FALSE(counterparts.stepOf(RankPosition(3), RankStepPosition(0))) << "B has no tp 1";
}

TEST(Grids, WithoutAPlaceInCommonPairRanksAsEver) {
    AnalysedRun a = trained(4, 2);
    AnalysedRun b = trained(8, 1);
    for (AnalysedRun* const run : {&a, &b}) {
        for (auto& place : run->facts.parallelism.grid.places) {
            place.front() = *place.front() + (run == &a ? 0 : 100);
        }
    }
    const RunComparison comparison = compareRuns(a, b);
    EXPECT_FALSE(comparison.ranks_by_place);
    EXPECT_TRUE(std::ranges::all_of(comparison.ranks, [](const RankPair& pair) { return pair.a == pair.b; }));
}

TEST(Grids, ThePartsOfTheMeanStepAddUpAllTheSame) {
    const AnalysedRun a = trained(4, 2);
    const AnalysedRun b = trained(8, 1);
    const RunComparison comparison = compareRuns(a, b);
    ASSERT_TRUE(comparison.breakdown);
    DurationNs sum_ns = 0;
    for (const BreakdownRow& row : comparison.breakdown->rows) {
        sum_ns += row.differenceNs();
    }
    EXPECT_EQ(sum_ns, comparison.breakdown->b_step_ns - comparison.breakdown->a_step_ns);
}

TEST(Grids, ThatAreTheSamePairRanksByNumber) {
    const AnalysedRun a = trained(4, 2);
    const RunComparison comparison = compareRuns(a, a);
    EXPECT_FALSE(comparison.ranks_by_place);
    EXPECT_EQ(differenceIn(comparison, Aspect::Grid), nullptr);
    EXPECT_TRUE(comparison.rank_notes.empty());
    EXPECT_TRUE(std::ranges::all_of(comparison.ranks, [](const RankPair& pair) { return pair.a == pair.b; }));
}

TEST(Grids, OfServersCompareTokensASecondOfEachKind) {
    const AnalysedRun a = served("serving", 4);
    const AnalysedRun b = served("serving-sglang", 2);
    const RunComparison comparison = compareRuns(a, b);
    ASSERT_NE(differenceIn(comparison, Aspect::Grid), nullptr);
    ASSERT_THAT(comparison.throughput, SizeIs(2));
    EXPECT_EQ(comparison.throughput[0].kind, IterationKind::Prefill);
    EXPECT_EQ(comparison.throughput[1].kind, IterationKind::Decode);
    for (const ThroughputPair& pair : comparison.throughput) {
        EXPECT_EQ(pair.a, a.facts.iterations.of(pair.kind)->tokensPerSecond());
        EXPECT_EQ(pair.b, b.facts.iterations.of(pair.kind)->tokensPerSecond());
        EXPECT_GT(pair.a.value_or(0), 0);
    }
}

TEST(Grids, DecodeIsNotComparedWithPrefill) {
    const AnalysedRun a = served("serving", 2);
    machine::Config config = machine::jobConfig("serving", 6);
    config.job->tensor = 2;
    config.job->serving->decodes = 1;
    machine::resizeJob(config, 2);
    const AnalysedRun b = accuracy::analyseSimulated(machine::simulate(config));
    const RunComparison comparison = compareRuns(a, b);
    const ConfigDifference* const kinds = differenceIn(comparison, Aspect::Iterations);
    ASSERT_NE(kinds, nullptr);
    EXPECT_EQ(kinds->a, "decode");
    EXPECT_EQ(kinds->b, "prefill");
    EXPECT_EQ(comparison.answer.verdict, StepVerdict::CannotJudge);
    EXPECT_THAT(comparisonVerdict(comparison), HasSubstr("decode against prefill"));
}

}  // namespace
}  // namespace rankscope::test
