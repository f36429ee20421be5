// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/held_keys.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QMenuBar>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ui/timeline/navigation/gestures.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/places/panel_window.h"

namespace rankscope::ui {
namespace {

/// Whether a key is one of those that move the view while they are held.
bool movesTheView(const QKeyEvent& key) {
    const bool plain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const auto action = plain ? actionOfKey(key.key(), key.nativeScanCode(), key.modifiers()) : std::nullopt;
    return action && heldWith({}, *action, true).has_value();
}

/// Whether `from` uses such a key itself. `over`: the timeline under the mouse.
bool keepsIt(QWidget& from, const QKeyEvent& key, const TimelineWidget* over) {
    if (qobject_cast<TimelineWidget*>(&from) != nullptr) {
        return over == nullptr;
    }
    if (qobject_cast<QAbstractItemView*>(&from) != nullptr && over == nullptr) {
        return true;
    }
    return qobject_cast<QComboBox*>(&from) != nullptr || qobject_cast<QMenuBar*>(&from) != nullptr ||
           wantsKey(from, key);
}

}  // namespace

TimelineWidget* timelineUnderMouse(MainWindow& window) {
    const std::vector<TimelineWidget*> all = window.active().timelines();
    const auto at = std::ranges::find_if(
        all, [](const TimelineWidget* timeline) { return timeline->isVisible() && timeline->underMouse(); });
    return at == all.end() ? nullptr : *at;
}

HeldKeys::HeldKeys(MainWindow& window) : QObject(&window), window_(window) {
    qApp->installEventFilter(this);
}

void HeldKeys::handOn(const Held& to, QKeyEvent& key) {
    if (to.timeline != nullptr) {
        const bool was = std::exchange(handing_on_, true);
        QCoreApplication::sendEvent(to.timeline, &key);
        handing_on_ = was;
    }
}

bool HeldKeys::press(QWidget& from, QKeyEvent& key) {
    if (key.isAutoRepeat() || !movesTheView(key)) {
        return key.isAutoRepeat() && held_.contains(key.key());
    }
    TimelineWidget* const over = timelineUnderMouse(window_);
    TimelineWidget* const wanted = over != nullptr ? over : &window_.active().timeline();
    if (!wanted->isVisible() || wanted == &from || keepsIt(from, key, over)) {
        return false;
    }
    const Held held{wanted, key.nativeScanCode()};
    held_[key.key()] = held;
    handOn(held, key);
    return true;
}

bool HeldKeys::release(QKeyEvent& key) {
    const auto at = held_.find(key.key());
    if (at == held_.end()) {
        return false;
    }
    if (!key.isAutoRepeat()) {
        const Held held = at->second;
        held_.erase(at);
        handOn(held, key);
    }
    return true;
}

// A key that is released elsewhere must not keep moving a timeline.
void HeldKeys::letGo() {
    for (const auto& [key, held] : std::exchange(held_, {})) {
        QKeyEvent released(QEvent::KeyRelease, key, Qt::NoModifier, held.scan_code, 0, 0);
        handOn(held, released);
    }
}

// Handled before a table uses a letter to search for a name.
bool HeldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (handing_on_ || !watched->isWidgetType()) {
        return false;
    }
    auto& widget = *static_cast<QWidget*>(watched);
    switch (event->type()) {
        case QEvent::KeyPress: return widget.window() == &window_ && press(widget, *static_cast<QKeyEvent*>(event));
        case QEvent::KeyRelease: return widget.window() == &window_ && release(*static_cast<QKeyEvent*>(event));
        case QEvent::WindowDeactivate:
            if (watched == &window_) {
                letGo();
            }
            return false;
        default: return false;
    }
}

}  // namespace rankscope::ui
