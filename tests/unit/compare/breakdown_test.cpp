// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/breakdown.h"

#include "core/analysis/steps/run_steps.h"
#include "core/compare/compare_runs.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// The mean duration of the steps of all ranks with a partition in the steady-state steps of a run, rounded down.
DurationNs meanStep(const RunFacts& facts) {
    DurationNs sum = 0;
    DurationNs count = 0;
    for (const RunStep& step : facts.steps) {
        for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
            if (isSteady(step) && step.by_rank[r] && facts.ranks[r].steps[*step.by_rank[r]].partition) {
                sum += facts.ranks[r].steps[*step.by_rank[r]].span.length();
                ++count;
            }
        }
    }
    return sum / count;
}

void expectExactSums(const Breakdown& breakdown) {
    DurationNs a = 0;
    DurationNs b = 0;
    DurationNs difference = 0;
    for (const BreakdownRow& row : breakdown.rows) {
        EXPECT_GE(row.a_ns, 0);
        EXPECT_GE(row.b_ns, 0);
        a += row.a_ns;
        b += row.b_ns;
        difference += row.differenceNs();
    }
    EXPECT_EQ(a, breakdown.a_step_ns);
    EXPECT_EQ(b, breakdown.b_step_ns);
    EXPECT_EQ(difference, breakdown.b_step_ns - breakdown.a_step_ns);
}

TEST(Breakdown, OfTheSamplesAddsUpAndNamesTheLoader) {
    const AnalysedRun a = loadAndAnalyse(test::sample("ZeroWorkers"));
    const AnalysedRun b = loadAndAnalyse(test::sample("FourWorkers"));
    const auto breakdown = breakDown(a.facts, b.facts);
    ASSERT_TRUE(breakdown);
    expectExactSums(*breakdown);
    EXPECT_EQ(breakdown->a_step_ns, meanStep(a.facts));
    EXPECT_EQ(breakdown->b_step_ns, meanStep(b.facts));
    for (const BreakdownRow& row : breakdown->rows) {
        if (row.part == StepPart::Idle && row.cause == Cause::DataLoader) {
            EXPECT_GT(row.a_ns, 10'000'000);
            EXPECT_EQ(row.b_ns, 0);
        }
    }
}

TEST(Breakdown, OfEachRunAgainstTheOneBeforeAddsUpToTheNanosecond) {
    std::optional<AnalysedRun> before;
    int compared = 0;
    std::vector<std::filesystem::path> runs = corpusRuns();
    for (const char* name :
         {"resnet50_workers/ZeroWorkers", "resnet50_workers/FourWorkers", "resnet_ddp_4ranks_rocm", "dlrm_8ranks_v100",
          "hta/nccl_parser_config", "hta/trace_diff/control", "hta/trace_diff/test", "hta/timeline_analysis",
          "hta/ns_resolution_trace", "hta/df_index_resolver", "param", "tracelens/resnet_act_checkpoint.json.gz",
          "tracelens/timesformer_h100.json.gz", "tracelens/timesformer_mi300.json.gz",
          "tracelens/eager_trace.json.gz"}) {
        if (std::filesystem::exists(realTraces() / name)) {
            runs.push_back(realTraces() / name);
        }
    }
    for (const auto& path : runs) {
        SCOPED_TRACE(path.string());
        AnalysedRun run = loadAndAnalyse(path);
        const auto breakdown = before ? breakDown(before->facts, run.facts) : std::nullopt;
        if (breakdown) {
            expectExactSums(*breakdown);
            EXPECT_EQ(breakdown->a_step_ns, meanStep(before->facts));
            EXPECT_EQ(breakdown->b_step_ns, meanStep(run.facts));
            ++compared;
        }
        before = std::move(run);
    }
    EXPECT_GE(compared, 10);
}

TEST(Breakdown, OfARunWithoutDeviceWorkIsNone) {
    const AnalysedRun a = loadAndAnalyse(test::sample("ZeroWorkers"));
    EXPECT_FALSE(breakDown(a.facts, RunFacts{}));
}

}  // namespace
}  // namespace rankscope::test
