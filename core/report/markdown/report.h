// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/json/report.h"

namespace rankscope {

/// The report of `rankscope-cli analyze` as GitHub-flavoured Markdown, made to be pasted into an issue or a pull
/// request. Says what textReport says; where runs are compared, what markdownComparison says instead.
[[nodiscard]] std::string markdownReport(const ReportInput& input);

/// What changed from run `a` to run `b`, for a pull request: the verdict is the first line, the rest is folded.
[[nodiscard]] std::string markdownComparison(const AnalysedRun& a, const AnalysedRun& b,
                                             const RunComparison& comparison);

}  // namespace rankscope
