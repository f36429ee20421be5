// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/left_keys.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QKeySequence>
#include <algorithm>

#include "ui/commands/command_registry.h"
#include "ui/compare/compare_view.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

/// Why a command of the comparison is not possible now.
QString whyNotCompared(MainWindow& window, const QString& command) {
    const bool compares = window.comparing().active();
    if (command == id("compare.open-runs")) {
        return compares ? tr("Two runs are being compared already.") : tr("Two runs must be open to be compared.");
    }
    if (!compares) {
        return tr("No runs are being compared.");
    }
    return command == id("compare.by-phase") && !window.compareView().linked()
               ? tr("The two timelines are not linked, so they are not aligned.")
               : QString();
}

/// Why a command is not possible now.
QString whyNotNow(MainWindow& window, const Command& command) {
    const auto is = [&command](const char* name) { return command.id == id(name); };
    QString why;
    if (command.id.startsWith(QStringLiteral("compare."))) {
        why = whyNotCompared(window, command.id);
    } else if (is("file.close") || is("file.close-all")) {
        why = tr("Nothing is open.");
    } else if (is("file.reopen")) {
        why = tr("No closed run to open again.");
    } else if (window.session().runs().empty()) {
        why = tr("No run is open.");
    } else if (window.comparing().active()) {
        why = tr("“%1” is off while two runs are compared.").arg(command.plainTitle());
    }
    return why.isEmpty() ? tr("“%1” is not possible now.").arg(command.plainTitle()) : why;
}

bool isEsc(const QKeyEvent& key) {
    return key.key() == Qt::Key_Escape && key.modifiers() == Qt::NoModifier;
}

}  // namespace

LeftKeys::LeftKeys(MainWindow& window) : QObject(&window), window_(window) {
    qApp->installEventFilter(this);
}

bool LeftKeys::giveBackKeyboard() {
    TimelineWidget& timeline = window_.active().timeline();
    if (!timeline.isVisible() || timeline.hasFocus()) {
        return false;
    }
    timeline.setFocus(Qt::OtherFocusReason);
    return true;
}

bool LeftKeys::sayWhyNot(const QKeyEvent& key) {
    const Qt::KeyboardModifiers with = key.modifiers() & ~Qt::KeypadModifier;
    const QKeySequence pressed(QKeyCombination(with, static_cast<Qt::Key>(key.key())));
    // "?" is typed with Shift on many keyboards.
    const QKeySequence typed(QKeyCombination(with & ~Qt::ShiftModifier, static_cast<Qt::Key>(key.key())));
    const bool letter = key.key() >= Qt::Key_A && key.key() <= Qt::Key_Z;
    const auto& all = window_.commands().commands();
    const auto refused = std::ranges::find_if(all, [&](const Command& command) {
        const QAction& action = *window_.commands().action(command.id);
        const QKeySequence keys = action.shortcut();
        return !action.isEnabled() && command.scope.empty() && !keys.isEmpty() &&
               (keys == pressed || (!letter && keys == typed));
    });
    if (refused == all.end()) {
        return false;
    }
    window_.loadingStrip().showPassing(whyNotNow(window_, *refused));
    return true;
}

bool LeftKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || !watched->isWidgetType()) {
        return false;
    }
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const auto* widget = static_cast<const QWidget*>(watched);
    if (widget->window() != &window_ || key.isAutoRepeat()) {
        return false;
    }
    if (isEsc(key)) {
        window_.loadingStrip().endPassing();
        // A combo box uses Esc itself.
        const bool left = widget == &window_ || qobject_cast<const QComboBox*>(widget) != nullptr;
        return left && giveBackKeyboard();
    }
    return widget == &window_ && sayWhyNot(key);
}

}  // namespace rankscope::ui
