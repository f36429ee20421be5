// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace rankscope::ui {

/// The line above two timelines: what changed in a few words, which steps stand against each other, and how the
/// timelines stand and move.
class CompareStrip : public QWidget {
    Q_OBJECT

  public:
    explicit CompareStrip(QWidget* parent = nullptr);

    void setVerdict(const QString& words);
    /// `why` is shown while the pointer rests on it.
    void setSteps(const QString& words, const QString& why = {});
    [[nodiscard]] QString stepsText() const;
    void setLinked(bool linked);
    void setByPhase(bool by_phase);
    void setStacked(bool stacked);

  Q_SIGNALS:
    void linkToggled();
    void phaseToggled();
    void stackToggled();
    /// A shall be B.
    void swapAsked();
    /// The user is done with comparing.
    void leaveAsked();

  private:
    QLabel* verdict_;
    QLabel* steps_;
    QPushButton* link_;
    QPushButton* phase_;
    QPushButton* stack_;
};

}  // namespace rankscope::ui
