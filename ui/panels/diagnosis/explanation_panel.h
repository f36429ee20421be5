// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <variant>

#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/explanation_text.h"
#include "ui/panels/shared/collective_indices.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

class QLabel;

namespace rankscope::ui {

class RichText;
class StackedBar;

/// Explains the selected finding, gap or stretch of communication, with every slice that proves it as a link.
class ExplanationPanel : public QWidget {
    Q_OBJECT

  public:
    /// `indices` may be shared with the timelines that show the same runs; nullptr: it has its own.
    explicit ExplanationPanel(const Theme& theme, std::shared_ptr<IndexStore> indices = nullptr,
                              QWidget* parent = nullptr);

    /// Shows these runs from now on; rewrites the explanation.
    void setRuns(const OpenRuns& runs);
    /// Writes the explanation in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Explains a finding: why it is one, what to do, and its evidence.
    void showFinding(const FindingSelection& finding);
    /// Explains a gap of a device: its parts, and what ended it.
    void showGap(const GapSelection& gap);
    /// Explains a stretch of communication: what hides it, and for whom the rank waited.
    void showBand(const BandSelection& band);
    /// Shows that nothing is selected.
    void clear();

    /// The whole text, as plain text.
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    /// A piece of evidence of a finding was activated.
    void evidenceActivated(std::uint32_t run, const rankscope::Evidence& evidence);
    /// A slice was activated: one of a gap's.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    /// Keeps the selection on its run, if that is still open.
    void followRun(const OpenRuns& runs);
    void refresh();
    void activate(const QString& link);
    /// Writes the same text again, with what `link` folds unfolded or folded. The visible text stays in place, except
    /// for what has to move so that the part is in view, to the next fold or the end of the text. The keyboard stays on
    /// the link.
    void rewrite(const QString& link);
    void render(const QString& heading, const QString& html);

    Theme theme_;
    OpenRuns runs_;
    CollectiveIndices collectives_;
    std::variant<std::monostate, FindingSelection, GapSelection, BandSelection> shown_;
    UnfoldedParts unfolded_;  // as the user left them at the previous finding
    QLabel* heading_;
    StackedBar* bar_;
    RichText* body_;
};

}  // namespace rankscope::ui
