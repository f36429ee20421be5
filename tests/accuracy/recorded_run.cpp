// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/recorded_run.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "core/ingest/load.h"

namespace rankscope::accuracy {

std::shared_ptr<const Run> loadRecording(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::string> names;
    for (const std::filesystem::path& path : paths) {
        if (!std::filesystem::exists(path)) {
            throw std::runtime_error("there is no " + path.filename().string());
        }
        names.push_back(path.string());
    }
    const Discovery found = discoverRun("recorded", names);
    if (found.runs.empty()) {
        throw std::runtime_error("no traces");
    }
    LoadObserver observer;
    Result<Run> run = loadRun(found.runs.front(), {}, observer, {});
    if (!run.ok()) {
        throw std::runtime_error(run.error().text());
    }
    return std::make_shared<const Run>(std::move(run).value());
}

}  // namespace rankscope::accuracy
