// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QTabWidget>

class QPushButton;

namespace rankscope::ui {

class PanelTabBar;

/// Tabs of panels and of places that can be dragged out of their row, and have a menu. None is cut, and none scrolls:
/// those that have no room are in a list behind the others, the last ones first. In the row stay the one in front,
/// the one that was chosen from the list last, and those whose title shows more than their name.
class PanelTabs : public QTabWidget {
    Q_OBJECT

  public:
    explicit PanelTabs(QWidget* parent = nullptr);

    /// Puts all in it that takes the keyboard right behind `before`, its tabs first, then the lists of pages; returns
    /// the last of that.
    QWidget* followInTabOrder(QWidget* before);
    /// The button of the list; shown where some tab has no room.
    [[nodiscard]] QPushButton& more() const;

  Q_SIGNALS:
    /// A tab was clicked, and not dragged; it may have been in front already.
    void tabChosen(bool was_in_front);
    /// The tab of `panel` is being dragged outside its row; the pointer is at `at` on the screens.
    void dragged(QWidget* panel, const QPoint& at);
    /// It was let go there.
    void dropped(QWidget* panel, const QPoint& at);
    /// The drag was given up.
    void dragCancelled();
    /// The menu of `panel` is asked for, by the mouse or the keyboard.
    void menuAsked(QWidget* panel, const QPoint& at);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    PanelTabBar* bar_;
};

}  // namespace rankscope::ui
