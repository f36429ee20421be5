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

/// Which parts of a finding's explanation that are folded at first are not.
struct UnfoldedParts {
    bool places = false;            ///< all pieces of evidence, not only the first
    bool full = false;              ///< the sentences with all numbers
    bool confidence = false;        ///< why its price can be trusted so far and no further
    std::set<std::size_t> details;  ///< of remedies, by their index
};

/// Unfolds what a link of a finding's explanation unfolds, or folds it again; false of any other link.
[[nodiscard]] bool refold(UnfoldedParts& parts, const QString& link);
/// Whether a link folds and unfolds.
[[nodiscard]] bool isFold(const QString& link);

/// A finding as HTML: its cause in a sentence and its price; the evidence: what it is made of, the first places, and
/// folded all numbers; what to change, with the details folded; folded, why the confidence. A piece of evidence links
/// to "evidence:<index>", a slice as sliceLink says, what is folded as isFold() says; `at` is the run's index among the
/// open ones.
[[nodiscard]] QString findingHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding,
                                  const UnfoldedParts& unfolded, const Theme& theme);

/// What a gap is made of as HTML: what ended it, and its parts with their causes. Slices link as sliceLink says.
[[nodiscard]] QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme);

}  // namespace rankscope::ui
