// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection.h"

namespace rankscope::ui {

/// All ranks of all open runs on one time axis. Glue only: what is drawn is built by the frame builder, painted by the
/// painter and hit by the hit test; the viewport does the arithmetic.
class TimelineWidget : public QWidget {
    Q_OBJECT

  public:
    explicit TimelineWidget(Theme theme, QWidget* parent = nullptr);
    ~TimelineWidget() override;

    /// Shows `runs`. While a run is still loading its facts are empty or cover fewer ranks than the run has; it is set
    /// again when more is known, and view, folds and selection stay where they still make sense.
    void setRuns(std::vector<std::shared_ptr<const AnalysedRun>> runs);
    void setTheme(Theme theme);

    [[nodiscard]] const Selection& selection() const;
    /// Selects without moving the view and without echoing selectionChanged to the asker.
    void select(const Selection& selection);
    /// Selects, unfolds, scrolls and pans so that it is in sight at a readable size.
    void reveal(const Selection& selection);
    /// `F`: the selection fills 80 % of the width; without one, the whole run.
    void fitSelection();
    void fitAll();

  Q_SIGNALS:
    /// The user selected something here.
    void selectionChanged(const rankscope::ui::Selection& selection);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rankscope::ui
