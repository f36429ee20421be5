// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace rankscope::ui {

/// The field that is searched from: the text, the current hit, and how to go on.
class SearchBar : public QWidget {
    Q_OBJECT

  public:
    explicit SearchBar(QWidget* parent = nullptr);

    /// Shows it with the keyboard in its field.
    void open();
    /// Puts `text` into the field as if it had been typed.
    void setText(const QString& text);
    /// What is in the field.
    [[nodiscard]] QString text() const;
    /// "3 of 1,204", "no hits" or "searching..."; nothing goes on where `hits` is false.
    void setState(const QString& words, bool hits);

  Q_SIGNALS:
    /// Another text is in the field.
    void textChanged(const QString& text);
    /// The user wants to see the next hit.
    void next();
    /// The user wants to see the hit before.
    void previous();
    /// The user wants to see all hits as a table.
    void listAsked();
    /// The user typed ">" into the empty field: no name is looked for, but a command.
    void commandsAsked();
    /// The user has done with searching.
    void closed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QLineEdit* field_;
    QLabel* state_;
    QPushButton* list_;
    QPushButton* previous_;
    QPushButton* next_;
};

}  // namespace rankscope::ui
