// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace rankscope::ui {

/// The line above two timelines: which steps stand against each other, and how the timelines stand and move.
class CompareStrip : public QWidget {
    Q_OBJECT

  public:
    explicit CompareStrip(QWidget* parent = nullptr);

    /// `why` is the tooltip.
    void setSteps(const QString& words, const QString& why = {});
    /// What is said of the steps, as plain text.
    [[nodiscard]] QString stepsText() const;
    /// Shows whether the two timelines move together.
    void setLinked(bool linked);
    /// Shows whether steps are linked phase by phase.
    void setByPhase(bool by_phase);
    /// Shows whether the timelines stand above and below each other.
    void setStacked(bool stacked);

  Q_SIGNALS:
    /// The user wants the timelines linked, or no longer.
    void linkToggled();
    /// The user wants them linked phase by phase, or no longer.
    void phaseToggled();
    /// The user wants them above and below each other, or side by side.
    void stackToggled();
    /// A shall be B.
    void swapAsked();
    /// The user is done with comparing.
    void leaveAsked();

  private:
    QLabel* steps_;
    QPushButton* link_;
    QPushButton* phase_;
    QPushButton* stack_;
};

}  // namespace rankscope::ui
