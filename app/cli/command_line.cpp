// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <utility>

#include "app/cli/complain.h"
#include "app/cli/model_options.h"
#include "app/cli/number_options.h"
#include "app/cli/output_files.h"
#include "app/cli/query_command.h"
#include "app/cli/usage.h"
#include "app/cli/what_if_command.h"
#include "app/exit_code.h"
#include "core/base/utf8.h"
#include "core/report/version.h"

namespace rankscope::cli {
namespace {

/// The texts of options, unchecked.
struct Texts {
    std::string ranks;
    std::string steps;
    std::string memory;
    std::string fail_on;
    std::string fail_on_check;
    std::vector<std::string> clock_offsets;
    std::vector<std::string> roles;
    std::vector<std::string> map;
    std::string iterations;
    std::vector<std::string> link_speeds;
    std::vector<std::vector<std::string>> runs;
    std::vector<std::string> against;
    std::string matters;
    ModelTexts model;
    PrintedTexts printed;
    std::string peak_tflops;
    std::string model_flops;
    std::string tokens;
    std::string batch;
};

std::optional<double> gigabytesOf(const std::string& text) {
    constexpr double kMost = 1e9;
    double gigabytes = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, gigabytes);
    const bool is_told = error == std::errc() && stop == end && gigabytes > 0 && gigabytes < kMost;
    return is_told ? std::optional(gigabytes) : std::nullopt;
}

/// Why a text is not a size of memory; empty if it is one.
std::string problemOfMemory(const std::string& text) {
    return gigabytesOf(text) ? std::string() : "\"" + text + "\" must be a number of GB above 0, like 16 or 0.5";
}

void addInput(CLI::App& command, Request& request, Texts& texts) {
    command.add_option("PATH", request.paths, "Trace files, folders or archives");
    command.add_option("--run", texts.runs, "Read these paths as one run of this name")->type_name("NAME=PATH...");
    command.add_option("--ranks", texts.ranks, "Read these ranks only")->type_name("LIST");
    command.add_option("--steps", texts.steps, "Read these steps only: one range of step numbers")->type_name("LIST");
    command
        .add_option("--memory", texts.memory, "Read only some steps of digests that need more than this much memory")
        ->type_name("GB")
        ->check(problemOfMemory);
    command.add_option("--map", texts.map, "A digest's traces are below TO here, and were below FROM when it was made")
        ->type_name("FROM=TO")
        ->allow_extra_args(false);
    command
        .add_option("--name-rules", request.name_rules_file,
                    "Recognise communication kernels by this file's rules first, instead of the user's own")
        ->type_name("F");
    command
        .add_option("--roles", texts.roles, "Role of a process group, given by its name, description or number (#0)")
        ->type_name("NAME=ROLE")
        ->allow_extra_args(false);
    command
        .add_option("--iterations", texts.iterations,
                    "For a server: medians and prices of only these iterations: prefill, decode or mixed")
        ->type_name("KIND");
    command.footer(usageFooter());
}

void addJson(CLI::App& command, Request& request) {
    command.add_option("--json", request.json, "Write the report as JSON")->type_name("F");
}

void addSnapshots(CLI::App& command, Request& request) {
    command
        .add_option("--memory-snapshot", request.snapshots,
                    "Show a memory snapshot: a file of torch.cuda.memory._dump_snapshot()")
        ->type_name("F")
        ->allow_extra_args(false);
}

/// Options that `analyze` and `compare` share: all formats, and the clocks.
void addReports(CLI::App& command, Request& request, Texts& texts) {
    addInput(command, request, texts);
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

/// Options about the job's work and its devices, where shapes and names do not show them.
void addEfficiency(CLI::App& command, Texts& texts) {
    const auto number = [&command](const char* option, std::string& into, const char* text, const char* type) {
        command.add_option(option, into, text)->type_name(type);
    };
    number("--peak-tflops", texts.peak_tflops, "Peak of one GPU, in 1e12 operations per second", "X");
    number("--model-flops", texts.model_flops, "Floating-point operations per sample, forward and backward", "F");
    number("--tokens", texts.tokens, "Tokens per sample", "D");
    number("--batch", texts.batch, "Samples per step over all ranks; default 1", "B");
}

void addClockOffsets(CLI::App& command, Texts& texts) {
    command.add_option("--clock-offset", texts.clock_offsets, "Nanoseconds to add to the times of a rank's files")
        ->type_name("RANK=NS")
        ->allow_extra_args(false);
}

void addAnalyze(CLI::App& command, Request& request, Texts& texts) {
    addReports(command, request, texts);
    addSections(command, texts.printed);
    addSnapshots(command, request);
    addModel(command, texts.model);
    command.add_option("--fail-on", texts.fail_on, "Exit with 1 if a finding is at least this severe")
        ->type_name("SEVERITY")
        ->check(CLI::IsMember({"low", "medium", "high"}));
    addEfficiency(command, texts);
    addClockOffsets(command, texts);
}

void addCheck(CLI::App& command, Request& request, Texts& texts) {
    addReports(command, request, texts);
    addModel(command, texts.model);
    command
        .add_option("--fail-on", texts.fail_on_check,
                    "Exit with 1 if a line says \"look here\" (look), or also \"cannot tell\" (cannot-tell)")
        ->type_name("look|cannot-tell")
        ->check(CLI::IsMember({"look", "cannot-tell"}));
    addEfficiency(command, texts);
    addClockOffsets(command, texts);
}

void addCompare(CLI::App& command, Request& request, Texts& texts) {
    addReports(command, request, texts);
    command
        .add_option("--against", texts.against,
                    "The PATHs before it are recordings of the baseline, these are recordings of the new runs")
        ->type_name("PATH...");
    command
        .add_option("--matters", texts.matters, "The smallest change of the step that matters, in per cent; default 1")
        ->type_name("PERCENT");
    command
        .add_option("--fail-on-regression", request.fail_on_regression,
                    "Exit with 1 if the step is slower by more than this, over its whole confidence interval")
        ->type_name("PERCENT")
        ->check(zeroOrMore());
}

[[noreturn]] void wrong(const std::string& option, const std::string& why) {
    throw CLI::ValidationError(option, why);
}

void readMemory(const Texts& texts, LoadOptions& load) {
    if (texts.memory.empty()) {
        return;
    }
    constexpr double kBytes = 1e9;
    load.memory_bytes = static_cast<std::uint64_t>(gigabytesOf(texts.memory).value_or(0) * kBytes);
}

void readLists(const Texts& texts, LoadOptions& load) {
    readMemory(texts, load);
    if (!texts.ranks.empty()) {
        const auto ranks = parseNumberList(texts.ranks);
        if (!ranks) {
            wrong("--ranks", "\"" + texts.ranks + "\" is not a list like 0,2-5");
        }
        for (const std::int32_t number : *ranks) {
            load.ranks.emplace_back(number);
        }
    }
    if (!texts.steps.empty()) {
        const auto steps = parseNumberList(texts.steps);
        if (!steps) {
            wrong("--steps", "\"" + texts.steps + "\" is not a range like 5-8");
        }
        if (steps->back() - steps->front() + 1 != static_cast<std::int32_t>(steps->size())) {
            wrong("--steps", "\"" + texts.steps + "\" has gaps; give one range, like 5-8");
        }
        load.first_step = steps->front();
        load.last_step = steps->back();
    }
}

void readNameRules(Request& request) {
    if (request.name_rules_file.empty()) {
        return;
    }
    Result<NameRules> rules = NameRules::fromFile(request.name_rules_file);
    if (!rules.ok()) {
        wrong("--name-rules", rules.error().text());
    }
    request.name_rules = std::move(rules).value();
}

/// Reads {"before=a.json", "b.json"}: a name with its first path, and more paths.
void readNamedRuns(const Texts& texts, Request& request) {
    for (const std::vector<std::string>& group : texts.runs) {
        const std::size_t equals = group.front().find('=');
        if (equals == 0 || equals >= group.front().size() - 1) {
            wrong("--run", "\"" + group.front() + "\" is not NAME=PATH, like before=rank0.json");
        }
        NamedRun run{group.front().substr(0, equals), {group.front().substr(equals + 1)}};
        run.paths.insert(run.paths.end(), group.begin() + 1, group.end());
        const bool again =
            std::ranges::any_of(request.named_runs, [&](const NamedRun& other) { return other.name == run.name; });
        if (again) {
            wrong("--run", "there are two runs \"" + run.name + "\"; give all paths of a run after one --run");
        }
        request.named_runs.push_back(std::move(run));
    }
}

void needPath(const Request& request) {
    if (request.paths.empty() && request.named_runs.empty() && request.snapshots.empty()) {
        wrong("PATH", "name a trace file, a folder or an archive");
    }
}

/// Appends the paths of --against to those of the baseline.
void readAgainst(const Texts& texts, Request& request) {
    if (texts.against.empty()) {
        return;
    }
    if (!texts.runs.empty()) {
        wrong("--against", "cannot be used with --run; give each recording as one path");
    }
    if (request.paths.empty()) {
        wrong("--against", "name the recordings of the baseline before it: compare A1 A2 A3 --against B1 B2 B3");
    }
    request.baselines = request.paths.size();
    request.paths.insert(request.paths.end(), texts.against.begin(), texts.against.end());
}

/// Reads "1" or "0.5%".
void readMatters(const Texts& texts, Request& request) {
    if (texts.matters.empty()) {
        return;
    }
    constexpr double kMostPercent = 100;
    const std::size_t length = texts.matters.size() - (texts.matters.ends_with('%') ? 1U : 0U);
    double percent = 0;
    const char* const end = texts.matters.data() + length;
    const auto [stop, error] = std::from_chars(texts.matters.data(), end, percent);
    const bool is_share = percent > 0 && percent <= kMostPercent;
    if (error != std::errc() || stop != end || !is_share) {
        wrong("--matters", "\"" + texts.matters + "\" must be a number of per cent above 0, up to 100, like 1 or 0.5%");
    }
    request.matters = percent / kMostPercent;
}

/// Reads "3=-1200": a rank and nanoseconds.
void readClockOffsets(const Texts& texts, Request& request) {
    for (const std::string& text : texts.clock_offsets) {
        const std::size_t equals = text.find('=');
        const auto ranks = parseNumberList(std::string_view(text).substr(0, equals));
        std::int64_t offset_ns = 0;
        const char* const end = text.data() + text.size();
        const char* const begin = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [stop, error] = std::from_chars(begin, end, offset_ns);
        if (!ranks || ranks->size() != 1 || error != std::errc() || stop != end) {
            wrong("--clock-offset", "\"" + text + "\" is not RANK=NS, like 3=-1200");
        }
        request.clock_offsets[RankNumber(ranks->front())] = offset_ns;
    }
    if (request.file_clocks && !request.clock_offsets.empty()) {
        wrong("--clock-offset", "cannot be used with --file-clocks, which keeps the files' own times");
    }
}

/// Reads "mesh_tp=tensor": a group's name or description, and a role. The name may contain "=".
void readRoles(const Texts& texts, Request& request) {
    for (const std::string& text : texts.roles) {
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0) {
            wrong("--roles", "\"" + text + "\" is not NAME=ROLE, like mesh_tp=tensor");
        }
        const std::optional<Role> role = roleOf(text.substr(equals + 1));
        if (!role) {
            wrong("--roles", "there is no role \"" + text.substr(equals + 1) + "\"; the roles are " + roleNames());
        }
        request.roles.emplace_back(text.substr(0, equals), *role);
    }
}

/// Reads "/lustre=/mnt": a folder's path on another machine, and its path on this one.
void readMap(const Texts& texts, LoadOptions& load) {
    load.path_map = pathMapForUser();  // options of the command line take precedence
    for (const std::string& text : texts.map) {
        const std::optional<MappedFolder> folder = mappedFolderOf(text);
        if (!folder) {
            wrong("--map", "\"" + text + "\" is not a pair of absolute paths, like /lustre=/mnt");
        }
        load.path_map.push_back(*folder);
    }
}

void readIterations(const Texts& texts, Request& request) {
    request.iterations = iterationKindOf(texts.iterations);
    if (!texts.iterations.empty() && !request.iterations) {
        wrong("--iterations", "\"" + texts.iterations + "\" is not prefill, decode or mixed");
    }
}

/// Reads the size of the model and of a step's work. Options that need each other must be given together.
void readWork(const Texts& texts, Request& request) {
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
        wrong("--tokens", "--tokens needs --params");
    }
    if (work.model_flops && work.tokens) {
        wrong("--model-flops", "give either --model-flops, or --params and --tokens");
    }
    if (!texts.batch.empty() && !work.model_flops && !work.tokens) {
        complain("--batch has no effect without --model-flops, or --params and --tokens");
    }
}

