// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"

class QScrollArea;
class QVBoxLayout;

namespace rankscope::ui {

class RunFindings;
class WrappedLabel;

/// One finding of one open run: OpenRuns[run]->diagnosis.findings[finding].
struct FindingSelection {
    std::uint32_t run = 0;
    std::uint32_t finding = 0;
    friend bool operator==(const FindingSelection&, const FindingSelection&) = default;
};

/// The findings of all open runs as cards, dearest first, and what cannot be told.
class DiagnosesPanel : public QWidget {
    Q_OBJECT

  public:
    explicit DiagnosesPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the findings of these runs; cards of runs that stay are kept.
    void setRuns(const OpenRuns& runs);
    /// Draws the cards in the colours of this theme from now on.
    void setTheme(const Theme& theme);

    /// The finding that is marked; nothing where none is.
    [[nodiscard]] std::optional<FindingSelection> selected() const { return selected_; }
    /// Marks a finding and scrolls to it, without findingSelected.
    void select(std::optional<FindingSelection> finding);
    /// Selects the next finding (+1) or the one before (-1), round the end, as if it were clicked.
    void step(int direction);

  Q_SIGNALS:
    /// The user has selected a finding.
    void findingSelected(rankscope::ui::FindingSelection finding);

  private:
    [[nodiscard]] RunFindings* sectionOf(const std::shared_ptr<const AnalysedRun>& run, bool named);
    void activate(const RunFindings& section, std::uint32_t finding);
    [[nodiscard]] std::vector<FindingSelection> findings() const;

    Theme theme_;
    OpenRuns runs_;
    std::optional<FindingSelection> selected_;
    std::vector<RunFindings*> sections_;  ///< one a run
    QScrollArea* scroll_;
    QVBoxLayout* list_;
    WrappedLabel* none_;
};

}  // namespace rankscope::ui
