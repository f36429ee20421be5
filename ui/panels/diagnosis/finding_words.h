// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// What fixing a finding saves per step, as a number: "up to 28.1 ms (59 %)"; "no price" if it has none.
[[nodiscard]] QString savingNumber(const Finding& finding);
/// "95 %: 0 to 7.05 ms" for a saving that is shown as a range; else empty.
[[nodiscard]] QString savingRange(const AnalysedRun& run, const Finding& finding);
/// "saves 50.1 ms of 100.0 ms per step (50 %)", or if the price is a range "saves about 50.1 ms of 100.0 ms per step
/// (50 %), 95 %: 40.0 to 60.2 ms"; empty for a finding that is not about time.
[[nodiscard]] QString savingText(const AnalysedRun& run, const Finding& finding);
/// Where a finding is in a run of several ranks, its first remedy in a few words, and the range of its saving:
/// "rank 2 · num_workers=4 · 95 %: 64.9 to 73.2 ms".
[[nodiscard]] QString placeAndChange(const AnalysedRun& run, const Finding& finding);
/// What a finding blocks, the steps that its price covers if these are not the usual ones, and its confidence: "blocks
/// 60.0 ms · high confidence".
[[nodiscard]] QString blockedAndConfidence(const AnalysedRun& run, const Finding& finding);
/// "high severity".
[[nodiscard]] QString severityText(Severity severity);
/// The colour that marks a severity.
[[nodiscard]] QColor severityColour(Severity severity, const Theme& theme);

}  // namespace rankscope::ui