/// Reads "across=50": a link, and its GB/s.
void readLinkSpeeds(const Texts& texts, LinkChoices& links) {
    for (const std::string& text : texts.link_speeds) {
        const std::size_t equals = text.find('=');
        const std::string_view where = std::string_view(text).substr(0, equals);
        double gb_per_s = 0;
        const char* const end = text.data() + text.size();
        const char* const begin = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [stop, error] = std::from_chars(begin, end, gb_per_s);
        const bool is_speed = error == std::errc() && stop == end && std::isfinite(gb_per_s) && gb_per_s > 0;
        if (!is_speed || (where != "inside" && where != "across")) {
            wrong("--link-speed", "\"" + text + "\" is not a link speed, like inside=450 or across=50");
        }
        auto& speed = where == "inside" ? links.inside_gb_per_s : links.across_gb_per_s;
        if (speed) {
            wrong("--link-speed", "\"" + text + "\": the speed " + std::string(where) + " is given twice");
        }
        speed = gb_per_s;
    }
}

/// Checks the texts of the options that several commands share.
void readTexts(const Texts& texts, Request& request) {
    readMatters(texts, request);
    readLists(texts, request.load);
    readMap(texts, request.load);
    readClockOffsets(texts, request);
    readNameRules(request);
    readRoles(texts, request);
    readIterations(texts, request);
    readLinkSpeeds(texts, request.links);
    readWork(texts, request);
}

