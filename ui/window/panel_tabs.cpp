// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_tabs.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <utility>
#include <vector>

namespace rankscope::ui {
namespace {

class PanelTabBar : public QTabBar {
  public:
    explicit PanelTabBar(PanelTabs* tabs) : QTabBar(tabs), tabs_(tabs) {
        // Arrows lead through the tabs, those out of sight too: what scrolls to them is for the mouse.
        for (QToolButton* scroll : findChildren<QToolButton*>()) {
            scroll->setFocusPolicy(Qt::NoFocus);
        }
    }

  protected:
    void mousePressEvent(QMouseEvent* event) override {
        const int tab = event->button() == Qt::LeftButton ? tabAt(event->position().toPoint()) : -1;
        pressed_ = tab < 0 ? nullptr : tabs_->widget(tab);
        was_in_front_ = tab == currentIndex();
        QTabBar::mousePressEvent(event);
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        const int reach = QApplication::startDragDistance();
        const QRect row = rect().adjusted(-reach, -reach, reach, reach);
        if (pressed_ != nullptr && !dragging_ && !row.contains(event->position().toPoint())) {
            dragging_ = true;
            grabKeyboard();  // Esc gives it up, wherever the keyboard is
            setCursor(Qt::ClosedHandCursor);
        }
        if (dragging_) {
            Q_EMIT tabs_->dragged(pressed_, event->globalPosition().toPoint());
        } else {
            QTabBar::mouseMoveEvent(event);
        }
    }

    void mouseReleaseEvent(QMouseEvent* event) override {
        QTabBar::mouseReleaseEvent(event);
        QWidget* panel = std::exchange(pressed_, nullptr);
        if (panel == nullptr || event->button() != Qt::LeftButton) {
            return;
        }
        if (dragging_) {
            end();
            Q_EMIT tabs_->dropped(panel, event->globalPosition().toPoint());
        } else {
            Q_EMIT tabs_->tabChosen(was_in_front_);
        }
    }

    void keyPressEvent(QKeyEvent* event) override {
        if (!dragging_) {
            QTabBar::keyPressEvent(event);
        } else if (event->key() == Qt::Key_Escape) {
            end();
            pressed_ = nullptr;
            Q_EMIT tabs_->dragCancelled();
        }
    }

    void contextMenuEvent(QContextMenuEvent* event) override {
        const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
        const int tab = by_key ? currentIndex() : tabAt(event->pos());
        if (tab >= 0) {
            Q_EMIT tabs_->menuAsked(tabs_->widget(tab),
                                    by_key ? mapToGlobal(tabRect(tab).bottomLeft()) : event->globalPos());
        }
    }

  private:
    void end() {
        dragging_ = false;
        releaseKeyboard();
        unsetCursor();
    }

    PanelTabs* tabs_;
    QWidget* pressed_ = nullptr;  // the panel of the tab that the mouse is held on
    bool was_in_front_ = false;
    bool dragging_ = false;
};

}  // namespace

PanelTabs::PanelTabs(QWidget* parent) : QTabWidget(parent) {
    setTabBar(new PanelTabBar(this));
    setDocumentMode(true);
    // Its tabs take the keyboard themselves: a stop that stands for another would have to be kept beside it.
    setFocusProxy(nullptr);
    setFocusPolicy(Qt::NoFocus);
}

QWidget* PanelTabs::followInTabOrder(QWidget* before) {
    std::vector<QWidget*> stops;
    for (QWidget* each = nextInFocusChain(); each != this; each = each->nextInFocusChain()) {
        if (isAncestorOf(each) && each->focusPolicy() != Qt::NoFocus && each->focusProxy() == nullptr) {
            stops.push_back(each);
        }
    }
    std::ranges::stable_partition(stops, [this](const QWidget* stop) { return stop == tabBar(); });
    for (QWidget* stop : stops) {
        setTabOrder(std::exchange(before, stop), stop);
    }
    return before;
}

}  // namespace rankscope::ui
