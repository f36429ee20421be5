// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/area_groups.h"

#include "core/base/interval_set.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Two steps of one rank: an operator in a module with another inside, two kernels, a copy without a launch.
AnalysedRun groupedRun() {
    auto [b, thread, compute] = threadAndStream("python");
    const auto copies = b.stream("9");
    for (int step = 0; step < 2; ++step) {
        const double from = 200.0 * step;
        b.step(thread, step, from, 190);
        b.python(thread, "nn.Module: Linear_0", from + 5, 120);
        b.op(thread, "aten::linear", from + 10, 100);
        b.op(thread, "aten::addmm", from + 20, 30);
        b.kernel(thread, from + 22, 2, compute, "gemm", from + 40, 60);
        b.op(thread, "aten::relu", from + 130, 20);
        b.kernel(thread, from + 132, 2, compute, "clamp", from + 140, 10);
        b.slice(copies, Category::Memcpy, "Memcpy HtoD", from + 170, 15);
    }
    return analyse(runOf({b.build()}));
}

AreaGroups group(const AnalysedRun& run, const AreaQuery& query, double from_us = 0, double to_us = 1'000) {
    const TimeNs base = run.clock.base_ns;
    Area area{{base + static_cast<TimeNs>(from_us * 1e3), base + static_cast<TimeNs>(to_us * 1e3)}, {}};
    for (std::uint32_t t = 0; t < run.run->ranks[0]->tracks.size(); ++t) {
        area.tracks.push_back({RankPosition(), TrackId(t)});
    }
    auto groups = groupArea(*run.run, run.facts, run.clock, area, query, {});
    EXPECT_TRUE(groups.ok());
    return std::move(groups).value();
}

const AreaGroup* keyed(const AreaGroups& groups, std::string_view key, std::string_view then = "") {
    const auto at = std::ranges::find_if(
        groups.groups, [&](const AreaGroup& g) { return g.key == key && (then.empty() || g.then_key == then); });
    return at != groups.groups.end() ? &*at : nullptr;
}

TEST(AreaGroups, CountTotalAndSelfAreOfThePartsInTheArea) {
    const AnalysedRun run = groupedRun();
    const AreaGroups groups = group(run, {}, 30, 70);
    const AreaGroup* linear = keyed(groups, "aten::linear");
    ASSERT_NE(linear, nullptr);
    EXPECT_EQ(linear->count, 1U);
    EXPECT_EQ(linear->total_ns, 40 * kUs);
    EXPECT_EQ(linear->self_ns, 20 * kUs);
    EXPECT_EQ(keyed(groups, "gemm")->total_ns, 30 * kUs);
    EXPECT_EQ(keyed(groups, "clamp"), nullptr);
    EXPECT_TRUE(std::ranges::is_sorted(groups.groups, std::greater<>(), &AreaGroup::total_ns));
}

TEST(AreaGroups, DeviceWorkBelongsToTheOperatorAndTheModuleThatLaunchedIt) {
    const AnalysedRun run = groupedRun();
    AreaQuery query{AreaKey::Operator, {}, "compute", ""};
    AreaGroups groups = group(run, query);
    EXPECT_EQ(keyed(groups, "aten::addmm")->total_ns, 120 * kUs);
    EXPECT_EQ(keyed(groups, "aten::relu")->total_ns, 20 * kUs);
    EXPECT_EQ(groups.groups.size(), 2U);
    query = {AreaKey::Module, {}, "", ""};
    groups = group(run, query);
    ASSERT_NE(keyed(groups, "nn.Module: Linear_0"), nullptr);
    EXPECT_EQ(keyed(groups, "(no module)")->count, 10U)
        << "of each step its mark, relu, its launch, its kernel, the copy";
}

TEST(AreaGroups, ClassStreamRankAndStepAreKeysToo) {
    const AnalysedRun run = groupedRun();
    const AreaGroups classes = group(run, {AreaKey::Class, {}, "", ""});
    EXPECT_EQ(keyed(classes, "compute")->total_ns, 140 * kUs);
    EXPECT_EQ(keyed(classes, "copy")->total_ns, 30 * kUs);
    EXPECT_EQ(keyed(classes, "cpu_op")->count, 6U);
    const AreaGroups tracks = group(run, {AreaKey::Track, {}, "", ""});
    EXPECT_EQ(keyed(tracks, run.run->ranks[0]->tracks[2].name)->count, 2U);
    const AreaGroups steps = group(run, {AreaKey::Step, {}, "copy", ""});
    EXPECT_EQ(keyed(steps, "step 1")->total_ns, 15 * kUs);
    EXPECT_EQ(group(run, {AreaKey::Rank, {}, "", ""}).groups.size(), 1U);
}