/// Checks that a file or folder can be created at `path`, as far as its parent folder shows.
void checkPlace(const char* option, const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
        wrong(option, "there is no folder " + folder.string());
    }
}

void checkOutputs(const Request& request) {
    const std::array<std::pair<const char*, const std::string*>, 3> outputs = {
        {{"--json", &request.json}, {"--markdown", &request.markdown}, {"--html", &request.html}}};
    bool on_standard_output = false;
    for (const auto& [option, path] : outputs) {
        if (*path == "-" && std::exchange(on_standard_output, true)) {
            wrong(option, "only one format at a time can go to standard output");
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
        wrong("--csv", "the tables are several files; name a folder");
    } else if (!request.csv.empty() && !std::filesystem::is_directory(request.csv, error)) {
        if (std::filesystem::exists(request.csv, error)) {
            wrong("--csv", request.csv + " is not a folder");
        }
        const std::filesystem::path folder(request.csv);
        checkPlace("--csv", (folder.has_filename() ? folder : folder.parent_path()).string());
    }
}

/// Prints several lines on standard error, without control characters: they repeat user input.
void tellLines(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::cerr << printable(line) << '\n';
    }
}

std::optional<Severity> severityOf(const std::string& name) {
    for (const Severity severity : {Severity::Low, Severity::Medium, Severity::High}) {
        if (name == severityName(severity)) {
            return severity;
        }
    }
    return std::nullopt;
}

