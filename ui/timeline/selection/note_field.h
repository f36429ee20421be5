// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace rankscope::ui {

/// The field for the note of a mark, hidden while no note is edited.
class NoteField : public QLineEdit {
    Q_OBJECT

  public:
    explicit NoteField(QWidget* parent);

    /// Shows `text` at `place` (logical pixels of the parent), selected, and takes the keyboard focus.
    void edit(const QString& text, const QRect& place);

  Q_SIGNALS:
    /// The user has finished, by Enter or by leaving the field, which is then hidden; without blanks at the ends. Not
    /// sent after Esc, which keeps the old note and returns the keyboard to the parent.
    void written(const QString& text);

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace rankscope::ui
