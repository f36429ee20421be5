// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace rankscope::ui {

/// Whether a text is a question in SQL, and no name to search for: "select" with more behind it, or "with ... as".
[[nodiscard]] bool isSqlQuestion(const QString& text);

/// The search field: the text, the current hit, and buttons to go on.
class SearchBar : public QWidget {
    Q_OBJECT

  public:
    explicit SearchBar(QWidget* parent = nullptr);

    /// Shows it with the keyboard focus in its field.
    void open();
    /// Puts `text` into the field as if it had been typed.
    void setText(const QString& text);
    /// The text in the field.
    [[nodiscard]] QString text() const;
    /// Sets the state: "3 of 1,204", "no hits" or "searching..."; next and previous are disabled if `hits` is false.
    void setState(const QString& words, bool hits);

  Q_SIGNALS:
    /// The text in the field has changed.
    void textChanged(const QString& text);
    /// The user wants to see the next hit.
    void next();
    /// The user wants to see the previous hit.
    void previous();
    /// The user wants to see all hits as a table.
    void listAsked();
    /// The user typed ">" into the empty field, to find a command instead of a name.
    void commandsAsked();
    /// The user pressed Enter on a question in SQL.
    void questionAsked(const QString& sql);
    /// The user has finished searching.
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
