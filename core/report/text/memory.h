// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/diagnosis/analysed_run.h"

namespace rankscope::report {

/// What textReport() says of what memory is used for; empty where nothing is known of it.
[[nodiscard]] std::string memoryText(const AnalysedRun& run);

}  // namespace rankscope::report
