// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/note_field.h"

#include <QKeyEvent>

namespace rankscope::ui {
namespace {

constexpr int kLongestNote = 200;

}  // namespace

NoteField::NoteField(QWidget* parent) : QLineEdit(parent) {
    hide();
    setProperty("role", QStringLiteral("note"));
    setAccessibleName(tr("Note of the mark"));
    setPlaceholderText(tr("Note, then Enter"));
    setMaxLength(kLongestNote);
    connect(this, &QLineEdit::editingFinished, this, [this] {
        if (isVisible()) {  // hiding it takes its focus, and comes back here
            const QString note = text().trimmed();
            hide();
            Q_EMIT written(note);
        }
    });
}

void NoteField::edit(const QString& text, const QRect& place) {
    setGeometry(place);
    setText(text);
    selectAll();
    show();
    setFocus();
}

bool NoteField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();  // even if the user has assigned it to a command
        return true;
    }
    return QLineEdit::event(event);
}

void NoteField::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) {
        QLineEdit::keyPressEvent(event);
        return;
    }
    // The key would otherwise reach the timeline, which clears its selection.
    event->accept();
    hide();
    parentWidget()->setFocus();
}

}  // namespace rankscope::ui
