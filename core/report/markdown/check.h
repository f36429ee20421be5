// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/check/check_lists.h"
#include "core/report/check/protocol.h"
#include "core/report/reports.h"

namespace rankscope::report {

/// The lines of the health check as a table, with a row a rank beneath.
[[nodiscard]] std::string checkMarkdown(const AnalysedRun& run);
/// The five steps of the protocol.
[[nodiscard]] std::string protocolMarkdown(const AnalysedRun& run, const Validation& validation);
/// The questions of a check list with their answers.
[[nodiscard]] std::string checkListMarkdown(const CheckList& list);

}  // namespace rankscope::report
