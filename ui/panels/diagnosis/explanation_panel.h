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

/// Explains the finding, the gap or the stretch of communication that is selected, with every slice that proves it as a
/// link.
class ExplanationPanel : public QWidget {
    Q_OBJECT

  public:
    /// `indices` may be shared with the timelines that show the same runs; nullptr: it has its own.
    explicit ExplanationPanel(const Theme& theme, std::shared_ptr<IndexStore> indices = nullptr,
                              QWidget* parent = nullptr);

    /// Looks at these runs from now on; what is explained is written again.
    void setRuns(const OpenRuns& runs);
    /// Writes the explanation in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Explains a finding: why it is one, what to do, and its evidence.
    void showFinding(const FindingSelection& finding);
    /// Explains a gap of a device: what it is made of and what ended it.
    void showGap(const GapSelection& gap);
    /// Explains a stretch of communication: what it hides behind, and for whom the rank waited.
    void showBand(const BandSelection& band);
    /// Shows that nothing is selected.
    void clear();

    /// All that is said, as plain text.
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    /// A piece of evidence of a finding was activated.
    void evidenceActivated(std::uint32_t run, const rankscope::Evidence& evidence);
    /// A slice was activated: one of a gap's.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    /// Keeps what is shown to the run that it is of, among those that are open now.
    void followRun(const OpenRuns& runs);
    void refresh();
    void activate(const QString& link);
    /// Writes the same again, with what `link` folds unfolded or folded. What is read stays where it is, but for what
    /// has to move so that the part is in view, to the next thing that folds or the end of the text. A keyboard that is
    /// on the link stays on it.
    void rewrite(const QString& link);
    void render(const QString& heading, const QString& html);

    Theme theme_;
    OpenRuns runs_;
    CollectiveIndices collectives_;
    std::variant<std::monostate, FindingSelection, GapSelection, BandSelection> shown_;
    UnfoldedParts unfolded_;  // as the user left them at the last finding
    QLabel* heading_;
    StackedBar* bar_;
    RichText* body_;
};

}  // namespace rankscope::ui
