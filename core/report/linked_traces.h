// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/hang/link_traces.h"
#include "core/tables/table.h"

/// What is said about dumps of the flight recorder that are linked with traces of their job.
namespace rankscope {

/// A run with the dumps of its job. All must outlive it.
struct RunWithDumps {
    const AnalysedRun& run;
    const std::vector<FlightDump>& dumps;
    hang::TraceLinks links;
};

/// Links runs with dumps.
[[nodiscard]] std::vector<RunWithDumps> runsWithDumps(const tables::Runs& runs, const std::vector<FlightDump>& dumps);

namespace report {

/// Where a call of a dump is in a trace.
struct CallInTrace {
    const AnalysedRun* run = nullptr;
    RankPosition rank;
    CollectivePosition collective;
    SliceRef slice;             ///< its first kernel, or its operator without a GPU
    std::int64_t start_ns = 0;  ///< of its part, from the run's first instant, on the run's clock
    DurationNs duration_ns = 0;
    std::optional<std::int64_t> step;  ///< number of the step of the rank that it starts in
};
/// Where the last call of a rank is, in the first run that has it.
[[nodiscard]] std::optional<CallInTrace> lastCallInTrace(const std::vector<RunWithDumps>& runs, std::int64_t rank,
                                                         const FlightCall& last);
/// "rank 3 at 12.3 ms, step 11, of run job".
[[nodiscard]] std::string callInTraceWords(const CallInTrace& call);

/// "linked", "several-places"..., as in the JSON.
[[nodiscard]] std::string_view linkStateId(hang::LinkState state);
/// What became of a process group, in a sentence.
[[nodiscard]] std::string linkWords(const RunWithDumps& of, const hang::GroupLink& link);
/// What became of all of them, in a sentence.
[[nodiscard]] std::string linkSummary(const RunWithDumps& of);

}  // namespace report
}  // namespace rankscope
