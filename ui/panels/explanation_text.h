// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/diagnosis/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// Why, remedies and evidence of a finding as HTML. A piece of evidence links to "evidence:<index>".
[[nodiscard]] QString findingHtml(const AnalysedRun& run, const Finding& finding, const Theme& theme);

/// What a gap is made of as HTML: what ended it, and its parts with their causes. Slices link as sliceLink says.
[[nodiscard]] QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme);

}  // namespace rankscope::ui
