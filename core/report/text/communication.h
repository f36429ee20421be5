// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/diagnosis/analysed_run.h"

namespace rankscope::report {

/// How fast ranks communicate, and how much of it they hide; empty where no fit and no overlap is told.
[[nodiscard]] std::string communicationText(const AnalysedRun& run);
/// DDP's buckets and other sizes of them; empty where there are none, or nobody asked for it.
[[nodiscard]] std::string bucketsText(const AnalysedRun& run);
/// Each fact of the ranks over all of them; empty where there is one rank.
[[nodiscard]] std::string rankStatisticsSection(const AnalysedRun& run);

}  // namespace rankscope::report
