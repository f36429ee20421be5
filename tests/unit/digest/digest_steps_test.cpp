// SPDX-License-Identifier: GPL-3.0-or-later
// Some steps of a digest against the same steps of its trace.

#include "core/analysis/stages.h"
#include "core/analysis/steps/run_steps.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/unit/digest/make_digests.h"

namespace rankscope::test {
namespace {

/// What of a trace's health is of the steps that are read.
auto countsOf(const RankTrace& trace) {
    const Health& health = trace.health;
    return std::tuple(health.slices, health.unlinked_launches, health.unlinked_device, health.early_kernels,
                      trace.launches.all().size());
}

std::vector<RankTrace> stepsOf(const std::string& path, std::int64_t first, std::int64_t last) {
    LoadOptions options;
    options.threads = 1;
    options.first_step = first;
    options.last_step = last;
    LoadObserver nobody;
    Result<std::vector<RankTrace>> read = loadRanks({path, "", std::filesystem::file_size(path)}, options, nobody, {});
    return read.ok() ? std::move(read).value() : std::vector<RankTrace>();
}

/// The steps of one rank, as it tells them, and as a run of it alone does.
struct Measured {
    std::vector<MeasuredStep> of_rank;
    std::vector<RunStep> of_run;
};

Measured measure(RankTrace trace) {
    AnalysedRank rank = analyseRank(std::make_shared<const RankTrace>(std::move(trace)), NameRules::builtIn());
    RunClock clock;
    clock.ranks.resize(1);
    std::vector<MeasuredRank> ranks;
    ranks.push_back(std::move(rank.facts));
    std::vector<RunStep> of_run = pairSteps(ranks, clock);
    return {std::move(ranks.front().steps), std::move(of_run)};
}

std::vector<RankTrace> allStepsOf(const std::string& path) {
    LoadObserver nobody;
    Result<std::vector<RankTrace>> read = loadRanks({path, "", std::filesystem::file_size(path)}, {}, nobody, {});
    return read.ok() ? std::move(read).value() : std::vector<RankTrace>();
}

/// Of the numbers that only one step has, the first few, the last, and some between.
std::vector<std::int64_t> someOf(const std::vector<MeasuredStep>& steps) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool is_some = i < 4 || i + 1 == steps.size() || i % 16 == 0;
        if (is_some && std::ranges::count(steps, steps[i].index, &MeasuredStep::index) == 1) {
            numbers.push_back(steps[i].index);
        }
    }
    return numbers;
}

TEST(DigestSteps, CountLaunchesAndDeviceWorkAsTheTraceDoes) {
    std::size_t compared = 0;
    for (const std::filesystem::path& trace : allTraceFiles()) {
        SCOPED_TRACE(trace.string());
        std::vector<RankTrace> whole = allStepsOf(trace.string());
        ASSERT_FALSE(whole.empty());
        const TempFolder folder;
        const std::string digest = makeDigests(trace, folder.path()).at(0);
        for (const std::int64_t step : someOf(measure(std::move(whole.front())).of_rank)) {
            SCOPED_TRACE(step);
            const std::vector<RankTrace> of_trace = stepsOf(trace.string(), step, step + 1);
            const std::vector<RankTrace> of_digest = stepsOf(digest, step, step + 1);
            ASSERT_EQ(of_trace.size(), of_digest.size());
            for (std::size_t r = 0; r < of_trace.size(); ++r) {
                EXPECT_EQ(countsOf(of_trace[r]), countsOf(of_digest[r]));
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 20U);
}

/// Expects that the steps from `first` to `last`, read alone, are those of the whole trace.
void expectSameSteps(const std::vector<Measured>& whole, const std::string& path, std::int64_t first,
                     std::int64_t last) {
    SCOPED_TRACE(path + ", steps " + std::to_string(first) + " to " + std::to_string(last));
    std::vector<RankTrace> ranks = stepsOf(path, first, last);
    ASSERT_EQ(ranks.size(), whole.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const Measured some = measure(std::move(ranks[r]));
        EXPECT_GT(some.of_rank.size(), 0U);
        for (std::size_t i = 0; i < some.of_rank.size(); ++i) {
            const MeasuredStep& own = some.of_rank[i];
            const auto same = std::ranges::find(whole[r].of_rank, own.index, &MeasuredStep::index);
            ASSERT_NE(same, whole[r].of_rank.end());
            EXPECT_EQ(own.span, same->span) << own.index;
            EXPECT_EQ(own.host, same->host) << own.index;
            const auto& of_whole = whole[r].of_run.at(static_cast<std::size_t>(same - whole[r].of_rank.begin()));
            EXPECT_EQ(some.of_run.at(i).duration_ns, of_whole.duration_ns) << own.index;
        }
    }
}

TEST(DigestSteps, OneStepAloneIsAsLongAsInTheWholeTrace) {
    std::size_t compared = 0;
    for (const std::filesystem::path& trace : allTraceFiles()) {
        std::vector<Measured> whole;
        for (RankTrace& rank : allStepsOf(trace.string())) {
            whole.push_back(measure(std::move(rank)));
        }
        ASSERT_FALSE(whole.empty()) << trace;
        const TempFolder folder;
        const std::string digest = makeDigests(trace, folder.path()).at(0);
        for (const std::int64_t step : someOf(whole.front().of_rank)) {
            expectSameSteps(whole, trace.string(), step, step);
            expectSameSteps(whole, digest, step, step);
            expectSameSteps(whole, digest, step, step + 1);
            ++compared;
        }
    }
    EXPECT_GT(compared, 20U);
}

/// The steps of a run of which only those from `first` to `last` are read.
std::vector<RunStep> stepsOfRun(const std::filesystem::path& path, std::optional<std::int64_t> first,
                                std::optional<std::int64_t> last) {
    LoadOptions options;
    options.first_step = first;
    options.last_step = last;
    return analyse(loadRunAt(path.string(), options)).facts.steps;
}

// The clocks of the ranks are fitted to the collectives that are read, so that they may differ a little.
TEST(DigestSteps, StepsOfARunAreAsLongAsInTheWholeTracesToTheClocks) {
    constexpr DurationNs kClocks = 20'000;
    std::size_t compared = 0;
    for (const std::filesystem::path& run : corpusRuns()) {
        const std::vector<AnalysedRun> whole = loadAndAnalyseAll(run);
        if (whole.size() != 1 || whole.front().run->ranks.size() < 2) {
            continue;
        }
        const std::vector<RunStep>& steps = whole.front().facts.steps;
        for (std::size_t i = 0; i < steps.size(); i += 2) {
            const std::vector<RunStep> some = stepsOfRun(run, steps[i].index, steps[i].index + 1);
            ASSERT_FALSE(some.empty()) << run << " " << steps[i].index;
            EXPECT_EQ(some.front().follows, steps[i].follows) << run << " " << steps[i].index;
            EXPECT_NEAR(static_cast<double>(some.front().duration_ns), static_cast<double>(steps[i].duration_ns),
                        static_cast<double>(kClocks))
                << run << " " << steps[i].index;
            ++compared;
        }
    }
    EXPECT_GT(compared, 5U);
}

}  // namespace
}  // namespace rankscope::test
