// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems: real ones against independent figures, small ones row by row, and what is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/interval_set.h"
#include "core/ingest/load.h"
#include "core/ingest/nsight/nsight.h"
#include "tests/support/nsight_export.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"

namespace rankscope {
namespace {

using test::NsightExport;
using test::TempFolder;

constexpr TimeNs kStart = 1'700'000'000'000'000'000;

Result<std::vector<RankTrace>> ranksOf(const std::string& path, const LoadOptions& options = {}) {
    LoadObserver nobody;
    FileSource file;
    file.path = path;
    return loadRanks(file, options, nobody, {});
}

Result<std::vector<RankTrace>> ranksOf(const NsightExport& made) {
    LoadObserver nobody;
    FileSource file;
    file.path = "made.sqlite";
    return readNsight(made.bytes(), file, {}, nobody, {});
}

const Track* trackOf(const RankTrace& rank, TrackKind kind, std::string_view lane) {
    const auto found = std::ranges::find_if(
        rank.tracks, [&](const Track& track) { return track.kind == kind && rank.strings.view(track.lane) == lane; });
    return found == rank.tracks.end() ? nullptr : &*found;
}

std::vector<std::string> namesOf(const RankTrace& rank, const Track& track) {
    std::vector<std::string> names;
    for (const StringId name : track.slices.name) {
        names.emplace_back(rank.strings.view(name));
    }
    return names;
}

/// What is counted on the streams of a rank.
struct DeviceFigures {
    std::size_t kernels = 0;
    DurationNs kernel_window_ns = 0;
    DurationNs busy_ns = 0;
    DurationNs computing_ns = 0;  ///< kernels but those of NCCL
    DurationNs nccl_ns = 0;
    friend bool operator==(const DeviceFigures&, const DeviceFigures&) = default;
};

DurationNs unionOf(std::vector<TimeSpan> spans) {
    return IntervalSet::unionOf(std::move(spans)).length();
}

DeviceFigures figuresOf(const RankTrace& rank) {
    std::vector<TimeSpan> busy;
    std::vector<TimeSpan> computing;
    std::vector<TimeSpan> nccl;
    DeviceFigures figures;
    std::optional<TimeSpan> window;
    for (const Track& track : rank.tracks) {
        for (SliceIndex i = 0; track.kind == TrackKind::Stream && i < track.slices.size(); ++i) {
            const TimeSpan span = track.slices.span(i);
            busy.push_back(span);
            if (track.slices.category[i] == Category::Kernel) {
                ++figures.kernels;
                window =
                    window ? TimeSpan{std::min(window->start_ns, span.start_ns), std::max(window->end_ns, span.end_ns)}
                           : span;
                (rank.strings.view(track.slices.name[i]).starts_with("nccl") ? nccl : computing).push_back(span);
            }
        }
    }
    figures.kernel_window_ns = window ? window->length() : 0;
    figures.busy_ns = unionOf(std::move(busy));
    figures.computing_ns = unionOf(std::move(computing));
    figures.nccl_ns = unionOf(std::move(nccl));
    return figures;
}

TEST(RealExports, HaveTheFiguresThatSqlAndPythonFind) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // The figures of the folder's README.
    const std::vector<std::pair<std::string, std::vector<DeviceFigures>>> expected = {
        {"before",
         {{1993, 299'848'812, 273'817'787, 253'690'832, 17'172'652},
          {2017, 298'661'551, 267'275'916, 256'095'624, 8'229'100}}},
        {"after",
         {{1793, 299'219'791, 240'108'749, 227'484'352, 9'989'016},
          {1794, 299'238'478, 254'000'754, 227'608'953, 23'753'085}}}};
    for (const auto& [name, figures] : expected) {
        const auto path = test::realTraces() / "inputs/nsight" / ("mfu_2gpu_" + name + ".sqlite.gz");
        const Result<std::vector<RankTrace>> ranks = ranksOf(path.string());
        ASSERT_TRUE(ranks.ok()) << ranks.error().text();
        ASSERT_EQ(ranks.value().size(), 2U);
        EXPECT_EQ(figuresOf(ranks.value()[0]), figures[0]) << name;
        EXPECT_EQ(figuresOf(ranks.value()[1]), figures[1]) << name;
    }
}

TEST(NsightExports, AreOneRankForEachProcessWithGpuWork) {
    NsightExport made;
    made.kernel(20, 1, 7, 100, 200, 1, "gemm");
    made.kernel(10, 0, 7, 100, 250, 1, "gemm");
    made.call(30, 31, 10, 20, 0, "cudaGetDevice_v3020");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok()) << ranks.error().text();
    ASSERT_EQ(ranks.value().size(), 2U);
    EXPECT_EQ(ranks.value()[0].rank, RankNumber(0));
    EXPECT_EQ(ranks.value()[0].rank_origin, RankOrigin::Order);
    EXPECT_EQ(trackOf(ranks.value()[0], TrackKind::Stream, "7")->device, 0);
    EXPECT_EQ(ranks.value()[0].window.end_ns, kStart + 250);
    EXPECT_EQ(trackOf(ranks.value()[1], TrackKind::Stream, "7")->device, 1);
}

