// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QKeyEvent;

namespace rankscope::ui {

class MainWindow;

/// What a window does with keys that nothing in it has taken: Esc gives the keyboard back to the timeline, and those of
/// a command that cannot be done now say why.
class LeftKeys : public QObject {
    Q_OBJECT

  public:
    explicit LeftKeys(MainWindow& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// False where the timeline has the keyboard already, or is not in sight.
    bool giveBackKeyboard();
    /// Says why the command that has these keys cannot be done now; false where no such command has them.
    bool sayWhyNot(const QKeyEvent& key);

    MainWindow& window_;
};

}  // namespace rankscope::ui
