// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real job of experts without one NCCL kernel: the clocks follow DeepEP's dispatches and combines.

#include "core/analysis/collectives/matching/match_collectives.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::filesystem::path expertRun() {
    return realTraces() / "unseen_1" / "expert_8ranks";
}

TEST(ExpertClocks, AreFoundAgainWhereFilesAreHundredsOfMillisecondsApart) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(expertRun());
    const std::vector<DurationNs> moved_ns = {0,        330'000'500, -123'456'789, 5'000'250,
                                              -700'125, 250'750,     99'999'999,   -42'500};
    std::vector<ClockMatch> matches = clockMatches(run.facts.collectives);
    EXPECT_EQ(matches.size(), 116U);  // 58 dispatches and as many combines
    for (ClockMatch& match : matches) {
        EXPECT_FALSE(match.ends_together);
        for (ClockMatch::Member& member : match.members) {
            member.span.start_ns += moved_ns[member.rank];
            member.span.end_ns += moved_ns[member.rank];
        }
    }
    const RunClock clock = alignClocks(*run.run, matches);
    for (RankPosition r{1}; r < 8; ++r) {
        EXPECT_EQ(clock.ranks[r].reference, 0U);
        ASSERT_TRUE(clock.ranks[r].uncertainty_ns.has_value());
        EXPECT_LT(*clock.ranks[r].uncertainty_ns, 100'000);
        EXPECT_LE(std::abs(clock.ranks[r].offset_ns + moved_ns[r]), *clock.ranks[r].uncertainty_ns) << r;
    }
}

TEST(ExpertClocks, NoDispatchEndsBeforeAllHaveCome) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(expertRun());
    std::size_t divided = 0;
    for (const Collective& collective : run.facts.collectives.collectives) {
        TimeNs last_ns = std::numeric_limits<TimeNs>::min();
        TimeNs first_end_ns = std::numeric_limits<TimeNs>::max();
        for (const CollectiveMember& member : collective.members) {
            last_ns = std::max(last_ns, member.span.start_ns);
            first_end_ns = std::min(first_end_ns, member.span.end_ns);
        }
        EXPECT_LT(last_ns, first_end_ns);  // the files' own times are kept
        divided += collective.transfer_ns ? 1U : 0U;
        for (const CollectiveMember& member : collective.members) {
            EXPECT_EQ(member.wait_ns,
                      collective.transfer_ns ? std::optional(last_ns - member.span.start_ns) : std::nullopt);
        }
    }
    EXPECT_GT(divided, 100U);
}

}  // namespace
}  // namespace rankscope::test