TEST(NsightExports, HaveTheMetricsOfTheGpusThatEachRankWorksOn) {
    NsightExport made;
    made.kernel(10, 0, 7, 100, 200, 1, "gemm");
    made.kernel(20, 0, 7, 100, 250, 1, "gemm");
    made.run(
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
        "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 10), (1, 0, 20);"
        "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName TEXT);"
        "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 0, 'GPC Clock Frequency [MHz]'),"
        " (256, 3, 'SMs Active [Throughput %]'), (256, 5, 'DRAM Read Bandwidth [Throughput %]'),"
        " (256, 6, 'DRAM Write Bandwidth [Throughput %]'), (256, 9, 'PCIe RX Throughput [Throughput %]'),"
        " (257, 3, 'SMs Active [Throughput %]');"
        "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);"
        "INSERT INTO GPU_METRICS VALUES (120, 256, 0, 1410), (120, 256, 3, 75), (120, 256, 5, 20), (120, 256, 6, 11),"
        " (120, 256, 9, 50), (140, 256, 0, 1290000000), (140, 256, 3, 400), (130, 257, 3, 5);");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok()) << ranks.error().text();
    ASSERT_EQ(ranks.value().size(), 2U);
    const auto readings = [](const RankTrace& rank) {
        std::vector<std::tuple<TimeNs, Sensor, int, std::int64_t>> all;
        for (std::size_t i = 0; i < rank.sensors.size(); ++i) {
            all.emplace_back(rank.sensors.at_ns[i] - kStart, rank.sensors.sensor[i], rank.sensors.device[i],
                             rank.sensors.value[i]);
        }
        return all;
    };
    EXPECT_THAT(readings(ranks.value()[0]), testing::UnorderedElementsAre(std::tuple(120, Sensor::Activity, 0, 75'000),
                                                                          std::tuple(120, Sensor::Bandwidth, 0, 31'000),
                                                                          std::tuple(120, Sensor::Clock, 0, 1'410'000),
                                                                          std::tuple(140, Sensor::Clock, 0, 1'290'000)))
        << "400 % is no share; a clock that cannot be MHz is Hz";
    EXPECT_THAT(readings(ranks.value()[1]), testing::ElementsAre(std::tuple(130, Sensor::Activity, 0, 5'000)))
        << "its GPU 0 is another one";
}

TEST(NsightExports, NumberRanksByTheirLargestCommunicator) {
    NsightExport made;
    for (const int pid : {10, 20}) {
        made.kernel(pid, pid == 10 ? 0 : 1, 7, 100, 200, 1, "gemm");
        made.range(
            pid, pid, 1, 2, "ncclCommInitRankConfig",
            R"({"NCCL communicator ID": 5, "No. of ranks": 8, "Rank": )" + std::string(pid == 10 ? "5" : "4") + "}");
        made.range(pid, pid, 3, 4, "ncclCommInitRankConfig",
                   R"({"NCCL communicator ID": 6, "No. of ranks": 2, "Rank": 0})");
    }
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok());
    EXPECT_EQ(ranks.value()[0].rank, RankNumber(4));
    EXPECT_EQ(ranks.value()[1].rank, RankNumber(5));
    EXPECT_EQ(ranks.value()[1].world_size, 8);
    EXPECT_EQ(trackOf(ranks.value()[0], TrackKind::Stream, "7")->device, 1);
}

TEST(NsightExports, OfOneProcessTakeTheirRankFromTheFilesName) {
    NsightExport made;
    made.kernel(10, 0, 7, 100, 200, 1, "gemm");
    const TempFolder folder;
    const Result<std::vector<RankTrace>> named = ranksOf(folder.write("report_rank3.sqlite", made.bytes()));
    ASSERT_TRUE(named.ok());
    EXPECT_EQ(named.value()[0].rank, RankNumber(3));
    EXPECT_EQ(named.value()[0].rank_origin, RankOrigin::FileName);
    const Result<std::vector<RankTrace>> unnamed = ranksOf(folder.write("report.sqlite", made.bytes()));
    ASSERT_TRUE(unnamed.ok());
    EXPECT_FALSE(unnamed.value()[0].rank);
}

TEST(NsightExports, UseTheNamesOfPyTorchsProfiler) {
    NsightExport made;
    made.range(10, 11, 0, 100, "step_3");
    made.range(10, 11, 10, 90, "aten::mm, seq = 5, op_id = 17, sizes = [[2, 3], [3, 4]], input_op_ids = [(1, 0)]");
    made.call(10, 11, 20, 30, 1, "cudaLaunchKernel_v7000");
    made.call(10, 11, 40, 50, 2, "cuLaunchKernelEx");
    made.kernel(10, 0, 7, 60, 80, 1, "gemm");
    made.copy(10, 0, 7, 90, 95, 3, 1, 0, 4096);
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok());
    const RankTrace& rank = ranks.value()[0];
    const Track& thread = *trackOf(rank, TrackKind::CpuThread, "11");
    EXPECT_EQ(namesOf(rank, thread),
              (std::vector<std::string>{"step_3", "aten::mm", "cudaLaunchKernel", "cuLaunchKernelEx"}));
    EXPECT_EQ(thread.slices.category,
              (std::vector<Category>{Category::UserAnnotation, Category::CpuOp, Category::Runtime, Category::Driver}));
    EXPECT_EQ(thread.slices.parent[2], 1U);
    ASSERT_EQ(thread.inputs.size(), 1U);
    EXPECT_EQ(rank.strings.view(thread.inputs.value[0].shapes), "[[2, 3], [3, 4]]");
    const Track& stream = *trackOf(rank, TrackKind::Stream, "7");
    EXPECT_EQ(namesOf(rank, stream), (std::vector<std::string>{"gemm", "Memcpy HtoD (Pageable -> Device)"}));
    ASSERT_EQ(stream.bytes.size(), 1U);
    EXPECT_EQ(stream.bytes.value[0], 4096);
    const TrackId stream_id(static_cast<std::uint32_t>(&stream - rank.tracks.data()));
    const SliceRef launch = rank.launches.launchOf({stream_id, 0});
    ASSERT_TRUE(launch.valid());
    EXPECT_EQ(rank.name(launch), "cudaLaunchKernel");
}

/// A process of a communicator of two ranks whose NCCL calls a test adds.
struct NcclExport : testing::Test {
    NsightExport made;

    NcclExport() {
        made.range(10, 11, 1, 2, "ncclCommInitRankConfig",
                   R"({"NCCL communicator ID": 5, "No. of ranks": 2, "Rank": 0})");
        made.call(10, 11, 120, 130, 9, "cudaLaunchKernelExC_v11060");
        made.kernel(10, 0, 17, 200, 300, 9,
                    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    }
    void call(TimeNs start, TimeNs end, const std::string& name) {
        made.range(10, 11, start, end, name, R"({"NCCL communicator ID": 5, "Message size [bytes]": 4096})");
    }
    [[nodiscard]] std::optional<CollectiveArgs> args() const {
        Result<std::vector<RankTrace>> ranks = ranksOf(made);
        if (!ranks.ok()) {
            return std::nullopt;
        }
        const SparseColumn<CollectiveArgs>& column = trackOf(ranks.value()[0], TrackKind::Stream, "17")->collectives;
        return column.size() == 0 ? std::nullopt : std::optional(column.value[0]);
    }
};

TEST_F(NcclExport, GivesAKernelTheSizeOfItsCall) {
    call(100, 150, "ncclAllReduce");
    const std::optional<CollectiveArgs> found = args();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->in_elements, 2048);
    EXPECT_EQ(found->out_elements, 2048);
    EXPECT_EQ(found->group_size, 2);
}

TEST_F(NcclExport, CountsWhatAllRanksGatherInTheOutput) {
    call(100, 150, "ncclAllGather");
    const std::optional<CollectiveArgs> found = args();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->in_elements, 2048);
    EXPECT_EQ(found->out_elements, 4096);
}

TEST_F(NcclExport, GivesAKernelOfAGroupItsSizeIfTheGroupHasOneCall) {
    call(90, 95, "ncclGroupStart");
    call(100, 105, "ncclAllReduce");
    call(110, 150, "ncclGroupEnd");
    EXPECT_TRUE(args());
}

TEST_F(NcclExport, DoesNotGuessWhichCallOfAGroupAKernelIs) {
    call(90, 95, "ncclGroupStart");
    call(96, 99, "ncclAllReduce");
    call(100, 105, "ncclAllReduce");
    call(110, 150, "ncclGroupEnd");
    EXPECT_FALSE(args());
}

TEST_F(NcclExport, DoesNotGuessInGroupsWithinAGroup) {
    call(60, 61, "ncclGroupStart");
    for (const TimeNs at : {TimeNs{62}, TimeNs{72}}) {
        call(at, at + 1, "ncclGroupStart");
        call(at + 2, at + 3, "ncclAllReduce");
        call(at + 4, at + 5, "ncclGroupEnd");
    }
    call(110, 150, "ncclGroupEnd");
    EXPECT_FALSE(args());
}

TEST_F(NcclExport, DoesNotTakeARangeOfTheJobForACallOfNccl) {
    call(100, 150, "nccl:all_reduce");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok());
    const Track& thread = *trackOf(ranks.value()[0], TrackKind::CpuThread, "11");
    EXPECT_EQ(thread.slices.category[1], Category::UserAnnotation);
    EXPECT_FALSE(args());
}

