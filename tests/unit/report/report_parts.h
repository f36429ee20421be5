// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/report/reports.h"

namespace rankscope::test {

/// A run as the JSON report has it.
[[nodiscard]] inline nlohmann::json runJson(const AnalysedRun& run) {
    return nlohmann::json::parse(jsonReport({{&run}, {}}))["runs"][0];
}

/// The text of a CSV file of a run's report; says so where there is none of that name.
[[nodiscard]] inline std::string csvOf(const AnalysedRun& run, const std::string& name) {
    const std::vector<CsvFile> files = csvReport({{&run}, {}});
    const auto file = std::ranges::find(files, name, &CsvFile::name);
    return file != files.end() ? file->text : "there is no " + name;
}

}  // namespace rankscope::test
