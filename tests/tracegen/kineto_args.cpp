// SPDX-License-Identifier: GPL-3.0-or-later
// The args of each kind of event.
#include <array>

#include "core/base/format.h"
#include "tests/tracegen/kineto_writer.h"

namespace rankscope::tracegen {
namespace {

struct CallNumber {
    std::string_view name;
    int number;
};

// CUPTI's callback ids and HIP's API ids.
constexpr std::array<CallNumber, 22> kCallNumbers = {{
    {"cudaMalloc", 20},
    {"cudaFree", 22},
    {"cudaMemcpyAsync", 41},
    {"cudaStreamSynchronize", 131},
    {"cudaEventRecord", 135},
    {"cudaStreamWaitEvent", 147},
    {"cudaDeviceSynchronize", 165},
    {"cudaLaunchKernel", 211},
    {"cudaStreamIsCapturing", 317},
    {"cudaLaunchKernelExC", 430},
    {"hipDeviceSynchronize", 48},
    {"hipExtLaunchKernel", 62},
    {"hipExtModuleLaunchKernel", 65},
    {"hipFree", 76},
    {"hipLaunchKernel", 107},
    {"hipMalloc", 110},
    {"hipMemcpyAsync", 134},
    {"hipMemcpyWithStream", 153},
    {"hipStreamWaitEvent", 200},
    {"hipStreamIsCapturing", 290},
    {"hipEventRecord", 59},
    {"hipStreamSynchronize", 196},
}};

int numberOf(std::string_view call) {
    for (const CallNumber& known : kCallNumbers) {
        if (known.name == call) {
            return known.number;
        }
    }
    return 0;
}

std::string gbPerSecond(const Event& event) {
    return formatDecimal(static_cast<double>(event.bytes) / static_cast<double>(event.end_ns - event.start_ns), 6);
}

std::string_view copyKind(std::string_view name) {
    for (const std::string_view kind : {"DtoH", "DtoD"}) {
        if (name.find(kind) != std::string_view::npos) {
            return kind;
        }
    }
    return "HtoD";
}

// HIP's numbers of the same.
std::string_view copyKindNumber(std::string_view name) {
    const std::string_view kind = copyKind(name);
    return kind == "DtoH" ? "2" : kind == "DtoD" ? "3" : "1";
}

}  // namespace

void KinetoWriter::rawArg(std::string_view key, std::string_view json) {
    text_ += first_arg_ ? "\"" : ", \"";
    first_arg_ = false;
    text_ += key;
    text_ += "\": ";
    text_ += json;
}

void KinetoWriter::arg(std::string_view key, std::int64_t value) {
    rawArg(key, std::to_string(value));
}

void KinetoWriter::arg(std::string_view key, std::string_view text) {
    rawArg(key, "\"" + std::string(text) + "\"");
}

void KinetoWriter::writeArgs(const Event& event) {
    const auto external = static_cast<std::int64_t>(event.external_id);
    switch (event.kind) {
        case EventKind::Operator:
        case EventKind::UserAnnotation: hostArgs(event); break;
        case EventKind::Python:
            arg("Python id", static_cast<std::int64_t>(event.python_id));
            if (event.python_parent != 0) {
                arg("Python parent id", static_cast<std::int64_t>(event.python_parent));
            }
            arg("Python thread", std::int64_t{0});
            arg("Ev Idx", static_cast<std::int64_t>(records_++));
            break;
        case EventKind::Runtime: runtimeArgs(event); break;
        case EventKind::Memory: memoryArgs(event); break;
        case EventKind::Kernel:
        case EventKind::Memcpy: deviceArgs(event); break;
        case EventKind::GpuAnnotation: arg("External id", external); break;
    }
}

void KinetoWriter::hostArgs(const Event& event) {
    const auto external = static_cast<std::int64_t>(event.external_id);
    if (!modern()) {
        arg("Device", pid_);
        arg("External id", external);
        arg("Trace name", "PyTorch Profiler");
        arg("Trace iteration", std::int64_t{0});
        if (event.sequence >= 0) {
            arg("Fwd thread id", std::int64_t{event.thread == Thread::Main ? 0 : 1});
            arg("Sequence number", event.sequence);
        }
        return;
    }
    arg("External id", external);
    arg("Record function id", std::int64_t{0});
    if (event.sequence >= 0) {
        arg("Sequence number", event.sequence);
        arg("Fwd thread id", std::int64_t{event.thread == Thread::Main ? 0 : 1});
    }
    if (event.collective.valid()) {
        collectiveArgs(event);
    }
    if (config_.product_shapes) {
        productArgs(names_.view(event.name));
    }
    arg("Ev Idx", static_cast<std::int64_t>(records_++));
}

void KinetoWriter::productArgs(std::string_view operation) {
    if (operation == "aten::addmm") {
        rawArg("Input Dims", "[[1280], [1280, 1280], [1280, 1280], [], []]");
        rawArg("Input type", R"(["float", "float", "float", "Scalar", "Scalar"])");
    } else if (operation == "aten::mm") {
        rawArg("Input Dims", "[[1280, 1280], [1280, 1280]]");
        rawArg("Input type", R"(["float", "float"])");
    }
}

void KinetoWriter::runtimeArgs(const Event& event) {
    const auto external = static_cast<std::int64_t>(event.external_id);
    const auto correlation = static_cast<std::int64_t>(event.correlation);
    const std::string_view name = names_.view(event.name);
    if (!modern()) {
        arg("cbid", numberOf(name));
        arg("correlation", correlation);
        arg("external id", external);
        return;
    }
    if (external != 0) {
        arg("External id", external);
    }
    if (cuda()) {
        arg("cbid", numberOf(name));
        arg("correlation", correlation);
        return;
    }
    const std::string_view stream = event.stream == Stream::Compute ? "0x0" : "0x55d8564ba340";
    if (event.kernel.valid() && event.bytes == 0) {
        arg("kernel", names_.view(event.kernel));
    }
    arg("cid", numberOf(name));
    arg("correlation", correlation);
    if (!event.kernel.valid()) {
        return;
    }
    arg("stream", stream);
    if (event.bytes == 0) {
        rawArg("grid", "[512, 1, 1]");
        rawArg("block", "[256, 1, 1]");
        arg("shared memory", std::int64_t{0});
    } else {
        arg("src", "0x7f6e325c8000");
        arg("dst", "0x7f7096009800");
        arg("size", std::to_string(event.bytes));
        arg("kind", copyKindNumber(names_.view(event.kernel)));
    }
}

void KinetoWriter::memoryArgs(const Event& event) {
    arg("Total Reserved", event.reserved);
    arg("Total Allocated", event.allocated);
    arg("Bytes", event.bytes);
    arg("Addr", std::int64_t{0x7f0000000000});
    arg("Device Id", std::int64_t{rank_ % 8});
    arg("Device Type", std::int64_t{1});
    if (modern()) {
        arg("Ev Idx", static_cast<std::int64_t>(records_++));
    }
}

void KinetoWriter::deviceArgs(const Event& event) {
    const auto external = static_cast<std::int64_t>(event.external_id);
    if (modern() && external != 0) {
        arg("External id", external);
    }
    const bool kernel = event.kind == EventKind::Kernel;
    if (cuda() && kernel) {
        arg("queued", std::int64_t{0});
    }
    arg("device", std::int64_t{rank_ % 8});
    if (cuda()) {
        arg("context", std::int64_t{1});
    }
    arg("stream", std::int64_t{streamId(event.stream)});
    arg("correlation", static_cast<std::int64_t>(event.correlation));
    if (!modern()) {
        arg("external id", external);
    }
    if (cuda() && kernel) {
        cudaLaunchShape(event);
    } else if (cuda()) {
        arg("bytes", event.bytes);
        rawArg("memory bandwidth (GB/s)", gbPerSecond(event));
    } else {
        arg("kind", kernel ? "Dispatch Kernel" : copyKind(names_.view(event.name)));
    }
    if (modern() && event.collective.valid() && !event.collective.silent) {
        collectiveArgs(event);
    }
}

// A plausible shape that depends on nothing but the name.
void KinetoWriter::cudaLaunchShape(const Event& event) {
    const std::int64_t blocks = 108 * static_cast<std::int64_t>(1 + names_.view(event.name).size() % 7);
    arg("registers per thread", std::int64_t{32});
    arg("shared memory", std::int64_t{0});
    arg("blocks per SM", blocks / 108);
    arg("warps per SM", blocks / 108 * 8);
    rawArg("grid", "[" + std::to_string(blocks) + ", 1, 1]");
    rawArg("block", "[256, 1, 1]");
    arg("est. achieved occupancy %", std::int64_t{50});
}

}  // namespace rankscope::tracegen