TEST_F(NcclExport, DoesNotTakeAnEarlierCallForTheLaunchs) {
    call(50, 60, "ncclAllReduce");
    EXPECT_FALSE(args());
}

TEST(NsightExports, SayWhichStreamAnEventIsWaitedFor) {
    NsightExport made;
    made.kernel(10, 3, 7, 60, 80, 1, "gemm");
    made.run(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, streamId INTEGER, correlationId INTEGER,"
        " globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,"
        " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER,"
        " eventSyncId INTEGER);");
    const std::string pid = std::to_string(NsightExport::global(10, 0));
    made.run("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (3, 20, 5, " + pid + ", 8, 2);");
    made.run("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (61, 62, 0, 7, 6, " + pid + ", 2, 8, 2);");
    made.run("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (63, 64, 0, 4294967295, 6, " + pid +
             ", 1, 8, 2);");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok());
    const Track* waits = trackOf(ranks.value()[0], TrackKind::StreamSync, "7");
    ASSERT_NE(waits, nullptr);
    EXPECT_EQ(waits->device, 3) << "the only device that the process works on";
    ASSERT_EQ(waits->syncs.size(), 1U);
    EXPECT_EQ(waits->syncs.value[0].wait_on_stream, 20);
    EXPECT_NE(trackOf(ranks.value()[0], TrackKind::StreamSync, "-1"), nullptr);
}

