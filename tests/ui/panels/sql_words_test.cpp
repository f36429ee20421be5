// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of a question, their colours, and the words that complete it.
#include <gtest/gtest.h>

#include <QTextDocument>
#include <QTextLayout>
#include <algorithm>

#include "tests/ui/theme/contrast.h"
#include "ui/panels/query/question_history.h"
#include "ui/panels/query/sql_highlighter.h"
#include "ui/panels/query/sql_lexicon.h"
#include "ui/panels/query/sql_tokens.h"
#include "ui/widgets/search_bar.h"

namespace rankscope::ui {
namespace {

/// The pieces of a text, separated by "|".
QString piecesOf(const QString& text, SqlOpen open = SqlOpen::Nothing) {
    QStringList pieces;
    for (const SqlToken& token : sqlTokens(text, open)) {
        pieces << text.mid(token.from, token.length);
    }
    return pieces.join(QLatin1Char('|'));
}

QStringList completions(const char* before, const char* after = "") {
    static const auto lexicon = makeSqlLexicon();
    const QString start = QLatin1String(before);
    QStringList words;
    for (const SqlWord& word : completionAt(*lexicon, start + QLatin1String(after), start.size()).words) {
        words << word.word;
    }
    return words;
}

TEST(SqlTokens, AreWordsNumbersTextsCommentsAndSigns) {
    EXPECT_EQ(piecesOf(QStringLiteral("SELECT a.b, 'it''s' FROM t -- rest")),
              QStringLiteral("SELECT|a|.|b|,|'it'|'s'|FROM|t|-- rest"));
    EXPECT_EQ(piecesOf(QStringLiteral("1.5e-3+.5")), QStringLiteral("1.5e-3|+|.5"));
    EXPECT_EQ(piecesOf(QStringLiteral("\"a b\"[c d]`e`")), QStringLiteral("\"a b\"|[c d]|`e`"));
    EXPECT_EQ(piecesOf(QStringLiteral("a/* b")), QStringLiteral("a|/* b"));
    EXPECT_EQ(piecesOf(QStringLiteral("b */ c"), SqlOpen::Comment), QStringLiteral("b */|c"));
    EXPECT_EQ(piecesOf(QString()), QString());
}

TEST(SqlWords, BehindATableOrItsAliasAreItsColumns) {
    EXPECT_EQ(completions("SELECT s.dur", " FROM slice s"), QStringList({"dur_ns"}));
    EXPECT_EQ(completions("SELECT t.dur", " FROM slice s JOIN track AS t"), QStringList()) << "a track has none";
    EXPECT_TRUE(completions("SELECT slice.", " FROM slice").contains(QStringLiteral("category")));
    EXPECT_EQ(completions("SELECT x."), QStringList());
}

TEST(SqlWords, BehindFromAreTables) {
    EXPECT_EQ(completions("SELECT * FROM sli"), QStringList({"slice"}));
    EXPECT_TRUE(completions("SELECT * FROM sel").contains(QStringLiteral("selection")));
    EXPECT_FALSE(completions("SELECT * FROM med").contains(QStringLiteral("median")));
}

TEST(SqlWords, BeginWithTheColumnsOfTheTablesThatAreRead) {
    const QStringList words = completions("SELECT ca", " FROM slice");
    ASSERT_GE(words.size(), 2);
    EXPECT_EQ(words.front(), QStringLiteral("category"));
    EXPECT_TRUE(words.contains(QStringLiteral("CASE"))) << "and a keyword";
    EXPECT_TRUE(completions("SELECT med", " FROM slice").contains(QStringLiteral("median")));
}

TEST(SqlWords, AreNoneInTextsAndComments) {
    EXPECT_EQ(completions("SELECT 'sel"), QStringList());
    EXPECT_EQ(completions("SELECT 1 -- sel"), QStringList());
    EXPECT_EQ(completions("SELECT 12"), QStringList());
}

TEST(SqlColours, CanBeReadOnTheGroundOfTheField) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        for (const SqlLook look :
             {SqlLook::Plain, SqlLook::Keyword, SqlLook::Function, SqlLook::Number, SqlLook::Text, SqlLook::Comment}) {
            EXPECT_GE(test::contrast(sqlFormat(look, theme).foreground().color(), theme.window), 4.5)
                << static_cast<int>(look) << (theme.dark ? " dark" : " light");
        }
    }
}

TEST(SqlColours, FollowTheWordsAlsoOverLines) {
    QTextDocument document(QStringLiteral("SELECT median(x) /* a\nb */ FROM t"));
    SqlHighlighter colours(Theme::darkTheme(), &document);
    colours.setLexicon(makeSqlLexicon());
    const auto look_at = [&](int line, int letter) {
        for (const QTextLayout::FormatRange& range : document.findBlockByNumber(line).layout()->formats()) {
            if (range.start <= letter && letter < range.start + range.length) {
                return range.format.foreground().color();
            }
        }
        return QColor();
    };
    const auto colour = [](SqlLook look) { return sqlFormat(look, Theme::darkTheme()).foreground().color(); };
    EXPECT_EQ(look_at(0, 0), colour(SqlLook::Keyword));
    EXPECT_EQ(look_at(0, 8), colour(SqlLook::Function));
    EXPECT_EQ(look_at(0, 14), colour(SqlLook::Plain));
    EXPECT_EQ(look_at(1, 0), colour(SqlLook::Comment));
    EXPECT_EQ(look_at(1, 6), colour(SqlLook::Keyword));
}

TEST(SqlQuestion, IsToldFromANameThatIsSearched) {
    for (const char* question : {"select name from slice", "  SELECT 1", "with x as (select 1) select * from x",
                                 "WITH RECURSIVE n(i) AS (SELECT 1) SELECT i FROM n"}) {
        EXPECT_TRUE(isSqlQuestion(QLatin1String(question))) << question;
    }
    for (const char* name :
         {"select", "aten::select", "selectBackward", "with", "with torch.no_grad", "index_select 3"}) {
        EXPECT_FALSE(isSqlQuestion(QLatin1String(name))) << name;
    }
}

TEST(QuestionHistory, HasEachQuestionOnceAndTheLatestFirst) {
    QuestionHistory history;
    for (int i = 0; i < 60; ++i) {
        history.add(QString::number(i));
    }
    EXPECT_EQ(history.all().size(), QuestionHistory::kMost);
    history.add(QStringLiteral("55"));
    EXPECT_EQ(history.all().front(), QStringLiteral("55"));
    EXPECT_EQ(history.all().count(QStringLiteral("55")), 1);
}

}  // namespace
}  // namespace rankscope::ui
