// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/diagnosis/frame/finding.h"

// What a finding is worth, by one rule: its severity, and its place among the findings. See
// docs/definitions/findings.md, "Severity and order".
namespace rankscope {

/// What fixing a finding likely saves per step, in ns. For a forecast its saving; for a range that begins at the saving
/// (a pipeline's bubble) the middle of the range; for an upper bound half of it; 0 without a price.
[[nodiscard]] DurationNs likelySaving(const Finding& finding);

/// By likelySaving() as a share of a step of `step_ns`, which counts half if the confidence is low: high from 10 %,
/// medium from 5 %. Low without a step.
[[nodiscard]] Severity severityOf(const Finding& finding, DurationNs step_ns);

/// Whether `a` is listed before `b`: by severity, then by likelySaving(), then by the saving.
[[nodiscard]] bool isWorthMore(const Finding& a, const Finding& b);

/// Whether a finding is certain and easy to fix: the confidence is high, the saving is a forecast, and the first remedy
/// changes one line.
[[nodiscard]] bool isQuickWin(const Finding& finding);

}  // namespace rankscope