TEST(NsightExports, SayThatTheInsideOfAGraphIsUnknown) {
    NsightExport made;
    made.run(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, graphId INTEGER,"
        " streamId INTEGER, correlationId INTEGER, globalPid INTEGER);");
    made.run("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (60, 90, 0, 4, 7, 1, " +
             std::to_string(NsightExport::global(10, 0)) + ");");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok());
    const RankTrace& rank = ranks.value()[0];
    EXPECT_EQ(namesOf(rank, *trackOf(rank, TrackKind::Stream, "7")), (std::vector<std::string>{"CUDA graph 4"}));
    ASSERT_FALSE(rank.health.notes.empty());
    EXPECT_NE(rank.health.notes.back().find("--cuda-graph-trace=node"), std::string::npos);
}

TEST(NsightExports, AreReadPackedAsWellAsPlain) {
    NsightExport made;
    made.kernel(10, 0, 7, 100, 250, 1, "gemm");
    const TempFolder folder;
    for (const auto& [name, bytes] :
         std::vector<std::pair<std::string, std::string>>{{"a.sqlite", made.bytes()},
                                                          {"b.sqlite.gz", test::gzip(made.bytes())},
                                                          {"c.sqlite.zst", test::zstd(made.bytes())}}) {
        const Result<std::vector<RankTrace>> ranks = ranksOf(folder.write(name, bytes));
        ASSERT_TRUE(ranks.ok()) << name << ranks.error().text();
        EXPECT_EQ(ranks.value()[0].health.slices, 1U);
    }
}

TEST(NsightExports, ShowTheRowOfASlice) {
    NsightExport made;
    made.kernel(10, 0, 7, 100, 250, 33, "gemm");
    const TempFolder folder;
    const Result<std::vector<RankTrace>> ranks = ranksOf(folder.write("a.sqlite", made.bytes()));
    ASSERT_TRUE(ranks.ok());
    const Result<std::string> text = readEventText(ranks.value()[0], {TrackId(0), 0});
    ASSERT_TRUE(text.ok()) << text.error().text();
    const nlohmann::json args = nlohmann::json::parse(text.value())["args"];
    EXPECT_EQ(args["table"], "CUPTI_ACTIVITY_KIND_KERNEL");
    EXPECT_EQ(args["demangledName"], "gemm");
    EXPECT_EQ(args["correlationId"], 33);
}

