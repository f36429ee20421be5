// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/diagnosis/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// Which parts of a finding's explanation that are folded at first are not.
struct UnfoldedParts {
    bool confidence = false;  ///< why its price can be trusted so far and no further
    bool full = false;        ///< the sentences with all numbers
};

/// Where the links lead that fold and unfold them.
inline constexpr const char* kFoldConfidence = "fold:confidence";
inline constexpr const char* kFoldFull = "fold:full";

/// A finding as HTML: what it comes down to, what it is made of, what to change, and its evidence; folded, why the
/// confidence, and all of it. A piece of evidence links to "evidence:<index>", a slice as sliceLink says; `at` is the
/// run's index among the open ones.
[[nodiscard]] QString findingHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding,
                                  const UnfoldedParts& unfolded, const Theme& theme);

/// What a gap is made of as HTML: what ended it, and its parts with their causes. Slices link as sliceLink says.
[[nodiscard]] QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme);

}  // namespace rankscope::ui
