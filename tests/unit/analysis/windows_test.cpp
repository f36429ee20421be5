// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that was recorded in several windows: nothing that is measured reaches over a hole between two of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "core/trace/recorded_windows.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/twice.h"

namespace rankscope::test {
namespace {

constexpr DurationNs kTwoMinutes = 120'000'000'000;

std::vector<std::filesystem::path> runsHere() {
    std::vector<std::filesystem::path> runs = corpusRuns();
    if (std::filesystem::exists(realTraces())) {
        std::ranges::copy(realRuns(), std::back_inserter(runs));
    }
    return runs;
}

DurationNs longestWindow(const AnalysedRun& run) {
    DurationNs longest_ns = 0;
    for (const auto& rank : run.run->ranks) {
        longest_ns = std::max(longest_ns, rank->window.length());
    }
    return longest_ns;
}

/// The steps of a run that was recorded twice are those of both times. Clocks that are fitted are so by twice as much.
void expectSameSteps(const RunFacts& once, const RunFacts& twice, bool fitted) {
    const DurationNs least_ns = fitted ? 100'000 : 0;
    ASSERT_EQ(twice.steps.size(), 2 * once.steps.size());
    for (std::size_t i = 0; i < twice.steps.size(); ++i) {
        const RunStep& step = twice.steps[i];
        const RunStep& own = once.steps[i % once.steps.size()];
        EXPECT_LE(std::abs(step.duration_ns - own.duration_ns), least_ns) << "step " << step.index;
        EXPECT_EQ(step.follows, own.follows) << "step " << step.index;
        EXPECT_EQ(step.opens, own.opens) << "step " << step.index;
        EXPECT_EQ(step.complete, own.complete) << "step " << step.index;
    }
    EXPECT_LE(std::abs(twice.recorded_ns - 2 * once.recorded_ns), 2 * least_ns);
}

/// The parts of each step are those of the same step recorded once.
void expectSameParts(const RunFacts& once, const RunFacts& twice) {
    ASSERT_EQ(twice.ranks.size(), once.ranks.size());
    for (RankPosition r{0}; r < twice.ranks.size(); ++r) {
        const std::vector<RankStep>& own = once.ranks[r].steps;
        const std::vector<RankStep>& both = twice.ranks[r].steps;
        ASSERT_EQ(both.size(), 2 * own.size());
        for (std::size_t s = 0; s < both.size(); ++s) {
            const RankStep& step = own[s % own.size()];
            EXPECT_EQ(both[s].window, s / own.size());
            ASSERT_EQ(both[s].partition.has_value(), step.partition.has_value());
            if (step.partition) {
                EXPECT_EQ(both[s].partition->idle_ns, step.partition->idle_ns) << "rank " << r << " step " << s;
                EXPECT_EQ(both[s].partition->compute_ns, step.partition->compute_ns) << "rank " << r << " step " << s;
                EXPECT_EQ(both[s].partition->exposed_comm_ns, step.partition->exposed_comm_ns)
                    << "rank " << r << " step " << s;
                EXPECT_EQ(both[s].gaps.size(), step.gaps.size()) << "rank " << r << " step " << s;
                const DurationNs stalled_ns =
                    step.idle_causes[Cause::HostStall] + both[s].idle_causes[Cause::HostStall];
                if (stalled_ns == 0) {  // what is usual of a call, and so what stalls, is known by twice as many
                    EXPECT_EQ(both[s].idle_causes.ns, step.idle_causes.ns) << "rank " << r << " step " << s;
                }
            }
        }
    }
}

void expectNothingLongerThanAWindow(const AnalysedRun& twice, DurationNs window_ns) {
    for (const RankFacts& rank : twice.facts.ranks) {
        for (const HostStall& stall : rank.stalls) {
            EXPECT_LE(stall.span.length(), window_ns);
        }
        for (const RankStep& step : rank.steps) {
            EXPECT_LE(step.span.length(), window_ns);
        }
    }
    for (const StragglerSegment& segment : twice.facts.stragglers.segments) {
        EXPECT_LE(std::ranges::max(segment.segment_ns), window_ns);
    }
    for (const Finding& finding : twice.diagnosis.findings) {
        EXPECT_LE(finding.saving_ns, window_ns) << findingName(finding.id);
    }
}

/// The memory at the peak is that of one window.
void expectSameMemory(const MemoryFacts& once, const MemoryFacts& twice) {
    ASSERT_EQ(twice.ranks.size(), once.ranks.size());
    for (std::size_t r = 0; r < once.ranks.size(); ++r) {
        ASSERT_EQ(twice.ranks[r].size(), once.ranks[r].size());
        for (std::size_t d = 0; d < once.ranks[r].size(); ++d) {
            const MemoryAtPeak& own = once.ranks[r][d];
            const MemoryAtPeak& both = twice.ranks[r][d];
            EXPECT_EQ(both.allocated, own.allocated);
            EXPECT_EQ(both.unseen, own.unseen);
            EXPECT_EQ(both.parts.bytes, own.parts.bytes);
            EXPECT_EQ(both.checkpoints.size(), 2 * own.checkpoints.size());
        }
    }
}

void expectSameFirstFinding(const Diagnosis& once, const Diagnosis& twice) {
    if (once.findings.empty() || once.findings.front().saving_ns == 0) {
        return;
    }
    ASSERT_FALSE(twice.findings.empty());
    EXPECT_EQ(twice.findings.front().id, once.findings.front().id);
}

TEST(RecordedWindows, ARunThatWasRecordedTwiceSaysTheSameAndNothingReachesOverTheHole) {
    std::size_t runs = 0;
    for (const std::filesystem::path& path : runsHere()) {
        for (const AnalysedRun& once : loadAndAnalyseAll(path)) {
            if (std::ranges::any_of(once.run->ranks, [](const auto& rank) { return rank->window.empty(); })) {
                continue;
            }
            SCOPED_TRACE(once.run->name);
            const AnalysedRun twice = analyse(recordedTwice(*once.run, kTwoMinutes));
            expectSameSteps(once.facts, twice.facts, std::ranges::any_of(twice.clock.ranks, [](const RankClock& clock) {
                                return clock.method == ClockMethod::Fitted;
                            }));
            expectSameParts(once.facts, twice.facts);
            expectNothingLongerThanAWindow(twice, longestWindow(once));
            expectSameMemory(once.facts.memory, twice.facts.memory);
            expectSameFirstFinding(once.diagnosis, twice.diagnosis);
            ++runs;
        }
    }
    EXPECT_GT(runs, 0U);
}

/// What marks the steps of a rank below.
enum class Marks : std::uint8_t { Profiler, Optimizer, Server, Nothing };

constexpr double kStepUs = 100;
constexpr double kLaterUs = 1'000'000;

void addWindow(ThreadAndStream& rank, Marks marks, int first_step, double from_us) {
    ModelBuilder& model = rank.model;
    // Launched before the window, so its launch is not recorded.
    model.slice(rank.stream, Category::Kernel, "gemm", from_us + 1, 5);
    for (int i = 0; i < 3; ++i) {
        const double at_us = from_us + kStepUs * i;
        switch (marks) {
            case Marks::Profiler: model.step(rank.thread, first_step + i, at_us, kStepUs); break;
            case Marks::Optimizer:
                model.slice(rank.thread, Category::UserAnnotation, "Optimizer.step#SGD.step", at_us + 90, 9);
                break;
            case Marks::Server:
                model.slice(rank.thread, Category::UserAnnotation, "gpu_model_runner: forward", at_us, 90);
                break;
            case Marks::Nothing: break;
        }
        model.kernel(rank.thread, at_us + 10, 5, rank.stream, "gemm", at_us + 20, 60);
    }
    const auto from_ns = static_cast<TimeNs>(from_us * 1000);
    TraceFile file;
    file.path = "rank0." + std::to_string(from_ns) + ".pt.trace.json";
    file.window = {from_ns, from_ns + 300'000};
    model.file(file);
}

AnalysedRun twoWindows(Marks marks, int second_step = 100) {
    ThreadAndStream rank = threadAndStream();
    rank.model.rank(0, 1);
    addWindow(rank, marks, 0, 0);
    addWindow(rank, marks, second_step, kLaterUs);
    return analyse(runOf({rank.model.build()}));
}

std::vector<DurationNs> durationsOf(const AnalysedRun& run) {
    std::vector<DurationNs> durations;
    for (const RunStep& step : run.facts.steps) {
        durations.push_back(step.duration_ns);
    }
    return durations;
}

TEST(RecordedWindows, WorkThatOpensAWindowIsNotOfTheStepBeforeTheHole) {
    EXPECT_THAT(durationsOf(twoWindows(Marks::Profiler)), testing::Each(testing::Le(100'000)));
}

TEST(RecordedWindows, AStepWhoseNumberFollowsOverAHoleBeginsAnew) {
    const AnalysedRun run = twoWindows(Marks::Profiler, 3);
    ASSERT_EQ(run.facts.steps.size(), 6U);
    EXPECT_FALSE(run.facts.steps[3].follows);
    EXPECT_TRUE(run.facts.steps[3].opens);
    EXPECT_TRUE(run.facts.steps[4].follows);
    EXPECT_THAT(durationsOf(run), testing::Each(testing::Le(100'000)));
}

TEST(RecordedWindows, StepsAreCountedOnBehindAHoleAndNoneReachesOverIt) {
    const AnalysedRun run = twoWindows(Marks::Optimizer);
    ASSERT_EQ(run.facts.steps.size(), 4U);  // three ends a window
    EXPECT_EQ(run.facts.steps.back().index, 3);
    EXPECT_THAT(durationsOf(run), testing::Each(testing::Le(100'000)));
}

TEST(RecordedWindows, TheLastIterationOfAWindowIsNoStepAsItsEndIsUnknown) {
    const AnalysedRun run = twoWindows(Marks::Server);
    ASSERT_EQ(run.facts.ranks.front().step_source, StepSource::Iteration);
    EXPECT_EQ(run.facts.steps.size(), 4U);
    EXPECT_THAT(durationsOf(run), testing::Each(testing::Le(100'000)));
}

TEST(RecordedWindows, WithoutMarksEachWindowIsAStep) {
    const AnalysedRun run = twoWindows(Marks::Nothing);
    EXPECT_EQ(durationsOf(run), (std::vector<DurationNs>{300'000, 300'000}));
}

TEST(RecordedWindows, AHoleIsNoTimeThatWasRecorded) {
    EXPECT_EQ(twoWindows(Marks::Profiler).facts.recorded_ns, 600'000);
}

TEST(RecordedWindows, AThousandWindowsAreAThousandSteps) {
    ThreadAndStream rank = threadAndStream();
    rank.model.rank(0, 1);
    for (int i = 0; i < 1000; ++i) {
        addWindow(rank, Marks::Nothing, 0, kLaterUs * i);
    }
    const AnalysedRun run = analyse(runOf({rank.model.build()}));
    EXPECT_EQ(run.facts.steps.size(), 1000U);
    EXPECT_EQ(run.facts.recorded_ns, 300'000'000);
}

TEST(RecordedWindows, StepsThatAreCountedPairByWindowWhereARankMissedTheFirst) {
    ThreadAndStream both = threadAndStream();
    both.model.rank(0, 2);
    addWindow(both, Marks::Optimizer, 0, 0);
    addWindow(both, Marks::Optimizer, 0, kLaterUs);
    ThreadAndStream second_only = threadAndStream();
    second_only.model.rank(1, 2);
    addWindow(second_only, Marks::Optimizer, 0, kLaterUs);
    const AnalysedRun run = analyse(runOf({both.model.build(), second_only.model.build()}));
    ASSERT_EQ(run.facts.steps.size(), 4U);
    EXPECT_FALSE(run.facts.steps[0].by_rank[1].has_value());
    EXPECT_EQ(run.facts.steps[2].by_rank[1], RankStepPosition(0));
    EXPECT_THAT(durationsOf(run), testing::Each(testing::Le(100'000)));
}

TEST(RecordedWindows, FilesThatOverlapOrTouchAreOneWindow) {
    const RecordedWindows windows({{50, 60}, {0, 10}, {10, 20}, {15, 30}});
    ASSERT_EQ(windows.all().size(), 2U);
    EXPECT_EQ(windows.all()[0], (TimeSpan{0, 30}));
    EXPECT_EQ(windows.all()[1], (TimeSpan{50, 60}));
    EXPECT_EQ(windows.holes(), (std::vector<TimeSpan>{{30, 50}}));
    EXPECT_TRUE(windows.holeBetween(29, 50));
    EXPECT_FALSE(windows.holeBetween(0, 29));
    EXPECT_EQ(windows.lengthIn({5, 55}), 30);
}

TEST(RecordedWindows, AnInstantInAHoleBelongsToTheNearerWindow) {
    const RecordedWindows windows({{0, 10}, {20, 30}, {40, 50}});
    EXPECT_EQ(windows.indexOf(14), 0U);
    EXPECT_EQ(windows.indexOf(16), 1U);
    EXPECT_EQ(windows.indexOf(100), 2U);
}

TEST(SharedWindows, ClocksThatAreFarApartDoNotMixWindowsUp) {
    const std::vector<TimeSpan> first = {{0, 10}, {100, 110}, {200, 210}};
    const std::vector<TimeSpan> a_window_later = {{100, 110}, {200, 210}, {300, 310}};
    const SharedWindows shared = shareWindows({first, a_window_later});
    EXPECT_EQ(shared.count, 3U);
    EXPECT_EQ(shared.number[0], shared.number[1]);
}

TEST(SharedWindows, ARankThatMissedAWindowSharesTheOthers) {
    const SharedWindows shared = shareWindows({{{0, 10}, {100, 110}, {200, 210}}, {{1, 11}, {201, 211}}});
    EXPECT_EQ(shared.number[1], (std::vector<std::uint32_t>{0, 2}));
}

TEST(SharedWindows, RanksThatWereRecordedAtOtherTimesShareOnlyWhatOverlaps) {
    const SharedWindows shared = shareWindows({{{0, 10}, {200, 210}}, {{100, 110}, {200, 210}}});
    EXPECT_EQ(shared.number[0], (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(shared.number[1], (std::vector<std::uint32_t>{1, 2}));
}

TEST(SharedWindows, OneLongWindowOverTwoOfAnotherRankTellsNothing) {
    const SharedWindows shared = shareWindows({{{0, 300}}, {{10, 20}, {200, 210}}});
    EXPECT_EQ(shared.count, 1U);
}

}  // namespace
}  // namespace rankscope::test
