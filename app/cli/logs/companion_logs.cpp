// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/logs/companion_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/command_line.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/hang.h"

namespace rankscope::cli {

std::optional<std::string> optionForTraces(const Request& request) {
    const std::array<std::pair<const char*, bool>, 6> options = {{{"--html", !request.html.empty()},
                                                                  {"--markdown", !request.markdown.empty()},
                                                                  {"--csv", !request.csv.empty()},
                                                                  {"--json-detail", request.json_detail},
                                                                  {"--section", !request.printed.sections.empty()},
                                                                  {"--finding", request.printed.finding.has_value()}}};
    for (const auto& [name, is_given] : options) {
        if (is_given) {
            return name;
        }
    }
    return std::nullopt;
}

CompanionLogs::CompanionLogs(const JobCompanions& companions, const std::vector<AnalysedRun>& runs) {
    if (companions.logs == nullptr || !companions.logs->any()) {
        return;
    }
    const ReadLogs& read = *companions.logs;
    joins_.reserve(runs.size());
    std::vector<const network::RunJoin*> joins;
    for (const AnalysedRun& run : runs) {
        joins.push_back(&joins_.emplace_back(network::joinRun(read.logs, read.network, *run.run, run.facts)));
    }
    joined_.emplace(JoinedLogs{{read.logs, read.network, read.unreadable}, std::move(joins)});
}

bool hasLogFindingAt(const ReportInput& input, Severity level) {
    return std::ranges::any_of(runsWithLogs(input), [level](const RunWithLogs& of) {
        return std::ranges::any_of(report::joinedFindings(of),
                                   [level](const report::JoinedFinding& finding) { return finding.severity >= level; });
    });
}

std::string answerOfDumps(const JobCompanions& companions, const std::vector<const AnalysedRun*>& runs) {
    if (companions.dumps == nullptr || companions.dumps->dumps.empty()) {
        return "";
    }
    std::string out = fmt::format("FLIGHT RECORDER  {}: {} `rankscope-cli hang` shows more.\n",
                                  formatCounted(companions.dumps->dumps.size(), "dump"),
                                  printable(report::hangAnswer(companions.dumps->hang)));
    for (const RunWithDumps& of : runsWithDumps(runs, companions.dumps->dumps)) {
        out += printable(report::linkSummary(of)) + "\n";
    }
    return out;
}

std::string filesOfDumps(const JobCompanions& companions) {
    std::string out;
    for (const FlightDump& dump : companions.dumps == nullptr ? std::vector<FlightDump>() : companions.dumps->dumps) {
        out += fmt::format("{}: dump of the flight recorder, rank {}, {}\n", printable(dump.path), dump.rank,
                           formatCounted(dump.calls.size(), "call"));
    }
    return out;
}

}  // namespace rankscope::cli
