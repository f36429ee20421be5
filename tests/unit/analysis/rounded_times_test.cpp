// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose times are rounded tells the same as with exact times, to what the rounding leaves of them.
#include "core/trace/rounded_times.h"

#include "core/analysis/stages.h"
#include "core/analysis/steps/phases.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::test {
namespace {

using tracegen::TimeGrid;
using Names = std::pair<std::string, std::string>;

struct Told {
    AnalysedRank rank;
    RankPhases phases;
    std::map<Names, int> inside;  // how many slices of the first name are directly inside one of the second

    [[nodiscard]] const Health& health() const { return rank.work.trace->health; }
};

/// What rank 0 of a small run with calls in calls says, written on `grid`.
Told toldAt(TimeGrid grid) {
    tracegen::machine::Config config = tracegen::machine::healthyConfig(11, 2);
    config.steps = 4;
    config.model.graphs = false;
    config.habits.items = 3;
    tracegen::machine::FileSpec spec;
    spec.grid = grid;
    const auto files = writeFiles(simulate(config), spec);
    Told told{analyseRank(loadText(files.front().text), NameRules::builtIn()), {}, {}};
    told.phases = measurePhases(told.rank.work, factsAlone(told.rank.facts));
    const RankTrace& trace = *told.rank.work.trace;
    for (const Track& track : trace.tracks) {
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            const SliceIndex parent = track.slices.parent[i];
            if (parent != kNoSlice) {
                ++told.inside[{std::string(trace.strings.view(track.slices.name[i])),
                               std::string(trace.strings.view(track.slices.name[parent]))}];
            }
        }
    }
    return told;
}

class RoundedRun : public testing::TestWithParam<std::pair<TimeGrid, DurationNs>> {
  protected:
    static const Told& exact() {
        static const Told told = toldAt(TimeGrid::OfDialect);
        return told;
    }
    const Told told = toldAt(GetParam().first);
    const DurationNs step_ns = GetParam().second;
};

INSTANTIATE_TEST_SUITE_P(At, RoundedRun,
                         testing::Values(std::pair{TimeGrid::Double, 250}, std::pair{TimeGrid::Microseconds, 1000}));

TEST_P(RoundedRun, SaysHowFarItsTimesMayBeOff) {
    EXPECT_EQ(exact().health().time_slack_ns, 0);
    EXPECT_EQ(told.health().time_slack_ns, step_ns);
}

TEST_P(RoundedRun, HasTheSameCallsInsideTheSameCalls) {
    ASSERT_GT(exact().inside.size(), 20U);
    for (const auto& [names, count] : exact().inside) {
        const auto found = told.inside.find(names);
        EXPECT_EQ(found == told.inside.end() ? 0 : found->second, count) << names.first << " in " << names.second;
    }
    for (const auto& [names, count] : told.inside) {
        // A call that an operator could have made counts as one that it made: see endAroundCall().
        EXPECT_TRUE(exact().inside.contains(names) || names.first.starts_with("cuda"))
            << names.first << " in " << names.second << ": " << count;
    }
    EXPECT_EQ(told.health().overlapping, 0U);
}

TEST_P(RoundedRun, HasTheSamePhases) {
    ASSERT_EQ(told.phases.steps.size(), exact().phases.steps.size());
    ASSERT_FALSE(exact().phases.steps.empty());
    for (std::size_t step = 0; step < exact().phases.steps.size(); ++step) {
        const DurationNs near = exact().rank.facts.steps[step].span.length() / 200;
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            const auto phase = static_cast<Phase>(p);
            const PhaseTime& rounded = told.phases.steps[step][phase];
            const PhaseTime& was = exact().phases.steps[step][phase];
            EXPECT_LE(std::abs(rounded.host_ns - was.host_ns), near) << phaseName(phase) << " of step " << step;
            EXPECT_LE(std::abs(rounded.device_ns - was.device_ns), near) << phaseName(phase) << " of step " << step;
        }
    }
}

TEST(RoundedTimes, BetweenInsideAndAfterIsOverlap) {
    const TimeSpan span{10'000, 20'000};
    EXPECT_EQ(endAround(span, 0), 20'000);
    EXPECT_EQ(endBefore(span, 0), 10'000);
    EXPECT_EQ(endAround(span, 1'000), 19'000);
    EXPECT_EQ(endBefore(span, 1'000), 11'000);
    for (const TimeSpan& brief : {TimeSpan{10'000, 10'000}, TimeSpan{10'000, 10'001}, TimeSpan{10'000, 11'000}}) {
        for (const DurationNs slack_ns : {0, 250, 1'000}) {
            EXPECT_LT(endBefore(brief, slack_ns), endAround(brief, slack_ns));
            EXPECT_GT(endAround(brief, slack_ns), brief.start_ns);
        }
    }
}

}  // namespace
}  // namespace rankscope::test
