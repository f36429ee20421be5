// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <sstream>
#include <utility>

#include "app/cli/complain.h"
#include "app/cli/options/input_options.h"
#include "app/cli/options/number_options.h"
#include "app/cli/options/report_options.h"
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
    InputTexts input;
    ReportTexts report;
    std::string fail_on;
    std::string fail_on_check;
    std::vector<std::string> against;
    std::string matters;
};

void addAnalyze(CLI::App& command, Request& request, Texts& texts) {
    addInput(command, request, texts.input);
    addReports(command, request, texts.report);
    addSections(command, texts.report.printed);
    addSnapshots(command, request);
    addModel(command, texts.report.model);
    command.add_option("--fail-on", texts.fail_on, "Exit with 1 if a finding is at least this severe")
        ->type_name("SEVERITY")
        ->check(CLI::IsMember({"low", "medium", "high"}));
    addEfficiency(command, texts.report);
    addClockOffsets(command, texts.report);
}

void addCheck(CLI::App& command, Request& request, Texts& texts) {
    addInput(command, request, texts.input);
    addReports(command, request, texts.report);
    addModel(command, texts.report.model);
    command
        .add_option("--fail-on", texts.fail_on_check,
                    "Exit with 1 if a line says \"look here\" (look), or also \"cannot tell\" (cannot-tell)")
        ->type_name("look|cannot-tell")
        ->check(CLI::IsMember({"look", "cannot-tell"}));
    addEfficiency(command, texts.report);
    addClockOffsets(command, texts.report);
}

void addCompare(CLI::App& command, Request& request, Texts& texts) {
    addInput(command, request, texts.input);
    addReports(command, request, texts.report);
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

/// Appends the paths of --against to those of the baseline.
void readAgainst(const Texts& texts, Request& request) {
    if (texts.against.empty()) {
        return;
    }
    if (!texts.input.runs.empty()) {
        refuseOption("--against", "cannot be used with --run; give each recording as one path");
    }
    if (request.paths.empty()) {
        refuseOption("--against", "name the recordings of the baseline before it: compare A1 A2 A3 --against B1 B2 B3");
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
        refuseOption("--matters",
                     "\"" + texts.matters + "\" must be a number of per cent above 0, up to 100, like 1 or 0.5%");
    }
    request.matters = percent / kMostPercent;
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
    addInput(*info, request, texts.input);
    addJson(*info, request);
    addSnapshots(*info, request);
    return info;
}

CLI::App* addForecast(CLI::App& app, Request& request, Texts& texts, WhatIfTexts& changes) {
    CLI::App* const what_if =
        app.add_subcommand("what-if", "Forecast a step with changes: what-if PATH... --set link:x2");
    addInput(*what_if, request, texts.input);
    addJson(*what_if, request);
    addWhatIf(*what_if, changes);
    addScreen(*what_if, texts.report.printed);
    return what_if;
}

/// Checks the texts of the options that several commands share.
void readTexts(const Texts& texts, Request& request) {
    readAgainst(texts, request);
    readMatters(texts, request);
    readInput(texts.input, request);
    readReports(texts.report, request);
}

/// Prints what is wrong with the command line, or the help that it asks for. Returns the exit code.
int complainOf(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& typed) {
    // CLI11 has its own code for each kind of wrong usage; help and version count as success.
    std::ostringstream complaint;
    const int code = app.exit(error, std::cout, complaint);
    tellLines(complaintOf(app, error, complaint.str(), typed));
    return code == 0 ? kDone : kWrongUsage;
}

/// The command with a report that was named; a path in place of a command means Analyze.
Command commandOf(const CLI::App& info, const CLI::App& compare, const CLI::App& check) {
    return info.parsed()      ? Command::Info
           : compare.parsed() ? Command::Compare
           : check.parsed()   ? Command::Check
                              : Command::Analyze;
}

/// The commands whose options are all their own.
class OwnCommands {
  public:
    explicit OwnCommands(CLI::App& app)
        : digest_(addDigest(app, digest_texts_)),
          merge_(addMerge(app, merge_request_)),
          companions_(addCompanions(app, companions_request_)),
          hang_(addHang(app, hang_request_)),
          recipe_(addRecipe(app, recipe_texts_)) {}

    /// The request of the one that was named; nothing if none of them was.
    [[nodiscard]] std::optional<Parsed> request() {
        return digest_->parsed()       ? std::optional<Parsed>(readDigestRequest(digest_texts_, processEnvironment()))
               : merge_->parsed()      ? std::optional<Parsed>(merge_request_)
               : companions_->parsed() ? std::optional<Parsed>(companions_request_)
               : hang_->parsed()       ? std::optional<Parsed>(withStyle(std::move(hang_request_)))
               : recipe_->parsed()     ? std::optional<Parsed>(readRecipe(recipe_texts_))
                                       : std::nullopt;
    }

  private:
    DigestTexts digest_texts_;
    MergeRequest merge_request_;
    CompanionsRequest companions_request_;
    HangRequest hang_request_;
    RecipeTexts recipe_texts_;
    const CLI::App* digest_;
    const CLI::App* merge_;
    const CLI::App* companions_;
    const CLI::App* hang_;
    const CLI::App* recipe_;
};

}  // namespace

Parsed parseCommandLine(int argc, const char* const* argv) {
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
    addInput(*query, request, texts.input);
    addQuery(*query, query_texts);
    WhatIfTexts what_if_texts;
    CLI::App* what_if = addForecast(app, request, texts, what_if_texts);
    CLI::App* mcp =
        app.add_subcommand("mcp", "Serve the runs to agents (Model Context Protocol, standard input and output)");
    addInput(*mcp, request, texts.input);
    CLI::App* doctor = app.add_subcommand("doctor", "Show what a recording lacks, for which question, and what to add");
    addInput(*doctor, request, texts.input);
    OwnCommands own(app);
    try {
        if (typed.empty()) {
            tellLines(startText(app));
            return kWrongUsage;
        }
        app.parse(argumentsOf(app, typed));
        if (std::optional<Parsed> asked = own.request()) {
            return *std::move(asked);
        }
        readTexts(texts, request);
        if (!query->parsed() && !(what_if->parsed() && what_if_texts.list)) {
            needPath(request);
        }
        if (query->parsed()) {
            return readQueryRequest(query_texts, std::move(request));
        }
        if (what_if->parsed()) {
            checkOutputs(request);
            return readWhatIfRequest(what_if_texts, std::move(request));
        }
        if (mcp->parsed()) {
            return McpRequest{std::move(request)};
        }
        if (doctor->parsed()) {
            return DoctorRequest{std::move(request)};
        }
        checkOutputs(request);
        if (compare->parsed() && request.paths.size() + request.named_runs.size() < 2) {
            refuseOption("PATH", "name at least two runs to compare");
        }
    } catch (const CLI::ParseError& error) {
        return complainOf(app, error, typed);
    }
    request.command = commandOf(*info, *compare, *check);
    readLevels(texts, request);
    return request;
}

}  // namespace rankscope::cli
