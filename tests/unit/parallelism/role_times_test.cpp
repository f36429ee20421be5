// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/role_times.h"

#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/parallelism/job.h"

namespace rankscope::test {
namespace {

/// A kernel of a collective in microseconds, in the group of this index.
struct Kernel {
    double start_us = 0;
    double length_us = 0;
    std::size_t group = 0;
};

/// One rank with a step of 1000 us, with these collectives on streams of their own, and a kernel that computes from
/// 500 us to 600 us.
AnalysedRun runWith(const std::vector<Kernel>& kernels) {
    const std::vector<ProcessGroup> groups = {groupOf("1", "mesh_tp", {0, 1}), groupOf("2", "mesh_dp", {0, 2})};
    ModelBuilder model;
    model.rank(0, 4);
    const std::uint32_t main = model.thread("main");
    const std::uint32_t compute = model.stream("7");
    model.step(main, 5, 0, 1000);
    model.kernel(main, 1, 2, compute, "gemm", 500, 100);
    double launch_us = 10;
    for (const Kernel& kernel : kernels) {
        const std::uint32_t stream = model.stream(std::to_string(20 + static_cast<int>(launch_us)));
        const auto handle =
            model.kernel(main, launch_us, 1, stream, "ncclDevKernel_AllGather", kernel.start_us, kernel.length_us);
        model.collective(handle, "broadcast", 1000, groups[kernel.group]);
        launch_us += 2;
    }
    for (const ProcessGroup& group : groups) {
        model.group(group);
    }
    AnalysedRun run = analyse(runOf({model.build()}));
    checkRoles(run.facts);
    return run;
}

RoleTimes timesOf(const AnalysedRun& run) {
    return run.facts.parallelism.ranks.front().exposed;
}

TEST(RoleTimes, OfCollectivesThatDoNotMeetAreThoseOfTheirGroups) {
    const RoleTimes times = timesOf(runWith({{100, 50, 0}, {200, 70, 1}}));
    EXPECT_EQ(times[Role::Tensor], 50 * kUs);
    EXPECT_EQ(times[Role::Data], 70 * kUs);
    EXPECT_EQ(times.total(), 120 * kUs);
}

TEST(RoleTimes, OfAGroupAStepAreThoseOfItsMembers) {
    std::vector<std::shared_ptr<const RankTrace>> traces;
    for (const int rank : {0, 1, 2}) {
        ModelBuilder model;
        model.rank(rank, 4);
        const std::uint32_t main = model.thread("main");
        model.kernel(main, 1, 2, model.stream("7"), "gemm", 500, 100);
        for (const int step : {0, 1}) {
            model.step(main, 5 + step, 1000 * step, 1000);
        }
        const ProcessGroup group = groupOf("2", "mesh_pp", {0, 2});
        if (rank != 1) {
            const std::uint32_t stream = model.stream("20");
            model.collective(model.kernel(main, 10, 1, stream, "ncclDevKernel_SendRecv", 100, 60), "send", 1000, group);
        }
        model.group(group);
        traces.push_back(model.build());
    }
    const AnalysedRun run = analyse(runOf(std::move(traces)));
    const GroupRole& group = run.facts.parallelism.groups.front();
    ASSERT_EQ(group.description, "mesh_pp");
    std::size_t counted = 0;
    for (const RankRoles& rank : run.facts.parallelism.ranks) {
        counted += rank.counted;
    }
    EXPECT_EQ(3 * group.counted, 2 * counted) << "rank 1 is no member";
    EXPECT_EQ(group.exposed_ns, 2 * 60 * kUs);
    EXPECT_EQ(group.exposedAStep(), group.exposed_ns / static_cast<DurationNs>(group.counted));
}

TEST(RoleTimes, OfTwoThatRunAtOnceAreOfTheOneThatEndsLast) {
    const RoleTimes times = timesOf(runWith({{100, 100, 0}, {150, 150, 1}}));
    EXPECT_EQ(times[Role::Tensor], 50 * kUs) << "until the other one starts";
    EXPECT_EQ(times[Role::Data], 150 * kUs);
}

TEST(RoleTimes, OfOneInsideAnotherAreOfTheOuterOne) {
    const RoleTimes times = timesOf(runWith({{100, 200, 0}, {150, 50, 1}}));
    EXPECT_EQ(times[Role::Tensor], 200 * kUs);
    EXPECT_EQ(times[Role::Data], 0);
}

TEST(RoleTimes, OfTwoThatEndTogetherAreOfTheOneThatStartedFirst) {
    const RoleTimes times = timesOf(runWith({{150, 100, 0}, {100, 150, 1}}));
    EXPECT_EQ(times[Role::Tensor], 0);
    EXPECT_EQ(times[Role::Data], 150 * kUs);
}

TEST(RoleTimes, DoNotCountWhatComputationHides) {
    const RoleTimes times = timesOf(runWith({{450, 100, 0}, {550, 100, 1}}));
    EXPECT_EQ(times[Role::Tensor], 50 * kUs);
    EXPECT_EQ(times[Role::Data], 50 * kUs);
}

TEST(RoleTimes, AddUpToTheExposedCommunicationOfEveryRunOfTheCorpus) {
    for (const auto& path : corpusRuns()) {
        SCOPED_TRACE(path.string());
        checkRoles(loadAndAnalyse(path).facts);
    }
}

}  // namespace
}  // namespace rankscope::test
