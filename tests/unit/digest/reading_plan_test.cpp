// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of digests that would take more memory than they may, from the file to the reports.
#include "core/ingest/reading_plan.h"

#include "core/base/statistics.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/digest/choose_steps.h"
#include "core/digest/database.h"
#include "core/digest/merge_digests.h"
#include "core/report/reports.h"
#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/report_schema.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

constexpr std::uint64_t kPlenty = 1'000'000'000'000;

class ReadingPlanned : public testing::Test {
  protected:
    ReadingPlanned() {
        EXPECT_TRUE(mergeDigests(makeDigests(sample("ZeroWorkers"), folder.path() / "parts"), job).ok());
    }
    [[nodiscard]] static LoadOptions within(std::uint64_t bytes) {
        LoadOptions options;
        options.threads = 1;
        options.memory_bytes = bytes;
        return options;
    }
    [[nodiscard]] std::uint64_t bytesOfAll() const { return bytesToRead(readDigestedRanks({job}).value(), 1); }
    /// What half of the steps fit into.
    [[nodiscard]] std::uint64_t bytesOfHalf() const {
        std::uint64_t slices = 0;
        const std::vector<DigestedRank> ranks = readDigestedRanks({job}).value();
        for (const DigestedRank& rank : ranks) {
            slices += rank.slices;
        }
        return bytesOfAll() - slices * kBytesOfASlice * 3 / 8;
    }
    [[nodiscard]] Result<rankscope::Run> read(const LoadOptions& options) const {
        LoadObserver nobody;
        return loadRun(discoverRuns({job}).runs.at(0), options, nobody, {});
    }
    [[nodiscard]] AnalysedRun analyse(const LoadOptions& options) const {
        return analyseRun(std::make_shared<const rankscope::Run>(read(options).value()), {}, {}, {}).value();
    }
    void change(const std::string& sql) const { Database::create(job).run(sql); }

    TempFolder folder;
    std::string job = (folder.path() / "job.digest").string();
};

std::set<std::int64_t> stepsOf(const AnalysedRun& run) {
    std::set<std::int64_t> numbers;
    for (const RunStep& step : run.facts.steps) {
        numbers.insert(step.index);
    }
    return numbers;
}

TEST_F(ReadingPlanned, WhatFitsIsReadAsBefore) {
    const AnalysedRun whole = analyse(within(kPlenty));
    const AnalysedRun just = analyse(within(bytesOfAll()));
    EXPECT_EQ(just.run->chosen_steps, nullptr);
    EXPECT_EQ(jsonReport({{&just}, {}, {}, {}}), jsonReport({{&whole}, {}, {}, {}}));
    EXPECT_EQ(textReport(just), textReport(whole));
}

TEST_F(ReadingPlanned, WhatDoesNotFitIsReadInSomeStepsAndSaysSo) {
    const AnalysedRun whole = analyse(within(kPlenty));
    const AnalysedRun some = analyse(within(bytesOfHalf()));
    ASSERT_NE(some.run->chosen_steps, nullptr);
    const ChosenSteps& chosen = *some.run->chosen_steps;
    const std::set<std::int64_t> read = stepsOf(some);
    EXPECT_LT(read.size(), stepsOf(whole).size());
    for (const std::int64_t step : read) {
        EXPECT_TRUE(chosen.reads(step)) << step;
    }
    EXPECT_THAT(some.run->notes.front(), HasSubstr("read in full"));
    EXPECT_THAT(textReport(some), HasSubstr("Use --steps for others"));
    EXPECT_THAT(textReport(some), HasSubstr("read (of " + std::to_string(stepsOf(whole).size()) + "), "));
    EXPECT_THAT(textReport(some), Not(HasSubstr("of the recorded time")));
    EXPECT_THAT(textReport(whole), HasSubstr("of the recorded time"));
    EXPECT_THAT(markdownReport({{&some}, {}, {}, {}}), HasSubstr("read in full"));
    EXPECT_THAT(htmlReport({{&some}, {}, {}, {}}), HasSubstr("chosen-steps"));
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&some}, {}, {}, {}}));
}

