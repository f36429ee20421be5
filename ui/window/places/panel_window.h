// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>
#include <QWidget>
#include <set>

namespace rankscope::ui {

class PanelTabs;

/// Whether `widget` takes this key before any shortcut does, like letters in a text field.
[[nodiscard]] bool wantsKey(QObject& widget, const QKeyEvent& key);

/// A panel's own window. It belongs to the panel's original window, with the same colours; keys that only move the
/// timeline also move it from here.
class PanelWindow : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PanelWindow)

  public:
    /// `timeline` gets its own keys, unless text is typed in this window.
    PanelWindow(QWidget& owner, QWidget& timeline);
    ~PanelWindow() override;

    /// The one tab, by which the panel can be dragged back.
    [[nodiscard]] PanelTabs& tabs() { return *tabs_; }

  Q_SIGNALS:
    /// The user has closed the window.
    void closed();

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    /// Passes a key on; true if it was one of the timeline's.
    bool handOn(QObject* from, QKeyEvent& event);
    void letGo();

    QWidget& timeline_;
    PanelTabs* tabs_;
    std::set<int> held_;  // keys whose release the timeline waits for
};

}  // namespace rankscope::ui
