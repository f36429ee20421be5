// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QKeyEvent;

namespace rankscope::ui {

class MainWindow;

/// Handles keys that nothing else in a window has used: Esc returns the keyboard to the timeline, and the keys of a
/// disabled command show why it is disabled.
class LeftKeys : public QObject {
    Q_OBJECT

  public:
    explicit LeftKeys(MainWindow& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// False if the timeline has the keyboard already, or is not visible.
    bool giveBackKeyboard();
    /// Says why the command with these keys is disabled; false if there is none.
    bool sayWhyNot(const QKeyEvent& key);

    MainWindow& window_;
};

}  // namespace rankscope::ui
