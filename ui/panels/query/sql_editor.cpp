// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/sql_editor.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextEdit>
#include <algorithm>
#include <utility>

#include "ui/panels/query/sql_highlighter.h"
#include "ui/panels/query/sql_words_model.h"

namespace rankscope::ui {
namespace {

constexpr int kListWidth = 460;           // pixels
constexpr int kTintAlpha = 64;            // alpha, out of 255
constexpr int kListRows = 9;              // in sight
constexpr qsizetype kLettersToOffer = 2;  // with fewer, nearly all words are listed

bool isEnter(const QKeyEvent& key) {
    return key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
}

/// The keys of the question as a whole, which no shortcut of the window may take.
bool isCommand(const QKeyEvent& key) {
    const Qt::KeyboardModifiers with = key.modifiers() & ~Qt::KeypadModifier;
    const bool of_control =
        isEnter(key) || key.key() == Qt::Key_Up || key.key() == Qt::Key_Down || key.key() == Qt::Key_Space;
    return with == Qt::ControlModifier && of_control;
}

}  // namespace

SqlEditor::SqlEditor(const Theme& theme, QWidget* parent)
    : QPlainTextEdit(parent),
      highlighter_(new SqlHighlighter(theme, document())),
      words_(new SqlWordsModel(this)),
      completer_(new QCompleter(words_, this)) {
    setProperty("role", QStringLiteral("editor"));
    setAccessibleName(tr("Question in SQL"));
    setPlaceholderText(tr("SELECT name, dur_ns FROM slice\nCtrl+Enter runs it."));
    setTabChangesFocus(true);
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    completer_->setWidget(this);
    completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setMaxVisibleItems(kListRows);
    completer_->popup()->setItemDelegate(new SqlWordsDelegate(completer_));
    completer_->popup()->setProperty("role", QStringLiteral("words"));
    completer_->popup()->setAccessibleName(tr("Words that complete the question"));
    connect(completer_, QOverload<const QString&>::of(&QCompleter::activated), this, &SqlEditor::take);
    // Colours count as a change too: the mark of an error stays with them.
    connect(this, &QPlainTextEdit::textChanged, this, [this, before = QString()]() mutable {
        if (QString now = toPlainText(); now != before) {
            before = std::move(now);
            setExtraSelections({});
        }
    });
    setTheme(theme);
}

void SqlEditor::setTheme(const Theme& theme) {
    error_ = theme.error;
    highlighter_->setTheme(theme);
    setFont(theme.mono_font);
    completer_->popup()->setFont(theme.mono_font);
    completer_->popup()->setPalette(theme.palette());
    list_style_ = theme.styleSheet();
}

void SqlEditor::setLexicon(const std::shared_ptr<const SqlLexicon>& lexicon) {
    lexicon_ = lexicon;
    highlighter_->setLexicon(lexicon);
}

void SqlEditor::setQuestion(const QString& sql) {
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.insertText(sql);
    moveCursor(QTextCursor::End);
}

qsizetype SqlEditor::letterOf(std::uint64_t byte) const {
    const QByteArray bytes = toPlainText().toUtf8();
    const auto most = static_cast<std::uint64_t>(bytes.size());
    return QString::fromUtf8(bytes.left(static_cast<qsizetype>(std::min(byte, most)))).size();
}

std::pair<int, int> SqlEditor::placeOf(std::uint64_t byte) const {
    const auto letter = static_cast<int>(letterOf(byte));
    const QTextBlock line = document()->findBlock(letter);
    return {line.blockNumber() + 1, letter - line.position() + 1};
}

void SqlEditor::markError(std::uint64_t byte) {
    QTextCursor word(document());
    const auto letter = std::min(static_cast<int>(letterOf(byte)), document()->characterCount() - 1);
    word.setPosition(letter);
    const auto is_of_name = [this](int at) {
        const QChar c = document()->characterAt(at);
        return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('.');
    };
    int end = letter;
    while (is_of_name(end)) {  // also behind a dot: "s.cla"
        ++end;
    }
    const int last = document()->characterCount() - 1;
    word.setPosition(end > letter    ? end
                     : letter < last ? letter + 1
                                     : std::max(0, letter - 1),
                     QTextCursor::KeepAnchor);
    QTextEdit::ExtraSelection wrong;
    wrong.cursor = word;
    wrong.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    wrong.format.setUnderlineColor(error_);
    QColor tint = error_;
    tint.setAlpha(kTintAlpha);
    wrong.format.setBackground(tint);
    setExtraSelections({wrong});
    QTextCursor there(document());
    there.setPosition(letter);
    setTextCursor(there);
}

bool SqlEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isCommand(static_cast<const QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

bool SqlEditor::isForList(const QKeyEvent& key) const {
    return completer_->popup()->isVisible() && key.modifiers() == Qt::NoModifier &&
           (isEnter(key) || key.key() == Qt::Key_Tab || key.key() == Qt::Key_Escape);
}

bool SqlEditor::command(const QKeyEvent& key) {
    if (key.key() == Qt::Key_Escape && running_) {
        Q_EMIT cancelAsked();
        return true;
    }
    if (!isCommand(key)) {
        return false;
    }
    completer_->popup()->hide();
    switch (key.key()) {
        case Qt::Key_Up: Q_EMIT historyAsked(1); break;
        case Qt::Key_Down: Q_EMIT historyAsked(-1); break;
        case Qt::Key_Space: offer(true); break;
        default: Q_EMIT runAsked(); break;
    }
    return true;
}

void SqlEditor::keyPressEvent(QKeyEvent* event) {
    if (isForList(*event)) {
        event->ignore();  // the list of words gets it
        return;
    }
    if (command(*event)) {
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
    const QString typed = event->text();
    const bool is_letter = !typed.isEmpty() && typed.front().isPrint();
    if (is_letter || (event->key() == Qt::Key_Backspace && completer_->popup()->isVisible())) {
        offer(false);
    } else if (event->key() != Qt::Key_Shift) {
        completer_->popup()->hide();
    }
}

void SqlEditor::focusInEvent(QFocusEvent* event) {
    completer_->setWidget(this);
    QPlainTextEdit::focusInEvent(event);
}

bool SqlEditor::focusNextPrevChild(bool next) {
    return !completer_->popup()->isVisible() && QPlainTextEdit::focusNextPrevChild(next);
}

void SqlEditor::offer(bool asked) {
    const int position = textCursor().position();
    SqlCompletion found =
        lexicon_ == nullptr ? SqlCompletion{position, {}} : completionAt(*lexicon_, toPlainText(), position);
    const qsizetype typed = position - found.from;
    const bool behind_dot = position > 0 && document()->characterAt(position - 1) == QLatin1Char('.');
    if (found.words.empty() || (!asked && !behind_dot && typed < kLettersToOffer)) {
        completer_->popup()->hide();
        return;
    }
    if (completer_->popup()->styleSheet() != list_style_) {
        completer_->popup()->setStyleSheet(list_style_);  // it is a window of its own
    }
    words_->set(std::move(found.words));
    QRect at = cursorRect();
    at.setWidth(std::min(kListWidth, window()->width()));
    completer_->complete(at);
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
}

void SqlEditor::take(const QString& word) {
    QTextCursor cursor = textCursor();
    const SqlCompletion here = completionAt(*lexicon_, toPlainText(), cursor.position());
    cursor.setPosition(static_cast<int>(here.from), QTextCursor::KeepAnchor);
    cursor.insertText(lexicon_->functions.contains(word) ? word + QLatin1Char('(') : word);
    setTextCursor(cursor);
}

}  // namespace rankscope::ui
