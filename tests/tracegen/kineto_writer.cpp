// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/kineto_writer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/format.h"

namespace rankscope::tracegen {
namespace {

constexpr int kFirstPid = 3'194'582;
constexpr int kAutogradThread = 1'483;        // after the main thread
constexpr std::int64_t kSyncRow = 1'000'000;  // added to the stream's number
constexpr std::size_t kFlushBytes = 1U << 18U;
// Kineto starts its window this long before the first step.
constexpr DurationNs kLeadNs = 630'000;

std::string_view categoryOf(EventKind kind, bool modern) {
    switch (kind) {
        case EventKind::Operator: return modern ? "cpu_op" : "Operator";
        case EventKind::UserAnnotation: return modern ? "user_annotation" : "Operator";
        case EventKind::Python: return modern ? "python_function" : "Python";
        case EventKind::Runtime: return modern ? "cuda_runtime" : "Runtime";
        case EventKind::Kernel: return modern ? "kernel" : "Kernel";
        case EventKind::Memcpy: return modern ? "gpu_memcpy" : "Memcpy";
        case EventKind::Memory:
        case EventKind::GpuAnnotation: break;
    }
    return "gpu_user_annotation";
}

/// What CUPTI or roctracer records, and the profiler itself does not.
bool ofDevice(EventKind kind) {
    return onDevice(kind) || kind == EventKind::Runtime;
}

ProcessGroup groupOfAll(int ranks) {
    ProcessGroup group{"0", "default_pg", std::vector<int>(static_cast<std::size_t>(ranks))};
    std::iota(group.ranks.begin(), group.ranks.end(), 0);
    return group;
}

}  // namespace

KinetoWriter::KinetoWriter(const Config& config, int rank, const StringPool& names, Output& output)
    : config_(config),
      rank_(rank),
      names_(names),
      words_(vocabularyOf(config.vendor, config.dialect)),
      clock_(config.clockOf(rank)),
      pid_(kFirstPid + 7 * rank),
      output_(output),
      all_ranks_(groupOfAll(config.ranks)) {
    streams_.at(static_cast<std::size_t>(Stream::Compute)) = true;
    streams_.at(static_cast<std::size_t>(Stream::Communication)) = config.groups.empty();
}

TimeNs fileTime(const RankClock& clock, TimeNs true_ns) {
    const auto drift = std::llround(static_cast<double>(true_ns) * clock.drift_ppm * 1e-6);
    return kWindowEpochNs + true_ns + clock.offset_ns + drift;
}

void KinetoWriter::timestamp(TimeNs file_ns) {
    if (config_.time_grid == TimeGrid::Double) {
        // A number of this size has two bits for what is below a microsecond.
        const TimeNs whole_us = file_ns / 1000;
        text_ += formatDecimal(static_cast<double>(whole_us) + static_cast<double>(file_ns % 1000) / 1000.0, 3);
        return;
    }
    micros(file_ns - (modern() ? kBaseNs : 0));
}

void KinetoWriter::micros(TimeNs ns) {
    number(ns / 1000);
    if (modern() && config_.time_grid != TimeGrid::Microseconds) {
        const std::string decimals = std::to_string(1000 + ns % 1000);
        text_ += '.';
        text_.append(decimals, 1, 3);
    }
}

std::string KinetoWriter::pidOf(const Event& event) const {
    return std::to_string(onDevice(event.kind) ? rank_ % 8 : pid_);
}

std::string KinetoWriter::tidOf(const Event& event) const {
    if (onDevice(event.kind)) {
        const std::string id = std::to_string(streamId(event.stream));
        return modern() ? id : "\"stream " + id + "\"";
    }
    const std::string id = std::to_string(event.thread == Thread::Main ? pid_ : pid_ + kAutogradThread);
    return modern() ? id : "\"" + id + "\"";
}

void KinetoWriter::flush(bool all) {
    if (all || text_.size() > kFlushBytes) {
        output_.write(text_);
        text_.clear();
    }
}

void KinetoWriter::begin() {
    text_ += "\n{\n  \"schemaVersion\": 1,\n";
    writeDevices();
    if (modern()) {
        text_ += cuda() ? "  \"cupti_version\": 24,\n  \"cuda_runtime_version\": 12060,\n"
                          "  \"cuda_driver_version\": 12060,\n"
                        : "  \"roctracer_version\": 4.1,\n  \"hip_runtime_version\": 60443483,\n"
                          "  \"hip_driver_version\": 60443483,\n";
    }
    writeDistributedInfo();
    if (config_.with_stack) {
        text_ += "  \"with_stack\": 1,\n";
    }
    if (recordsMemory(config_, rank_)) {
        text_ += "  \"profile_memory\": 1,\n";
    }
    if (modern()) {
        text_ += "  \"host_name\": \"node" + std::to_string(config_.hostOf(rank_)) + "\",\n";
        text_ += "  \"displayTimeUnit\": \"ms\",\n";
    }
    if (modern() && config_.time_grid != TimeGrid::Double) {
        text_ += "  \"baseTimeNanoseconds\": " + std::to_string(kBaseNs) + ",\n";
    }
    text_ += "  \"traceEvents\": [";
}

void KinetoWriter::writeDevices() {
    const int devices = config_.cpu_only ? 0 : std::min(config_.ranks, 8);
    text_ += "  \"deviceProperties\": [";
    for (int i = 0; i < devices; ++i) {
        text_ += i == 0 ? "\n    {\n" : ",\n    {\n";
        text_ += "      \"id\": " + std::to_string(i);
        text_ += cuda() ? ", \"name\": \"NVIDIA A100-SXM4-80GB\"" : ", \"name\": \"AMD Instinct MI210\"";
        text_ += ", \"totalGlobalMem\": " + std::to_string(deviceBytes(config_.vendor)) + ",\n";
        text_ += cuda() ? "      \"computeMajor\": 8, \"computeMinor\": 0,\n"
                          "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
                          "      \"regsPerBlock\": 65536, \"warpSize\": 32,\n"
                          "      \"sharedMemPerBlock\": 49152, \"numSms\": 108\n    }"
                        : "      \"computeMajor\": 9, \"computeMinor\": 0,\n"
                          "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
                          "      \"regsPerBlock\": 65536, \"warpSize\": 64,\n"
                          "      \"sharedMemPerBlock\": 65536, \"numSms\": 104\n    }";
    }
    text_ += "\n  ],\n";
}

void KinetoWriter::write(std::span<const Event> events) {
    for (const Event& event : events) {
        if ((event.kind == EventKind::GpuAnnotation && !modern()) || (config_.cpu_only && ofDevice(event.kind))) {
            continue;
        }
        if (event.kind == EventKind::Memory) {
            writeMemory(event);
            continue;
        }
        writeEvent(event);
        writeFlows(event);
        if (modern() && cuda() && event.sync != SyncKind::None) {
            writeSync(event);
        }
        if (onDevice(event.kind)) {
            streams_.at(static_cast<std::size_t>(event.stream)) = true;
        }
        first_ns_ = std::min(first_ns_, event.start_ns);
        last_ns_ = std::max(last_ns_, event.end_ns);
        flush(false);
    }
}

void KinetoWriter::writeSensors(std::span<const SensorSample> samples) {
    for (const SensorSample& sample : samples) {
        beginItem();
        text_ += "\"ph\": \"C\", \"name\": \"";
        text_ += sample.name;
        text_ += "\", \"pid\": " + std::to_string(rank_ % 8) + ", \"tid\": 0,\n    \"ts\": ";
        timestamp(fileTime(sample.at_ns));
        text_ += ",\n    \"args\": {\n      ";
        first_arg_ = true;
        rawArg(sample.name, formatDecimal(sample.value, 1));
        text_ += "\n    }\n  }";
    }
}

void KinetoWriter::beginItem() {
    text_ += first_item_ ? "\n  {\n    " : ",\n  {\n    ";
    first_item_ = false;
}

void KinetoWriter::writeEvent(const Event& event) {
    const TimeNs start = fileTime(event.start_ns);
    const TimeNs end = fileTime(event.end_ns);
    beginItem();
    text_ += "\"ph\": \"X\", \"cat\": \"";
    text_ += categoryOf(event.kind, modern());
    text_ += modern() ? "\", \"name\": \"" : "\", \n    \"name\": \"";
    text_ += names_.view(event.name);
    text_ += "\", \"pid\": " + pidOf(event) + ", \"tid\": " + tidOf(event) + ",\n    \"ts\": ";
    timestamp(start);
    text_ += ", \"dur\": ";
    micros(end - start);
    text_ += ",\n    \"args\": {\n      ";
    first_arg_ = true;
    writeArgs(event);
    text_ += "\n    }\n  }";
}

void KinetoWriter::writeMemory(const Event& event) {
    beginItem();
    text_ += "\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n    \"pid\": " +
             pidOf(event) + ", \"tid\": " + tidOf(event) + ", \"ts\": ";
    timestamp(fileTime(event.start_ns));
    text_ += ",\n    \"args\": {\n      ";
    first_arg_ = true;
    writeArgs(event);
    text_ += "\n    }\n  }";
}

void KinetoWriter::writeSync(const Event& call) {
    const TimeNs start = fileTime(call.start_ns);
    const bool context = call.sync == SyncKind::ContextSync;
    const std::string_view name = context                             ? "Context Sync"
                                  : call.sync == SyncKind::StreamSync ? "Stream Sync"
                                                                      : "Stream Wait Event";
    const std::int64_t stream = context ? -1 : std::int64_t{streamId(call.stream)};
    // The host's wait for a stream has a row of its own, since it would lie across the stream's kernels.
    const std::int64_t tid = call.sync == SyncKind::StreamSync ? stream + kSyncRow : stream;
    beginItem();
    text_ += "\"ph\": \"X\", \"cat\": \"cuda_sync\", \"name\": \"";
    text_ += name;
    text_ += "\", \"pid\": " + std::to_string(rank_ % 8) + ", \"tid\": " + std::to_string(tid) + ",\n    \"ts\": ";
    timestamp(start);
    text_ += ", \"dur\": ";
    micros(fileTime(call.end_ns) - start);
    text_ += ",\n    \"args\": {\n      ";
    first_arg_ = true;
    arg("cuda_sync_kind", name);
    if (call.sync == SyncKind::StreamWaitEvent) {
        arg("wait_on_stream", std::int64_t{streamId(call.waits_for)});
        arg("wait_on_cuda_event_record_corr_id", static_cast<std::int64_t>(call.record_correlation));
        arg("wait_on_cuda_event_id", std::int64_t{call.waits_for == Stream::Compute ? 1 : 2});
    }
    arg("stream", stream);
    arg("correlation", static_cast<std::int64_t>(call.correlation));
    arg("device", std::int64_t{rank_ % 8});
    arg("context", std::int64_t{1});
    text_ += "\n    }\n  }";
}

void KinetoWriter::writeFlows(const Event& event) {
    const std::string_view launch = modern() ? "ac2g" : "async";
    if (event.kind == EventKind::Runtime && event.kernel.valid()) {
        writeFlow(true, launch, event.correlation, event, event.start_ns);
    } else if (onDevice(event.kind) && event.kind != EventKind::GpuAnnotation) {
        writeFlow(false, launch, event.correlation, event, event.start_ns);
    } else if (modern() && event.kind == EventKind::Operator && event.sequence >= 0) {
        const bool forward = event.thread == Thread::Main;
        // The engine's slice and the node's own carry the number; the flow ends at the node.
        if (forward || !names_.view(event.name).starts_with("autograd::engine")) {
            writeFlow(forward, "fwdbwd", static_cast<std::uint64_t>(event.sequence), event, event.start_ns);
        }
    }
}

void KinetoWriter::writeFlow(bool start, std::string_view kind, std::uint64_t id, const Event& at, TimeNs time) {
    beginItem();
    text_ += start ? "\"ph\": \"s\", \"id\": " : "\"ph\": \"f\", \"id\": ";
    text_ += std::to_string(id) + ", \"pid\": " + pidOf(at) + ", \"tid\": " + tidOf(at) + ", \"ts\": ";
    timestamp(fileTime(time));
    text_ += ",\n    \"cat\": \"";
    text_ += kind;
    text_ += "\", \"name\": \"";
    text_ += modern() ? kind : std::string_view("launch");
    text_ += start ? "\"\n  }" : "\", \"bp\": \"e\"\n  }";
}

void KinetoWriter::writeMeta(std::string_view what, std::string_view pid, std::string_view tid, std::string_view args) {
    beginItem();
    text_ += "\"name\": \"";
    text_ += what;
    text_ += "\", \"ph\": \"M\", \"ts\": ";
    timestamp(fileTime(first_ns_ - kLeadNs));
    text_ += ", \"pid\": ";
    text_ += pid;
    text_ += ", \"tid\": ";
    text_ += tid;
    text_ += ",\n    \"args\": {\n      ";
    text_ += args;
    text_ += "\n    }\n  }";
}

void KinetoWriter::writeThread(std::string_view pid, std::string_view tid, std::string_view name) {
    writeMeta("thread_name", pid, tid, "\"name\": \"" + std::string(name) + "\"");
    if (modern()) {
        writeMeta("thread_sort_index", pid, tid, "\"sort_index\": " + std::string(tid));
    }
}

void KinetoWriter::writeMetadata() {
    const std::string pid = std::to_string(pid_);
    const std::string device = std::to_string(rank_ % 8);
    writeMeta("process_name", pid, "0", "\"name\": \"python3\"");
    writeMeta("process_labels", pid, "0", "\"labels\": \"CPU\"");
    writeMeta("process_name", device, "0", "\"name\": \"python3\"");
    writeMeta("process_labels", device, "0", "\"labels\": \"GPU " + device + "\"");
    Event row;
    for (const Thread thread : {Thread::Main, Thread::Autograd}) {
        row.thread = thread;
        const std::string tid = std::to_string(thread == Thread::Main ? pid_ : pid_ + kAutogradThread);
        writeThread(pid, tidOf(row), "thread " + tid + (thread == Thread::Main ? " (python3)" : " (pt_autograd_0)"));
    }
    row.kind = EventKind::Kernel;
    for (std::size_t index = 0; index < kStreams; ++index) {
        row.stream = static_cast<Stream>(index);
        if (modern() && !config_.cpu_only && streams_.at(index)) {
            writeThread(device, tidOf(row), "stream " + std::to_string(streamId(row.stream)) + " ");
        }
    }
}

void KinetoWriter::writeWindow() {
    const TimeNs begin = fileTime(first_ns_ - kLeadNs);
    const TimeNs end = fileTime(last_ns_);
    beginItem();
    text_ += "\"ph\": \"X\", \"cat\": \"Trace\", \"ts\": ";
    timestamp(begin);
    text_ += ", \"dur\": ";
    micros(end - begin);
    text_ += modern() ? ",\n    \"pid\": \"Spans\"" : ",\n    \"pid\": \"Traces\"";
    text_ +=
        ", \"tid\": \"PyTorch Profiler\",\n    \"name\": \"PyTorch Profiler (0)\",\n    \"args\": {\n      "
        "\"Op count\": 0\n    }\n  }";
    beginItem();
    text_ +=
        "\"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n    "
        "\"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": ";
    timestamp(begin);
    text_ += "\n  }";
    beginItem();
    text_ +=
        "\"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \"\", \"tid\": \"\", \"ts\": ";
    timestamp(end + kLeadNs);
    text_ += "\n  }";
}

void KinetoWriter::end(std::string_view trace_name) {
    writeMetadata();
    writeWindow();
    text_ += "\n  ]";
    if (modern()) {
        text_ += ",\n  \"traceName\": \"";
        text_ += trace_name;
        text_ += '"';
    }
    text_ += "\n}\n";
    flush(true);
}

}  // namespace rankscope::tracegen
