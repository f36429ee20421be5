// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/way_through.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/ingest/load.h"
#include "core/report/reports.h"
#include "tests/tracegen/simulate.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::fuzz {
namespace {

using nlohmann::json;

std::int64_t ns(const json& row, const char* key) {
    return row.at(key).is_null() ? 0 : row.at(key).get<std::int64_t>();
}

void checkRow(const json& row) {
    demand(ns(row, "duration_ns") >= 0, "no step of a rank lasts less than nothing");
    if (row.at("compute_ns").is_null()) {
        return;
    }
    for (const char* const part : {"compute_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns", "overlap_ns"}) {
        demand(ns(row, part) >= 0, "no part of a step is less than nothing");
    }
    demand(ns(row, "compute_ns") + ns(row, "exposed_comm_ns") + ns(row, "exposed_copy_ns") + ns(row, "idle_ns") ==
               ns(row, "duration_ns"),
           "the four parts of a step add up to it");
    demand(ns(row, "overlap_ns") + ns(row, "exposed_comm_ns") == ns(row, "comm_ns"),
           "hidden and exposed communication add up to all of it");
    std::int64_t causes = 0;
    for (const auto& [name, value] : row.at("idle_causes").items()) {
        causes += value.get<std::int64_t>();
    }
    demand(causes == ns(row, "idle_ns"), "the causes of idle time add up to it");
}

std::filesystem::path makeWorkFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path base =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::filesystem::path folder = base / ("rankscope-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    return folder;
}

}  // namespace

void demand(bool holds, std::string_view what) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
        std::abort();
    }
}

std::string_view textOf(Input input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

const std::filesystem::path& workFolder() {
    struct Removed {
        std::filesystem::path path = makeWorkFolder();
        Removed() = default;
        Removed(const Removed&) = delete;
        Removed& operator=(const Removed&) = delete;
        ~Removed() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    };
    static const Removed folder;
    return folder.path;
}

std::string writeWorkFile(const std::string& name, std::string_view bytes) {
    const std::filesystem::path path = workFolder() / name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    demand(static_cast<bool>(file.flush()), "the work folder can be written");
    return path.string();
}

std::unique_ptr<AnalysedRun> analysed(std::shared_ptr<const Run> run, const AnalysisOptions& options) {
    Result<AnalysedRun> result = analyseRun(std::move(run), options, {}, {});
    return result.ok() ? std::make_unique<AnalysedRun>(std::move(result).value()) : nullptr;
}

std::unique_ptr<AnalysedRun> smallRun() {
    tracegen::Config config;
    config.ranks = 1;
    config.steps = 2;
    config.layers = 2;
    const std::string text = tracegen::kinetoText(tracegen::simulate(config), 0);
    RunSource source;
    source.name = "asked";
    source.files.push_back({writeWorkFile("asked.json", text), "", text.size()});
    LoadObserver nobody;
    Result<Run> loaded = loadRun(source, {}, nobody, {});
    demand(loaded.ok(), "the simulated run can be loaded");
    std::unique_ptr<AnalysedRun> run = analysed(std::make_shared<const Run>(std::move(loaded).value()), {});
    demand(run != nullptr, "the simulated run can be analysed");
    return run;
}

std::string checkedReport(const AnalysedRun& run) {
    ReportInput input;
    input.runs = {&run};
    std::string text = jsonReport(input);
    const json report = json::parse(text, nullptr, false);
    demand(!report.is_discarded(), "a report is valid JSON");
    for (const json& each : report.at("runs")) {
        for (const json& step : each.at("steps")) {
            for (const json& row : step.at("ranks")) {
                checkRow(row);
            }
        }
        for (const json& finding : each.at("findings")) {
            demand(finding.at("saving_ns").get<std::int64_t>() >= 0, "no finding saves less than nothing");
        }
    }
    return text;
}

}  // namespace rankscope::fuzz
