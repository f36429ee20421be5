// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/options/model_options.h"
#include "app/cli/options/screen_options.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

struct Request;

/// The texts of the options about reports, unchecked.
struct ReportTexts {
    std::vector<std::string> clock_offsets;
    std::vector<std::string> link_speeds;
    ModelTexts model;
    std::string peak_tflops;
    std::string model_flops;
    std::string tokens;
    std::string batch;
    PrintedTexts printed;
};

/// Adds --json.
void addJson(CLI::App& command, Request& request);
/// Adds all formats, the links and the clocks: what `analyze` and `compare` share.
void addReports(CLI::App& command, Request& request, ReportTexts& texts);
/// Adds options about the job's work and its devices, where shapes and names do not show them.
void addEfficiency(CLI::App& command, ReportTexts& texts);
/// Adds --clock-offset.
void addClockOffsets(CLI::App& command, ReportTexts& texts);

/// Checks the texts. Options that need each other must be given together. Throws CLI::ValidationError for wrong
/// options.
void readReports(const ReportTexts& texts, Request& request);
/// Checks that the outputs can be written, as far as their folders show. Throws CLI::ValidationError if one cannot.
void checkOutputs(const Request& request);

}  // namespace rankscope::cli
