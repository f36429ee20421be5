// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QTabWidget>

class QPushButton;

namespace rankscope::ui {

class PanelTabBar;

/// Tabs of panels and of places that can be dragged out of their row, and have a menu. None is cut, and none scrolls:
/// those that do not fit are in a list after the others, the last ones first. The row always keeps the tab in front,
/// the last one chosen from the list, and those whose title shows more than their name.
class PanelTabs : public QTabWidget {
    Q_OBJECT

  public:
    explicit PanelTabs(QWidget* parent = nullptr);

    /// Puts all of its focusable widgets directly after `before` in the Tab order, its tabs first, then the lists of
    /// pages; returns the last of them.
    QWidget* followInTabOrder(QWidget* before);
    /// The button of the list; shown if some tab does not fit.
    [[nodiscard]] QPushButton& more() const;

  Q_SIGNALS:
    /// A tab was clicked, and not dragged; it may have been in front already.
    void tabChosen(bool was_in_front);
    /// The tab of `panel` is being dragged outside its row; the pointer is at `at` on the screens.
    void dragged(QWidget* panel, const QPoint& at);
    /// It was dropped there.
    void dropped(QWidget* panel, const QPoint& at);
    /// The drag was cancelled.
    void dragCancelled();
    /// The user opens the menu of `panel`, by the mouse or the keyboard.
    void menuAsked(QWidget* panel, const QPoint& at);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    PanelTabBar* bar_;
};

}  // namespace rankscope::ui
