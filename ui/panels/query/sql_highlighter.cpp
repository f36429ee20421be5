// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/sql_highlighter.h"

#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

/// Darker on light, where the colours of the timeline are too pale for text.
QColor readable(const QColor& colour, const Theme& theme) {
    constexpr int kDarker = 140;  // per cent
    return theme.dark ? colour : colour.darker(kDarker);
}

}  // namespace

QTextCharFormat sqlFormat(SqlLook look, const Theme& theme) {
    QTextCharFormat format;
    switch (look) {
        case SqlLook::Plain: format.setForeground(theme.text); break;
        case SqlLook::Keyword:
            format.setForeground(theme.accent);
            format.setFontWeight(QFont::DemiBold);
            break;
        case SqlLook::Function: format.setForeground(theme.exposed); break;
        case SqlLook::Number: format.setForeground(readable(theme.gap, theme)); break;
        case SqlLook::Text: format.setForeground(readable(theme.overlap, theme)); break;
        case SqlLook::Comment:
            format.setForeground(theme.text_dim);
            format.setFontItalic(true);
            break;
    }
    return format;
}

SqlHighlighter::SqlHighlighter(const Theme& theme, QTextDocument* document)
    : QSyntaxHighlighter(document), theme_(theme) {}

void SqlHighlighter::setTheme(const Theme& theme) {
    theme_ = theme;
    rehighlight();
}

void SqlHighlighter::setLexicon(std::shared_ptr<const SqlLexicon> lexicon) {
    lexicon_ = std::move(lexicon);
    rehighlight();
}

SqlLook SqlHighlighter::lookOf(const SqlToken& token, const QString& line) const {
    switch (token.kind) {
        case SqlKind::Number: return SqlLook::Number;
        case SqlKind::Text: return SqlLook::Text;
        case SqlKind::Comment: return SqlLook::Comment;
        case SqlKind::Name:
        case SqlKind::Sign: return SqlLook::Plain;
        case SqlKind::Word: break;
    }
    if (lexicon_ == nullptr) {
        return SqlLook::Plain;
    }
    const QString word = line.mid(token.from, token.length).toLower();
    const QStringView behind = QStringView(line).mid(token.from + token.length).trimmed();
    if (behind.startsWith(QLatin1Char('(')) && lexicon_->functions.contains(word)) {
        return SqlLook::Function;
    }
    return lexicon_->keywords.contains(word) ? SqlLook::Keyword : SqlLook::Plain;
}

void SqlHighlighter::highlightBlock(const QString& line) {
    auto open = static_cast<SqlOpen>(std::max(0, previousBlockState()));
    for (const SqlToken& token : sqlTokens(line, open)) {
        setFormat(static_cast<int>(token.from), static_cast<int>(token.length), sqlFormat(lookOf(token, line), theme_));
    }
    setCurrentBlockState(static_cast<int>(open));
}

}  // namespace rankscope::ui
