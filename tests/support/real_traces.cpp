// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/real_traces.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace rankscope::test {
namespace {

std::vector<std::filesystem::path> traceFilesBelow(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string path = entry.path().string();
        const bool is_trace = path.ends_with(".json") || path.ends_with(".json.gz");
        // Broken on purpose, and start and end times of a pipeline's passes that are no trace.
        const bool is_other =
            path.find("/malformed/") != std::string::npos || path.find("/pipeline_schedules/") != std::string::npos;
        if (entry.is_regular_file() && is_trace && !is_other) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

std::filesystem::path realTraces() {
    const char* elsewhere = std::getenv("RANKSCOPE_TRACES");
    return elsewhere != nullptr ? elsewhere : RANKSCOPE_TRACES;
}

std::vector<std::filesystem::path> realTraceFiles(const std::string& folder) {
    return traceFilesBelow(realTraces() / folder);
}

std::vector<std::filesystem::path> realRuns() {
    std::vector<std::filesystem::path> runs;
    for (const char* folder : {"resnet50_workers", "resnet_ddp_4ranks_rocm", "dlrm_8ranks_v100", "param"}) {
        runs.push_back(realTraces() / folder);
    }
    for (const char* folder : {"hta", "tracelens", "unseen_1"}) {
        for (const auto& entry : std::filesystem::directory_iterator(realTraces() / folder)) {
            runs.push_back(entry.path());
        }
    }
    return runs;
}

std::filesystem::path corpusRun(const std::string& name) {
    const std::filesystem::path corpus = RANKSCOPE_CORPUS;
    return name.empty() ? corpus : corpus / name;
}

std::vector<std::filesystem::path> corpusRuns() {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(corpusRun(""))) {
        if (entry.is_directory()) {
            folders.push_back(entry.path());
        }
    }
    std::ranges::sort(folders);
    EXPECT_FALSE(folders.empty()) << "the target `corpus` writes them";
    return folders;
}

std::vector<std::filesystem::path> allTraceFiles() {
    std::vector<std::filesystem::path> files = traceFilesBelow(corpusRun(""));
    EXPECT_FALSE(files.empty()) << "the target `corpus` writes them";
    if (std::filesystem::exists(realTraces())) {
        std::ranges::copy(realTraceFiles(), std::back_inserter(files));
    }
    return files;
}

}  // namespace rankscope::test
