// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/efficiency/used_run.h"

#include <string>
#include <vector>

#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

class UsedText {
  public:
    explicit UsedText(bool shapes, int faster = 1) : shapes_(shapes), faster_(faster) {}

    std::vector<std::string> events() {
        for (int step = 0; step < 3; ++step) {
            const int at = 1'000 * step;
            host("user_annotation", "ProfilerStep#" + std::to_string(step), at, 1'000);
            host("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at + 1, 298);
            op("aten::mm", at + 300, 10, "[[4096, 4096], [4096, 4096]]", "c10::BFloat16",
               "ampere_bf16_s16816gemm_bf16_128x128_tn", at + 310, 500 / faster_);
            op("aten::addmm", at + 320, 10, "[[8], [4096, 4096], [4096, 8]]", "float", "ampere_sgemm_32x32_tn",
               at + 820, 50 / faster_);
            op("aten::gelu", at + 340, 10, "[[4096, 4096]]", "float", "elementwise_kernel", at + 880, 100);
        }
        return events_;
    }

  private:
    void host(const std::string& category, const std::string& name, int at, int us, const std::string& args = {}) {
        events_.push_back(eventJson(
            {.category = category, .name = name, .ts = std::to_string(at), .dur = std::to_string(us), .args = args}));
    }
    void op(const std::string& name, int at, int us, const std::string& shapes, const std::string& type,
            const std::string& kernel, int device_at, int device_us) {
        const std::string types = R"([")" + type + R"(", ")" + type + R"(", ")" + type + R"("])";
        const std::string list = name == "aten::addmm" ? types : R"([")" + type + R"(", ")" + type + R"("])";
        host("cpu_op", name, at, us, shapes_ ? R"("Input Dims": )" + shapes + R"(, "Input type": )" + list : "");
        const std::string id = R"("correlation": )" + std::to_string(++correlation_);
        host("cuda_runtime", "cudaLaunchKernel", at + 2, 3, id);
        events_.push_back(eventJson({.category = "kernel",
                                     .name = kernel,
                                     .pid = "0",
                                     .tid = "7",
                                     .ts = std::to_string(device_at),
                                     .dur = std::to_string(device_us),
                                     .args = id + R"(, "device": 0, "stream": 7)"}));
    }

    bool shapes_;
    int faster_;
    std::vector<std::string> events_;
    int correlation_ = 0;
};

std::shared_ptr<const AnalysedRun> analysedText(bool shapes, std::string_view header) {
    Run run;
    run.name = "job";
    run.ranks = {loadText(traceJson(UsedText(shapes).events(), header))};
    return std::make_shared<const AnalysedRun>(analyse(std::make_shared<const Run>(std::move(run))));
}

}  // namespace

std::shared_ptr<const AnalysedRun> usedRun(std::string_view header) {
    return analysedText(true, header);
}

std::shared_ptr<const AnalysedRun> usedRunOfTwoRanks() {
    Run run;
    run.name = "job";
    for (int rank = 0; rank < 2; ++rank) {
        const std::string header =
            std::string(kA100) + R"("distributedInfo": {"rank": )" + std::to_string(rank) + R"(, "world_size": 2},)";
        run.ranks.push_back(loadText(traceJson(UsedText(true, rank + 1).events(), header)));
    }
    return std::make_shared<const AnalysedRun>(analyse(std::make_shared<const Run>(std::move(run))));
}

std::shared_ptr<const AnalysedRun> usedRunWithoutShapes() {
    return analysedText(false, kA100);
}

}  // namespace rankscope::test
