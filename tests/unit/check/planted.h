// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// A job of four ranks and eight steps with these faults, as parseFault() reads them, that records its memory.
[[nodiscard]] AnalysedRun plantedJob(const std::vector<std::string>& faults, int ranks = 4, int steps = 8);

}  // namespace rankscope::test
