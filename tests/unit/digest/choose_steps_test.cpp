// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps are read in full of digests that would take more memory than they may.
#include "core/digest/choose_steps.h"
#include "tests/support/durations.h"
#include "tests/support/testing.h"

#include <cstddef>

namespace rankscope::test {
namespace {

constexpr std::uint64_t kSlicesOfAStep = 1'000;

/// A job of steps of 100 ms, 40 of them exposed communication, of which the first warms up.
struct Job {
    explicit Job(std::size_t ranks = 8, std::size_t steps = 40) {
        for (std::size_t r = 0; r < ranks; ++r) {
            table.ranks.emplace_back(r);
            sizes.push_back({RankNumber(r), steps * kSlicesOfAStep});
        }
        for (std::size_t s = 0; s < steps; ++s) {
            table.steps.push_back(static_cast<std::int64_t>(s));
        }
        table.cells.assign(ranks * steps, {100 * kMs, 50 * kMs, 40 * kMs, 10 * kMs, true, true, 0});
        for (std::size_t r = 0; r < ranks; ++r) {
            cell(r, 0).length_ns = 300 * kMs;
        }
    }
    StepTableCell& cell(std::size_t rank, std::size_t step) { return table.cells[rank * table.steps.size() + step]; }
    void lengthen(std::size_t step, DurationNs by_ns) {
        for (std::size_t r = 0; r < table.ranks.size(); ++r) {
            cell(r, step).length_ns += by_ns;
        }
    }
    /// With a budget that so many steps fit into.
    [[nodiscard]] std::optional<ChosenSteps> choose(std::size_t steps) const {
        const std::uint64_t of_step = table.ranks.size() * kSlicesOfAStep * kBytesOfASlice;
        const std::uint64_t all = bytesToRead(sizes, 1);
        return chooseSteps(table, sizes, 1, all - (table.steps.size() - steps) * of_step + of_step / 2);
    }

    StepTable table;
    std::vector<DigestedRank> sizes;
};

TEST(ChooseSteps, TakesNeighboursThatAreUsualAndFit) {
    Job job;
    for (std::size_t s = 0; s < 20; ++s) {
        job.lengthen(s, 5 * kMs);  // the first half of the job is a bit slower
    }
    for (std::size_t s = 20; s < 25; ++s) {
        job.lengthen(s, 2 * kMs);
    }
    const std::optional<ChosenSteps> chosen = job.choose(6);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->last - chosen->first + 1, 6);
    EXPECT_LE(chosen->read_bytes, chosen->budget_bytes);
    EXPECT_GT(chosen->all_bytes, chosen->budget_bytes);
    EXPECT_EQ(chosen->median_ns, 102 * kMs);
    DurationNs apart = 0;
    for (const TabledStep& step : chosen->steps) {
        apart += chosen->reads(step.number) ? std::abs(step.median_ns - chosen->median_ns) : 0;
    }
    EXPECT_LE(apart, 2 * kMs);  // all but one are of the five that are the median
    EXPECT_EQ(chosen->without, 0U);
}

TEST(ChooseSteps, LeavesOutTheStepThatOpensTheRunAndIncompleteOnes) {
    Job job(4, 6);
    job.cell(2, 5).complete = false;
    const std::optional<ChosenSteps> chosen = job.choose(4);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->first, 1);
    EXPECT_EQ(chosen->last, 4);
}

TEST(ChooseSteps, NamesALongStepThatItDoesNotRead) {
    Job job;
    job.lengthen(31, 100 * kMs);
    job.cell(5, 31).length_ns += 7 * kMs;
    const std::optional<ChosenSteps> chosen = job.choose(4);
    ASSERT_TRUE(chosen);
    EXPECT_FALSE(chosen->reads(31));
    for (const TabledStep& step : chosen->steps) {
        EXPECT_EQ(step.is_long, step.number == 31) << step.number;
    }
    EXPECT_EQ(chosen->steps[31].median_ns, 200 * kMs);
    EXPECT_EQ(chosen->steps[31].longest_ns, 207 * kMs);
    EXPECT_EQ(chosen->steps[31].longest_rank, RankNumber(5));
}

TEST(ChooseSteps, ReadsTheLongestStepTooWhereThereIsRoom) {
    Job job;
    job.lengthen(31, 100 * kMs);
    const std::optional<ChosenSteps> chosen = job.choose(kRoomForTheLongest);
    ASSERT_TRUE(chosen);
    EXPECT_TRUE(chosen->reads(31));
}

TEST(ChooseSteps, NamesTheRankThatMakesOthersWaitAndNotThoseThatWait) {
    Job job;
    for (const std::size_t step : {20U, 21U, 33U}) {
        for (std::size_t r = 0; r < job.table.ranks.size(); ++r) {
            StepTableCell& cell = job.cell(r, step);
            cell.length_ns += 80 * kMs;
            (r == 3 ? cell.idle_ns : cell.exposed_comm_ns) += 80 * kMs;
        }
    }
    job.cell(3, 33).length_ns += kMs;
    const std::optional<ChosenSteps> chosen = job.choose(5);
    ASSERT_TRUE(chosen);
    ASSERT_EQ(chosen->long_ranks.size(), 1U);
    const TabledRank& rank = chosen->long_ranks.front();
    EXPECT_EQ(rank.rank, RankNumber(3));
    EXPECT_EQ(rank.long_steps, 3U);
    EXPECT_EQ(rank.first_long, 20);
    EXPECT_EQ(rank.last_long, 33);
    EXPECT_EQ(rank.worst_step, 33);
    EXPECT_EQ(rank.worst_ns, 141 * kMs);
    EXPECT_EQ(rank.typical_ns, 60 * kMs);
    EXPECT_EQ(rank.excess_ns, 241 * kMs);
}

TEST(ChooseSteps, NamesNothingWhereAllIsWell) {
    Job job;
    for (std::size_t s = 1; s < job.table.steps.size(); ++s) {
        job.lengthen(s, static_cast<DurationNs>(s % 7) * kMs);
    }
    const std::optional<ChosenSteps> chosen = job.choose(5);
    ASSERT_TRUE(chosen);
    EXPECT_THAT(chosen->long_ranks, IsEmpty());
    EXPECT_EQ(chosen->long_rank_count, 0U);
    for (const TabledStep& step : chosen->steps) {
        EXPECT_FALSE(step.is_long);
    }
}

TEST(ChooseSteps, CountsRanksThatHaveNoneOfThem) {
    Job job;
    for (std::size_t s = 0; s < job.table.steps.size(); ++s) {
        job.cell(7, s).known = s == 0;
    }
    const std::optional<ChosenSteps> chosen = job.choose(5);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->without, 1U);
}

TEST(ChooseSteps, ChoosesNothingWhereNotEvenOneFits) {
    const Job job;
    EXPECT_FALSE(chooseSteps(job.table, job.sizes, 1, 1'000).has_value());
    EXPECT_FALSE(chooseSteps({}, {}, 1, 1'000'000).has_value());
}

}  // namespace
}  // namespace rankscope::test
