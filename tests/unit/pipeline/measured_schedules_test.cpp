// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pipeline.h"
#include "core/base/statistics.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::size_t kRanks = 8;

/// As the script rounds.
DurationNs nanoseconds(const json& milliseconds) {
    return static_cast<DurationNs>(std::floor(milliseconds.get<double>() * 1e6 + 0.5));
}

/// A pass of the file: when it started and ended, in nanoseconds.
struct MeasuredPass {
    DurationNs start_ns = 0;
    DurationNs end_ns = 0;
    PassKind kind = PassKind::Forward;
};

/// By rank: its passes in one iteration, by start.
using MeasuredIteration = std::vector<std::vector<MeasuredPass>>;

MeasuredIteration iterationOf(const std::string& name, std::int64_t number) {
    MeasuredIteration iteration;
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        std::ifstream file(realTraces() / "unseen_1/pipeline_schedules" /
                           (name + "_pp_rank_" + std::to_string(rank) + ".json"));
        const json of_rank = json::parse(file)[std::to_string(number)];
        std::vector<MeasuredPass>& passes = iteration.emplace_back();
        for (const auto& [key, kind] : {std::pair("fwd", PassKind::Forward), std::pair("bwd", PassKind::Backward)}) {
            const json& starts = of_rank[std::string(key) + "_start"];
            const json& ends = of_rank[std::string(key) + "_end"];
            for (std::size_t i = 0; i < starts.size(); ++i) {
                passes.push_back({nanoseconds(starts[i]), nanoseconds(ends[i]), kind});
            }
        }
        std::ranges::sort(passes, {}, &MeasuredPass::start_ns);
    }
    return iteration;
}

void expectStepOf(const MeasuredIteration& measured, const PipelineStep& step) {
    DurationNs first_ns = measured.front().front().start_ns;
    DurationNs last_ns = 0;
    for (const auto& passes : measured) {
        first_ns = std::min(first_ns, passes.front().start_ns);
        for (const MeasuredPass& pass : passes) {
            last_ns = std::max(last_ns, pass.end_ns);
        }
    }
    EXPECT_EQ(step.window.plain().length(), last_ns - first_ns);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        SCOPED_TRACE("rank " + std::to_string(rank));
        DurationNs busy_ns = 0;
        for (const MeasuredPass& pass : measured[rank]) {
            busy_ns += pass.end_ns - pass.start_ns;
        }
        EXPECT_EQ(step.ranks[rank].times.busy(), busy_ns);
        EXPECT_EQ(step.ranks[rank].times.bubbleTotal(), last_ns - first_ns - busy_ns);
        ASSERT_EQ(step.ranks[rank].passes.size(), measured[rank].size());
        for (std::size_t i = 0; i < measured[rank].size(); ++i) {
            EXPECT_EQ(step.ranks[rank].passes[i].kind, measured[rank][i].kind) << i;
            EXPECT_EQ(step.ranks[rank].passes[i].span.length(), measured[rank][i].end_ns - measured[rank][i].start_ns)
                << i;
        }
    }
}

/// What is told of the last stage, which has the loss, too, and that what alternatives are priced with gives what was
/// measured.
void expectFindings(const AnalysedRun& run, const Pipeline& pipeline) {
    ASSERT_TRUE(pipeline.forecast);
    std::vector<DurationNs> windows;
    for (const PipelineStep& step : pipeline.steps) {
        windows.push_back(step.window.plain().length());
    }
    const auto measured_ns = static_cast<double>(lowerMedian(windows));
    EXPECT_NEAR(static_cast<double>(pipeline.forecast->played_ns), measured_ns, 0.05 * measured_ns)
        << "what alternatives are priced with gives what was measured";
    const Finding& imbalance = findingIn(run, "stage-imbalance");
    EXPECT_EQ(imbalance.ranks, std::vector<RankPosition>{RankPosition{7}}) << "the last stage has the loss, too";
    EXPECT_NE(findingOf(run, "pipeline-bubble"), nullptr);
}

/// The schedule of that name, written as traces whose host has these ranges, and what is found of it.
void expectMeasured(const std::string& name, const std::string& ranges, Schedule schedule, std::int32_t stages) {
    SCOPED_TRACE(name + ", ranges: " + ranges);
    const TempFolder folder;
    const ProcessResult written = runProcess({"python3", (sourceFolder() / "tests/data/pipeline_traces.py").string(),
                                              (realTraces() / "unseen_1/pipeline_schedules").string(), name,
                                              folder.path().string(), "--ranges", ranges});
    if (written.code == 127) {
        GTEST_SKIP() << "skipped: there is no python3 here";
    }
    ASSERT_EQ(written.code, 0) << written.err;
    const AnalysedRun run = loadAndAnalyse(folder.path());
    checkPipelines(run.facts);
    ASSERT_EQ(run.facts.pipeline.pipelines.size(), 1U);
    const Pipeline& pipeline = run.facts.pipeline.pipelines.front();
    EXPECT_EQ(pipeline.schedule, schedule);
    EXPECT_EQ(pipeline.stages_per_rank, stages);
    EXPECT_EQ(pipeline.micro_batches, 16);
    ASSERT_EQ(pipeline.ranks.size(), kRanks);
    ASSERT_EQ(pipeline.steps.size(), 4U);
    expectFindings(run, pipeline);
    for (const PipelineStep& step : pipeline.steps) {
        const std::int64_t number = run.facts.steps[step.step].index;
        SCOPED_TRACE("step " + std::to_string(number));
        expectStepOf(iterationOf(name, number), step);
    }
}

TEST(MeasuredSchedules, OfOneForwardOneBackwardHaveTheBubbleOfTheirTimes) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* ranges : {"none", "functions", "actions"}) {
        expectMeasured("gpu8_layer64_gbs16_pp8", ranges, Schedule::OneFOneB, 1);
    }
}

TEST(MeasuredSchedules, OfInterleavedStagesHaveTheBubbleOfTheirTimes) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* ranges : {"none", "functions", "actions"}) {
        expectMeasured("gpu8_layer64_gbs16_pp8_vpp2", ranges, Schedule::Interleaved, 2);
    }
}

}  // namespace
}  // namespace rankscope::test
