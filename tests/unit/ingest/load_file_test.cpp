// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

EventLine event(std::string category, std::string name, std::string ts, std::string dur, std::string args = "") {
    EventLine line;
    line.category = std::move(category);
    line.name = std::move(name);
    line.ts = std::move(ts);
    line.dur = std::move(dur);
    line.args = std::move(args);
    return line;
}

/// One operator that launches one kernel.
std::string smallTrace(std::string_view header = "") {
    EventLine kernel = event("kernel", "gemm", "30", "20", R"("device": 0, "stream": 7, "correlation": 5)");
    kernel.pid = "0";
    kernel.tid = "7";
    return traceJson(
        {eventJson(event("cpu_op", "aten::mm", "10", "15")),
         eventJson(event("cuda_runtime", "cudaLaunchKernel", "12", "6", R"("cbid": 211, "correlation": 5)")),
         eventJson(kernel)},
        header);
}

void expectSmallTrace(const RankTrace& trace) {
    EXPECT_EQ(sliceNames(trace), "aten::mm|cudaLaunchKernel");
    EXPECT_EQ(sliceNames(trace, TrackKind::Stream), "gemm");
    ASSERT_EQ(trace.launches.all().size(), 1U);
    EXPECT_EQ(trace.name(trace.launches.all()[0].host), "cudaLaunchKernel");
    EXPECT_EQ(trace.name(trace.launches.all()[0].device), "gemm");
}

TEST(LoadFile, ReadsEveryPackingByItsBytesNotItsName) {
    const TempFolder folder;
    expectSmallTrace(*load(folder.write("plain.json", smallTrace())));
    expectSmallTrace(*load(folder.write("gzip.json", gzip(smallTrace()))));
    expectSmallTrace(*load(folder.write("zstd.json", zstd(smallTrace()))));
    expectSmallTrace(
        *load(folder.write("members.json.gz", gzip(smallTrace().substr(0, 200)) + gzip(smallTrace().substr(200)))));
}

TEST(LoadFile, ReadsAZstdThatWasPackedWithALongWindow) {
    const TempFolder folder;
    for (const int window_log : {27, 28, 30}) {
        expectSmallTrace(*load(folder.write("long.json.zst", zstdLong(smallTrace(), window_log))));
    }
}

TEST(LoadFile, ReadsBareArraysAndMinifiedFiles) {
    const std::string text = smallTrace();
    const std::size_t array = text.find("[\n");
    expectSmallTrace(*loadText(text.substr(array, text.find("],") + 1 - array)));
    std::string minified;
    for (const char c : text) {
        if (c != '\n' && c != ' ') {
            minified += c;
        }
    }
    expectSmallTrace(*loadText(minified));
}

TEST(LoadFile, ReadsKeysInAnyOrder) {
    const auto trace = loadText(
        R"({"traceEvents": [
          {"args": {"correlation": 5, "stream": 7, "device": 0}, "dur": 20, "ts": 30, "tid": 7, "pid": 0, "name": "gemm", "cat": "kernel", "ph": "X"},
          {"args": {"correlation": 5}, "dur": 6, "ts": 12, "tid": 1, "pid": 1, "name": "cudaLaunchKernel", "cat": "cuda_runtime", "ph": "X"}]})");
    ASSERT_EQ(trace->launches.all().size(), 1U);
    EXPECT_EQ(trace->name(trace->launches.all()[0].device), "gemm");
}

TEST(LoadFile, ReadsMetadataBehindTheEvents) {
    const auto trace = loadText(R"({"traceEvents": [)" + eventJson({}) +
                                R"(], "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
                                   "baseTimeNanoseconds": 1000000000000, "host_name": "node7"})");
    EXPECT_EQ(trace->rank, RankNumber(3));
    EXPECT_EQ(trace->world_size, 8);
    EXPECT_EQ(trace->host, "node7");
    EXPECT_EQ(trace->window.start_ns, 1'000'000'010'000);
}

