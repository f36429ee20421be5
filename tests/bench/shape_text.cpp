// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/shape_text.h"

#include <utility>

namespace rankscope::bench {
namespace {

constexpr int kProcess = 100;

std::string correlationArg(std::int64_t correlation) {
    return "\"correlation\":" + std::to_string(correlation);
}

}  // namespace

ShapeText::ShapeText(int rank, int world_size)
    : text_("{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":" + std::to_string(rank) +
            ",\"world_size\":" + std::to_string(world_size) +
            "},\"deviceProperties\":[{\"id\":0,\"name\":\"Device\",\"totalGlobalMem\":1000000000,\"numSms\":8}],"
            "\"traceEvents\":[\n") {}

void ShapeText::event(std::string_view category, std::string_view name, int process, int thread, std::int64_t start_us,
                      std::int64_t length_us, std::string_view args) {
    text_ += R"({"ph":"X","cat":")";
    text_ += category;
    text_ += R"(","name":")";
    text_ += name;
    text_ += "\",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread) +
             ",\"ts\":" + std::to_string(start_us) + ",\"dur\":" + std::to_string(length_us) + ",\"args\":{";
    text_ += args;
    text_ += "}},\n";
}

void ShapeText::host(std::string_view category, std::string_view name, std::int64_t start_us, std::int64_t length_us,
                     int thread) {
    event(category, name, kProcess, thread, start_us, length_us, "");
}

void ShapeText::kernel(std::string_view name, std::int64_t launch_us, std::int64_t start_us, std::int64_t length_us,
                       int stream, std::string_view more_args) {
    const std::string correlation = correlationArg(++correlation_);
    event("cuda_runtime", "cudaLaunchKernel", kProcess, 1, launch_us, 1, correlation);
    std::string args = correlation + ",\"device\":0,\"stream\":" + std::to_string(stream);
    if (!more_args.empty()) {
        args += ',';
        args += more_args;
    }
    event("kernel", name, 0, stream, start_us, length_us, args);
}

void ShapeText::step(std::int64_t number, std::int64_t start_us, std::int64_t length_us) {
    host("user_annotation", "ProfilerStep#" + std::to_string(number), start_us, length_us);
}

std::string ShapeText::take() {
    text_ +=
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":100,\"tid\":0,\"ts\":0,\"args\":{\"name\":\"python\"}}]}\n";
    return std::move(text_);
}

}  // namespace rankscope::bench
