// SPDX-License-Identifier: GPL-3.0-or-later
// What the program makes of jobs whose work is divided: their files, the roles of their groups, and their grid.

#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {
namespace {

using tracegen::machine::TraceFile;
using tracegen::machine::TrueRun;

TrueRun simulated(std::string_view preset) {
    tracegen::machine::Config config = tracegen::machine::jobConfig(preset, 2);
    config.steps = 3;
    return tracegen::machine::simulate(config);
}

AnalysedRun analysedJob(std::string_view preset) {
    return analyseSimulated(simulated(preset));
}

/// The job whose framework says nothing of what its groups are for.
AnalysedRun analysedWithoutDescriptions(std::string_view preset) {
    const TrueRun run = simulated(preset);
    std::vector<TraceFile> files = writeFiles(run, {});
    for (const tracegen::ProcessGroup& group : groupsOf(*run.config.job)) {
        const std::string quoted = '"' + group.description + '"';
        for (TraceFile& file : files) {
            for (std::size_t at = 0; (at = file.text.find(quoted, at)) != std::string::npos;) {
                file.text.replace(at, quoted.size(), "\"undefined\"");
            }
        }
    }
    return analyseAlone(loadFiles(files));
}

struct Expected {
    std::string_view preset;
    std::string_view grid;
    std::map<std::string, std::string> roles;  ///< by description; "" where it cannot be told
};

const std::vector<Expected>& allExpected() {
    static const std::vector<Expected> expected = {
        {"fsdp1", "shard 4", {{"mesh_dp_shard", "shard"}}},
        {"fsdp2", "shard 4", {{"mesh_dp_shard", "shard"}}},
        {"tensor", "tensor 8", {{"TENSOR_MODEL_PARALLEL_GROUP", "tensor"}}},
        {"tensor-sequence",
         "data 2 x tensor 4",
         {{"TENSOR_MODEL_PARALLEL_GROUP", "tensor"}, {"DATA_PARALLEL_GROUP_WITH_CP", "data"}}},
        {"gpipe", "pipeline 4", {{"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"}, {"MODEL_PARALLEL_GROUP", ""}}},
        {"1f1b", "pipeline 4", {{"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"}}},
        {"1f1b-batched", "pipeline 4", {{"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"}}},
        {"interleaved", "pipeline 4", {{"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"}}},
        {"zero-bubble", "pipeline 4", {{"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"}}},
        {"zero-bubble-torch", "pipeline 4", {{"mesh_pp", "pipeline"}}},
        {"zero-bubble-v-torch", "pipeline 4", {{"mesh_pp", "pipeline"}}},
        {"dualpipe-v-torch", "pipeline 4", {{"mesh_pp", "pipeline"}}},
        {"hsdp1", "data 2 x shard 2", {{"mesh_dp_replicate", "data"}, {"mesh_dp_shard", "shard"}}},
        {"hsdp2", "data 2 x shard 2", {{"mesh_dp_replicate", "data"}, {"mesh_dp_shard", "shard"}}},
        {"fsdp1-limited", "shard 4", {{"mesh_dp_shard", "shard"}}},
        {"context",
         "data 2 x sequence 2",
         {{"CONTEXT_PARALLEL_GROUP", "sequence"}, {"DATA_PARALLEL_GROUP_WITH_CP", "data"}}},
        {"context-torch", "shard 2 x sequence 2", {{"mesh_cp", "sequence"}, {"mesh_dp_shard_cp", "shard"}}},
        {"experts", "data 4", {{"EXPERT_MODEL_PARALLEL_GROUP", "expert"}, {"DATA_PARALLEL_GROUP_WITH_CP", "data"}}},
        {"grid",
         "data 2 x pipeline 2 x tensor 2",
         {{"TENSOR_MODEL_PARALLEL_GROUP", "tensor"},
          {"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"},
          {"DATA_PARALLEL_GROUP_WITH_CP", "data"},
          {"MODEL_PARALLEL_GROUP", ""}}},
        {"grid-fsdp2",
         "shard 2 x pipeline 2 x tensor 2",
         {{"mesh_tp", "tensor"}, {"mesh_pp", "pipeline"}, {"mesh_dp_shard", "shard"}}},
        {"grid-experts",
         "data 4 x pipeline 2",
         {{"EXPERT_MODEL_PARALLEL_GROUP", "expert"},
          {"PIPELINE_MODEL_PARALLEL_GROUP", "pipeline"},
          {"DATA_PARALLEL_GROUP_WITH_CP", "data"}}},
    };
    return expected;
}

std::map<std::string, std::set<std::string>> rolesIn(const AnalysedRun& job) {
    std::map<std::string, std::set<std::string>> roles;
    for (const GroupRole& group : job.facts.parallelism.groups) {
        roles[group.description].insert(group.role ? std::string(roleName(*group.role)) : "");
    }
    return roles;
}

TEST(DividedJobs, AreReadWithoutAComplaint) {
    for (const Expected& expected : allExpected()) {
        const AnalysedRun job = analysedJob(expected.preset);
        for (const auto& rank : job.run->ranks) {
            const Health& health = rank->health;
            EXPECT_EQ(health.skipped + health.recovered + health.overlapping + health.negative_durations, 0U)
                << expected.preset;
            EXPECT_EQ(health.early_kernels, 0U) << expected.preset;
            EXPECT_TRUE(health.parse_issues.empty() && health.notes.empty() && !health.ranks_mixed) << expected.preset;
        }
    }
}

TEST(DividedJobs, HaveTheRolesAndTheGridThatTheyWereMadeWith) {
    for (const Expected& expected : allExpected()) {
        const AnalysedRun job = analysedJob(expected.preset);
        EXPECT_EQ(job.facts.parallelism.grid.text(), expected.grid) << expected.preset;
        EXPECT_TRUE(job.facts.parallelism.grid.complete) << expected.preset;
        const std::map<std::string, std::set<std::string>> roles = rolesIn(job);
        for (const auto& [description, role] : expected.roles) {
            ASSERT_TRUE(roles.contains(description)) << expected.preset << ' ' << description;
            EXPECT_EQ(roles.at(description), std::set<std::string>{role}) << expected.preset << ' ' << description;
        }
    }
}

TEST(DividedJobs, OfFsdp2ShowTheirForwardAndSoTheirStage) {
    for (const char* preset : {"fsdp2", "hsdp2"}) {
        const AnalysedRun job = analysedJob(preset);
        EXPECT_EQ(job.facts.shards.stage.lowest, 3) << preset;
        EXPECT_EQ(job.facts.shards.stage.highest, 3) << preset;
        EXPECT_TRUE(job.facts.ranks.front().phases.told[Phase::Forward]) << preset;
    }
}

TEST(DividedJobs, AreRecognisedByTheirOperationsWhereNoGroupIsDescribed) {
    for (const auto& [preset, grid] :
         {std::pair("tensor", "tensor 8"), std::pair("1f1b", "pipeline 4"),
          std::pair("tensor-sequence", "data 2 x tensor 4"), std::pair("grid", "data 2 x pipeline 2 x tensor 2"),
          std::pair("grid-fsdp2", "shard 2 x pipeline 2 x tensor 2")}) {
        EXPECT_EQ(analysedWithoutDescriptions(preset).facts.parallelism.grid.text(), grid);
    }
    const std::map<std::string, std::set<std::string>> roles = rolesIn(analysedWithoutDescriptions("experts"));
    EXPECT_EQ(roles.at("undefined"), (std::set<std::string>{"", "data"}))
        << "an all-to-all may be of experts, of sequences, or of tables";
}

TEST(DividedJobs, ExposeAsMuchCommunicationOfTensorsAsTheyTrulyDo) {
    const TrueRun run = simulated("tensor");
    const auto truth = tracegen::machine::jobTruthOf(run);
    const AnalysedRun job = analyseSimulated(run);
    for (std::size_t rank = 0; rank < truth.size(); ++rank) {
        DurationNs found_ns = 0;
        DurationNs true_ns = 0;
        for (std::size_t step = 1; step < truth[rank].size(); ++step) {
            found_ns += job.facts.parallelism.ranks[rank].steps.at(step)[Role::Tensor];
            true_ns += truth[rank][step].tensor.exposed_ns;
        }
        EXPECT_NEAR(static_cast<double>(found_ns) / static_cast<double>(true_ns), 1, 0.001) << "rank " << rank;
    }
}

TEST(DividedJobs, ArePlacedInTheGridAsTheirRanksWereMade) {
    const AnalysedRun job = analysedJob("grid");
    const tracegen::machine::JobSpec spec = *tracegen::machine::jobConfig("grid", 2).job;
    for (std::uint32_t rank = 0; rank < job.run->ranks.size(); ++rank) {
        const tracegen::machine::GridPlace place = placeOf(spec, static_cast<int>(rank));
        EXPECT_EQ(job.facts.parallelism.grid.placeText(RankPosition(rank)),
                  "dp " + std::to_string(place.data) + ", pp " + std::to_string(place.pipeline) + ", tp " +
                      std::to_string(place.tensor));
    }
}

}  // namespace
}  // namespace rankscope::accuracy
