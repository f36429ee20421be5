// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "ui/panels/shared/analysis_choice.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/deferred_panel.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace rankscope::ui {

/// How the ranks' clocks were aligned, a row per rank. The user can enter an offset, or keep the files' own times.
class ClocksPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit ClocksPanel(const Theme& theme, QWidget* parent = nullptr);

    /// `choices` as `runs`: the current choice for each.
    void setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices);
    /// Draws the panel in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Shows the progress of an analysis on the chosen clock; empty words: none is running.
    void showProgress(const QString& words);

  Q_SIGNALS:
    /// The user wants another clock for a run.
    void chosen(std::uint32_t run, const rankscope::ui::ClockChoice& choice);
    /// The user does not want to wait for the new clock.
    void cancelRequested();

  private:
    void layOut();
    void refresh() override;
    void fillOn() override;
    void addRow(int row);
    void take(const QTableWidgetItem* item);
    void choose(const ClockChoice& choice);
    void say(const QString& words, bool wrong = false);
    [[nodiscard]] std::uint32_t current() const;

    Theme theme_;
    OpenRuns runs_;
    std::vector<AnalysisChoice> choices_;
    QComboBox* run_;
    QPushButton* fitted_;
    QPushButton* file_times_;
    QPushButton* reset_;
    QPushButton* cancel_;
    QLabel* message_;
    QTableWidget* table_;
    int filled_ = 0;  // rows of the table
    QLabel* notes_;
};

}  // namespace rankscope::ui