TEST(LoadFile, ReadsTheOldDialect) {
    const auto trace = loadText(R"({"traceEvents": [
      {"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 9, "tid": "9", "ts": 1623142623460111, "dur": 25, "args": {"Device": 9, "External id": 2}},
      {"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": "9", "ts": 1623142623460115, "dur": 5, "args": {"cbid": 211, "correlation": 44, "external id": 2}},
      {"ph": "X", "cat": "Kernel", "name": "gemm", "pid": 0, "tid": "stream 7", "ts": 1623142623460125, "dur": 2, "args": {"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": 44}},
      {"ph": "i", "s": "t", "name": "[memory]", "pid": 9, "tid": 9, "ts": 1623142623460121, "args": {"Device Type": 1, "Device Id": 0, "Bytes": -512}}]})");
    EXPECT_EQ(sliceNames(*trace, TrackKind::Stream), "gemm");
    EXPECT_EQ(trace->launches.all().size(), 1U);
    EXPECT_EQ(trace->tracks.size(), 2U);
    ASSERT_EQ(trace->memory.size(), 1U);
    EXPECT_EQ(trace->memory.bytes[0], -512);
    EXPECT_EQ(trace->memory.device[0], 0);
    EXPECT_EQ(trace->window.start_ns, 1623142623460111000);
}

TEST(LoadFile, StreamZeroIsAStreamAndLowPidsOfContainersAreHostProcesses) {
    const EventLine kernel = event("kernel", "k", "1", "1", R"("device": 1, "stream": 0)");
    EventLine op = event("cpu_op", "op", "1", "1");
    op.pid = "1";
    op.tid = "0";
    const auto trace = loadText(traceJson({eventJson(kernel), eventJson(op)}));
    ASSERT_EQ(trace->tracks.size(), 2U);
    EXPECT_EQ(trace->tracks[0].kind, TrackKind::CpuThread);
    EXPECT_EQ(trace->tracks[1].kind, TrackKind::Stream);
    EXPECT_EQ(trace->tracks[1].device, 1);
}

TEST(LoadFile, DevicesInMetadataEventsAreNoEvidenceOfADevice) {
    const auto trace = loadText(traceJson(
        {eventJson({}),
         R"({"name": "process_labels", "ph": "M", "ts": 1, "pid": 5, "tid": 0, "args": {"labels": "GPU 5"}})"}));
    EXPECT_FALSE(trace->hasDeviceWork());
    EXPECT_EQ(trace->tracks.size(), 1U);
}

TEST(LoadFile, EmptyProcessAndThreadAreASeparateTrack) {
    const auto trace = loadText(
        R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
            {"ph": "X", "cat": "Trace", "name": "span", "pid": "", "tid": "", "ts": 1, "dur": 1}]})");
    ASSERT_EQ(trace->tracks.size(), 2U);
    EXPECT_EQ(trace->name({TrackId(1), 0}), "span");
}

