// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/diagnosis/analysed_run.h"

namespace rankscope::report {

/// The part of textReport() that the health check has: how many lines say what, and those that say "look here".
[[nodiscard]] std::string checkText(const AnalysedRun& run);

}  // namespace rankscope::report
