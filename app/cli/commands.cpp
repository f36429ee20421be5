// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/cli/comparisons.h"
#include "app/cli/complain.h"
#include "app/cli/output_files.h"
#include "app/cli/read_runs.h"
#include "app/exit_code.h"
#include "core/base/write_file.h"
#include "core/compare/compare_runs.h"
#include "core/ingest/load.h"
#include "core/ingest/snapshot/load_snapshot.h"
#include "core/report/check/check.h"
#include "core/report/reports.h"

namespace rankscope::cli {
namespace {

/// Writes a report to the place the user named. False, with the reason on standard error, where that fails.
bool write(const std::string& path, const std::string& text) {
    std::optional<Error> error = writeFileAtomically(path, text);
    if (error) {
        error->path = path == "-" ? "standard output" : path;
        complain(*error);
    }
    return !error;
}

bool writeCsv(const std::string& folder, const ReportInput& input) {
    // A folder that cannot be made shows itself at the first file.
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    return std::ranges::all_of(csvReport(input), [&folder](const CsvFile& file) {
        return write((std::filesystem::path(folder) / file.name).string(), file.text);
    });
}

std::string textOf(const ReadRuns& read, const ReportInput& input, std::string (*text)(const AnalysedRun&)) {
    std::string out;
    for (const AnalysedRun& run : read.runs) {
        out += (out.empty() ? "" : "\n") + text(run);
    }
    for (const ReportedSnapshot& snapshot : input.snapshots) {
        out += (out.empty() ? "" : "\n") + textSnapshot(snapshot);
    }
    return out;
}

std::string comparisonsText(const ReportInput& input) {
    std::string out;
    for (const ComparedRuns& compared : input.comparisons) {
        out += (out.empty() ? "" : "\n") +
               textComparison(*input.runs[compared.a], *input.runs[compared.b], *compared.comparison);
    }
    return out;
}

std::string checksText(const ReportInput& input) {
    std::string out;
    for (std::size_t run = 0; run < input.runs.size(); ++run) {
        out += (out.empty() ? "" : "\n") + textCheck(input, run);
    }
    return out;
}

/// The sections and the finding that were asked for, of each run.
std::string chosenText(const Printed& printed, const ReportInput& input) {
    std::string out;
    for (const AnalysedRun* run : input.runs) {
        for (const std::string& section : printed.sections) {
            out += (out.empty() ? "" : "\n") + textSection(*run, section).value_or("");
        }
        if (printed.finding && *printed.finding <= run->diagnosis.findings.size()) {
            out += (out.empty() ? "" : "\n") + textFinding(*run, *printed.finding - 1);
        }
    }
    return out;
}

std::string screenFor(const Request& request, const ReadRuns& read, const ReportInput& input) {
    const ScreenStyle& style = request.printed.style;
    switch (request.command) {
        case Command::Analyze: return analysisScreen(input, style);
        case Command::Check: return checkScreen(input, style);
        case Command::Compare: return comparisonScreen(input, style);
        case Command::Info: break;
    }
    return textOf(read, input, textInfo);
}

std::string textFor(const Request& request, const ReadRuns& read, const ReportInput& input) {
    const Printed& printed = request.printed;
    if (!printed.sections.empty() || printed.finding) {
        return chosenText(printed, input);
    }
    if (!printed.is_full) {
        return screenFor(request, read, input);
    }
    switch (request.command) {
        case Command::Analyze: return textOf(read, input, textReport);
        case Command::Check: return checksText(input);
        case Command::Compare: return comparisonsText(input);
        case Command::Info: return textOf(read, input, textInfo);
    }
    return {};
}

std::string jsonFor(const Request& request, const ReportInput& input) {
    const JsonDetail detail = request.json_detail ? JsonDetail::All : JsonDetail::Short;
    switch (request.command) {
        case Command::Check: return jsonCheck(input, detail);
        case Command::Info: return jsonInfo(input);
        case Command::Analyze:
        case Command::Compare: break;
    }
    return jsonReport(input, detail);
}

bool writeReports(const Request& request, const ReadRuns& read, const ReportInput& input) {
    const bool checks = request.command == Command::Check;
    bool written = true;
    if (!request.json.empty()) {
        written = write(request.json, jsonFor(request, input));
    }
    if (!request.markdown.empty()) {
        written = write(request.markdown, checks ? markdownCheck(input) : markdownReport(input)) && written;
    }
    if (!request.html.empty()) {
        written = write(request.html, checks ? htmlCheck(input) : htmlReport(input)) && written;
    }
    if (!request.csv.empty()) {
        written = writeCsv(request.csv, input) && written;
    }
    if (request.json != "-" && request.markdown != "-" && request.html != "-") {
        written = write("-", textFor(request, read, input)) && written;
    }
    return written;
}

bool hasGroup(const ReadRuns& read, const std::string& name) {
    return std::ranges::any_of(read.runs, [&name](const AnalysedRun& run) {
        return std::ranges::any_of(run.facts.parallelism.groups,
                                   [&](const GroupRole& group) { return group.isNamed(name); });
    });
}

/// That the user said what a group is for that no run has, and which there are.
std::optional<Error> unknownGroup(const Request& request, const ReadRuns& read) {
    std::set<std::string> labels;
    for (const AnalysedRun& run : read.runs) {
        for (const GroupRole& group : run.facts.parallelism.groups) {
            labels.insert(group.label());
        }
    }
    std::string there_are;
    for (const std::string& label : labels) {
        there_are += there_are.empty() ? "; there are " : ", ";
        there_are += label;
    }
    for (const auto& [name, role] : request.roles) {
        if (!hasGroup(read, name)) {
            std::string why = "no group is called \"";
            why.append(name).append("\"").append(there_are);
            if (hasGroup(read, "#" + name)) {
                why.append("; its number is written #").append(name);
            }
            return Error{"--roles", {}, std::move(why)};
        }
    }
    return std::nullopt;
}

bool hasFindingAt(const ReadRuns& read, Severity level) {
    return std::ranges::any_of(read.runs, [level](const AnalysedRun& run) {
        return std::ranges::any_of(run.diagnosis.findings,
                                   [level](const Finding& finding) { return finding.severity >= level; });
    });
}

/// Whether a line of some health check says what `level` says, or "look here".
bool hasLineAt(const ReadRuns& read, report::CheckStatus level) {
    return std::ranges::any_of(read.runs, [level](const AnalysedRun& run) {
        const report::Check check = report::checkOf(run);
        return check.count(report::CheckStatus::Look) > 0 || check.count(level) > 0;
    });
}

/// That the user asked for a finding that no run has.
std::optional<Error> unknownFinding(const Request& request, const ReadRuns& read) {
    std::size_t most = 0;
    for (const AnalysedRun& run : read.runs) {
        most = std::max(most, run.diagnosis.findings.size());
    }
    if (request.printed.finding.value_or(0) <= most) {
        return std::nullopt;
    }
    return Error{"--finding",
                 {},
                 "there is no finding " + std::to_string(*request.printed.finding) +
                     (most == 0 ? std::string("; there are none") : "; the last one is " + std::to_string(most))};
}

/// Files among the paths that are no traces, but memory snapshots, are read as what they are. Between runs a snapshot
/// has no part.
void takeSnapshots(Request& request) {
    if (request.command == Command::Compare) {
        return;
    }
    const auto snapshots =
        std::ranges::stable_partition(request.paths, [](const std::string& path) { return !isMemorySnapshot(path); });
    request.snapshots.insert(request.snapshots.end(), snapshots.begin(), snapshots.end());
    request.paths.erase(snapshots.begin(), snapshots.end());
}

/// The snapshots that were named to be checked, which has nothing to say of them.
Discovery refuseSnapshots(Request& request) {
    Discovery refused;
    for (std::string& path : std::exchange(request.snapshots, {})) {
        refused.refused.push_back(
            {std::move(path),
             {},
             "is a memory snapshot, but check reads traces. Use `rankscope-cli info` or `analyze --memory-snapshot`"});
    }
    return refused;
}

}  // namespace

int runCommand(Request request) {
    if (!fetchRemotePaths(request)) {
        return kNothingReadable;
    }
    takeSnapshots(request);
    std::vector<Discovery> found = discover(request);
    if (const auto error = outputThatIsAnInput(request, found)) {
        complain(*error);
        return kWrongUsage;
    }
    if (request.command == Command::Check) {
        found.push_back(refuseSnapshots(request));
    }
    const ReadRuns read = readRuns(request, found);
    if (const auto error = read.runs.empty() ? std::nullopt : unknownGroup(request, read)) {
        complain(*error);
        return kWrongUsage;
    }
    if (const auto error = read.runs.empty() ? std::nullopt : unknownFinding(request, read)) {
        complain(*error);
        return kWrongUsage;
    }
    ReportInput input = read.reportInput();
    const bool two_to_check = request.command == Command::Check && read.runs.size() == 2;
    const Comparisons comparisons =
        request.command == Command::Compare || two_to_check ? compareAsAsked(request, read) : Comparisons();
    input.comparisons = comparisons.of;
    if (!writeReports(request, read, input)) {
        return kWrongUsage;
    }
    if ((read.runs.empty() && read.snapshots.empty()) ||
        (request.command == Command::Compare && input.comparisons.empty())) {
        return kNothingReadable;
    }
    if ((request.fail_on && hasFindingAt(read, *request.fail_on)) ||
        (request.fail_on_check && hasLineAt(read, *request.fail_on_check)) ||
        (request.fail_on_regression && hasRegression(request, comparisons))) {
        return kFindingAtLevel;
    }
    return read.complete() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
