// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/counterparts.h"

#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {
namespace {

/// Three steps of kernels with these names, launched one by one; every step 1000 us, the first at 0.
AnalysedRun runOfKernels(const std::vector<std::string>& kernels, std::int64_t first_step = 5, double pause_us = 0) {
    auto [builder, thread, stream] = threadAndStream();
    for (int step = 0; step < 3; ++step) {
        const double start = 1000.0 * step;
        builder.step(thread, first_step + step, start, 1000);
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const double at = start + 10 + 100 * static_cast<double>(i) + (i + 1 == kernels.size() ? pause_us : 0);
            builder.kernel(thread, at, 5, stream, kernels[i], at + 20, 60);
        }
    }
    return analyse(runOf({builder.build()}));
}

/// The k-th slice of that name.
SliceRef slice(const AnalysedRun& run, const std::string& name, std::size_t k) {
    const RankTrace& rank = *run.run->ranks.front();
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        for (SliceIndex i = 0; i < rank.tracks[t].slices.size(); ++i) {
            if (rank.name({TrackId(t), i}) == name && k-- == 0) {
                return {TrackId(t), i};
            }
        }
    }
    ADD_FAILURE() << "no " << name;
    return {};
}

TEST(Counterparts, AnInsertedKernelShiftsNothing) {
    const AnalysedRun a = runOfKernels({"gemm", "relu", "gemm"});
    const AnalysedRun b = runOfKernels({"new", "gemm", "relu", "gemm"});
    Counterparts counterparts(a, b);
    for (std::size_t k = 0; k < 6; ++k) {
        const auto found = counterparts.ofSlice({RankPosition(0), slice(a, "gemm", k)});
        ASSERT_TRUE(found.place) << found.missing;
        EXPECT_EQ(found.place->slice, slice(b, "gemm", k)) << k;
    }
}

TEST(Counterparts, ARemovedKernelIsReportedAsMissing) {
    const AnalysedRun a = runOfKernels({"gemm", "relu", "gemm"});
    const AnalysedRun b = runOfKernels({"gemm", "gemm"});
    Counterparts counterparts(a, b);
    const auto found = counterparts.ofSlice({RankPosition(0), slice(a, "relu", 1)});
    EXPECT_FALSE(found.place);
    EXPECT_THAT(found.missing, HasSubstr("\"relu\" has no counterpart in step 6"));
    EXPECT_EQ(counterparts.ofSlice({RankPosition(0), slice(a, "gemm", 3)}).place->slice, slice(b, "gemm", 3));
}

TEST(Counterparts, StepsPairByNumberWhereTheyShareMostElseByPlace) {
    const AnalysedRun a = runOfKernels({"gemm"}, 5);
    const AnalysedRun later = runOfKernels({"gemm"}, 6);
    const AnalysedRun elsewhere = runOfKernels({"gemm"}, 900);
    EXPECT_EQ(Counterparts(a, later).stepOf(RankPosition(0), RankStepPosition(0)), std::nullopt)
        << "step 5 is not in the other run";
    EXPECT_EQ(Counterparts(a, later).stepOf(RankPosition(0), RankStepPosition(1)), 0U) << "step 6";
    EXPECT_EQ(Counterparts(a, elsewhere).stepOf(RankPosition(0), RankStepPosition(1)), 1U) << "the second of each";
    Counterparts counterparts(a, elsewhere);
    EXPECT_EQ(counterparts.ofSlice({RankPosition(0), slice(a, "ProfilerStep#6", 0)}).place->slice,
              slice(elsewhere, "ProfilerStep#901", 0));
}

TEST(Counterparts, AGapIsFoundByTheWorkBehindItAndOneThatIsGoneSaysWhatRunsThere) {
    const AnalysedRun a = runOfKernels({"gemm", "relu"}, 5, 300);
    const AnalysedRun same = runOfKernels({"gemm", "relu"}, 5, 200);
    const auto& gaps = a.facts.ranks.front().steps[1].gaps;
    const auto before_relu = [&a](const Gap& gap) { return a.run->ranks.front()->name(gap.releasing) == "relu"; };
    const auto at = std::ranges::find_if(gaps, before_relu);
    ASSERT_NE(at, gaps.end());
    const auto gap_of_a = static_cast<std::uint32_t>(at - gaps.begin());
    Counterparts counterparts(a, same);
    const auto found = counterparts.ofGap({RankPosition(0), RankStepPosition(1), gap_of_a});
    ASSERT_TRUE(found.place) << found.missing;
    const Gap& other = same.facts.ranks.front().steps[found.place->step].gaps[found.place->gap];
    EXPECT_EQ(gaps[gap_of_a].span.length() - other.span.length(), 100'000);

    // In a run where a long kernel runs right up to it, there is no gap.
    auto [builder, thread, stream] = threadAndStream();
    for (int step = 0; step < 3; ++step) {
        const double start = 1000.0 * step;
        builder.step(thread, 5 + step, start, 1000);
        builder.kernel(thread, start + 10, 5, stream, "gemm", start + 30, 470);
        builder.kernel(thread, start + 110, 5, stream, "relu", start + 500, 60);
    }
    const AnalysedRun busy = analyse(runOf({builder.build()}));
    Counterparts to_busy(a, busy);
    const auto gone = to_busy.ofGap({RankPosition(0), RankStepPosition(1), gap_of_a});
    EXPECT_FALSE(gone.place);
    EXPECT_THAT(gone.missing, HasSubstr("busy with \"gemm\" until \"relu\" starts"));
}

TEST(Counterparts, ARunCorrespondsToItselfSliceBySliceAndCollectiveByCollective) {
    tracegen::Config config = tracegen::configOf(2, 3);
    config.layers = 4;
    const AnalysedRun run = analyse(accuracy::loadSimulated(tracegen::simulate(config)));
    Counterparts counterparts(run, run);
    std::size_t found = 0;
    for (RankPosition r{0}; r < run.run->ranks.size(); ++r) {
        const RankTrace& rank = *run.run->ranks[r];
        for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
            for (SliceIndex i = 0; i < rank.tracks[t].slices.size(); ++i) {
                const auto same = counterparts.ofSlice({r, {TrackId(t), i}});
                if (same.place) {
                    ++found;
                    ASSERT_EQ(same.place->slice, (SliceRef{TrackId(t), i}));
                    ASSERT_EQ(same.place->rank, r);
                }
            }
        }
    }
    EXPECT_GT(found, 500U);
    const auto& collectives = run.facts.collectives.collectives;
    ASSERT_FALSE(collectives.empty());
    for (CollectivePosition i{0}; i < collectives.size(); ++i) {
        const auto same = counterparts.ofCollective(i);
        ASSERT_TRUE(same.place) << same.missing;
        EXPECT_EQ(*same.place, i);
    }
}

