// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of the grid and its groups, on recorded runs: the parts add up to the whole.

#include "core/analysis/collectives/collective_list.h"
#include "core/analysis/parallelism/grid_places.h"
#include "core/diagnosis/evidence/rank_measures.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::vector<std::filesystem::path> runs() {
    std::vector<std::filesystem::path> all = corpusRuns();
    for (const char* name : {"unseen_1/megatron_tp8", "unseen_1/fsdp2_4ranks", "unseen_1/expert_8ranks",
                             "dlrm_8ranks_v100", "resnet_ddp_4ranks_rocm"}) {
        if (std::filesystem::exists(realTraces() / name)) {
            all.push_back(realTraces() / name);
        }
    }
    return all;
}

/// The mean of a rank's steps by role is a rounded number of nanoseconds for each.
void expectRolesToAddUp(const AnalysedRun& run) {
    const RankValues all = rankValues(run, RankMeasure::ExposedCommunication);
    std::vector<RankValues> by_role;
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        by_role.push_back(rankValues(run, RankMeasure::ExposedCommunication, static_cast<Role>(r)));
    }
    for (RankPosition rank{0}; rank < run.facts.parallelism.ranks.size(); ++rank) {
        const RankRoles& roles = run.facts.parallelism.ranks[rank];
        if (roles.counted == 0) {
            EXPECT_EQ(all.of[rank], std::nullopt);
            continue;
        }
        std::int64_t sum = roles.exposed[std::nullopt] / static_cast<DurationNs>(roles.counted);
        for (const RankValues& role : by_role) {
            sum += role.of[rank].value_or(0);
        }
        EXPECT_LE(all.of[rank].value_or(0) - sum, static_cast<std::int64_t>(kRoleCount));
        EXPECT_GE(all.of[rank].value_or(0), sum);
    }
}

void expectEachCollectiveOnce(const AnalysedRun& run) {
    const std::size_t all = collectiveLines(run.facts, run.clock, {}).size();
    std::size_t by_role = collectiveLines(run.facts, run.clock, {{}, true, std::nullopt}).size();
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        by_role += collectiveLines(run.facts, run.clock, {{}, true, static_cast<Role>(r)}).size();
    }
    std::size_t by_group = 0;
    for (std::uint32_t g = 0; g < run.facts.collectives.groups.size(); ++g) {
        by_group += collectiveLines(run.facts, run.clock, {g, false, {}}).size();
    }
    EXPECT_EQ(by_role, all);
    EXPECT_EQ(by_group, all);
}

void expectEachRankUnderOneHeading(const AnalysedRun& run) {
    std::vector<RankPosition> ranks;
    for (RankPosition rank{0}; rank < run.run->ranks.size(); ++rank) {
        ranks.push_back(rank);
    }
    for (const GridDimension& dimension : run.facts.parallelism.grid.dimensions) {
        std::size_t under = 0;
        for (const RanksOfPlace& place : ranksByPlace(run.facts.parallelism.grid, dimension.role, ranks)) {
            under += place.ranks.size();
        }
        EXPECT_EQ(under, ranks.size());
    }
}

TEST(GridOfRecordedRuns, HasPartsThatAddUpToTheWhole) {
    for (const std::filesystem::path& path : runs()) {
        SCOPED_TRACE(path.string());
        for (const AnalysedRun& run : loadAndAnalyseAll(path)) {
            expectRolesToAddUp(run);
            expectEachCollectiveOnce(run);
            expectEachRankUnderOneHeading(run);
        }
    }
}

}  // namespace
}  // namespace rankscope::test
