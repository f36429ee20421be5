// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/facts.h"
#include "core/analysis/stages.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

struct Tables {
    std::shared_ptr<const RankTrace> trace;
    AnalysedRank rank;
    OperatorTable operators;
    KernelTable kernels;

    [[nodiscard]] OperatorRow operatorNamed(std::string_view name) const { return named(operators.rows, name); }
    [[nodiscard]] KernelRow kernelNamed(std::string_view name) const { return named(kernels.rows, name); }

  private:
    template <class Row>
    [[nodiscard]] Row named(const std::vector<Row>& rows, std::string_view name) const {
        const auto at = std::ranges::find(rows, name, [&](const Row& row) { return trace->strings.view(row.name); });
        EXPECT_NE(at, rows.end()) << name;
        return at == rows.end() ? Row() : *at;
    }
};

Tables tabulate(const std::shared_ptr<const RankTrace>& trace) {
    Tables out{trace, analyseRank(trace, NameRules::builtIn()), {}, {}};
    out.operators = tabulateOperators(out.rank.work, factsAlone(out.rank.facts));
    out.kernels = tabulateKernels(out.rank.work, factsAlone(out.rank.facts));
    return out;
}

TEST(Operators, SelfTimeLeavesOutWhatOtherOperatorsAndCallsTook) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.op(main, "aten::linear", 0, 100);
    builder.op(main, "aten::addmm", 10, 60);
    builder.call(main, "cudaLaunchKernel", 20, 15);
    const Tables tables = tabulate(builder.build());
    EXPECT_EQ(tables.operatorNamed("aten::linear").self_ns, 40'000);
    EXPECT_EQ(tables.operatorNamed("aten::linear").total_ns, 100'000);
    EXPECT_EQ(tables.operatorNamed("aten::addmm").self_ns, 45'000);
    EXPECT_EQ(tables.operatorNamed("cudaLaunchKernel").self_ns, 15'000);
    EXPECT_EQ(tables.operators.selfNs(), 100'000);
}

TEST(Operators, PythonFunctionsBetweenThemAreNoOperators) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.op(main, "outer", 0, 100);
    builder.python(main, "train.py(3): step", 10, 80);
    builder.op(main, "inner", 20, 30);
    const Tables tables = tabulate(builder.build());
    EXPECT_EQ(tables.operators.rows.size(), 2U);
    EXPECT_EQ(tables.operatorNamed("outer").self_ns, 70'000);
}

TEST(Operators, ACallOfItselfCountsAsACallButItsTimeOnce) {
    auto [builder, main, stream] = threadAndStream("main");
    builder.op(main, "aten::copy_", 0, 50);
    builder.op(main, "aten::copy_", 10, 20);
    builder.kernel(main, 12, 2, stream, "copy", 60, 30);
    const OperatorRow row = tabulate(builder.build()).operatorNamed("aten::copy_");
    EXPECT_EQ(row.calls, 2U);
    EXPECT_EQ(row.total_ns, 50'000);
    EXPECT_EQ(row.meanNs(), 35'000);
    EXPECT_EQ(row.min_ns, 20'000);
    EXPECT_EQ(row.max_ns, 50'000);
    EXPECT_EQ(row.self_ns, 48'000);
    EXPECT_EQ(row.device_ns, 30'000);
}

TEST(Operators, DeviceTimeGoesToTheOperatorThatLaunchedItAndToThoseAround) {
    auto [builder, main, stream] = threadAndStream("main");
    builder.op(main, "aten::linear", 0, 100);
    builder.op(main, "aten::addmm", 10, 60);
    builder.kernel(main, 20, 5, stream, "gemm", 30, 200);
    builder.kernel(main, 80, 5, stream, "bias", 230, 10);
    const Tables tables = tabulate(builder.build());
    EXPECT_EQ(tables.operatorNamed("aten::linear").device_ns, 210'000);
    EXPECT_EQ(tables.operatorNamed("aten::linear").device_self_ns, 10'000);
    EXPECT_EQ(tables.operatorNamed("aten::addmm").device_ns, 200'000);
    EXPECT_EQ(tables.operatorNamed("aten::addmm").device_self_ns, 200'000);
    EXPECT_EQ(tables.operatorNamed("cudaLaunchKernel").device_ns, 210'000);
    EXPECT_EQ(tables.operatorNamed("cudaLaunchKernel").device_self_ns, 0);
}

TEST(Operators, AreSortedBySelfTimeAndStepMarksAreOneRow) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 7, 0, 10);
    builder.step(main, 8, 10, 10);
    builder.op(main, "short", 21, 5);
    builder.op(main, "long", 30, 50);
    const Tables tables = tabulate(builder.build());
    ASSERT_EQ(tables.operators.rows.size(), 3U);
    EXPECT_EQ(tables.trace->strings.view(tables.operators.rows[0].name), "long");
    EXPECT_EQ(tables.operatorNamed("ProfilerStep#7").calls, 2U);
}

TEST(Operators, OfSteadyStepsLeaveOutWhatRanOutsideOfThem) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 7, 100, 50);
    builder.op(main, "aten::add", 0, 30);
    builder.op(main, "aten::add", 110, 20);
    const Tables tables = tabulate(builder.build());
    EXPECT_EQ(tables.operators.steady_steps, 1U);
    EXPECT_EQ(tables.operatorNamed("aten::add").self_ns, 50'000);
    EXPECT_EQ(tables.operatorNamed("aten::add").steady_self_ns, 20'000);
}

TEST(Kernels, AreSummedByNameAndTheirUnionCountsParallelWorkOnce) {
    auto [builder, main, first] = threadAndStream("main");
    const auto second = builder.stream("20");
    builder.kernel(main, 0, 2, first, "gemm", 10, 30);
    builder.kernel(main, 3, 2, second, "gemm", 20, 40);
    builder.kernel(main, 6, 2, first, "gemm", 100, 0);
    builder.kernel(main, 9, 2, second, "ncclDevKernel_AllReduce", 60, 40);
    const Tables tables = tabulate(builder.build());
    const KernelRow gemm = tables.kernelNamed("gemm");
    EXPECT_EQ(gemm.calls, 3U);
    EXPECT_EQ(gemm.total_ns, 70'000);
    EXPECT_EQ(gemm.busy_ns, 50'000);
    EXPECT_EQ(gemm.min_ns, 0);
    EXPECT_EQ(gemm.max_ns, 40'000);
    EXPECT_EQ(gemm.work, WorkClass::Compute);
    EXPECT_EQ(tables.kernelNamed("ncclDevKernel_AllReduce").work, WorkClass::Communication);
    EXPECT_EQ(tables.kernels.device_busy_ns, 90'000);
}

TEST(Kernels, OfAllRanksMeetByName) {
    const auto rank = [](double length_us) {
        auto [builder, main, stream] = threadAndStream("main");
        builder.step(main, 1, 0, 100);
        builder.op(main, "aten::mm", 1, 20);
        builder.kernel(main, 2, 2, stream, length_us > 20 ? "long only" : "short only", 70, 1);
        builder.kernel(main, 5, 2, stream, "gemm", 10, length_us);
        return builder.build();
    };
    const AnalysedRun run = analyse(runOf({rank(10), rank(30)}));
    const std::vector<RunKernel> kernels = kernelsOverRanks(*run.run, run.facts.ranks);
    ASSERT_EQ(kernels.size(), 3U);
    EXPECT_EQ(kernels[0].name, "gemm");
    EXPECT_EQ(kernels[0].all.calls, 2U);
    EXPECT_EQ(kernels[0].all.total_ns, 40'000);
    EXPECT_EQ(kernels[0].all.min_ns, 10'000);
    EXPECT_EQ(kernels[0].all.max_ns, 30'000);
    EXPECT_EQ(kernels[0].ranks.size(), 2U);
    EXPECT_EQ(kernels[1].ranks.size(), 1U);
    const std::vector<RunOperator> operators = operatorsOverRanks(*run.run, run.facts.ranks);
    const auto marks = std::ranges::find(operators, "ProfilerStep*", &RunOperator::name);
    ASSERT_NE(marks, operators.end());
    EXPECT_EQ(marks->all.calls, 2U);
}

bool isCounted(Category category) {
    return category == Category::CpuOp || category == Category::UserAnnotation || isLaunchCall(category);
}

/// When the threads recorded anything that the table counts, each thread by itself.
DurationNs recordedNs(const RankTrace& rank) {
    DurationNs sum_ns = 0;
    for (const Track& track : rank.tracks) {
        std::vector<TimeSpan> spans;
        for (SliceIndex i = 0; track.kind == TrackKind::CpuThread && i < track.slices.size(); ++i) {
            if (isCounted(track.slices.category[i])) {
                spans.push_back(track.slices.span(i));
            }
        }
        sum_ns += IntervalSet::unionOf(std::move(spans)).length();
    }
    return sum_ns;
}

void checkOperators(const Tables& tables) {
    const RankTrace& rank = *tables.trace;
    EXPECT_EQ(tables.operators.selfNs(), recordedNs(rank));
    std::uint64_t slices = 0;
    DurationNs launched_ns = 0;
    for (const Track& track : rank.tracks) {
        for (SliceIndex i = 0; track.kind == TrackKind::CpuThread && i < track.slices.size(); ++i) {
            slices += isCounted(track.slices.category[i]) ? 1U : 0U;
        }
    }
    for (const Launch& launch : rank.launches.all()) {
        const bool counted =
            rank.track(launch.host).kind == TrackKind::CpuThread && isCounted(rank.category(launch.host));
        launched_ns += counted && isDeviceWork(rank.category(launch.device)) ? rank.span(launch.device).length() : 0;
    }
    std::uint64_t calls = 0;
    DurationNs device_self_ns = 0;
    for (const OperatorRow& row : tables.operators.rows) {
        EXPECT_LE(row.self_ns, row.total_ns);
        EXPECT_LE(row.total_ns, row.summed_ns);
        EXPECT_LE(row.steady_self_ns, row.self_ns);
        EXPECT_LE(row.min_ns, row.meanNs());
        EXPECT_LE(row.meanNs(), row.max_ns);
        calls += row.calls;
        device_self_ns += row.device_self_ns;
    }
    EXPECT_EQ(calls, slices);
    EXPECT_EQ(device_self_ns, launched_ns);
}

void checkKernels(const Tables& tables) {
    const RankTrace& rank = *tables.trace;
    std::uint64_t slices = 0;
    DurationNs length_ns = 0;
    for (const Track& track : rank.tracks) {
        for (SliceIndex i = 0; track.kind == TrackKind::Stream && i < track.slices.size(); ++i) {
            if (track.device == tables.rank.facts.device && isDeviceWork(track.slices.category[i])) {
                ++slices;
                length_ns += track.slices.span(i).length();
            }
        }
    }
    std::uint64_t calls = 0;
    DurationNs total_ns = 0;
    for (const KernelRow& row : tables.kernels.rows) {
        EXPECT_LE(row.busy_ns, row.total_ns);
        EXPECT_LE(row.busy_ns, tables.kernels.device_busy_ns);
        EXPECT_LE(row.steady_ns, row.total_ns);
        calls += row.calls;
        total_ns += row.total_ns;
    }
    EXPECT_EQ(calls, slices);
    EXPECT_EQ(total_ns, length_ns);
}

TEST(AllTables, AddUpToTheSlicesOfEveryTrace) {
    for (const auto& path : allTraceFiles()) {
        SCOPED_TRACE(path.string());
        for (const auto& trace : loadAllRanks(path.string(), 2)) {
            const Tables tables = tabulate(trace);
            checkOperators(tables);
            checkKernels(tables);
            EXPECT_FALSE(tables.operators.rows.empty());
        }
    }
}

}  // namespace
}  // namespace rankscope::test
