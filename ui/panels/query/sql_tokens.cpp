// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/sql_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope::ui {
namespace {

/// Something that begins with one text and ends with another, maybe on a later line.
struct Enclosed {
    SqlOpen open;
    QLatin1String begin;
    QLatin1String end;
    SqlKind kind;
};

constexpr std::array<Enclosed, 5> kEnclosed = {{
    {SqlOpen::Comment, QLatin1String("/*"), QLatin1String("*/"), SqlKind::Comment},
    {SqlOpen::Text, QLatin1String("'"), QLatin1String("'"), SqlKind::Text},
    {SqlOpen::DoubleQuoted, QLatin1String("\""), QLatin1String("\""), SqlKind::Name},
    {SqlOpen::BackQuoted, QLatin1String("`"), QLatin1String("`"), SqlKind::Name},
    {SqlOpen::Bracketed, QLatin1String("["), QLatin1String("]"), SqlKind::Name},
}};

bool isOfWord(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('$');
}

/// Where a run of letters that are part of words ends.
qsizetype endOfWord(const QString& text, qsizetype from) {
    return std::find_if_not(text.begin() + from, text.end(), isOfWord) - text.begin();
}

/// Where a number ends: digits, one point, an exponent.
qsizetype endOfNumber(const QString& text, qsizetype from) {
    qsizetype at = endOfWord(text, from);
    if (at < text.size() && text[at] == QLatin1Char('.')) {
        at = endOfWord(text, at + 1);
    }
    const bool has_exponent = at > from && text[at - 1].toLower() == QLatin1Char('e');
    const bool has_sign = at < text.size() && (text[at] == QLatin1Char('-') || text[at] == QLatin1Char('+'));
    return has_exponent && has_sign ? endOfWord(text, at + 1) : at;
}

/// The piece that begins at a letter that is no blank, and is not enclosed.
SqlToken plainToken(const QString& text, qsizetype at) {
    if (text.mid(at, 2) == QLatin1String("--")) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), at);
        return {SqlKind::Comment, at, (end < 0 ? text.size() : end) - at};
    }
    const bool is_decimal = text[at] == QLatin1Char('.') && at + 1 < text.size() && text[at + 1].isDigit();
    if (text[at].isDigit() || is_decimal) {
        return {SqlKind::Number, at, endOfNumber(text, at) - at};
    }
    const qsizetype end = endOfWord(text, at);
    return end > at ? SqlToken{SqlKind::Word, at, end - at} : SqlToken{SqlKind::Sign, at, 1};
}

}  // namespace

std::vector<SqlToken> sqlTokens(const QString& text, SqlOpen& open) {
    std::vector<SqlToken> tokens;
    for (qsizetype at = 0; at < text.size();) {
        const bool goes_on = open != SqlOpen::Nothing;
        const auto enclosed = std::ranges::find_if(kEnclosed, [&](const Enclosed& one) {
            return goes_on ? one.open == open : QStringView(text).mid(at).startsWith(one.begin);
        });
        if (!goes_on && text[at].isSpace()) {
            ++at;
        } else if (enclosed != kEnclosed.end()) {
            const qsizetype inside = at + (goes_on ? 0 : enclosed->begin.size());
            const qsizetype end = text.indexOf(enclosed->end, inside);
            open = end < 0 ? enclosed->open : SqlOpen::Nothing;
            const qsizetype behind = end < 0 ? text.size() : end + enclosed->end.size();
            tokens.push_back({enclosed->kind, at, behind - at});
            at = behind;
        } else {
            tokens.push_back(plainToken(text, at));
            at += tokens.back().length;
        }
    }
    return tokens;
}

}  // namespace rankscope::ui
