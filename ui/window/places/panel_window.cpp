// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/panel_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QVBoxLayout>
#include <utility>

#include "ui/window/places/panel_tabs.h"

namespace rankscope::ui {

bool wantsKey(QObject& widget, const QKeyEvent& key) {
    QKeyEvent asked(QEvent::ShortcutOverride, key.key(), key.modifiers(), key.nativeScanCode(), key.nativeVirtualKey(),
                    key.nativeModifiers(), key.text(), key.isAutoRepeat());
    asked.ignore();
    QCoreApplication::sendEvent(&widget, &asked);
    return asked.isAccepted();
}

PanelWindow::PanelWindow(QWidget& owner, QWidget& timeline)
    : QWidget(&owner, Qt::Window), timeline_(timeline), tabs_(new PanelTabs) {
    setAttribute(Qt::WA_WindowPropagation);  // the colours of the window that it belongs to
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_QuitOnClose, false);
    setAttribute(Qt::WA_StyledBackground);
    setProperty("role", QStringLiteral("surface"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(tabs_);
    qApp->installEventFilter(this);
}

PanelWindow::~PanelWindow() = default;

bool PanelWindow::handOn(QObject* from, QKeyEvent& event) {
    if (!event.text().trimmed().isEmpty() && !wantsKey(*from, event) && wantsKey(timeline_, event)) {
        held_.insert(event.key());
        QCoreApplication::sendEvent(&timeline_, &event);
        return true;
    }
    return false;
}

// Handled before a table uses a letter to search for a name.
bool PanelWindow::eventFilter(QObject* watched, QEvent* event) {
    const bool press = event->type() == QEvent::KeyPress;
    if ((press || event->type() == QEvent::KeyRelease) && watched->isWidgetType() &&
        static_cast<QWidget*>(watched)->window() == this) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (press ? handOn(watched, *key) : held_.contains(key->key())) {
            if (!press) {
                keyReleaseEvent(key);
            }
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void PanelWindow::keyPressEvent(QKeyEvent* event) {
    QCoreApplication::sendEvent(&timeline_, event);  // Esc, if no panel has used it
}

void PanelWindow::keyReleaseEvent(QKeyEvent* event) {
    if (!event->isAutoRepeat()) {
        held_.erase(event->key());
    }
    QCoreApplication::sendEvent(&timeline_, event);
}

// A key that is released elsewhere must not keep moving the timeline.
void PanelWindow::letGo() {
    for (const int key : std::exchange(held_, {})) {
        QKeyEvent released(QEvent::KeyRelease, key, Qt::NoModifier);
        QCoreApplication::sendEvent(&timeline_, &released);
    }
}

bool PanelWindow::event(QEvent* event) {
    if (event->type() == QEvent::WindowDeactivate || event->type() == QEvent::Hide) {
        letGo();
    }
    return QWidget::event(event);
}

void PanelWindow::closeEvent(QCloseEvent* event) {
    event->ignore();  // the receiver moves the panel back, and closes the window
    Q_EMIT closed();
}

}  // namespace rankscope::ui
