// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/real_traces.h"

#include <algorithm>

namespace rankscope::test {

std::filesystem::path realTraces() {
    return RANKSCOPE_TRACES;
}

std::vector<std::filesystem::path> realTraceFiles(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(realTraces() / folder)) {
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

}  // namespace rankscope::test
