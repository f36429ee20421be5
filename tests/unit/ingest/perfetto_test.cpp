// SPDX-License-Identifier: GPL-3.0-or-later
// Traces in Perfetto's format: real ones against figures from their bytes, and small ones event by event.
#include "core/ingest/perfetto/perfetto.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/interval_set.h"
#include "core/ingest/load.h"
#include "tests/support/loading.h"
#include "tests/support/perfetto_trace.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using nlohmann::json;

/// What is counted in a trace, and by python in the bytes of its file.
struct TraceFigures {
    std::size_t slices = 0;
    std::size_t kernels = 0;
    TimeSpan kernel_window;
    DurationNs kernels_ns = 0;  ///< union
    DurationNs busy_ns = 0;     ///< union of kernels, copies and memsets
    TimeSpan window;
    std::size_t names = 0;
    std::size_t kernel_names = 0;
    std::size_t launched = 0;
    std::size_t forward_backward = 0;
    std::int64_t bytes_copied = 0;
    friend bool operator==(const TraceFigures&, const TraceFigures&) = default;
};

TraceFigures figuresOfTrace(const RankTrace& rank) {
    TraceFigures figures;
    std::vector<TimeSpan> kernels;
    std::vector<TimeSpan> busy;
    std::set<std::string_view> names;
    std::set<std::string_view> kernel_names;
    for (const Track& track : rank.tracks) {
        figures.slices += track.slices.size();
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            const Category category = track.slices.category[i];
            names.insert(rank.strings.view(track.slices.name[i]));
            if (category == Category::Kernel) {
                kernels.push_back(track.slices.span(i));
                kernel_names.insert(rank.strings.view(track.slices.name[i]));
            }
            if (isDeviceWork(category)) {
                busy.push_back(track.slices.span(i));
            }
            if (const auto* bytes = category == Category::Memcpy ? track.bytes.find(i) : nullptr) {
                figures.bytes_copied += *bytes;
            }
        }
    }
    figures.kernels = kernels.size();
    figures.kernel_window = {std::ranges::min(kernels, {}, &TimeSpan::start_ns).start_ns,
                             std::ranges::max(kernels, {}, &TimeSpan::end_ns).end_ns};
    figures.kernels_ns = IntervalSet::unionOf(std::move(kernels)).length();
    figures.busy_ns = IntervalSet::unionOf(std::move(busy)).length();
    figures.window = rank.window;
    figures.names = names.size();
    figures.kernel_names = kernel_names.size();
    figures.launched = rank.launches.all().size();
    figures.forward_backward = rank.flows.size();
    return figures;
}

std::string realFile(const std::string& name) {
    return (realTraces() / "inputs/pftrace" / ("hello_world_" + name + ".pftrace")).string();
}

TEST(RealPerfettoTraces, HaveTheFiguresOfTheirBytes) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // Found by a python script that reads the fields of all packets.
    const TraceFigures eager = {251,     31,      {4'197'371'858'998'106, 4'197'371'862'607'398},
                                172'036, 174'787, {4'197'371'856'957'475, 4'197'371'862'726'931},
                                70,      17,      33,
                                8,       0};
    const TraceFigures graphs = {1293,      195,       {4'222'041'006'053'998, 4'222'041'011'820'434},
                                 5'545'413, 5'621'604, {4'222'041'004'783'215, 4'222'041'011'827'625},
                                 109,       42,        225,
                                 0,         209'292};
    EXPECT_EQ(figuresOfTrace(*load(realFile("no_cuda_graphs"))), eager);
    EXPECT_EQ(figuresOfTrace(*load(realFile("training_loop_monitor"))), graphs);
}

TEST(RealPerfettoTraces, HaveNothingThatIsLost) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* name : {"no_cuda_graphs", "training_loop_monitor"}) {
        const auto rank = load(realFile(name));
        EXPECT_EQ(rank->health.skipped, 0U);
        EXPECT_FALSE(rank->health.truncated);
        EXPECT_EQ(rank->health.unlinked_device, 0U);
        EXPECT_EQ(rank->health.time_resolution_ns, 1);
    }
}

