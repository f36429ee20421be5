// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace rankscope::ui {

/// The field in which the note of a mark is written, hidden while none is.
class NoteField : public QLineEdit {
    Q_OBJECT

  public:
    explicit NoteField(QWidget* parent);

    /// Shows `text` at `place` (logical pixels of the parent), selected, and takes the keyboard.
    void edit(const QString& text, const QRect& place);

  Q_SIGNALS:
    /// The user has finished, by Enter or by leaving the field, which is hidden then. Without blanks at the ends. Not
    /// after Esc, which leaves the note as it was and gives the keyboard back to the parent.
    void written(const QString& text);

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace rankscope::ui
