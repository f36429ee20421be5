// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/diagnosis/analysed_run.h"

namespace rankscope {

struct RunComparison;  // core/compare/compare_runs.h

/// What `rankscope-cli analyze` prints of one run for people: findings and their prices, where the time of the steps
/// went, what the traces cannot tell, and their health. UTF-8 without escape sequences.
[[nodiscard]] std::string textReport(const AnalysedRun& run);

/// What `rankscope-cli info` prints of one run: ranks, devices, tracks, slices, steps and health.
[[nodiscard]] std::string textInfo(const AnalysedRun& run);

/// What `rankscope-cli compare` prints for people of the way from run `a` to run `b`: the verdict, what else differs,
/// where the time went, and what became of the findings.
[[nodiscard]] std::string textComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison);

}  // namespace rankscope