TEST(Counterparts, MostKernelsOfTheRealPairHaveOneOfTheSameName) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun a = loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers");
    const AnalysedRun b = loadAndAnalyse(realTraces() / "resnet50_workers/FourWorkers");
    Counterparts counterparts(a, b);
    const RankTrace& rank = *a.run->ranks.front();
    const std::vector<SliceRef> kernels = deviceSlices(rank);
    std::size_t found = 0;
    for (const SliceRef kernel : kernels) {
        const auto other = counterparts.ofSlice({RankPosition(0), kernel});
        if (other.place) {
            ++found;
            EXPECT_EQ(b.run->ranks.front()->name(other.place->slice), rank.name(kernel));
        }
    }
    EXPECT_GT(kernels.size(), 5000U);
    EXPECT_GT(10 * found, 9 * kernels.size()) << found << " of " << kernels.size();
}

TEST(Counterparts, ARankThatWasNotRecordedHasNone) {
    tracegen::Config config = tracegen::configOf(2, 2);
    config.layers = 4;
    const AnalysedRun two = analyse(accuracy::loadSimulated(tracegen::simulate(config)));
    config.ranks = 1;
    const AnalysedRun one = analyse(accuracy::loadSimulated(tracegen::simulate(config)));
    Counterparts counterparts(two, one);
    EXPECT_EQ(counterparts.rankOf(RankPosition(0)), 0U);
    EXPECT_EQ(counterparts.rankOf(RankPosition(1)), std::nullopt);
    EXPECT_THAT(counterparts.ofSlice({RankPosition(1), {TrackId(0), 0}}).missing, HasSubstr("not recorded"));
}

TEST(Counterparts, RunsThatShareNoRankPairTheirRanksByPosition) {
    const auto run = [](const std::vector<std::int32_t>& numbers) {
        std::vector<std::shared_ptr<const RankTrace>> ranks;
        for (const std::int32_t number : numbers) {
            ModelBuilder builder;
            builder.rank(number, 8);
            const std::uint32_t thread = builder.thread("1");
            builder.step(thread, 5, 0, 1000);
            builder.kernel(thread, 10, 5, builder.stream("7"), "gemm", 20, 60);
            ranks.push_back(builder.build());
        }
        return analyse(runOf(std::move(ranks)));
    };
    const AnalysedRun a = run({3, 5});
    EXPECT_EQ(Counterparts(a, run({1})).rankOf(RankPosition(0)), 0U) << "the one rank of each";
    EXPECT_EQ(Counterparts(a, run({1})).rankOf(RankPosition(1)), std::nullopt);
    EXPECT_EQ(Counterparts(a, run({1, 5})).rankOf(RankPosition(0)), std::nullopt)
        << "one number is shared: numbers decide";
    EXPECT_EQ(Counterparts(a, run({1, 5})).rankOf(RankPosition(1)), 1U);
}

TEST(Counterparts, AnAnnotationOfAStreamIsReportedAsNotCompared) {
    auto [builder, thread, stream] = threadAndStream();
    builder.step(thread, 5, 0, 1000);
    builder.kernel(thread, 10, 5, stream, "gemm", 30, 60);
    builder.slice(stream, Category::GpuAnnotation, "backward", 30, 60);
    const AnalysedRun run = analyse(runOf({builder.build()}));
    Counterparts counterparts(run, run);
    const auto found = counterparts.ofSlice({RankPosition(0), slice(run, "backward", 0)});
    EXPECT_FALSE(found.place);
    EXPECT_THAT(found.missing, HasSubstr("Stream annotations are not compared"));
}

}  // namespace
}  // namespace rankscope::test