TEST(AreaGroups, TwoKeysMakeAGroupForEachPair) {
    const AnalysedRun run = groupedRun();
    const AreaGroups groups = group(run, {AreaKey::Step, AreaKey::Name, "compute", ""});
    EXPECT_EQ(groups.groups.size(), 4U);
    EXPECT_EQ(keyed(groups, "step 0", "gemm")->total_ns, 60 * kUs);
    EXPECT_EQ(keyed(groups, "step 1", "clamp")->total_ns, 10 * kUs);
}

TEST(AreaGroups, TheTextPicksNamesWhateverTheCase) {
    const AnalysedRun run = groupedRun();
    const AreaGroups groups = group(run, {AreaKey::Name, {}, "", "ATEN::re"});
    ASSERT_EQ(groups.groups.size(), 1U);
    EXPECT_EQ(groups.groups[0].key, "aten::relu");
}

TEST(AreaGroups, CollectivesAreByTheirProcessGroup) {
    ModelBuilder b;
    b.rank(0, 1);
    const auto thread = b.thread("python");
    const auto stream = b.stream("7");
    const auto kernel = b.kernel(thread, 0, 4, stream, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 10, 500);
    b.collective(kernel, "allreduce", 1'000);
    b.kernel(thread, 600, 4, stream, "gemm", 610, 50);
    const AnalysedRun run = analyse(runOf({b.build()}));
    const AreaGroups groups = group(run, {AreaKey::Group, {}, "", "e"});
    ASSERT_NE(keyed(groups, "(no collective)"), nullptr);
    const auto other =
        std::ranges::find_if(groups.groups, [](const AreaGroup& g) { return g.key != "(no collective)"; });
    ASSERT_NE(other, groups.groups.end());
    EXPECT_EQ(other->total_ns, 500 * kUs);
}

TEST(AreaGroups, StopWhenAskedTo) {
    const AnalysedRun run = groupedRun();
    std::stop_source stop;  // NOLINT(misc-const-correctness)
    stop.request_stop();
    const Area area{{run.clock.base_ns, run.clock.base_ns + 1'000}, {{RankPosition(), TrackId(0)}}};
    EXPECT_TRUE(groupArea(*run.run, run.facts, run.clock, area, {}, stop.get_token()).cancelled());
}

TEST(AllTraces, HaveTheSameSumsWhateverTheirSlicesAreGroupedBy) {
    std::size_t with_slices = 0;
    for (const auto& path : allTraceFiles()) {
        SCOPED_TRACE(path.string());
        for (const auto& trace : loadAllRanks(path.string())) {
            const AnalysedRun run = analyse(runOf({trace}));
            Area area;
            area.span = run.clock.ranks[RankPosition()].toRun(FileSpan(trace->window));
            for (std::uint32_t t = 0; t < trace->tracks.size(); ++t) {
                area.tracks.push_back({RankPosition(), TrackId(t)});
            }
            std::optional<std::uint64_t> count;
            std::optional<DurationNs> self_ns;
            for (const AreaKey key : kAreaKeys) {
                const auto groups = groupArea(*run.run, run.facts, run.clock, area, {key, {}, "", ""}, {});
                ASSERT_TRUE(groups.ok());
                std::uint64_t sum = 0;
                DurationNs own_ns = 0;
                for (const AreaGroup& each : groups.value().groups) {
                    sum += each.count;
                    own_ns += each.self_ns;
                }
                EXPECT_EQ(own_ns, groups.value().self_ns);
                EXPECT_EQ(sum, count.value_or(sum)) << areaKeyTitle(key);
                EXPECT_EQ(own_ns, self_ns.value_or(own_ns)) << areaKeyTitle(key);
                count = sum;
                self_ns = own_ns;
                with_slices += sum > 0 ? 1U : 0U;
            }
        }
    }
    EXPECT_GT(with_slices, 20U);
}

}  // namespace
}  // namespace rankscope::test
