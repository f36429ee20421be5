// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_registry.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

bool takesText(const QObject* widget) {
    if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
        return !line->isReadOnly();
    }
    if (const auto* text = qobject_cast<const QTextEdit*>(widget)) {
        return !text->isReadOnly();
    }
    if (const auto* plain = qobject_cast<const QPlainTextEdit*>(widget)) {
        return !plain->isReadOnly();
    }
    return qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

bool isPlainKey(const QKeyEvent& event) {
    return (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier &&
           event.key() >= Qt::Key_Space && event.key() <= Qt::Key_AsciiTilde;
}

/// Whether Ctrl+A selects the rows of this table.
bool selectsRows(const QObject* widget) {
    const auto* view = qobject_cast<const QAbstractItemView*>(widget);
    return view != nullptr && view->selectionMode() != QAbstractItemView::NoSelection &&
           view->selectionMode() != QAbstractItemView::SingleSelection;
}

}  // namespace

QString Command::plainTitle() const {
    QString plain = title;
    return plain.remove(QLatin1Char('&')).remove(QStringLiteral("..."));
}

CommandRegistry::CommandRegistry(QWidget* window) : QObject(window), window_(window) {
    qApp->installEventFilter(this);
}

QAction* CommandRegistry::add(Command command) {
    auto* action = new QAction(command.title, this);
    action->setObjectName(command.id);
    action->setShortcut(command.keys);
    action->setShortcutContext(command.scope.empty() ? Qt::WindowShortcut : Qt::WidgetShortcut);
    action->setCheckable(command.checkable);
    connect(action, &QAction::triggered, this, &CommandRegistry::begun);  // before it runs
    if (command.run) {
        connect(action, &QAction::triggered, this, [run = command.run] { run(); });
    }
    for (QWidget* widget : command.scope.empty() ? std::vector{window_} : command.scope) {
        widget->addAction(action);
    }
    commands_.push_back(std::move(command));
    actions_.push_back(action);
    return action;
}

void CommandRegistry::addHint(KeyHint hint) {
    hints_.push_back(std::move(hint));
}

void CommandRegistry::actIn(QWidget* window) const {
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (commands_[i].scope.empty()) {
            window->addAction(actions_[i]);
        }
    }
}

QAction* CommandRegistry::action(const QString& id) const {
    const auto at = std::ranges::find(commands_, id, &Command::id);
    return at == commands_.end() ? nullptr : actions_[static_cast<std::size_t>(at - commands_.begin())];
}

void CommandRegistry::fill(QMenu* menu, const std::vector<QString>& ids) const {
    for (const QString& id : ids) {
        if (id.isEmpty()) {
            menu->addSeparator();
        } else if (QAction* found = action(id)) {
            menu->addAction(found);
        }
    }
}

QKeySequence CommandRegistry::keysOf(const QString& id) const {
    const QAction* found = action(id);
    return found == nullptr ? QKeySequence() : found->shortcut();
}

void CommandRegistry::setKeys(const QString& id, const QKeySequence& keys) {
    QAction* found = action(id);
    if (found != nullptr && found->shortcut() != keys) {
        found->setShortcut(keys);
        Q_EMIT keysChanged(id);
    }
}

QString CommandRegistry::commandWith(const QKeySequence& keys, const QString& except) const {
    for (std::size_t i = 0; i < commands_.size() && !keys.isEmpty(); ++i) {
        const bool clash = actions_[i]->shortcut().matches(keys) != QKeySequence::NoMatch ||
                           keys.matches(actions_[i]->shortcut()) != QKeySequence::NoMatch;
        if (commands_[i].id != except && !actions_[i]->shortcut().isEmpty() && clash) {
            return commands_[i].id;
        }
    }
    return {};
}

QString CommandRegistry::holder(const QKeySequence& keys, const QString& except) const {
    const QString id = commandWith(keys, except);
    if (!id.isEmpty()) {
        return std::ranges::find(commands_, id, &Command::id)->plainTitle();
    }
    const auto hint = std::ranges::find_if(
        hints_, [&](const KeyHint& h) { return !keys.isEmpty() && std::ranges::find(h.taken, keys) != h.taken.end(); });
    return hint == hints_.end() ? QString() : hint->what;
}

std::vector<KeyHint> CommandRegistry::keys() const {
    std::vector<KeyHint> all = hints_;
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (const QKeySequence keys = actions_[i]->shortcut(); !keys.isEmpty()) {
            all.push_back(
                {commands_[i].group, keys.toString(QKeySequence::NativeText), commands_[i].plainTitle(), {keys}});
        }
    }
    return all;
}

bool CommandRegistry::eventFilter(QObject* watched, QEvent* event) {
    // Accepting the override tells Qt that the widget uses the key itself; the shortcut is then not triggered.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if ((takesText(watched) && isPlainKey(*key)) ||
            (key->matches(QKeySequence::SelectAll) && selectsRows(watched))) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace rankscope::ui
