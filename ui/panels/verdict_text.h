// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "ui/panels/stacked_bar.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

// The verdict of a run, its phases and who comes late, in the words of the reports, as HTML with links: "chart:N" leads
// to a StepChart, "phase:N" to a Phase, "late:N" to a rank by its position, "fold:phases", "fold:late" and
// "fold:reason" unfold a part or fold it again.

/// "Input-bound", with what that stands on.
[[nodiscard]] QString verdictHeadHtml(const AnalysedRun& run, const Theme& theme);
/// The shares from compute on, the greatest wait first, for a bar; empty where nothing could be told.
[[nodiscard]] std::vector<BarPart> verdictParts(const Verdict& verdict, const Theme& theme);
/// What the parts of the bar are, each with its share, and a link to the reason. The words of a part stay together
/// where they fit into `width`, logical pixels.
[[nodiscard]] QString verdictLegendHtml(const Verdict& verdict, int width, const Theme& theme);
/// Of what the shares are, and the rule that decided by them; why nothing could be told, where that is so.
[[nodiscard]] QString verdictReasonText(const AnalysedRun& run);
/// The phases of a step in a line or, unfolded, as a table; empty where none is told.
[[nodiscard]] QString phasesHtml(const AnalysedRun& run, bool unfolded, const Theme& theme);
/// Who comes late, in a line or, unfolded, as tables of the latest, of which none is wider than `width`, logical
/// pixels; empty where that is not known.
[[nodiscard]] QString latenessHtml(const AnalysedRun& run, bool unfolded, int width, const Theme& theme);

/// The complete, steady-state step that is nearest to the one that stands for the run; nullptr where there is none.
[[nodiscard]] const RunStep* typicalStep(const RunFacts& facts);
/// Where a phase is in the typical step, on its critical rank, on the clock of that rank's file: its device work; of a
/// phase without any, as the loading of data is, its ranges on the host.
struct PhasePlace {
    RankPosition rank;
    TimeSpan span;
};
/// Nothing where that rank does not tell the phase in that step.
[[nodiscard]] std::optional<PhasePlace> placeOfPhase(const AnalysedRun& run, Phase phase);
/// The slice that marks the step in which a rank was latest; invalid where none does.
[[nodiscard]] SliceRef markOfLatestStep(const RunFacts& facts, RankPosition rank);

}  // namespace rankscope::ui