/// What follows from the command, and the levels at which the program fails.
void readLevels(const Texts& texts, Request& request) {
    request.bucket_sizes = request.command == Command::Analyze;
    if (request.command == Command::Compare) {
        request.paths_are = request.baselines ? PathsAre::RecordingsEach : PathsAre::OneRunEach;
    }
    request.fail_on_check = texts.fail_on_check == "look"          ? std::optional(report::CheckStatus::Look)
                            : texts.fail_on_check == "cannot-tell" ? std::optional(report::CheckStatus::CannotTell)
                                                                   : std::nullopt;
    request.fail_on = severityOf(texts.fail_on);
}

HangRequest withStyle(HangRequest request) {
    request.printed = readPrinted(request.texts);
    return request;
}

CLI::App* addInfo(CLI::App& app, Request& request, Texts& texts) {
    CLI::App* const info =
        app.add_subcommand("info", "Show what the files contain: ranks, GPUs, tracks, steps, health");
    addInput(*info, request, texts);
    addJson(*info, request);
    addSnapshots(*info, request);
    return info;
}

CLI::App* addForecast(CLI::App& app, Request& request, Texts& texts, WhatIfTexts& changes) {
    CLI::App* const what_if =
        app.add_subcommand("what-if", "Forecast a step with changes: what-if PATH... --set link:x2");
    addInput(*what_if, request, texts);
    addJson(*what_if, request);
    addWhatIf(*what_if, changes);
    addScreen(*what_if, texts.printed);
    return what_if;
}

