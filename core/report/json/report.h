// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/analysed_run.h"

namespace rankscope {

struct RunComparison;  // core/compare/compare_runs.h

/// Two of the analysed runs, compared.
struct ComparedRuns {
    std::size_t a = 0;  ///< the baseline: index in ReportInput::runs
    std::size_t b = 0;
    const RunComparison* comparison = nullptr;  ///< never null in a ReportInput
};

/// What was analysed, and what could not be read at all.
struct ReportInput {
    std::vector<const AnalysedRun*> runs;  ///< not null, in the order they were given
    std::vector<Error> unreadable;         ///< paths of which no run came; files of a run stand in Run::unreadable
    std::vector<ComparedRuns> comparisons = {};
};

/// The report of `rankscope-cli analyze` and `compare` as JSON text in UTF-8. Its form is resources/report.schema.json.
/// Times are nanoseconds from a run's base_ns, on the run's clock. Null says: not computed, or it cannot be told.
[[nodiscard]] std::string jsonReport(const ReportInput& input);

/// What the files hold, as `rankscope-cli info` reports it. The same schema, with "report": "info".
[[nodiscard]] std::string jsonInfo(const ReportInput& input);

}  // namespace rankscope
