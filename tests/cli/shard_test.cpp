// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shard.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using cli::Environment;
using cli::Shard;
using cli::shardOf;
using Variables = std::map<std::string, std::string>;

Result<Shard> shardIn(const Variables& variables, const std::string& text = "",
                      std::optional<std::size_t> count = std::nullopt) {
    return shardOf(text, count, [&](const char* name) {
        const auto at = variables.find(name);
        return at == variables.end() ? std::nullopt : std::optional(at->second);
    });
}

Shard partIn(const Variables& variables, const std::string& text = "",
             std::optional<std::size_t> count = std::nullopt) {
    const Result<Shard> shard = shardIn(variables, text, count);
    EXPECT_TRUE(shard.ok()) << (shard.ok() ? "" : shard.error().text());
    return shard.ok() ? shard.value() : Shard();
}

std::string whyNone(const Variables& variables, const std::string& text = "",
                    std::optional<std::size_t> count = std::nullopt) {
    const Result<Shard> shard = shardIn(variables, text, count);
    return shard.ok() ? "" : shard.error().text();
}

TEST(Shard, IsEverythingWhereNothingSaysOtherwise) {
    EXPECT_EQ(partIn({}), (Shard{0, 1}));
}

TEST(Shard, IsWhatIsTypedWhateverTheEnvironmentSays) {
    EXPECT_EQ(partIn({{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_COUNT", "8"}}, "2/3"), (Shard{2, 3}));
}

TEST(Shard, OfAnArrayCountsFromItsFirstTaskInItsSteps) {
    EXPECT_EQ(partIn({{"SLURM_ARRAY_TASK_ID", "5"},
                      {"SLURM_ARRAY_TASK_MIN", "1"},
                      {"SLURM_ARRAY_TASK_STEP", "2"},
                      {"SLURM_ARRAY_TASK_COUNT", "4"}}),
              (Shard{2, 4}));
}

TEST(Shard, OfATaskThatRunsAgainAloneIsItsOwnWhereTheCountIsSaid) {
    EXPECT_EQ(
        partIn({{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_MIN", "5"}, {"SLURM_ARRAY_TASK_COUNT", "1"}}, "", 8),
        (Shard{5, 8}));
}

TEST(Shard, OfProcessesOfATaskDividesTheTasksPart) {
    EXPECT_EQ(partIn({{"SLURM_ARRAY_TASK_ID", "1"},
                      {"SLURM_ARRAY_TASK_COUNT", "2"},
                      {"SLURM_JOB_ID", "7"},
                      {"SLURM_STEP_ID", "0"},
                      {"SLURM_PROCID", "3"},
                      {"SLURM_NTASKS", "4"}}),
              (Shard{7, 8}));
}

TEST(Shard, OfASlurmStepIsItsProcess) {
    EXPECT_EQ(partIn({{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}}), (Shard{3, 4}));
    EXPECT_EQ(partIn({{"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}}),
              (Shard{3, 4}));
}

TEST(Shard, OfABatchScriptIsEverythingThoughItHasTasks) {
    EXPECT_EQ(partIn({{"SLURM_JOB_ID", "7"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), (Shard{0, 1}));
}

TEST(Shard, OfMpiAndOfAnIndexedJobIsItsRank) {
    EXPECT_EQ(partIn({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}), (Shard{1, 2}));
    EXPECT_EQ(partIn({{"JOB_COMPLETION_INDEX", "6"}}, "", 7), (Shard{6, 7}));
}

TEST(Shard, IsRefusedWithTheVariableWhereItCannotBe) {
    EXPECT_THAT(whyNone({{"JOB_COMPLETION_INDEX", "6"}}),
                HasSubstr("JOB_COMPLETION_INDEX: is set; give the number of parts"));
    EXPECT_THAT(whyNone({{"JOB_COMPLETION_INDEX", "6"}}, "", 6), HasSubstr("part 6 is not one of the parts 0 to 5"));
    EXPECT_THAT(whyNone({{"SLURM_PROCID", "x"}, {"SLURM_NTASKS", "4"}}), HasSubstr("SLURM_PROCID: is set, but"));
    EXPECT_THAT(whyNone({}, "", 3), HasSubstr("nothing says which"));
    for (const char* text : {"3", "3/3", "/", "a/b", "-1/2", "1/0", "1/2/3", "1/99999999999999999999"}) {
        EXPECT_THAT(whyNone({}, text), HasSubstr("--shard")) << text;
    }
    for (const char* text : {"0/0", "1/0", "3", "a/b"}) {
        EXPECT_THAT(whyNone({}, text), HasSubstr("is not a part I/N of the files, like 0/8; N is at least 1")) << text;
    }
    EXPECT_THAT(whyNone({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "0"}}), HasSubstr("says 0 parts"));
}

TEST(Shard, HasEachPlaceInOnePartOfAll) {
    for (std::size_t place = 0; place < 20; ++place) {
        int parts = 0;
        for (std::size_t index = 0; index < 7; ++index) {
            parts += Shard{index, 7}.has(place) ? 1 : 0;
        }
        EXPECT_EQ(parts, 1);
    }
}

}  // namespace
}  // namespace rankscope::test
