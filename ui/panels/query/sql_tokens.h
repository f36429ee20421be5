// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

namespace rankscope::ui {

/// What a piece of a question is. Name: between "" or `` or []; Sign: a single character.
enum class SqlKind : std::uint8_t { Word, Name, Number, Text, Comment, Sign };

/// A piece of a question in SQL; what is between the pieces is blank.
struct SqlToken {
    SqlKind kind = SqlKind::Sign;
    qsizetype from = 0;  ///< in the text
    qsizetype length = 0;
};

/// What continues behind the end of a line: nothing, a comment, a text, or a name.
enum class SqlOpen : std::uint8_t { Nothing, Comment, Text, DoubleQuoted, BackQuoted, Bracketed };

/// The pieces of a text. `open`: what the line before left open; then what this text leaves open. O(letters).
[[nodiscard]] std::vector<SqlToken> sqlTokens(const QString& text, SqlOpen& open);

}  // namespace rankscope::ui