TEST_F(ReadingPlanned, TablesSayOfAllStepsWhatTheWholeAnalysisDoes) {
    const AnalysedRun whole = analyse(within(kPlenty));
    const ChosenSteps chosen = *analyse(within(bytesOfHalf())).run->chosen_steps;
    ASSERT_EQ(chosen.steps.size(), whole.facts.steps.size());
    for (std::size_t s = 0; s < chosen.steps.size(); ++s) {
        std::vector<DurationNs> complete;
        std::vector<DurationNs> all;
        for (RankPosition rank{0}; rank < whole.run->ranks.size(); ++rank) {
            if (const RankStep* const own = whole.facts.stepOf(whole.facts.steps[s], rank)) {
                all.push_back(own->span.length());
                if (own->complete) {
                    complete.push_back(own->span.length());
                }
            }
        }
        EXPECT_EQ(chosen.steps[s].number, whole.facts.steps[s].index);
        EXPECT_EQ(chosen.steps[s].ranks, all.size());
        EXPECT_EQ(chosen.steps[s].complete, complete.size());
        EXPECT_EQ(chosen.steps[s].median_ns, lowerMedian(complete.empty() ? all : complete));
    }
}

TEST_F(ReadingPlanned, RequestedStepsAreReadWithoutALimit) {
    LoadOptions options = within(1);
    options.first_step = 0;
    options.last_step = 1'000'000;
    const AnalysedRun asked = analyse(options);
    EXPECT_EQ(asked.run->chosen_steps, nullptr);
    EXPECT_EQ(stepsOf(asked), stepsOf(analyse(within(kPlenty))));
}

TEST_F(ReadingPlanned, ARankThatIsSlowInAStepThatIsNotReadIsNamedWithItsCause) {
    const std::int64_t outside = [&] {
        const ChosenSteps chosen = *analyse(within(bytesOfHalf())).run->chosen_steps;
        for (auto step = chosen.steps.rbegin(); step != chosen.steps.rend(); ++step) {
            if (!chosen.reads(step->number)) {
                return step->number;
            }
        }
        return std::int64_t{-1};
    }();
    ASSERT_GE(outside, 0);
    change(
        "UPDATE step SET end_ns = end_ns + 9000000000, idle_ns = idle_ns + 9000000000, complete = 1 WHERE number = " +
        std::to_string(outside) + " AND rank = (SELECT id FROM rank WHERE number = 2)");
    change("INSERT INTO step_cause SELECT id, " + std::to_string(outside) +
           ", 'dataloader', 9000000000 FROM rank WHERE number = 2");
    const AnalysedRun some = analyse(within(bytesOfHalf()));
    const ChosenSteps& chosen = *some.run->chosen_steps;
    ASSERT_FALSE(chosen.long_ranks.empty());
    EXPECT_EQ(chosen.long_ranks.front().rank, RankNumber(2));
    EXPECT_EQ(chosen.long_ranks.front().worst_step, outside);
    EXPECT_EQ(chosen.long_ranks.front().cause, "dataloader");
    EXPECT_THAT(textReport(some), HasSubstr("Rank 2 takes longer"));
}

TEST_F(ReadingPlanned, WhereNotEvenAStepFitsItIsRefusedWithWhatToDo) {
    const Result<rankscope::Run> none = read(within(1));
    ASSERT_TRUE(none.failed());
    EXPECT_THAT(none.error().cause, HasSubstr("--memory"));
    EXPECT_THAT(none.error().cause, HasSubstr("--ranks"));
}

TEST_F(ReadingPlanned, OnlyTheRanksThatAreAskedForCount) {
    LoadOptions options = within(bytesOfHalf());
    options.ranks = {RankNumber(1)};
    EXPECT_EQ(analyse(options).run->chosen_steps, nullptr);
}

TEST_F(ReadingPlanned, TracesAreNotEstimated) {
    const Result<ReadingPlan> plan = planReading(discoverRuns({sample("ZeroWorkers")}).runs.at(0), within(1));
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan.value().chosen, nullptr);
}

}  // namespace
}  // namespace rankscope::test
