// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/rank_measures.h"

#include "core/analysis/collectives/collective_list.h"
#include "tests/support/analysed.h"
#include "tests/support/grid_run.h"
#include "tests/support/late_ranks.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(RankMeasures, AreOfARanksCompleteSteadySteps) {
    const auto run = runOnAGrid({.data = 1, .pipeline = 2, .tensor = 1, .missing = {}, .late_stage = -1, .steps = 3});
    auto& steps = run->facts.ranks[1].steps;
    steps[0].outlier = true;
    steps[0].partition->idle_ns = 9'000'000;
    steps[1].partition->idle_ns = 3'000'000;
    steps[2].partition->idle_ns = 3'000'000;
    const RankValues idle = rankValues(*run, RankMeasure::Idle);
    EXPECT_EQ(idle.of[1], 3'000'000);
    for (RankStep& step : steps) {
        step.complete = false;
    }
    EXPECT_EQ(rankValues(*run, RankMeasure::Idle).of[1], 3'000'000) << "over all where none is complete";
}

TEST(RankMeasures, ExposedCommunicationOfRolesAddsUp) {
    const auto run = runOnAGrid({.data = 2, .pipeline = 2, .tensor = 2});
    const auto all = rankValues(*run, RankMeasure::ExposedCommunication);
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        sum += rankValues(*run, RankMeasure::ExposedCommunication, static_cast<Role>(r)).of[3].value();
    }
    EXPECT_EQ(sum, all.of[3]);
    EXPECT_EQ(sum, kGridTensorNs + kGridDataNs);
}

TEST(RankMeasures, ChanceMakesNoHeat) {
    const auto run = runOnAGrid({.data = 1, .pipeline = 1, .tensor = 4});
    run->facts.ranks[2].steps[0].partition->idle_ns += 1'000;
    run->facts.ranks[2].steps[1].partition->idle_ns += 1'000;
    const RankValues idle = rankValues(*run, RankMeasure::Idle);
    EXPECT_LT(idle.heat(RankPosition(2)).value(), 0.01) << "a microsecond of a step of ten milliseconds";
    const auto late = runOnAGrid({.data = 1, .pipeline = 2, .tensor = 2, .missing = {}, .late_stage = 1});
    const RankValues lateness = rankValues(*late, RankMeasure::Lateness);
    EXPECT_EQ(lateness.heat(RankPosition(0)), 0.0);
    EXPECT_EQ(lateness.heat(RankPosition(3)), 1.0);
    EXPECT_EQ(lateness.median, 0);
}

TEST(RankMeasures, TheBubbleOfARankIsTheMeanOfItsPipelinesSteps) {
    const AnalysedRun run = analyse(runOf(oneFOneBJob()));
    ASSERT_EQ(run.facts.pipeline.pipelines.size(), 1U);
    const Pipeline& pipeline = run.facts.pipeline.pipelines.front();
    const PlannedStep plan = planOf(oneFOneBJob());
    const RankValues bubble = rankValues(run, RankMeasure::Bubble);
    const RankValues busy = rankValues(run, RankMeasure::InPasses);
    for (std::size_t r = 0; r < pipeline.ranks.size(); ++r) {
        EXPECT_EQ(bubble.of[pipeline.ranks[r]], plan.window_ns - plan.busy_ns[r]) << r;
        EXPECT_EQ(busy.of[pipeline.ranks[r]], plan.busy_ns[r]) << r;
    }
    EXPECT_EQ(rankValues(*runOnAGrid({.data = 2, .pipeline = 1, .tensor = 1}), RankMeasure::Bubble).median,
              std::nullopt);
}

TEST(RankMeasures, WhatIsNotKnownIsNotGuessed) {
    const auto run = runOnAGrid(
        {.data = 1, .pipeline = 2, .tensor = 1, .missing = {}, .late_stage = -1, .steps = 2, .memory = false});
    const RankValues memory = rankValues(*run, RankMeasure::Memory);
    EXPECT_EQ(memory.of, (std::vector<std::optional<std::int64_t>>(2)));
    EXPECT_EQ(memory.median, std::nullopt);
    EXPECT_EQ(memory.heat(RankPosition(0)), std::nullopt);
}

TEST(CollectiveLines, AreByStartWithTheirStepAndTheirLongestWait) {
    const AnalysedRun run = analyse(runWithALateRank(3));
    const auto lines = collectiveLines(run.facts, run.clock, {});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].step, 5);
    EXPECT_EQ(lines[2].step, 7);
    EXPECT_EQ(lines[0].length_ns, 595'000) << "rank 0 is in it from 305 us to 900 us";
    EXPECT_EQ(lines[0].wait_ns, 495'000) << "until rank 1 comes";
    EXPECT_EQ(run.facts.collectives.collectives[lines[0].collective].members[lines[0].first_member].rank,
              RankPosition(0));
    EXPECT_TRUE(collectiveLines(run.facts, run.clock, {.group = 7, .of_role = false, .role = {}}).empty());
}

}  // namespace
}  // namespace rankscope::test
