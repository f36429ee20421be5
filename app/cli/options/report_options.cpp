// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/report_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/cli/command_line.h"
#include "app/cli/complain.h"
#include "app/cli/options/number_options.h"
#include "app/cli/output_files.h"

namespace rankscope::cli {
namespace {

/// Reads "3=-1200": a rank and nanoseconds.
void readClockOffsets(const ReportTexts& texts, Request& request) {
    for (const std::string& text : texts.clock_offsets) {
        const std::size_t equals = text.find('=');
        const auto ranks = parseNumberList(std::string_view(text).substr(0, equals));
        std::int64_t offset_ns = 0;
        const char* const end = text.data() + text.size();
        const char* const begin = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [stop, error] = std::from_chars(begin, end, offset_ns);
        if (!ranks || ranks->size() != 1 || error != std::errc() || stop != end) {
            refuseOption("--clock-offset", "\"" + text + "\" is not RANK=NS, like 3=-1200");
        }
        request.clock_offsets[RankNumber(ranks->front())] = offset_ns;
    }
    if (request.file_clocks && !request.clock_offsets.empty()) {
        refuseOption("--clock-offset", "cannot be used with --file-clocks, which keeps the files' own times");
    }
}

/// Reads the size of the model and of a step's work. Options that need each other must be given together.
void readWork(const ReportTexts& texts, Request& request) {
    request.model = readModel(texts.model);
    EfficiencyOptions& work = request.efficiency;
    work.peak_tflops = numberOf("--peak-tflops", texts.peak_tflops);
    work.model_flops = numberOf("--model-flops", texts.model_flops);
    const auto whole = [](std::optional<std::int64_t> count) {
        return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
    };
    work.tokens = whole(countOf("--tokens", texts.tokens));
    work.batch = whole(countOf("--batch", texts.batch));
    if (work.tokens && !request.model.parameters) {
        refuseOption("--tokens", "--tokens needs --params");
    }
    if (work.model_flops && work.tokens) {
        refuseOption("--model-flops", "give either --model-flops, or --params and --tokens");
    }
    if (!texts.batch.empty() && !work.model_flops && !work.tokens) {
        complain("--batch has no effect without --model-flops, or --params and --tokens");
    }
}

/// Reads "across=50": a link, and its GB/s.
void readLinkSpeeds(const ReportTexts& texts, LinkChoices& links) {
    for (const std::string& text : texts.link_speeds) {
        const std::size_t equals = text.find('=');
        const std::string_view where = std::string_view(text).substr(0, equals);
        double gb_per_s = 0;
        const char* const end = text.data() + text.size();
        const char* const begin = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [stop, error] = std::from_chars(begin, end, gb_per_s);
        const bool is_speed = error == std::errc() && stop == end && std::isfinite(gb_per_s) && gb_per_s > 0;
        if (!is_speed || (where != "inside" && where != "across")) {
            refuseOption("--link-speed", "\"" + text + "\" is not a link speed, like inside=450 or across=50");
        }
        auto& speed = where == "inside" ? links.inside_gb_per_s : links.across_gb_per_s;
        if (speed) {
            refuseOption("--link-speed", "\"" + text + "\": the speed " + std::string(where) + " is given twice");
        }
        speed = gb_per_s;
    }
}

/// Checks that a file or folder can be created at `path`, as far as its parent folder shows.
void checkPlace(const char* option, const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
        refuseOption(option, "there is no folder " + folder.string());
    }
}

}  // namespace

void addJson(CLI::App& command, Request& request) {
    command.add_option("--json", request.json, "Write the report as JSON")->type_name("F");
}

void addReports(CLI::App& command, Request& request, ReportTexts& texts) {
    addJson(command, request);
    command.add_flag("--json-detail", request.json_detail,
                     "With --json: also values per step, or per collective and rank, and all evidence");
    command.add_option("--markdown", request.markdown, "Write the report as Markdown")->type_name("F");
    command.add_option("--html", request.html, "Write the report as one HTML file with charts")->type_name("F");
    command.add_option("--csv", request.csv, "Write the facts and findings as CSV files into this folder")
        ->type_name("DIR");
    command
        .add_option("--link-speed", texts.link_speeds,
                    "Link speed of a rank inside a host or across hosts, in GB/s per direction")
        ->type_name("inside|across=GB")
        ->allow_extra_args(false);
    addScreen(command, texts.printed);
    command.add_flag("--file-clocks", request.file_clocks, "Keep the files' own times; do not fit one clock");
}

void addEfficiency(CLI::App& command, ReportTexts& texts) {
    const auto number = [&command](const char* option, std::string& into, const char* text, const char* type) {
        command.add_option(option, into, text)->type_name(type);
    };
    number("--peak-tflops", texts.peak_tflops, "Peak of one GPU, in 1e12 operations per second", "X");
    number("--model-flops", texts.model_flops, "Floating-point operations per sample, forward and backward", "F");
    number("--tokens", texts.tokens, "Tokens per sample", "D");
    number("--batch", texts.batch, "Samples per step over all ranks; default 1", "B");
}

void addClockOffsets(CLI::App& command, ReportTexts& texts) {
    command.add_option("--clock-offset", texts.clock_offsets, "Nanoseconds to add to the times of a rank's files")
        ->type_name("RANK=NS")
        ->allow_extra_args(false);
}

void readReports(const ReportTexts& texts, Request& request) {
    readClockOffsets(texts, request);
    readLinkSpeeds(texts, request.links);
    readWork(texts, request);
    request.printed = readPrinted(texts.printed);
}

void checkOutputs(const Request& request) {
    const std::array<std::pair<const char*, const std::string*>, 3> outputs = {
        {{"--json", &request.json}, {"--markdown", &request.markdown}, {"--html", &request.html}}};
    bool on_standard_output = false;
    for (const auto& [option, path] : outputs) {
        if (*path == "-" && std::exchange(on_standard_output, true)) {
            refuseOption(option, "only one format at a time can go to standard output");
        }
        checkPlace(option, *path);
    }
    if (request.json_detail && request.json.empty()) {
        complain("--json-detail has no effect without --json");
    }
    if (const auto clash = outputsThatClash(request)) {
        throw CLI::ValidationError(*clash);
    }
    std::error_code error;
    if (request.csv == "-") {
        refuseOption("--csv", "the tables are several files; name a folder");
    } else if (!request.csv.empty() && !std::filesystem::is_directory(request.csv, error)) {
        if (std::filesystem::exists(request.csv, error)) {
            refuseOption("--csv", request.csv + " is not a folder");
        }
        const std::filesystem::path folder(request.csv);
        checkPlace("--csv", (folder.has_filename() ? folder : folder.parent_path()).string());
    }
}

}  // namespace rankscope::cli
