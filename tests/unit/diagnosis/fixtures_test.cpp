// SPDX-License-Identifier: GPL-3.0-or-later
//
// A test of the tests: the runs that others look at hold what is looked for. A loop over nothing passes.

#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::vector<std::filesystem::path> fixtures() {
    std::vector<std::filesystem::path> runs = corpusRuns();
    runs.push_back(sample("ZeroWorkers"));
    runs.push_back(sample("FourWorkers"));
    return runs;
}

/// Evidence leads to a slice that is there, on a rank and in a step that are there.
void expectLeadsSomewhere(const AnalysedRun& run, const Evidence& evidence) {
    ASSERT_LT(evidence.rank, run.run->ranks.size());
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    ASSERT_LT(evidence.slice.track.value, rank.tracks.size());
    ASSERT_LT(evidence.slice.slice, rank.track(evidence.slice).slices.size());
    EXPECT_FALSE(rank.name(evidence.slice).empty());
    bool step_is_there = false;
    for (const RankStep& step : run.facts.ranks[evidence.rank].steps) {
        step_is_there = step_is_there || step.index == evidence.step;
    }
    EXPECT_TRUE(step_is_there) << evidence.step;
}

TEST(DiagnosedFixtures, HaveFindingsWhoseEvidenceLeadsToSlices) {
    std::set<std::string> ids;
    std::size_t evidences = 0;
    for (const auto& path : fixtures()) {
        SCOPED_TRACE(path.string());
        const AnalysedRun run = loadAndAnalyse(path);
        for (const Finding& finding : run.diagnosis.findings) {
            SCOPED_TRACE(findingName(finding.id));
            for (const Evidence& evidence : finding.evidence) {
                expectLeadsSomewhere(run, evidence);
                ++evidences;
            }
            if (!finding.evidence.empty()) {
                ids.emplace(findingName(finding.id));
            }
        }
    }
    EXPECT_GE(ids.size(), 3U) << "findings of several kinds";
    EXPECT_GT(evidences, 8U);
}

TEST(DiagnosedFixtures, HaveStepsGapsAndMatchedCollectives) {
    for (const auto& path : fixtures()) {
        SCOPED_TRACE(path.string());
        const AnalysedRun run = loadAndAnalyse(path);
        const bool has_device = run.run->ranks.front()->hasDeviceWork();
        EXPECT_FALSE(run.facts.steps.empty());
        EXPECT_EQ(has_device, path.filename() != "cpu_only");
        std::size_t gaps = 0;
        for (const RankFacts& rank : run.facts.ranks) {
            for (const RankStep& step : rank.steps) {
                gaps += step.gaps.size();
            }
        }
        EXPECT_EQ(gaps > 0, has_device);
        if (has_device && run.run->ranks.size() > 1) {
            EXPECT_FALSE(run.facts.collectives.collectives.empty());
        }
    }
}

}  // namespace
}  // namespace rankscope::test
