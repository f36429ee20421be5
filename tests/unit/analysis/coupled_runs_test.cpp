// SPDX-License-Identifier: GPL-3.0-or-later
//
// All runs, real ones and those of the corpus: their ranks replayed together give what was measured where nothing
// changes.

#include "core/analysis/run_facts.h"
#include "core/ingest/load.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/support/whole_replay.h"

namespace rankscope::test {
namespace {

struct Counts {
    std::size_t runs = 0;
    std::size_t coupled = 0;
    std::size_t rendezvous = 0;
};

void checkUnchanged(const Run& run, Counts& counts) {
    const auto facts = analyseFacts(run, {.threads = 2}, {}, {});
    ASSERT_TRUE(facts.ok());
    const RunReplayModel& model = facts.value().model;
    const auto replayed = replayRun(model, replayWhole());
    for (std::size_t r = 0; r < model.ranks.size(); ++r) {
        std::vector<TimeSpan> measured;
        for (const RankStep& step : facts.value().facts.ranks[r].steps) {
            measured.push_back(step.span);
        }
        if (!model.ranks[r].events.empty()) {
            EXPECT_EQ(replayed[r], measured) << "rank " << r;
        }
    }
    ++counts.runs;
    counts.coupled += model.coupled ? 1U : 0U;
    counts.rendezvous += model.rendezvous.size();
}

TEST(CoupledRuns, AreReplayedAsTheyWereMeasured) {
    std::set<std::filesystem::path> folders;
    for (const std::filesystem::path& file : allTraceFiles()) {
        folders.insert(file.parent_path());
    }
    Counts counts;
    for (const std::filesystem::path& folder : folders) {
        SCOPED_TRACE(folder.string());
        for (const RunSource& files : discoverRuns({folder.string()}).runs) {
            LoadObserver observer;
            if (const auto run = loadRun(files, {}, observer, {}); run.ok()) {
                checkUnchanged(run.value(), counts);
            }
        }
    }
    EXPECT_GT(counts.coupled, 0U);
    EXPECT_GT(counts.rendezvous, 100U);
    RecordProperty("runs", static_cast<int>(counts.runs));
    RecordProperty("coupled", static_cast<int>(counts.coupled));
}

}  // namespace
}  // namespace rankscope::test
