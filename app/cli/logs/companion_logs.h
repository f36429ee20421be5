// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/companions/companions.h"
#include "core/report/joined_logs.h"
#include "core/report/reports.h"

namespace rankscope::cli {

struct Request;  // app/cli/command_line.h

/// NCCL's logs next to traces, joined with each run.
class CompanionLogs {
  public:
    /// Joins the logs of `companions` with the runs; both must outlive it.
    CompanionLogs(const JobCompanions& companions, const std::vector<AnalysedRun>& runs);
    CompanionLogs(const CompanionLogs&) = delete;
    CompanionLogs& operator=(const CompanionLogs&) = delete;
    ~CompanionLogs() = default;

    /// For the reports; nullptr without logs. Points into this object.
    [[nodiscard]] const JoinedLogs* joined() const { return joined_ ? &*joined_ : nullptr; }

  private:
    std::vector<network::RunJoin> joins_;
    std::optional<JoinedLogs> joined_;
};

/// Whether the logs of a run have a finding of this severity or above: by what it costs the run, if that is known.
[[nodiscard]] bool hasLogFindingAt(const ReportInput& input, Severity level);

/// What `analyze` prints of dumps below runs: the answer of `hang`, and which calls are in the traces. Empty without
/// dumps.
[[nodiscard]] std::string answerOfDumps(const JobCompanions& companions, const std::vector<const AnalysedRun*>& runs);
/// What `info` prints of dumps: what each file is. Empty without dumps.
[[nodiscard]] std::string filesOfDumps(const JobCompanions& companions);

/// The first of the options in a request that need a trace; nothing if there is none.
[[nodiscard]] std::optional<std::string> optionForTraces(const Request& request);

}  // namespace rankscope::cli
