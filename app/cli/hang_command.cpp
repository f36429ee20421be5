// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hang_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "app/cli/command_line.h"
#include "app/cli/complain.h"
#include "app/cli/logs/companion_logs.h"
#include "app/cli/output_files.h"
#include "app/cli/progress_line.h"
#include "app/exit_code.h"
#include "core/companions/read_companions.h"
#include "core/hang/hang.h"
#include "core/ingest/files/named_file.h"
#include "core/ingest/flight_recorder/flight_recorder.h"
#include "core/report/hang.h"
#include "core/request/companions_of_runs.h"

namespace rankscope::cli {
namespace {

constexpr const char* kHangFooter =
    "PyTorch writes these dumps when a collective times out: set TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and\n"
    "TORCH_NCCL_DUMP_ON_TIMEOUT=1. Name the dumps of all ranks, or a folder with them.\n"
    "Exit code: 0 done, whether a rank hangs or not; 2 wrong usage, or the report cannot be written;\n"
    "3 no dump could be read; 4 done, but some dumps could not be read.";

/// Whether the report would replace one of the dumps, readable or not, or the archive that has it.
bool replacesDump(const std::string& report, const FlightDumps& loaded) {
    const auto is_report = [&report](const std::string& name) { return isSameFile(fileNamed(name).path, report); };
    return !report.empty() && (std::ranges::any_of(loaded.dumps, is_report, &FlightDump::path) ||
                               std::ranges::any_of(loaded.unreadable, is_report, &Error::path));
}

/// Whether it would replace a file among those found.
bool replacesTrace(const std::string& report, const std::vector<Discovery>& found) {
    return !report.empty() && std::ranges::any_of(found, [&report](const Discovery& one) {
        return std::ranges::any_of(one.runs, [&report](const RunSource& run) {
            return std::ranges::any_of(run.files,
                                       [&](const FileSource& file) { return isSameFile(file.path, report); });
        });
    });
}

/// The runs that are named with --trace; nothing if `report` would replace a file of them. What could not be read is
/// said on standard error.
std::optional<ReadRuns> readTraces(RunRequest traces, const std::string& report) {
    OnStandardError shown;
    ReadRuns none;
    if (traces.paths.empty()) {
        return none;
    }
    if (!fetchRemotePaths(traces, shown)) {
        none.unreadable.push_back({"--trace", {}, "cannot be fetched"});
        return none;
    }
    CompanionFiles companions;
    const std::vector<Discovery> found = discoverBeside(traces, companions);
    if (replacesTrace(report, found)) {
        return std::nullopt;
    }
    ReadRuns read = readRuns(traces, found, shown);
    shown.clear();
    return read;
}

}  // namespace

CLI::App* addHang(CLI::App& app, HangRequest& request) {
    CLI::App* const command =
        app.add_subcommand("hang", "Show which ranks stop a job that hangs, from its flight recorder");
    command
        ->add_option("DUMP", request.paths, "Dumps of PyTorch's flight recorder, folders with them, or ssh://host/path")
        ->required();
    command->add_option("--json", request.json, "Write the answer as JSON to this file (- for standard output)")
        ->type_name("FILE");
    command
        ->add_option("--trace", request.traces.paths,
                     "Traces of the job, or a folder with them: shows where the last calls are in them")
        ->type_name("PATH")
        ->expected(1)
        ->take_all();
    addScreen(*command, request.texts);
    command->footer(kHangFooter);
    return command;
}

int runHang(HangRequest request) {
    OnStandardError shown;
    if (!fetchRemoteCompanions(request.paths, shown)) {
        return kNothingReadable;
    }
    const FlightDumps loaded = loadFlightDumps(request.paths);
    shown.clear();
    std::ranges::for_each(loaded.unreadable, [](const Error& error) { complain(error); });
    if (loaded.dumps.empty()) {
        return kNothingReadable;
    }
    if (replacesDump(request.json, loaded)) {
        complain("--json: " + request.json + " is one of the dumps");
        return kWrongUsage;
    }
    const hang::Hang hang = hang::findHang(loaded.dumps);
    const std::optional<ReadRuns> read = readTraces(request.traces, request.json);
    if (!read) {
        complain("--json: " + request.json + " is one of the traces");
        return kWrongUsage;
    }
    const std::vector<RunWithDumps> traces = runsWithDumps(read->reportInput().runs, loaded.dumps);
    if (!request.json.empty() && !writeOutput(request.json, jsonHang(hang, loaded.unreadable, traces))) {
        return kWrongUsage;
    }
    if (request.json != "-" &&
        !writeOutput("-", hangScreen(hang, request.printed.style, request.printed.is_full, traces))) {
        return kWrongUsage;
    }
    return loaded.unreadable.empty() && read->complete() ? kDone : kSomeUnreadable;
}

int runDumps(const Request& request, const std::vector<std::string>& dumps) {
    if (const auto option = optionForTraces(request)) {
        complain(*option +
                 ": cannot be used with flight recorder dumps alone; they are written as text, and with --json");
        return kWrongUsage;
    }
    const JobCompanions job{nullptr, readDumps(dumps)};
    const ReadDumps& read = *job.dumps;
    std::ranges::for_each(read.unreadable, [](const Error& error) { complain(error); });
    if (read.dumps.empty()) {
        return kNothingReadable;
    }
    if (!request.json.empty() && !writeOutput(request.json, jsonHang(read.hang, read.unreadable))) {
        return kWrongUsage;
    }
    const std::string text = request.command == Command::Info
                                 ? filesOfDumps(job)
                                 : hangScreen(read.hang, request.printed.style, request.printed.is_full);
    if (request.json != "-" && !writeOutput("-", text)) {
        return kWrongUsage;
    }
    if ((request.fail_on || request.fail_on_check) && read.hangs()) {
        return kFindingAtLevel;
    }
    return read.unreadable.empty() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
