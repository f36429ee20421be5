// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {

// The verdict of a run, and the titles of its pictures, as HTML with links: "chart:N" leads to a StepChart,
// "fold:reason" unfolds or folds the reason, "what-if:TEXT" is a change to play.

/// The run's headline, its title in capitals, and a link to the reason.
[[nodiscard]] QString verdictHeadHtml(const AnalysedRun& run, bool unfolded, const Theme& theme);
/// What the headline is based on: the counted steps, what the shares refer to, and the rule that decided.
[[nodiscard]] QString verdictReasonHtml(const AnalysedRun& run, const Theme& theme);
/// The shares for a bar, compute first, then the greatest wait first; empty if they are not known.
[[nodiscard]] std::vector<BarPart> verdictParts(const Verdict& verdict, const Theme& theme);
/// The parts of the bar, in a word or two, each with its share. The words of a part stay together if they fit into
/// `width`, logical pixels.
[[nodiscard]] QString verdictLegendHtml(const Verdict& verdict, int width, const Theme& theme);
/// The changes that are most about this run, each as a link, and a link to all; empty if no step has a price.
[[nodiscard]] QString whatIfHtml(const AnalysedRun& run, const Theme& theme);
/// The title of the strip of phases, including the step that its lengths refer to.
[[nodiscard]] QString phasesTitleHtml(bool of_device, bool overlap, const Theme& theme);
/// The title of the dots of late ranks, with a link to their chart; if no rank is late, it says so.
[[nodiscard]] QString latenessTitleHtml(const AnalysedRun& run, const Theme& theme);

}  // namespace rankscope::ui
