// SPDX-License-Identifier: GPL-3.0-or-later
//
// A test of the tests: the pairs that others look at hold pairs of every kind. A loop over nothing passes.

#include "core/compare/compare_runs.h"
#include "core/compare/pairing/counterparts.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::pair<fs::path, fs::path>> pairs() {
    return {{sample("ZeroWorkers"), sample("FourWorkers")},
            {corpusRun("modern_cuda"), corpusRun("through_a_double")},
            {corpusRun("modern_cuda"), corpusRun("host_sync")}};
}

TEST(ComparedFixtures, HavePairsOfEachKind) {
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
        const std::vector<SliceRef> kernels = deviceSlices(*a.run->ranks.front());
        const auto found = static_cast<std::size_t>(std::ranges::count_if(kernels, [&](SliceRef kernel) {
            return counterparts.ofSlice({RankPosition(), kernel}).place.has_value();
        }));
        EXPECT_GT(kernels.size(), 100U);
        EXPECT_GT(2 * found, kernels.size()) << found << " of " << kernels.size();
    }
}

}  // namespace
}  // namespace rankscope::test