TEST(RealPerfettoTraces, HaveTheReadingsOfTheGpu) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto rank = load(realFile("training_loop_monitor"));
    const auto readings = [&](Sensor sensor) {
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < rank->sensors.size(); ++i) {
            EXPECT_EQ(rank->sensors.device[i], 0);
            if (rank->sensors.sensor[i] == sensor) {
                values.push_back(rank->sensors.value[i]);
            }
        }
        return std::tuple(values.size(), std::ranges::min(values), std::ranges::max(values));
    };
    // In thousandths, rounded: 0 to 85.65117024487908 %, 0.0009509490471490548 to 18.61388500721391 %.
    EXPECT_EQ(readings(Sensor::Activity), std::tuple(7U, 0, 85'651));
    EXPECT_EQ(readings(Sensor::Bandwidth), std::tuple(7U, 1, 18'614));
    EXPECT_EQ(readings(Sensor::Power), std::tuple(1U, 260'190, 260'190));
    EXPECT_EQ(readings(Sensor::Temperature), std::tuple(1U, 42'000, 42'000));
    EXPECT_TRUE(rank->health.notes.empty());
}

TEST(RealPerfettoTraces, HaveTheLongestKernelByName) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto rank = load(realFile("training_loop_monitor"));
    DurationNs total_ns = 0;
    for (const SliceRef slice : deviceSlices(*rank)) {
        const SliceTable& slices = rank->track(slice).slices;
        const bool is_it = rank->strings.view(slices.name[slice.slice])
                               .starts_with("void cudnn::fusion::compute_dot_do_o_specialized<true, 128>(");
        total_ns += is_it ? slices.span(slice.slice).length() : 0;
    }
    EXPECT_EQ(total_ns, 814'560);
}

TEST(RealPerfettoTraces, ReadTheSameFromGzipZstdAndAnArchive) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const TempFolder folder;
    const std::string bytes = contentOf(realFile("no_cuda_graphs"));
    const TraceFigures plain = figuresOfTrace(*load(realFile("no_cuda_graphs")));
    EXPECT_EQ(figuresOfTrace(*load(folder.write("a.pftrace.gz", gzip(bytes)))), plain);
    EXPECT_EQ(figuresOfTrace(*load(folder.write("a.perfetto-trace.zst", zstd(bytes)))), plain);
    const auto run = loadRunAt(folder.write("a.tar", tar({{"job/rank3.pftrace", bytes}})));
    ASSERT_EQ(run->ranks.size(), 1U);
    EXPECT_EQ(figuresOfTrace(*run->ranks[0]), plain);
    EXPECT_EQ(run->ranks[0]->rank, RankNumber(3));
}

TEST(RealPerfettoTraces, GiveTheArgsOfEachEventBack) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto rank = load(realFile("no_cuda_graphs"));
    const Result<std::string> text =
        readEventText(*rank, sliceNamed(*rank, "nvjet_sm100_tst_176x128_64x8_1x2_2cta_h_bz_TNN"));
    ASSERT_TRUE(text.ok()) << text.error().text();
    const json event = json::parse(text.value());
    EXPECT_EQ(event["cat"], "kernel");
    EXPECT_EQ(event["args"].size(), 21U);
    EXPECT_EQ(event["args"]["shared memory"], 229'728);
    EXPECT_EQ(event["args"]["blocks per SM"], 1.9459459781646729);
    EXPECT_EQ(event["args"]["occupancy"]["limitingFactors"], "SMEM");
}

std::shared_ptr<const RankTrace> loadMade(const PerfettoTrace& made) {
    return loadText(made.bytes());
}

/// "name start-end" of each slice of a track.
std::vector<std::string> spansOfKind(const RankTrace& rank, TrackKind kind) {
    std::vector<std::string> slices;
    for (const Track& track : rank.tracks) {
        for (SliceIndex i = 0; track.kind == kind && i < track.slices.size(); ++i) {
            slices.push_back(std::string(rank.strings.view(track.slices.name[i])) + " " +
                             std::to_string(track.slices.start_ns[i]) + "-" + std::to_string(track.slices.end_ns[i]));
        }
    }
    return slices;
}

TEST(PerfettoTraces, NestSlicesByBeginAndEndOfEachTrack) {
    PerfettoTrace made = threadAndStream();
    made.track(20, 1, "thread 12");
    made.begin(2, 100, "cpu_op", "outer").begin(20, 105, "cpu_op", "other");
    made.begin(2, 110, "cpu_op", "inner").end(2, 120).end(20, 125).end(2, 130);
    const auto rank = loadMade(made);
    EXPECT_THAT(spansOfKind(*rank, TrackKind::CpuThread),
                testing::ElementsAre("outer 100-130", "inner 110-120", "other 105-125"));
    EXPECT_EQ(rank->track(sliceNamed(*rank, "inner")).slices.depth[1], 1U);
}

TEST(PerfettoTraces, PutTwoTracksOfOneStreamTogether) {
    PerfettoTrace made = threadAndStream();
    made.track(40, 3, "stream 7", "0:7:stream 7");
    made.slice(4, 100, 200, "kernel", "a", {argument("stream", 7), argument("device", 0)});
    made.slice(40, 150, 250, "kernel", "b", {argument("stream", 7), argument("device", 0)});
    const auto rank = loadMade(made);
    ASSERT_EQ(rank->tracks.size(), 1U);
    EXPECT_EQ(rank->tracks[0].name, "stream 7");
    EXPECT_EQ(rank->tracks[0].device, 0);
    EXPECT_THAT(spansOfKind(*rank, TrackKind::Stream), testing::ElementsAre("a 100-200", "b 150-250"));
}

TEST(PerfettoTraces, TakeLanesFromThreadsKeysAndNames) {
    PerfettoTrace made = threadAndStream();
    made.track(50, 3, "GPU annotations stream 9", "0:9:gpu_user_annotation:GPU annotations stream 9");
    made.track(51, 3, "copies of stream 5");
    made.packet(numberField(8, 0) +
                bytesField(60, numberField(1, 52) +
                                   bytesField(4, numberField(1, 10) + numberField(2, 77) + bytesField(5, "autograd"))));
    made.slice(50, 100, 200, "gpu_user_annotation", "forward");
    made.slice(51, 100, 200, "kernel", "gemm");
    made.slice(52, 100, 200, "cpu_op", "aten::mm");
    const auto rank = loadMade(made);
    std::vector<std::string> tracks;
    for (const Track& track : rank->tracks) {
        tracks.push_back(track.name + ", " + std::string(rank->strings.view(track.process)));
    }
    EXPECT_THAT(tracks, testing::UnorderedElementsAre("autograd, 10", "stream 5, 0", "stream 9 annotations, 0"));
    EXPECT_EQ(rank->strings.view(rank->track(sliceNamed(*rank, "aten::mm")).lane), "77");
}

TEST(PerfettoTraces, GiveArgsTheColumnsThatJsonHas) {
    PerfettoTrace made = threadAndStream();
    made.slice(2, 10, 20, "cuda_runtime", "cudaLaunchKernelExC", {numberField(52, 5)});
    made.slice(4, 100, 200, "kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
               {argument("correlation", 5), argument("stream", 7), argument("device", 0),
                argument("Collective name", "allreduce"), argument("In msg nelems", 4096), argument("dtype", "Float"),
                argument("Group size", 8), argument("Process Group Ranks", "[0, 1]"), argument("Seq", 17),
                argument("Rank", 3), argument("Process Group Description", "default_pg")});
    made.slice(4, 200, 210, "gpu_memcpy", "Memcpy HtoD", {argument("bytes", 4096), argument("stream", 7)});
    const auto rank = loadMade(made);
    const Track& stream = rank->track(deviceSlices(*rank).front());
    ASSERT_EQ(stream.collectives.size(), 1U);
    const CollectiveArgs& args = stream.collectives.value.front();
    EXPECT_EQ(rank->strings.view(args.name), "allreduce");
    EXPECT_EQ(rank->strings.view(args.group_ranks), "[0, 1]");
    EXPECT_EQ(args.in_elements, 4096);
    EXPECT_EQ(args.group_size, 8);
    EXPECT_EQ(args.sequence, 17);
    EXPECT_EQ(rank->rank, RankNumber(3));
    EXPECT_EQ(*stream.bytes.find(1), 4096);
    EXPECT_EQ(rank->launches.all().size(), 1U);
}

TEST(PerfettoTraces, LinkWorkWithoutACorrelationByItsFlow) {
    PerfettoTrace made = threadAndStream();
    made.slice(2, 10, 20, "cuda_runtime", "cudaLaunchKernel", {fixedField(47, 9)});
    made.slice(4, 30, 40, "kernel", "gemm", {fixedField(48, 9)});
    const auto rank = loadMade(made);
    ASSERT_EQ(rank->launches.all().size(), 1U);
    EXPECT_EQ(rank->launches.all()[0].host, sliceNamed(*rank, "cudaLaunchKernel"));
    EXPECT_EQ(rank->health.unlinked_device, 0U);
}

/// As rocprofiler-sdk writes it: all tracks below the process, with what they are in their names.
PerfettoTrace rocprofTrace() {
    PerfettoTrace made;
    made.process(1, 4242, "python3").track(2, 1, "THREAD 1 (4300)");
    made.track(3, 1, "COMPUTE AGENT [4] STREAM [1] (GPU)").track(4, 1, "COPY to AGENT [4] STREAM [1] (GPU)");
    made.track(5, 1, "COPY to AGENT [0] STREAM [1] (CPU)");
    made.slice(2, 5, 60, "marker_api", "step 3", {argument("corr_id", 1)});
    made.begin(2, 10, "hip_api", "hipLaunchKernel", {argument("corr_id", 7), fixedField(47, 7)});
    made.slice(2, 12, 14, "hsa_api", "hsa_queue_load_write_index_relaxed", {argument("corr_id", 8)}).end(2, 20);
    made.slice(2, 22, 24, "hip_api", "hipMemcpyAsync", {argument("corr_id", 9)});
    made.slice(2, 26, 28, "hip_api", "hipMemcpyAsync", {argument("corr_id", 10)});
    made.slice(3, 30, 50, "kernel_dispatch", "Cijk_Ailk_Bljk_SB_MT128x128x16",
               {argument("agent", "Agent-4"), argument("corr_id", 7), argument("queue", 1), fixedField(47, 7)});
    made.slice(4, 52, 54, "memory_copy", "MEMORY_COPY_HOST_TO_DEVICE",
               {argument("src_agent", "Agent-0"), argument("copy_bytes", 4096), argument("corr_id", 9)});
    made.slice(5, 56, 58, "memory_copy", "MEMORY_COPY_DEVICE_TO_HOST",
               {argument("src_agent", "Agent-4"), argument("copy_bytes", 512), argument("corr_id", 10)});
    return made;
}

TEST(PerfettoTraces, OfRocprofv3AreReadAsThoseOfPyTorch) {
    const auto rank = loadMade(rocprofTrace());
    EXPECT_THAT(spansOfKind(*rank, TrackKind::Stream),
                testing::ElementsAre("Cijk_Ailk_Bljk_SB_MT128x128x16 30-50", "MEMORY_COPY_HOST_TO_DEVICE 52-54",
                                     "MEMORY_COPY_DEVICE_TO_HOST 56-58"));
    const SliceRef kernel = sliceNamed(*rank, "Cijk_Ailk_Bljk_SB_MT128x128x16");
    const Track& stream = rank->track(kernel);
    EXPECT_EQ(stream.device, 4);
    EXPECT_EQ(rank->strings.view(stream.lane), "1");
    EXPECT_EQ(rank->category(kernel), Category::Kernel);
    EXPECT_EQ(*stream.bytes.find(1), 4096);
    EXPECT_EQ(*stream.bytes.find(2), 512) << "a copy to the host runs on the GPU that it comes from";
    ASSERT_EQ(rank->launches.all().size(), 3U);
    EXPECT_EQ(rank->launches.all()[0].host, sliceNamed(*rank, "hipLaunchKernel"));
    EXPECT_EQ(rank->launches.all()[0].device, kernel);
    const SliceRef step = sliceNamed(*rank, "step 3");
    EXPECT_EQ(rank->category(step), Category::UserAnnotation);
    EXPECT_EQ(rank->strings.view(rank->track(step).lane), "4300");
    EXPECT_EQ(rank->strings.view(rank->track(step).process), "4242");
    EXPECT_EQ(rank->category(sliceNamed(*rank, "hsa_queue_load_write_index_relaxed")), Category::Other);
    EXPECT_EQ(rank->health.skipped, 0U);
}

TEST(PerfettoTraces, LinkForwardToBackwardFromTheEarlierOne) {
    PerfettoTrace made = threadAndStream();
    made.track(20, 1, "thread 12");
    made.slice(20, 50, 60, "cpu_op", "MmBackward0", {fixedField(47, 3)});
    made.slice(2, 10, 20, "cpu_op", "aten::mm", {fixedField(47, 3)});
    const auto rank = loadMade(made);
    ASSERT_EQ(rank->flows.size(), 1U);
    EXPECT_EQ(rank->flows[0].from, sliceNamed(*rank, "aten::mm"));
    EXPECT_EQ(rank->flows[0].to, sliceNamed(*rank, "MmBackward0"));
}

TEST(PerfettoTraces, TakeTheRankFromAnInstantWithDistributedInfo) {
    PerfettoTrace made = smallPerfettoTrace();
    made.instant(2, 5, "metadata",
                 {argument("distributedInfo", R"({"rank": 5, "world_size": 8, "backend": "nccl"})"),
                  jsonArgument("host_name", R"("node3")")});
    const auto rank = loadMade(made);
    EXPECT_EQ(rank->rank, RankNumber(5));
    EXPECT_EQ(rank->rank_origin, RankOrigin::DistributedInfo);
    EXPECT_EQ(rank->world_size, 8);
    EXPECT_EQ(rank->host, "node3");
}

TEST(PerfettoTraces, KeepTheMemoryEventsOfInstants) {
    PerfettoTrace made = smallPerfettoTrace();
    made.instant(
        2, 50, "[memory]",
        {argument("Bytes", -512), argument("Device Id", 0), argument("Addr", 99), argument("Total Allocated", 2048)});
    const auto rank = loadMade(made);
    ASSERT_EQ(rank->memory.bytes.size(), 1U);
    EXPECT_EQ(rank->memory.bytes[0], -512);
    EXPECT_EQ(rank->memory.total_allocated[0], 2048);
}

TEST(PerfettoTraces, TakeCountersOfGpusWithTheirUnitAndDevice) {
    PerfettoTrace made = smallPerfettoTrace();
    made.track(60, 0, "Device 1").counterTrack(61, 60, "Power", "mW").counter(61, 160, 312'500);
    made.counterTrack(62, 3, "Temperature (C)").counter(62, 170, 61.25);
    made.counterTrack(63, 1, "queue length").counter(63, 170, 5);
    const auto rank = loadMade(made);
    const SensorTable& sensors = rank->sensors;
    EXPECT_THAT(sensors.at_ns, testing::ElementsAre(150, 160, 170));
    EXPECT_THAT(sensors.sensor, testing::ElementsAre(Sensor::Power, Sensor::Power, Sensor::Temperature));
    EXPECT_THAT(sensors.value, testing::ElementsAre(312'500, 312'500, 61'250));
    EXPECT_THAT(sensors.device, testing::ElementsAre(0, 1, 0));
    EXPECT_THAT(rank->health.notes, testing::ElementsAre(HasSubstr("1 event is of kinds that are not shown")));
}

TEST(PerfettoTraces, SeparateTheRanksOfAFileByTheirProcesses) {
    PerfettoTrace made;
    for (const std::uint64_t rank : {0U, 1U}) {
        const std::uint64_t first = 100 * rank;
        made.process(first + 1, static_cast<std::int64_t>(1000 + rank)).track(first + 2, first + 1, "thread 11");
        made.process(first + 3, static_cast<std::int64_t>(rank)).track(first + 4, first + 3, "stream 7");
        made.slice(first + 2, 10, 20, "cuda_runtime", "cudaLaunchKernel", {numberField(52, 5 + rank)});
        made.slice(first + 4, 30, 40, "kernel", "gemm",
                   {numberField(52, 5 + rank), argument("device", static_cast<std::int64_t>(rank))});
    }
    const TempFolder folder;
    const auto ranks = loadAllRanks(folder.write("two.pftrace", made.bytes()));
    ASSERT_EQ(ranks.size(), 2U);
    EXPECT_EQ(ranks[1]->rank, RankNumber(1));
    EXPECT_EQ(ranks[1]->launches.all().size(), 1U);
}

TEST(PerfettoTraces, ReadNamesThatAreWrittenOnceUntilTheyAreCleared) {
    const auto names = [](std::string_view category, std::string_view name, std::string_view argument_name) {
        const auto entry = [](std::string_view text) { return numberField(1, 1) + bytesField(2, text); };
        return numberField(10, 7) + numberField(13, 1) +
               bytesField(12, bytesField(1, entry(category)) + bytesField(2, entry(name)) +
                                  bytesField(3, entry(argument_name)));
    };
    const auto event = [](TimeNs at, std::string_view fields) {
        return numberField(8, static_cast<std::uint64_t>(at)) + numberField(10, 7) + bytesField(11, fields);
    };
    const std::string begin = numberField(9, 1) + numberField(11, 4) + numberField(3, 1) + numberField(10, 1) +
                              bytesField(4, numberField(1, 1) + numberField(4, 7));
    const std::string end = numberField(9, 2) + numberField(11, 4);
    PerfettoTrace made = threadAndStream();
    made.packet(names("kernel", "first", "stream")).packet(event(10, begin)).packet(event(20, end));
    made.packet(event(30, begin)).packet(names("gpu_memset", "second", "bytes"));
    made.packet(event(40, end)).packet(event(50, begin)).packet(event(60, end));
    const TempFolder folder;
    const auto rank = load(folder.write("interned.pftrace", made.bytes()));
    EXPECT_THAT(spansOfKind(*rank, TrackKind::Stream),
                testing::ElementsAre("first 10-20", "first 30-40", "second 50-60"));
    const SliceRef second = sliceNamed(*rank, "second");
    EXPECT_EQ(rank->track(second).slices.category[second.slice], Category::Memset);
    EXPECT_EQ(*rank->track(second).bytes.find(second.slice), 7);
    const Result<std::string> text = readEventText(*rank, second);
    ASSERT_TRUE(text.ok()) << text.error().text();
    EXPECT_EQ(json::parse(text.value()), json::parse(R"({"ph": "X", "cat": "gpu_memset", "name": "second",
                                                         "args": {"bytes": 7}})"));
}

TEST(PerfettoTraces, PutEachClockOnTheTracesOwn) {
    const auto clock = [](std::uint64_t id, std::uint64_t at, std::string_view more = {}) {
        return bytesField(1, numberField(1, id) + numberField(2, at) + std::string(more));
    };
    const std::string counts_on_us = numberField(3, 1) + numberField(4, 1000);
    PerfettoTrace made = threadAndStream();
    made.packet(numberField(10, 7) +
                bytesField(6, clock(1, 1'700'000'000'000'005'000) + clock(3, 1000) + clock(6, 5000) +
                                  clock(64, 5, counts_on_us)) +
                bytesField(59, numberField(58, 64) + bytesField(11, numberField(11, 2))));
    const auto event = [](std::uint64_t time, std::string_view fields, std::uint64_t clock_id = 0) {
        return numberField(8, time) + numberField(10, 7) + bytesField(11, fields) +
               (clock_id == 0 ? "" : numberField(58, clock_id));
    };
    const std::string begin = numberField(9, 1) + bytesField(22, "cpu_op") + bytesField(23, "op");
    const std::string end = numberField(9, 2);
    made.packet(event(2, begin)).packet(event(3, end));                // 5 us + 2 us, and 3 us later
    made.packet(event(8000, begin, 3)).packet(event(14'000, end, 6));  // monotonic and boot time
    const auto rank = loadMade(made);
    EXPECT_THAT(spansOfKind(*rank, TrackKind::CpuThread),
                testing::ElementsAre("op 1700000000000007000-1700000000000010000",
                                     "op 1700000000000012000-1700000000000014000"));
}

TEST(PerfettoTraces, KeepTheOrderOfSlicesOfOneTime) {
    PerfettoTrace made = threadAndStream();
    made.begin(2, 100, "cpu_op", "outer").begin(2, 100, "cpu_op", "inner").end(2, 120).end(2, 120);
    const auto rank = loadMade(made);
    EXPECT_THAT(spansOfKind(*rank, TrackKind::CpuThread), testing::ElementsAre("outer 100-120", "inner 100-120"));
}

TEST(PerfettoTraces, KeepEachKindOfArgument) {
    const auto value = [](std::string_view name, std::string_view fields) {
        return bytesField(4, bytesField(10, name) + std::string(fields));
    };
    const auto item = [](std::int64_t number) {
        return bytesField(12, numberField(4, static_cast<std::uint64_t>(number)));
    };
    PerfettoTrace made = threadAndStream();
    made.slice(2, 10, 20, "cpu_op", "all \"kinds\" \\ of\n\xc3\xa9\xff",
               {value("yes", numberField(2, 1)), value("unsigned", numberField(3, ~std::uint64_t{0})),
                value("real", realField(5, 0.1)), value("nan", realField(5, std::nan(""))),
                value("pointer", numberField(7, 255)), value("list", item(1) + item(-2)),
                value("entries", bytesField(11, bytesField(10, "key") + bytesField(6, "te\"xt"))),
                value("json", bytesField(9, "[1, {\"a\": 2}]")), value("broken", bytesField(9, "[1, ")),
                value("ended", bytesField(9, std::string_view("3\0x", 3))), value("nothing", "")});
    const TempFolder folder;
    const auto rank = load(folder.write("kinds.pftrace", made.bytes()));
    EXPECT_EQ(sliceNames(*rank), "all \"kinds\" \\ of\n\xc3\xa9\xef\xbf\xbd");
    const Result<std::string> text = readEventText(*rank, sliceNamed(*rank, sliceNames(*rank)));
    ASSERT_TRUE(text.ok()) << text.error().text();
    EXPECT_EQ(json::parse(text.value())["args"], json::parse(R"({"yes": true, "unsigned": 18446744073709551615,
        "real": 0.1, "nan": null, "pointer": 255, "list": [1, -2], "entries": {"key": "te\"xt"},
        "json": [1, {"a": 2}], "broken": "[1, ", "ended": "3\u0000x", "nothing": null})"));
}

}  // namespace
}  // namespace rankscope::test