TEST(NsightExports, AreReadAsFarAsTheyHaveTablesAndColumns) {
    const TempFolder folder;
    NsightExport made;
    made.kernel(10, 0, 7, 100, 250, 1, "gemm");
    made.run(
        "DROP TABLE NVTX_EVENTS; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY; DROP TABLE TARGET_INFO_SESSION_START_TIME;"
        "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN gridX;"
        "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN demangledName;");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok()) << ranks.error().text();
    EXPECT_EQ(ranks.value()[0].window.start_ns, 100);
    EXPECT_EQ(namesOf(ranks.value()[0], ranks.value()[0].tracks[0]), (std::vector<std::string>{"gemm"}));
}

TEST(NsightExports, CountRowsWhoseTimesAreNone) {
    NsightExport made;
    made.kernel(10, 0, 7, 100, 250, 1, "gemm");
    made.kernel(10, 0, 7, 9'223'372'036'854'775'807, 1, 1, "far");
    made.kernel(10, 0, 7, 300, 290, 1, "backwards");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.ok());
    EXPECT_EQ(ranks.value()[0].health.skipped, 1U);
    EXPECT_EQ(ranks.value()[0].health.negative_durations, 1U);
    EXPECT_EQ(ranks.value()[0].health.slices, 2U);
}

TEST(NsightExports, RunNothingThatTheFileDefines) {
    NsightExport made;
    made.kernel(10, 0, 7, 100, 250, 1, "gemm");
    made.run(
        "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO hidden;"
        "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
        " SELECT i AS start, i AS end FROM n;");
    const Result<std::vector<RankTrace>> ranks = ranksOf(made);
    ASSERT_TRUE(ranks.failed());
    EXPECT_NE(ranks.error().text().find("contains no rows"), std::string::npos) << ranks.error().text();
}

TEST(NsightExports, AreRefusedWithAReasonIfTheyAreDamagedOrNone) {
    const TempFolder folder;
    NsightExport made;
    for (int i = 0; i < 2000; ++i) {
        made.kernel(10, 0, 7, 100 * i, 100 * i + 50, i + 1, "gemm " + std::to_string(i));
    }
    const std::string bytes = made.bytes();
    std::string torn = bytes.substr(0, bytes.size() / 2);
    std::string mixed = bytes;
    for (std::size_t at = 4096; at < mixed.size(); at += 37) {
        mixed[at] = static_cast<char>(at);
    }
    const test::NsightExport empty;
    for (const auto& [name, text] :
         std::vector<std::pair<std::string, std::string>>{{"torn.sqlite", torn},
                                                          {"mixed.sqlite", mixed},
                                                          {"short.sqlite", bytes.substr(0, 50)},
                                                          {"empty.sqlite", empty.bytes()},
                                                          {"torn.sqlite.gz", test::gzip(bytes).substr(0, 3000)}}) {
        const Result<std::vector<RankTrace>> ranks = ranksOf(folder.write(name, text));
        ASSERT_TRUE(ranks.failed()) << name;
        EXPECT_NE(ranks.error().text().find(name), std::string::npos) << ranks.error().text();
    }
}

TEST(NsightReports, AreRefusedWithTheCommandThatExportsThem) {
    const TempFolder folder;
    const Result<std::vector<RankTrace>> ranks = ranksOf(folder.write("a.nsys-rep", "\x0a\x04NSYS and more"));
    ASSERT_TRUE(ranks.failed());
    EXPECT_NE(ranks.error().text().find("nsys export --type sqlite"), std::string::npos);
}

TEST(NsightReports, InAFolderAreNamedWithTheCommandThatExportsThem) {
    const TempFolder folder;
    folder.write("job/rank0.json", R"({"traceEvents": []})");
    const std::string report = folder.write("job/deeper/a.nsys-rep", "NSYS");
    const Discovery beside = discoverRuns({(folder.path() / "job").string()});
    ASSERT_EQ(beside.runs.size(), 1U);
    EXPECT_TRUE(beside.refused.empty()) << "a note of the run";
    ASSERT_EQ(beside.runs[0].no_traces.size(), 1U);
    EXPECT_EQ(beside.runs[0].no_traces[0].path, report);
    EXPECT_NE(beside.runs[0].no_traces[0].cause.find("nsys export --type sqlite"), std::string::npos);
    const Discovery alone = discoverRuns({(folder.path() / "job/deeper").string()});
    ASSERT_EQ(alone.refused.size(), 1U);
    EXPECT_EQ(alone.refused[0].path, report);
}

}  // namespace
}  // namespace rankscope
