// SPDX-License-Identifier: GPL-3.0-or-later
//
// A test of the tests: the pairs that others look at hold pairs of every kind. A loop over nothing passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/compare/compare_runs.h"
#include "core/compare/counterparts.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::pair<fs::path, fs::path>> pairs() {
    return {{sample("ZeroWorkers"), sample("FourWorkers")},
            {corpusRun("modern_cuda"), corpusRun("through_a_double")},
            {corpusRun("modern_cuda"), corpusRun("host_sync")}};
}

TEST(ComparedFixtures, HoldPairsOfEveryKind) {
    for (const auto& [path_a, path_b] : pairs()) {
        SCOPED_TRACE(path_a.string() + " and " + path_b.string());
        const AnalysedRun a = loadAndAnalyse(path_a);
        const AnalysedRun b = loadAndAnalyse(path_b);
        const RunComparison comparison = compareRuns(a, b);
        const auto in_both = [](const NamePair& pair) { return pair.a.calls > 0 && pair.b.calls > 0; };
        EXPECT_GT(std::ranges::count_if(comparison.kernels, in_both), 5);
        EXPECT_GT(std::ranges::count_if(comparison.operators, in_both), 5);
        EXPECT_TRUE(std::ranges::any_of(
            comparison.collectives, [](const CollectivePair& pair) { return pair.a.count > 0 && pair.b.count > 0; }));
        EXPECT_TRUE(std::ranges::all_of(comparison.ranks, [](const RankPair& pair) { return pair.a && pair.b; }));
        EXPECT_EQ(comparison.ranks.size(), a.run->ranks.size());
        EXPECT_TRUE(comparison.breakdown.has_value());
    }
}

TEST(ComparedFixtures, HaveACounterpartForMostKernels) {
    for (const auto& [path_a, path_b] : pairs()) {
        SCOPED_TRACE(path_a.string() + " and " + path_b.string());
        const AnalysedRun a = loadAndAnalyse(path_a);
        const AnalysedRun b = loadAndAnalyse(path_b);
        Counterparts counterparts(a, b);
        const RankTrace& rank = *a.run->ranks.front();
        std::size_t kernels = 0;
        std::size_t found = 0;
        for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
            for (SliceIndex i = 0; rank.tracks[t].kind == TrackKind::Stream && i < rank.tracks[t].slices.size(); ++i) {
                found += counterparts.ofSlice({RankPosition(), {TrackId(t), i}}).place ? 1U : 0U;
                ++kernels;
            }
        }
        EXPECT_GT(kernels, 100U);
        EXPECT_GT(2 * found, kernels) << found << " of " << kernels;
    }
}

}  // namespace
}  // namespace rankscope::test
