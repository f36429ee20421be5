// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <set>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The unfolded parts of a finding's explanation that are folded at first.
struct UnfoldedParts {
    bool places = false;            ///< all evidence, not only the first pieces
    bool full = false;              ///< the sentences with all numbers
    bool confidence = false;        ///< what limits the confidence in its price
    std::set<std::size_t> details;  ///< unfolded remedies, by their index
};

/// Unfolds the part of a link in a finding's explanation, or folds it again; false for any other link.
[[nodiscard]] bool refold(UnfoldedParts& parts, const QString& link);
/// Whether a link folds and unfolds.
[[nodiscard]] bool isFold(const QString& link);

/// A finding as HTML: its cause in a sentence and its price; the evidence: its parts, the first places, and folded all
/// numbers; what to change, with the details folded; and folded, the reasons for the confidence. Evidence links to
/// "evidence:<index>", slices as sliceLink(), folds as isFold(); `at` is the run's index among the open ones.
[[nodiscard]] QString findingHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding,
                                  const UnfoldedParts& unfolded, const Theme& theme);

/// A gap as HTML: what ended it, and its parts with their causes. Slices link as sliceLink().
[[nodiscard]] QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme);

}  // namespace rankscope::ui
