// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/area_sums.h"

#include "core/analysis/device/partition.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::uint32_t kThread = 0;
constexpr std::uint32_t kStream = 1;

// One rank: an operator of 100 us with two inside, two kernels, a copy; the step is 200 us long.
AnalysedRun sampleRun() {
    auto [b, thread, stream] = threadAndStream("python");
    b.step(thread, 1, 0, 200);
    b.op(thread, "outer", 10, 100);
    b.op(thread, "inner", 20, 30);
    b.op(thread, "inner", 60, 20);
    b.kernel(thread, 12, 2, stream, "gemm", 40, 60);
    b.kernel(thread, 16, 2, stream, "gemm", 120, 40);
    const auto copy = b.slice(stream, Category::Memcpy, "Memcpy HtoD", 170, 20);
    b.bytes(copy, 4'096);
    return analyse(runOf({b.build()}));
}

AreaSums sum(const AnalysedRun& run, double from_us, double to_us, const std::vector<std::uint32_t>& tracks) {
    const TimeNs base = run.clock.base_ns;
    Area area{{base + static_cast<TimeNs>(from_us * 1e3), base + static_cast<TimeNs>(to_us * 1e3)}, {}};
    for (const std::uint32_t t : tracks) {
        area.tracks.push_back({RankPosition(), TrackId(t)});
    }
    auto sums = sumArea(*run.run, run.facts, run.clock, area, {});
    EXPECT_TRUE(sums.ok());
    return std::move(sums).value();
}

TEST(AreaSums, ThePartitionOfEachRankAddsUpToTheTime) {
    const AnalysedRun run = sampleRun();
    const AreaSums sums = sum(run, 50, 180, {kStream});
    ASSERT_EQ(sums.ranks.size(), 1U);
    ASSERT_TRUE(sums.ranks[0].partition.has_value());
    const Partition& p = *sums.ranks[0].partition;
    EXPECT_EQ(p.compute_ns, 90'000);
    EXPECT_EQ(p.exposed_copy_ns, 10'000);
    EXPECT_EQ(p.idle_ns, 30'000);
    EXPECT_EQ(p.compute_ns + p.exposed_comm_ns + p.exposed_copy_ns + p.idle_ns, sums.length_ns);
    EXPECT_NEAR(sums.ranks[0].busy, 100.0 / 130.0, 1e-9);
}

TEST(AreaSums, TheWholeStepHasThePartitionOfTheStep) {
    const AnalysedRun run = sampleRun();
    const RankFacts& facts = run.facts.ranks[0];
    ASSERT_FALSE(facts.steps.empty());
    const Partition whole = partitionOf(facts, facts.steps[0].span);
    const Partition& step = *facts.steps[0].partition;
    EXPECT_EQ(whole.compute_ns, step.compute_ns);
    EXPECT_EQ(whole.exposed_comm_ns, step.exposed_comm_ns);
    EXPECT_EQ(whole.exposed_copy_ns, step.exposed_copy_ns);
    EXPECT_EQ(whole.idle_ns, step.idle_ns);
    EXPECT_EQ(whole.overlap_ns, step.overlap_ns);
}

TEST(AreaSums, BytesAreOfTheCopiesThatTouchIt) {
    const AnalysedRun run = sampleRun();
    EXPECT_EQ(sum(run, 180, 200, {kStream}).copied_bytes, 4'096);
    EXPECT_EQ(sum(run, 0, 170, {kStream}).copied_bytes, 0);
}

TEST(AreaSums, StopsWhenAskedTo) {
    const AnalysedRun run = sampleRun();
    std::stop_source stop;  // NOLINT(misc-const-correctness)
    stop.request_stop();
    const Area area{{run.clock.base_ns, run.clock.base_ns + 1'000}, {{RankPosition(), TrackId(kThread)}}};
    EXPECT_TRUE(sumArea(*run.run, run.facts, run.clock, area, stop.get_token()).cancelled());
}

}  // namespace
}  // namespace rankscope::test
