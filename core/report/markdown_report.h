// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/json_report.h"

namespace rankscope {

/// The report of `rankscope-cli analyze` as GitHub-flavoured Markdown, made to be pasted into an issue or a pull
/// request. Says what textReport says.
[[nodiscard]] std::string markdownReport(const ReportInput& input);

}  // namespace rankscope
