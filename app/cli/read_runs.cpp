// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_runs.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <utility>

#include "app/cli/progress_line.h"
#include "core/ingest/load.h"

namespace rankscope::cli {
namespace {

void complain(const Error& error) {
    std::cerr << "rankscope-cli: " << error.text() << "\n";
}

/// The typed offsets in the order of the run's ranks.
std::vector<std::optional<DurationNs>> typedOffsets(const Run& run, const Request& request) {
    std::vector<std::optional<DurationNs>> offsets(run.ranks.size());
    for (std::size_t i = 0; i < run.ranks.size() && !request.clock_offsets.empty(); ++i) {
        const auto at = request.clock_offsets.find(run.ranks[i]->rank.value_or(-1));
        if (at != request.clock_offsets.end()) {
            offsets[i] = at->second;
        }
    }
    return offsets;
}

/// Adds the run of `source` to `out`, or why there is none.
void readRun(const RunSource& source, const Request& request, AnalysisOptions options, ProgressLine& line,
             ReadRuns& out) {
    LoadProgress progress(source, line);
    Result<Run> run = loadRun(source, request.load, progress, {});
    if (!run.ok()) {
        if (progress.failures().empty()) {
            out.unreadable.push_back(run.failed() ? run.error() : Error{source.name, {}, "reading was cancelled"});
        }
        out.unreadable.insert(out.unreadable.end(), progress.failures().begin(), progress.failures().end());
        return;
    }
    options.typed_offset_ns = typedOffsets(run.value(), request);
    const auto shown = [&line](const Progress& at) { line.show(at.stage, at.done, at.total); };
    Result<AnalysedRun> analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), options, shown, {});
    if (analysed.ok()) {
        out.runs.push_back(std::move(analysed).value());
    } else {
        out.unreadable.push_back(analysed.failed() ? analysed.error()
                                                   : Error{source.name, {}, "the analysis was cancelled"});
    }
}

/// The runs behind the paths, and behind them those that were named.
Discovery discover(const Request& request) {
    Discovery all = discoverRuns(request.paths);
    for (const NamedRun& named : request.named_runs) {
        Discovery found = discoverRun(named.name, named.paths);
        std::ranges::move(found.runs, std::back_inserter(all.runs));
        std::ranges::move(found.refused, std::back_inserter(all.refused));
    }
    return all;
}

}  // namespace

bool ReadRuns::complete() const {
    return unreadable.empty() &&
           std::ranges::all_of(runs, [](const AnalysedRun& run) { return run.run->unreadable.empty(); });
}

ReportInput ReadRuns::reportInput() const {
    ReportInput input;
    for (const AnalysedRun& run : runs) {
        input.runs.push_back(&run);
    }
    input.unreadable = unreadable;
    return input;
}

ReadRuns readRuns(const Request& request) {
    ReadRuns out;
    Discovery found = discover(request);
    out.unreadable = std::move(found.refused);
    AnalysisOptions options;
    options.file_clocks = request.file_clocks;
    Result<NameRules> rules = NameRules::forUser();
    if (rules.ok()) {
        options.rules = std::move(rules).value();
    } else {
        out.unreadable.push_back(rules.error());
    }
    ProgressLine line;
    for (const RunSource& source : found.runs) {
        readRun(source, request, options, line, out);
    }
    line.clear();
    std::ranges::for_each(out.unreadable, complain);
    for (const AnalysedRun& run : out.runs) {
        std::ranges::for_each(run.run->unreadable, complain);
    }
    return out;
}

}  // namespace rankscope::cli
