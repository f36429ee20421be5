// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/network/join_run.h"
#include "core/report/network.h"

/// What the report of a run says about the logs of its job.
namespace rankscope {

/// Logs of NCCL next to traces. All must outlive it.
struct JoinedLogs {
    NetworkInput network;
    std::vector<const network::RunJoin*> joins;  ///< parallel to ReportInput::runs
};

/// A run with the logs that it is joined with. All must outlive it.
struct RunWithLogs {
    const AnalysedRun& run;
    const NetworkInput& input;
    const network::RunJoin& join;
};

/// Each run with the logs; none without logs.
[[nodiscard]] std::vector<RunWithLogs> runsWithLogs(const ReportInput& input);

/// What `analyze --full` prints of the logs: what became of each process group, the findings with their lines, and the
/// collectives by size.
[[nodiscard]] std::string textOfLogs(const RunWithLogs& of);

namespace report {

/// A finding of the logs as the report of a run shows it.
struct JoinedFinding {
    std::size_t job = 0;                      ///< index in Network::jobs
    std::size_t finding = 0;                  ///< index in Job::findings
    const network::PathCost* cost = nullptr;  ///< nullptr: unknown, or the finding is of no path
    Severity severity = Severity::Low;        ///< by its cost, as that of an upper bound; else as the logs alone say
    double share = 0;                         ///< of the cost in a step; 0 without a cost
};
/// The findings of the jobs that a run is joined with, or of all jobs if of none: the worst first.
[[nodiscard]] std::vector<JoinedFinding> joinedFindings(const RunWithLogs& of);

/// Collectives of one joined group, kind, size and type.
struct JoinedSize {
    std::uint32_t group = 0;                    ///< index in CollectiveFacts::groups
    const network::JoinedCall* call = nullptr;  ///< the first of them; never null
    std::size_t collectives = 0;
};
/// By group, the most bytes first.
[[nodiscard]] std::vector<JoinedSize> joinedSizes(const RunWithLogs& of);

/// "joined", "several-places"..., as in the JSON.
[[nodiscard]] std::string_view joinStateId(network::JoinState state);
/// The name of a process group for people.
[[nodiscard]] std::string groupWords(const AnalysedRun& run, std::uint32_t group);
/// What became of a process group, in a sentence or two.
[[nodiscard]] std::string joinWords(const RunWithLogs& of, const network::GroupJoin& join);
/// What became of all of them, in a sentence.
[[nodiscard]] std::string joinSummary(const network::RunJoin& join);
/// "Up to 3.1 ms per step (15 %): the exposed transfers that take this path."; empty without a cost.
[[nodiscard]] std::string costWords(const JoinedFinding& finding);

}  // namespace report
}  // namespace rankscope
