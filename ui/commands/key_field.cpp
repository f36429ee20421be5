// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/key_field.h"

#include <QKeyEvent>
#include <algorithm>
#include <array>

namespace rankscope::ui {
namespace {

bool isModifier(int key) {
    constexpr std::array kModifiers = {Qt::Key_Shift, Qt::Key_Control, Qt::Key_Alt,
                                       Qt::Key_AltGr, Qt::Key_Meta,    Qt::Key_unknown};
    return std::ranges::find(kModifiers, key) != kModifiers.end();
}

/// The keys of one press. A character that is typed with Shift, like "?", is named by itself.
QKeySequence pressed(const QKeyEvent& event) {
    Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const QString text = event.text();
    if (!text.isEmpty() && text.front().isPrint() && !text.front().isLetterOrNumber() && !text.front().isSpace()) {
        modifiers &= ~Qt::ShiftModifier;
    }
    return {QKeyCombination(modifiers, static_cast<Qt::Key>(event.key()))};
}

}  // namespace

KeyField::KeyField(QWidget* parent) : QLineEdit(parent) {
    setReadOnly(true);
    setPlaceholderText(tr("none"));
}

void KeyField::setKeys(const QKeySequence& keys) {
    keys_ = keys;
    setText(keys.toString(QKeySequence::NativeText));
    Q_EMIT keysChanged();
}

bool KeyField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();  // any key is meant for this field
        return true;
    }
    return QLineEdit::event(event);
}

void KeyField::keyPressEvent(QKeyEvent* event) {
    const bool erase = event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Delete;
    if (erase && event->modifiers() == Qt::NoModifier) {
        setKeys({});
    } else if (!isModifier(event->key())) {
        setKeys(pressed(*event));
    }
    event->accept();
}

}  // namespace rankscope::ui