TEST(LoadFile, CollectiveArgsBecomeColumns) {
    const auto trace = loadText(traceJson({eventJson(event(
        "kernel", "ncclDevKernel_Generic", "1", "1",
        R"("Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 4, "dtype": "Float",
           "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3]", "Seq": 17, "Comms Id": "89", "stream": 20, "device": 0)"))}));
    const Track& track = trace->tracks.at(0);
    ASSERT_EQ(track.collectives.size(), 1U);
    const CollectiveArgs& args = track.collectives.value[0];
    EXPECT_EQ(trace->strings.view(args.name), "allreduce");
    EXPECT_EQ(trace->strings.view(args.group_ranks), "[0, 1, 2, 3]");
    EXPECT_EQ(trace->strings.view(args.comms_id), "89");
    EXPECT_EQ(args.in_elements, 1000);
    EXPECT_EQ(args.group_size, 4);
    EXPECT_EQ(args.sequence, 17);
}

TEST(LoadFile, AKernelWithoutCorrelationIsLinkedByItsFlow) {
    const auto trace = loadText(traceJson(
        {eventJson(event("cuda_runtime", "cudaLaunchKernel", "12", "6")),
         R"({"ph": "s", "id": 7, "pid": 100, "tid": 100, "ts": 12, "cat": "ac2g", "name": "ac2g"})",
         R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7}})",
         R"({"ph": "f", "id": 7, "pid": 0, "tid": 7, "ts": 30, "cat": "ac2g", "name": "ac2g", "bp": "e"})"}));
    ASSERT_EQ(trace->launches.all().size(), 1U);
    EXPECT_EQ(trace->name(trace->launches.all()[0].device), "gemm");
    EXPECT_EQ(trace->health.unlinked_device, 0U);
}

TEST(LoadFile, CountsLaunchesAndKernelsWithoutAPartnerAndKernelsBeforeTheirLaunch) {
    const auto trace =
        loadText(traceJson({eventJson(event("cuda_runtime", "cudaLaunchKernel", "50", "6", R"("correlation": 1)")),
                            eventJson(event("cuda_runtime", "cudaLaunchKernel", "60", "6", R"("correlation": 2)")),
                            eventJson(event("cuda_runtime", "cudaDeviceSynchronize", "70", "6", R"("correlation": 3)")),
                            eventJson(event("kernel", "early", "48", "1", R"("stream": 7, "correlation": 1)")),
                            eventJson(event("kernel", "orphan", "55", "1", R"("stream": 7, "correlation": 99)"))}));
    EXPECT_EQ(trace->health.early_kernels, 1U);
    EXPECT_EQ(trace->health.unlinked_launches, 1U);
    EXPECT_EQ(trace->health.unlinked_device, 1U);
}

TEST(LoadFile, ForwardAndBackwardAreJoinedByTheirOwnFlows) {
    EventLine backward = event("cpu_op", "backward", "80", "5");
    backward.tid = "101";
    const auto trace = loadText(traceJson(
        {eventJson(event("cpu_op", "forward", "10", "5")), eventJson(backward),
         R"({"ph": "s", "id": 1, "pid": 100, "tid": 100, "ts": 10, "cat": "fwdbwd", "name": "fwdbwd"})",
         R"({"ph": "f", "id": 1, "pid": 100, "tid": 101, "ts": 80, "cat": "fwdbwd", "name": "fwdbwd", "bp": "e"})"}));
    ASSERT_EQ(trace->flows.size(), 1U);
    EXPECT_EQ(trace->name(trace->flows[0].from), "forward");
    EXPECT_EQ(trace->name(trace->flows[0].to), "backward");
}

TEST(LoadFile, EveryThreadCountGivesTheSameModel) {
    std::vector<std::string> events;
    for (int i = 0; i < 40'000; ++i) {
        EventLine line = event("cpu_op", "op " + std::to_string(i % 97), std::to_string(i * 10), "7");
        line.tid = std::to_string(100 + i % 3);
        events.push_back(eventJson(line));
    }
    const std::string text = traceJson(events);
    ASSERT_GT(text.size(), 4'000'000U);
    const auto one = loadText(text, 1);
    const auto three = loadText(text, 3);
    ASSERT_EQ(one->tracks.size(), three->tracks.size());
    for (std::size_t t = 0; t < one->tracks.size(); ++t) {
        EXPECT_EQ(one->tracks[t].slices.start_ns, three->tracks[t].slices.start_ns);
        EXPECT_EQ(one->tracks[t].slices.source, three->tracks[t].slices.source);
        EXPECT_EQ(one->tracks[t].slices.depth, three->tracks[t].slices.depth);
    }
    EXPECT_EQ(sliceNames(*one), sliceNames(*three));
}

TEST(LoadFile, StopsWhenItIsAskedTo) {
    std::stop_source stop;
    struct StopAtOnce : LoadObserver {
        std::stop_source* source = nullptr;
        void fileProgress(std::size_t /*f*/, std::uint64_t /*d*/, std::uint64_t /*t*/, std::uint64_t /*j*/) override {
            source->request_stop();
        }
    } observer;
    observer.source = &stop;
    const TempFolder folder;
    const std::string text = traceJson(std::vector<std::string>(30'000, eventJson({})));
    const auto result = loadFile({folder.write("t.json", text), "", text.size()}, {}, observer, stop.get_token());
    EXPECT_TRUE(result.cancelled());
}

/// `us` after the start of a millisecond.
std::string at(int millisecond, int us) {
    return std::to_string(millisecond * 1000 + us);
}

/// A launch in a millisecond, and the kernel that it launched, "k3" of the third.
void addLaunch(std::vector<std::string>& events, int millisecond, int launch_us, int kernel_us) {
    const std::string correlation = "\"correlation\": " + std::to_string(millisecond + 1);
    events.push_back(
        eventJson(event("cuda_runtime", "cudaLaunchKernel", at(millisecond, launch_us), "5", correlation)));
    events.push_back(eventJson(event("kernel", "k" + std::to_string(millisecond), at(millisecond, kernel_us), "5",
                                     "\"stream\": 7, " + correlation)));
}

/// What is loaded of a file where only steps `first` to `last` are wanted.
RankTrace loadSteps(const std::vector<std::string>& events, std::int64_t first, std::int64_t last) {
    const TempFolder folder;
    LoadOptions options;
    options.first_step = first;
    options.last_step = last;
    LoadObserver observer;
    Result<RankTrace> result = loadFile({folder.write("t.json", traceJson(events)), "", 0}, options, observer, {});
    EXPECT_TRUE(result.ok());
    return result.ok() ? std::move(result).value() : RankTrace();
}

TEST(LoadFile, ASubsetOfStepsKeepsTheirSlicesAndTheWorkTheyLaunched) {
    std::vector<std::string> events;
    for (int step = 3; step <= 6; ++step) {
        const std::string name = "ProfilerStep#" + std::to_string(step);
        events.push_back(eventJson(event("user_annotation", name, at(step, 0), "1000")));
        addLaunch(events, step, 900, 1200);
    }
    const RankTrace trace = loadSteps(events, 4, 5);
    EXPECT_EQ(sliceNames(trace, TrackKind::Stream), "k4|k5");
    EXPECT_EQ(trace.launches.all().size(), 2U);
    EXPECT_EQ(sliceNames(trace), "ProfilerStep#4|cudaLaunchKernel|ProfilerStep#5|cudaLaunchKernel");
}

TEST(LoadFile, KeepsOnlyWantedIterationsOfAServer) {
    // An iteration lasts until the next one starts: three of them, 0 to 2, and the last one's end is not known.
    std::vector<std::string> events;
    for (int i = 0; i < 4; ++i) {
        const std::string name = "step[DECODE bs=" + std::to_string(i) + "]";
        events.push_back(eventJson(event("user_annotation", name, at(i, 0), "300")));
        addLaunch(events, i, 600, 700);
    }
    const RankTrace trace = loadSteps(events, 1, 1);
    EXPECT_EQ(sliceNames(trace, TrackKind::Stream), "k1");
    EXPECT_EQ(trace.first_counted_step, 1);
    EXPECT_EQ(sliceNames(trace), "step[DECODE bs=1]|cudaLaunchKernel|step[DECODE bs=2]")
        << "the next one tells where it ends";
}

TEST(LoadFile, KeepsOnlyWantedStepsAlsoWhereTheyAreCounted) {
    // A step lasts from the end of one optimizer's step to the end of the next: four of them, 0 to 3.
    std::vector<std::string> events;
    for (int i = 0; i < 5; ++i) {
        addLaunch(events, i, 100, 200);
        events.push_back(eventJson(event("cpu_op", "Optimizer.step#SGD.step", at(i, 900), "50")));
    }
    const RankTrace trace = loadSteps(events, 1, 2);
    EXPECT_EQ(sliceNames(trace, TrackKind::Stream), "k2|k3");
    EXPECT_EQ(trace.first_counted_step, 1);
    EXPECT_EQ(sliceNames(trace),
              "Optimizer.step#SGD.step|cudaLaunchKernel|Optimizer.step#SGD.step|cudaLaunchKernel|"
              "Optimizer.step#SGD.step");
}

TEST(LoadFile, EveryTraceIsReadWithoutLoss) {
    LoadObserver observer;
    LoadOptions options;
    options.threads = 2;
    for (const auto& path : allTraceFiles()) {
        const auto ranks = loadRanks({path.string(), "", std::filesystem::file_size(path)}, options, observer, {});
        ASSERT_TRUE(ranks.ok()) << ranks.error().text();
        for (const RankTrace& trace : ranks.value()) {
            EXPECT_EQ(trace.health.skipped, 0U) << path;
            EXPECT_EQ(trace.health.recovered, 0U) << path;
            EXPECT_EQ(trace.health.early_kernels, 0U) << path;
            EXPECT_FALSE(trace.health.truncated) << path;
            EXPECT_FALSE(trace.health.ranks_mixed) << path;
            EXPECT_GT(trace.health.slices, 0U) << path;
        }
    }
}

std::size_t slicesOfStreams(const RankTrace& trace, std::uint64_t& overlapping) {
    std::size_t slices = 0;
    for (const Track& track : trace.tracks) {
        if (track.kind == TrackKind::Stream) {
            slices += track.slices.size();
            overlapping += static_cast<std::uint64_t>(std::ranges::count(track.slices.flag, SliceFlag::Overlaps));
        }
    }
    return slices;
}

TEST(LoadFile, OverlapsOfRealStreamsAreThoseOfTheExactDecimals) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto overlaps = [](const char* file) {
        std::uint64_t count = 0;
        EXPECT_GT(slicesOfStreams(*load((realTraces() / file).string()), count), 0U);
        return count;
    };
    EXPECT_EQ(overlaps("resnet_ddp_4ranks_rocm/rank0.pt.trace.json.gz"), 0U);  // 120 to 170 through a double
    EXPECT_EQ(overlaps("hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"), 0U);
    // Of the 31 pairs that overlap, 13 do so by the one microsecond that its times are written to.
    EXPECT_EQ(overlaps("hta/trace_diff/test/test.json.gz"), 18U);
    EXPECT_EQ(overlaps("tracelens/eager_trace.json.gz"), 74U);
}

}  // namespace
}  // namespace rankscope::test
