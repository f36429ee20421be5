// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/diagnosis/frame/finding.h"

// What a finding is worth, by one rule: its severity, and its place among the others. See
// docs/definitions/findings.md, "Severity and order".
namespace rankscope {

/// What fixing a finding likely saves per step. A forecast: its saving. A range that begins at the saving (a pipeline's
/// bubble): the middle of the range. An upper bound: half of it. 0 for what has no price.
[[nodiscard]] DurationNs likelySaving(const Finding& finding);

/// By likelySaving() as a share of a step of `step_ns`, which counts half where the confidence is low: high from 10 %,
/// medium from 5 %. Low without a step.
[[nodiscard]] Severity severityOf(const Finding& finding, DurationNs step_ns);

/// Whether `a` is listed before `b`: by severity, then by likelySaving(), then by the saving.
[[nodiscard]] bool isWorthMore(const Finding& a, const Finding& b);

/// Whether a finding is certain, and its first remedy is one line of change: the confidence is high, and the saving is
/// a forecast.
[[nodiscard]] bool isQuickWin(const Finding& finding);

}  // namespace rankscope
