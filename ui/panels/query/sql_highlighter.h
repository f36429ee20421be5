// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>
#include <memory>

#include "ui/panels/query/sql_lexicon.h"
#include "ui/panels/query/sql_tokens.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// How a kind of word looks: keywords also have another weight and comments another slant, for people who see no
/// colours.
enum class SqlLook : std::uint8_t { Plain, Keyword, Function, Number, Text, Comment };

/// The format of a kind of word, with a contrast of 4.5 or more on the surface of the theme.
[[nodiscard]] QTextCharFormat sqlFormat(SqlLook look, const Theme& theme);

/// Colours the words of a question in SQL.
class SqlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

  public:
    SqlHighlighter(const Theme& theme, QTextDocument* document);

    /// Uses the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Knows these words from now on.
    void setLexicon(std::shared_ptr<const SqlLexicon> lexicon);

  protected:
    void highlightBlock(const QString& line) override;

  private:
    [[nodiscard]] SqlLook lookOf(const SqlToken& token, const QString& line) const;

    Theme theme_;
    std::shared_ptr<const SqlLexicon> lexicon_;
};

}  // namespace rankscope::ui
