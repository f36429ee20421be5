// SPDX-License-Identifier: GPL-3.0-or-later
// All steps of all ranks from the tables of digests, held against the facts of the traces.
#include "core/digest/step_table.h"

#include "core/diagnosis/frame/analysed_run.h"
#include "core/digest/database.h"
#include "core/digest/merge_digests.h"
#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

using testing::SizeIs;

class Steps : public testing::Test {
  protected:
    TempFolder folder;
    std::vector<std::string> digests = makeDigests(sample("ZeroWorkers"), folder.path() / "digests");
};

TEST_F(Steps, OfDigestsAreThoseThatTheFactsOfTheTracesHave) {
    const Result<StepTable> table = readStepTable(digests);
    ASSERT_TRUE(table.ok());
    const AnalysedRun analysed = analyseRun(loadRunAt(sample("ZeroWorkers")), {}, {}, {}).value();
    ASSERT_THAT(table.value().ranks, SizeIs(analysed.run->ranks.size()));
    std::size_t compared = 0;
    for (RankPosition rank{0}; rank < analysed.run->ranks.size(); ++rank) {
        const std::size_t row = rank;
        EXPECT_EQ(table.value().ranks[row], analysed.run->ranks[rank]->rank);
        std::size_t known = 0;
        for (std::size_t s = 0; s < table.value().steps.size(); ++s) {
            const StepTableCell& cell = table.value().at(row, s);
            known += cell.known ? 1 : 0;
            for (const RunStep& step : analysed.facts.steps) {
                const RankStep* own = analysed.facts.stepOf(step, rank);
                if (own == nullptr || step.index != table.value().steps[s]) {
                    continue;
                }
                ++compared;
                EXPECT_TRUE(cell.known);
                EXPECT_EQ(cell.length_ns, own->span.length());
                ASSERT_TRUE(own->partition.has_value());
                EXPECT_EQ(cell.compute_ns, own->partition->compute_ns);
                EXPECT_EQ(cell.exposed_comm_ns, own->partition->exposed_comm_ns);
                EXPECT_EQ(cell.idle_ns, own->partition->idle_ns);
            }
        }
        EXPECT_EQ(known, analysed.facts.ranks[rank].steps.size());
    }
    EXPECT_GT(compared, 0U);
}

TEST_F(Steps, OfAMergedFileAreThoseOfItsParts) {
    const std::string merged = (folder.path() / "all.digest").string();
    ASSERT_TRUE(mergeDigests(digests, merged).ok());
    const StepTable parts = readStepTable(digests).value();
    const StepTable whole = readStepTable({merged}).value();
    EXPECT_EQ(whole.ranks, parts.ranks);
    EXPECT_EQ(whole.steps, parts.steps);
    ASSERT_EQ(whole.cells.size(), parts.cells.size());
    for (std::size_t i = 0; i < whole.cells.size(); ++i) {
        EXPECT_EQ(whole.cells[i].compute_ns, parts.cells[i].compute_ns);
    }
}

TEST_F(Steps, ATableThatIsAViewIsRefused) {
    {
        const Database database = Database::create(digests.front());
        database.run("ALTER TABLE step RENAME TO other; CREATE VIEW step AS SELECT * FROM other");
    }
    const Result<StepTable> table = readStepTable(digests);
    ASSERT_TRUE(table.failed());
    EXPECT_THAT(table.error().cause, HasSubstr("no plain table \"step\""));
}

TEST_F(Steps, WhatIsNoDigestIsRefusedByName) {
    const std::string other = folder.write("other.digest", "nothing");
    const Result<StepTable> table = readStepTable({other});
    ASSERT_TRUE(table.failed());
    EXPECT_THAT(table.error().path, HasSubstr("other.digest"));
}

}  // namespace
}  // namespace rankscope::test
