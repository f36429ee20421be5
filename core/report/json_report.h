// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/analysed_run.h"

namespace rankscope {

/// What was analysed, and what could not be read at all.
struct ReportInput {
    std::vector<const AnalysedRun*> runs;  ///< not null, in the order they were given
    std::vector<Error> unreadable;         ///< paths of which no run came; files of a run stand in Run::unreadable
};

/// The report of `rankscope-cli analyze` as JSON text in UTF-8. Its form is resources/report.schema.json. Times are
/// nanoseconds from a run's base_ns, on the run's clock. Null says: not computed, or it cannot be told.
[[nodiscard]] std::string jsonReport(const ReportInput& input);

/// What the files hold, as `rankscope-cli info` reports it. The same schema, with "report": "info".
[[nodiscard]] std::string jsonInfo(const ReportInput& input);

}  // namespace rankscope
