// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that was recorded twice, as `schedule(..., repeat=2)` writes it: two files of one process, 120 s apart.
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/rebuilt_files.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::int64_t kApart = 120;  // seconds

std::string textOf(int rank) {
    return unpackedText(sample("ZeroWorkers") / ("rank" + std::to_string(rank) + ".pt.trace.json.gz"));
}

/// Writes both windows of a rank, and analyses what is in the folder.
class RecordedTwice : public testing::Test {
  protected:
    void put(const std::string& worker, const std::string& text) const {
        folder.write("job/" + worker + ".1700000000000.pt.trace.json", text);
        folder.write("job/" + worker + ".1700000120000.pt.trace.json", recordedLater(text, kApart, 100));
    }
    [[nodiscard]] AnalysedRun run() const { return loadAndAnalyse(folder.path() / "job"); }

    TempFolder folder;
};

/// No step, and no price, reaches over the hole of two minutes.
void expectNoStepOverTheHole(const AnalysedRun& run, const AnalysedRun& once) {
    for (const RunStep& step : run.facts.steps) {
        EXPECT_LT(step.duration_ns, 2 * once.facts.median_step_ns);
    }
    EXPECT_NEAR(static_cast<double>(run.facts.mean_step_ns), static_cast<double>(once.facts.mean_step_ns),
                0.02 * static_cast<double>(once.facts.mean_step_ns));
    ASSERT_EQ(run.diagnosis.findings.size(), once.diagnosis.findings.size());
    for (std::size_t i = 0; i < run.diagnosis.findings.size(); ++i) {
        EXPECT_EQ(run.diagnosis.findings[i].title, once.diagnosis.findings[i].title);
        EXPECT_NEAR(run.diagnosis.findings[i].share, once.diagnosis.findings[i].share, 0.02);
    }
}

TEST_F(RecordedTwice, ARankWithItsNumberSaysWhatOneWindowSays) {
    put("rank0", textOf(0));
    const TempFolder alone;
    alone.write("job/rank0.json", textOf(0));
    const AnalysedRun once = loadAndAnalyse(alone.path() / "job");
    EXPECT_EQ(run().facts.steps.size(), 2 * once.facts.steps.size());
    expectNoStepOverTheHole(run(), once);
}

TEST_F(RecordedTwice, RanksWithoutNumbersSayWhatOneWindowSays) {
    for (int rank = 0; rank < 4; ++rank) {
        put("w." + std::to_string(rank), withoutHost(withoutRank(textOf(rank))));
    }
    const AnalysedRun once = loadAndAnalyse(sample("ZeroWorkers"));
    const AnalysedRun twice = run();
    ASSERT_EQ(twice.run->ranks.size(), 4U);
    EXPECT_EQ(twice.run->ranks[0]->files.size(), 2U);
    EXPECT_EQ(twice.facts.steps.size(), 2 * once.facts.steps.size());
    expectNoStepOverTheHole(twice, once);
}

TEST_F(RecordedTwice, ARankWithoutANumberAndWithoutStepMarksSaysWhatOneWindowSays) {
    const std::string text = withoutStepMarks(withoutRank(textOf(2)));
    put("node0_1", text);
    const TempFolder alone;
    alone.write("job/one.json", text);
    const AnalysedRun once = loadAndAnalyse(alone.path() / "job");
    const AnalysedRun twice = run();
    ASSERT_EQ(twice.run->ranks.size(), 1U);
    EXPECT_FALSE(twice.run->ranks[0]->rank.has_value()) << "a single rank stays without a number";
    expectNoStepOverTheHole(twice, once);
}

}  // namespace
}  // namespace rankscope::test
