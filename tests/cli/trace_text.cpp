// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/trace_text.h"

namespace rankscope::test {
namespace {

constexpr int kStepUs = 100'000;
constexpr int kLaunchUs = 10;

std::string event(const std::string& category, const std::string& name, const std::string& where, int start_us,
                  int length_us, const std::string& args = "") {
    return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", )" + where + R"(, "ts": )" +
           std::to_string(start_us) + R"(, "dur": )" + std::to_string(length_us) + R"(, "args": {)" + args + "}},\n";
}

/// Steps from 1 on of these lengths, in microseconds.
std::string textOf(int rank, int wait_ms, const std::vector<int>& steps_us) {
    const std::string host = R"("pid": 100, "tid": 100)";
    const std::string device = R"("pid": 0, "tid": 7)";
    std::string out = R"({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": )" + std::to_string(rank) +
                      R"(, "world_size": 2},
"deviceProperties": [{"id": 0, "name": "Test GPU", "totalGlobalMem": 1000000, "numSms": 8}],
"traceEvents": [
)";
    int start = kStepUs;
    int step = 0;
    for (const int length : steps_us) {
        ++step;
        const int wait = wait_ms * 1000;
        const std::string link = R"("correlation": )" + std::to_string(step);
        out += event("user_annotation", "ProfilerStep#" + std::to_string(step), host, start, length);
        if (wait > 0) {
            out += event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", host, start,
                         wait);
        }
        out += event("cpu_op", "aten::mm", host, start + wait, 2 * kLaunchUs);
        out += event("cuda_runtime", "cudaLaunchKernel", host, start + wait, kLaunchUs, link);
        out += event("kernel", "gemm", device, start + wait + kLaunchUs, length - wait - kLaunchUs - 5,
                     link + R"(, "device": 0, "stream": 7)");
        start += length;
    }
    out += R"({"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": )" +
           std::to_string(start) + "}\n]}\n";
    return out;
}

}  // namespace

std::string traceText(int rank, int wait_ms) {
    return textOf(rank, wait_ms, std::vector<int>(4, kStepUs));
}

std::string recordingText(const std::vector<int>& steps_us) {
    return textOf(0, 0, steps_us);
}

std::string writeJob(const TempFolder& folder, const std::string& name, int ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
        folder.write(name + "/rank" + std::to_string(rank) + ".json", traceText(rank, 0));
    }
    return (folder.path() / name).string();
}

}  // namespace rankscope::test
