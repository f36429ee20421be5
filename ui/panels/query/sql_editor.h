// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <cstdint>
#include <memory>
#include <utility>

#include "ui/panels/query/sql_lexicon.h"
#include "ui/theme/theme.h"

class QCompleter;

namespace rankscope::ui {

class SqlHighlighter;
class SqlWordsModel;

/// The field for a question in SQL, with colours, and a list that completes words: while one is typed, behind a dot,
/// and on Ctrl+Space. Enter or Tab takes a word from the list. Otherwise Tab leads on, as everywhere.
class SqlEditor : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit SqlEditor(const Theme& theme, QWidget* parent = nullptr);

    /// Uses the colours and fonts of this theme from now on.
    void setTheme(const Theme& theme);
    /// Knows these words from now on.
    void setLexicon(const std::shared_ptr<const SqlLexicon>& lexicon);
    /// Replaces the question, so that undo brings the previous one back.
    void setQuestion(const QString& sql);
    /// Whether a question is being answered: then Esc cancels it, and otherwise it leads out of the field.
    void setRunning(bool running) { running_ = running; }
    /// Marks the name at a byte of the question as UTF-8, and puts the cursor there.
    void markError(std::uint64_t byte);
    /// Line and column of a byte, both from 1, in letters.
    [[nodiscard]] std::pair<int, int> placeOf(std::uint64_t byte) const;

    /// The list of words, for tests.
    [[nodiscard]] QCompleter& completer() const { return *completer_; }

  Q_SIGNALS:
    /// Ctrl+Enter.
    void runAsked();
    /// Esc, while a question is being answered.
    void cancelAsked();
    /// Ctrl+Up (+1) and Ctrl+Down (-1): an older question, or a newer one.
    void historyAsked(int older);

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    /// Whether the list takes this key.
    [[nodiscard]] bool isForList(const QKeyEvent& key) const;
    /// Handles the keys of the question as a whole; false for other keys.
    bool command(const QKeyEvent& key);
    /// Opens the list for the word before the cursor, or closes it. `asked`: even if nothing of it is typed.
    void offer(bool asked);
    void take(const QString& word);
    [[nodiscard]] qsizetype letterOf(std::uint64_t byte) const;

    std::shared_ptr<const SqlLexicon> lexicon_;
    bool running_ = false;
    QColor error_;
    SqlHighlighter* highlighter_;
    SqlWordsModel* words_;
    QCompleter* completer_;
    QString list_style_;
};

}  // namespace rankscope::ui
