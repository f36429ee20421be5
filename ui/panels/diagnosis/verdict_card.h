// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/panels/shared/step_chart.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

class LateDots;
class LinkedLabel;
class PhaseStrip;
class StackedBar;

/// A run in brief: its headline, with the reason folded, a bar of the step's shares, changes to try, a strip of its
/// phases, and its late ranks as dots. All numbers link to where they can be seen.
class VerdictCard : public QWidget {
    Q_OBJECT

  public:
    /// The facts of `run` must be known.
    VerdictCard(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent = nullptr);

    /// Shows it in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Its text, one line per part.
    [[nodiscard]] QString words() const;
    /// The parts that the keyboard visits, from top to bottom.
    [[nodiscard]] std::vector<QWidget*> stops() const;

  Q_SIGNALS:
    /// The user wants to see a chart of the run.
    void chartAsked(rankscope::ui::StepChart chart);
    /// The user wants to know what a change, as core/whatif reads it, would do to the run; an empty one: any change.
    void whatIfAsked(const std::string& change);
    /// The user wants to see this slice.
    void sliceAsked(rankscope::RankPosition rank, rankscope::SliceRef slice);
    /// The user wants to see this span of a rank, on the clock of its file.
    void spanAsked(rankscope::RankPosition rank, const rankscope::TimeSpan& span);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void refresh();
    void follow(const QString& link);

    std::shared_ptr<const AnalysedRun> run_;
    Theme theme_;
    LinkedLabel* head_;
    LinkedLabel* reason_;
    StackedBar* bar_;
    LinkedLabel* legend_;
    LinkedLabel* what_if_;
    LinkedLabel* phases_title_;
    PhaseStrip* phases_;
    LinkedLabel* late_title_;
    LateDots* late_;
    bool reason_unfolded_ = false;
};

}  // namespace rankscope::ui