/// The command with a report that was named; a path in place of a command means Analyze.
Command commandOf(const CLI::App& info, const CLI::App& compare, const CLI::App& check) {
    return info.parsed()      ? Command::Info
           : compare.parsed() ? Command::Compare
           : check.parsed()   ? Command::Check
                              : Command::Analyze;
}

}  // namespace

std::variant<Request, DigestRequest, MergeRequest, HangRequest, QueryRequest, WhatIfRequest, McpRequest, int>
parseCommandLine(int argc, const char* const* argv) {
    const std::vector<std::string> typed(argv + std::min(argc, 1), argv + argc);
    Request request;
    Texts texts;
    CLI::App app("Shows from profiler traces where the steps of distributed PyTorch training spend their time.",
                 "rankscope-cli");
    app.set_version_flag("--version", "rankscope-cli " + versionsText());
    app.require_subcommand(1);
    app.footer(usageFooter());
    CLI::App* analyze = app.add_subcommand("analyze", "Show what costs time, and what would make a step shorter");
    addAnalyze(*analyze, request, texts);
    CLI::App* check = app.add_subcommand("check", "List on one page where to look, and what the traces do not show");
    addCheck(*check, request, texts);
    CLI::App* compare = app.add_subcommand("compare", "Show what changed between runs, and whether it is real");
    addCompare(*compare, request, texts);
    const CLI::App* info = addInfo(app, request, texts);
    QueryTexts query_texts;
    CLI::App* query = app.add_subcommand("query", "Answer a question in SQL: query PATH... [\"SELECT ...\"]");
    addInput(*query, request, texts);
    addQuery(*query, query_texts);
    WhatIfTexts what_if_texts;
    CLI::App* what_if = addForecast(app, request, texts, what_if_texts);
    CLI::App* mcp =
        app.add_subcommand("mcp", "Serve the runs to agents (Model Context Protocol, standard input and output)");
    addInput(*mcp, request, texts);
    DigestTexts digest_texts;
    const CLI::App* digest = addDigest(app, digest_texts);
    MergeRequest merge_request;
    const CLI::App* merge = addMerge(app, merge_request);
    HangRequest hang_request;
    const CLI::App* hang = addHang(app, hang_request);
    try {
        if (typed.empty()) {
            tellLines(startText(app));
            return kWrongUsage;
        }
        app.parse(argumentsOf(app, typed));
        if (digest->parsed()) {
            return readDigestRequest(digest_texts, processEnvironment());
        }
        if (merge->parsed()) {
            return merge_request;
        }
        if (hang->parsed()) {
            return withStyle(std::move(hang_request));
        }
        readAgainst(texts, request);
        readNamedRuns(texts, request);
        if (!query->parsed() && !(what_if->parsed() && what_if_texts.list)) {
            needPath(request);
        }
        readTexts(texts, request);
        if (query->parsed()) {
            return readQueryRequest(query_texts, std::move(request));
        }
        if (what_if->parsed()) {
            request.printed = readPrinted(texts.printed);
            checkOutputs(request);
            return readWhatIfRequest(what_if_texts, std::move(request));
        }
        if (mcp->parsed()) {
            return McpRequest{std::move(request)};
        }
        request.printed = readPrinted(texts.printed);
        checkOutputs(request);
        if (compare->parsed() && request.paths.size() + request.named_runs.size() < 2) {
            wrong("PATH", "name at least two runs to compare");
        }
    } catch (const CLI::ParseError& error) {
        // CLI11 has its own code for each kind of wrong usage; help and version count as success.
        std::ostringstream complaint;
        const int code = app.exit(error, std::cout, complaint);
        tellLines(complaintOf(app, error, complaint.str(), typed));
        return code == 0 ? kDone : kWrongUsage;
    }
    request.command = commandOf(*info, *compare, *check);
    readLevels(texts, request);
    return request;
}

}  // namespace rankscope::cli
