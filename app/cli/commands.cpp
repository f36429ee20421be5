// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/cli/comparisons.h"
#include "app/cli/complain.h"
#include "app/cli/hang_command.h"
#include "app/cli/logs/companion_logs.h"
#include "app/cli/logs/network_command.h"
#include "app/cli/output_files.h"
#include "app/cli/progress_line.h"
#include "app/exit_code.h"
#include "core/compare/compare_runs.h"
#include "core/ingest/load.h"
#include "core/report/check/check.h"
#include "core/report/joined_logs.h"
#include "core/report/reports.h"
#include "core/request/companions_of_runs.h"
#include "core/request/read_runs.h"

namespace rankscope::cli {
namespace {

bool writeCsv(const std::string& folder, const ReportInput& input) {
    // If the folder cannot be created, writing the first file fails.
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    return std::ranges::all_of(csvReport(input), [&folder](const CsvFile& file) {
        return writeOutput((std::filesystem::path(folder) / file.name).string(), file.text);
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

/// What `analyze --full` prints.
std::string fullText(const ReadRuns& read, const ReportInput& input) {
    std::string out = textOf(read, input, textReport);
    for (const RunWithLogs& of : runsWithLogs(input)) {
        out += textOfLogs(of);
    }
    return out;
}

/// What `info` prints.
std::string infoText(const Request& request, const ReadRuns& read, const ReportInput& input) {
    const std::string out = textOf(read, input, textInfo);
    return input.logs == nullptr ? out : out + "\n" + networkInfo(input.logs->network, request.printed.style);
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

/// The requested sections and finding of each run.
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
    return infoText(request, read, input);
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
        case Command::Analyze: return fullText(read, input);
        case Command::Check: return checksText(input);
        case Command::Compare: return comparisonsText(input);
        case Command::Info: return infoText(request, read, input);
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

/// `below` follows what is printed for people.
bool writeReports(const Request& request, const ReadRuns& read, const ReportInput& input, const std::string& below) {
    const bool checks = request.command == Command::Check;
    bool written = true;
    if (!request.json.empty()) {
        written = writeOutput(request.json, jsonFor(request, input));
    }
    if (!request.markdown.empty()) {
        written = writeOutput(request.markdown, checks ? markdownCheck(input) : markdownReport(input)) && written;
    }
    if (!request.html.empty()) {
        written = writeOutput(request.html, checks ? htmlCheck(input) : htmlReport(input)) && written;
    }
    if (!request.csv.empty()) {
        written = writeCsv(request.csv, input) && written;
    }
    if (request.json != "-" && request.markdown != "-" && request.html != "-") {
        written = writeOutput("-", textFor(request, read, input) + below) && written;
    }
    return written;
}

bool hasGroup(const ReadRuns& read, const std::string& name) {
    return std::ranges::any_of(read.runs, [&name](const AnalysedRun& run) {
        return std::ranges::any_of(run.facts.parallelism.groups,
                                   [&](const GroupRole& group) { return group.isNamed(name); });
    });
}

/// An error if the user gave a role for a group that no run has, with the names of the groups there are.
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

/// Whether any line of a health check has status `level` or "look here".
bool hasLineAt(const ReadRuns& read, report::CheckStatus level) {
    return std::ranges::any_of(read.runs, [level](const AnalysedRun& run) {
        const report::Check check = report::checkOf(run);
        return check.count(report::CheckStatus::Look) > 0 || check.count(level) > 0;
    });
}

/// An error if the user asked for a finding that no run has.
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

/// The files of a request.
struct FilesOfRequest {
    std::vector<Discovery> traces;
    CompanionFiles companions;

    /// Whether there are logs or dumps, and nothing else that was named or found.
    [[nodiscard]] bool hasOnlyLogsOrDumps(const Request& request) const {
        return !(companions.logs.empty() && companions.dumps.empty()) && request.named_runs.empty() &&
               request.snapshots.empty() && std::ranges::all_of(traces, [](const Discovery& one) {
                   return one.runs.empty() && one.refused.empty();
               });
    }
};

/// Refuses snapshots that `check` is asked to check.
Discovery refuseSnapshots(Request& request) {
    Discovery refused;
    for (const std::string& path : std::exchange(request.snapshots, {})) {
        refused.refused.push_back(
            {path,
             {},
             "is a memory snapshot, but check reads traces. Use `rankscope-cli info` or `analyze --memory-snapshot`"});
    }
    return refused;
}

/// Finds traces and their companions, and adds memory snapshots to those of the request. A check of traces ignores
/// dumps around them, and refuses those that are named. A comparison has no companions.
FilesOfRequest findFiles(Request& request) {
    if (request.command == Command::Compare) {
        return {discover(request), {}};
    }
    if (request.command != Command::Check) {
        auto [traces, companions] = findJob(request);
        request.snapshots.insert(request.snapshots.end(), companions.snapshots.begin(), companions.snapshots.end());
        return {std::move(traces), std::move(companions)};
    }
    FilesOfRequest files;
    CompanionFiles named = takeNamedCompanions(request.paths);
    std::ranges::move(named.snapshots, std::back_inserter(request.snapshots));
    files.companions.logs = std::move(named.logs);
    const bool is_alone = request.paths.empty() && request.named_runs.empty();
    std::ranges::move(named.dumps, std::back_inserter(is_alone ? files.companions.dumps : request.paths));
    files.traces = discoverBeside(request, files.companions);
    if (!files.hasOnlyLogsOrDumps(request)) {
        files.companions.dumps.clear();
    }
    return files;
}

/// Answers a request of logs and dumps without traces.
int runLogsAndDumps(const Request& request, const CompanionFiles& files) {
    if (files.dumps.empty()) {
        return runNetwork(request, files.logs);
    }
    if (files.logs.empty()) {
        return runDumps(request, files.dumps);
    }
    if (!request.json.empty()) {
        complain("--json: name either the NCCL logs or the flight recorder dumps");
        return kWrongUsage;
    }
    const int logs = runNetwork(request, files.logs);
    if (logs == kWrongUsage || !writeOutput("-", "\n")) {
        return kWrongUsage;
    }
    const int dumps = runDumps(request, files.dumps);
    if (logs == kFindingAtLevel || dumps == kFindingAtLevel) {
        return kFindingAtLevel;
    }
    return logs == dumps ? logs : kSomeUnreadable;
}

}  // namespace

int runCommand(Request request) {
    OnStandardError shown;
    if (!fetchRemotePaths(request, shown)) {
        return kNothingReadable;
    }
    FilesOfRequest files = findFiles(request);
    const std::vector<std::string>& logs = files.companions.logs;
    if (const auto error = outputThatIsAnInput(request, files.traces, logs, files.companions.dumps)) {
        complain(*error);
        return kWrongUsage;
    }
    if (files.hasOnlyLogsOrDumps(request)) {
        return runLogsAndDumps(request, files.companions);
    }
    if (request.command == Command::Check) {
        files.traces.push_back(refuseSnapshots(request));
    }
    ReadRuns read = readRuns(request, files.traces, shown);
    shown.clear();
    if (read.runs.empty() && read.snapshots.empty() && !logs.empty()) {
        const int code = runNetwork(request, logs);
        return code == kDone ? kSomeUnreadable : code;
    }
    const bool takes_companions = request.command != Command::Check && !read.runs.empty();
    read.companions = readCompanions(takes_companions ? files.companions : CompanionFiles(), shown);
    const CompanionLogs joined(read.companions, read.runs);
    if (!takes_companions) {
        tellOfLogs(logs);
    }
    if (const auto error = read.runs.empty() ? std::nullopt : unknownGroup(request, read)) {
        complain(*error);
        return kWrongUsage;
    }
    if (const auto error = read.runs.empty() ? std::nullopt : unknownFinding(request, read)) {
        complain(*error);
        return kWrongUsage;
    }
    ReportInput input = read.reportInput();
    input.logs = joined.joined();
    const bool two_to_check = request.command == Command::Check && read.runs.size() == 2;
    const Comparisons comparisons =
        request.command == Command::Compare || two_to_check ? compareAsAsked(request, read) : Comparisons();
    input.comparisons = comparisons.of;
    const std::string dumps =
        request.command == Command::Info ? filesOfDumps(read.companions) : answerOfDumps(read.companions, input.runs);
    if (!writeReports(request, read, input, dumps.empty() ? dumps : "\n" + dumps)) {
        return kWrongUsage;
    }
    if ((read.runs.empty() && read.snapshots.empty()) ||
        (request.command == Command::Compare && input.comparisons.empty())) {
        return kNothingReadable;
    }
    if ((request.fail_on && (hasFindingAt(read, *request.fail_on) || hasLogFindingAt(input, *request.fail_on))) ||
        (request.fail_on_check && hasLineAt(read, *request.fail_on_check)) ||
        (request.fail_on_regression && hasRegression(request, comparisons))) {
        return kFindingAtLevel;
    }
    return read.complete() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
