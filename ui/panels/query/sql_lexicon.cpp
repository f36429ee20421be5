// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/sql_lexicon.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/query/database.h"
#include "core/query/dialect.h"
#include "core/tables/selection_table.h"
#include "ui/panels/query/sql_tokens.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SqlLexicon)
};

/// A question as words in lower case and signs; texts and comments are left out.
struct Piece {
    QString word;
    qsizetype end = 0;  // in the text
    bool is_sign = false;
};

std::vector<Piece> piecesOf(const QString& text) {
    std::vector<Piece> pieces;
    SqlOpen open = SqlOpen::Nothing;
    for (const SqlToken& token : sqlTokens(text, open)) {
        if (token.kind == SqlKind::Word || token.kind == SqlKind::Name || token.kind == SqlKind::Sign) {
            pieces.push_back(
                {text.mid(token.from, token.length).toLower(), token.from + token.length, token.kind == SqlKind::Sign});
        }
    }
    return pieces;
}

bool beginsTable(const QString& word) {
    return word == QLatin1String("from") || word == QLatin1String("join");
}

/// A table that a question names, with its alias.
struct NamedTable {
    const tables::Table* table = nullptr;
    QString alias;
};

/// The tables that a question reads, in their order.
std::vector<NamedTable> namedTables(const SqlLexicon& lexicon, const std::vector<Piece>& pieces) {
    std::vector<NamedTable> named;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto table = std::ranges::find(lexicon.tables, pieces[i].word.toStdString(), &tables::Table::name);
        const bool is_read = i > 0 && (beginsTable(pieces[i - 1].word) || pieces[i - 1].word == QLatin1String(","));
        if (table == lexicon.tables.end() || !is_read) {
            continue;
        }
        std::size_t next = i + 1;
        next += next < pieces.size() && pieces[next].word == QLatin1String("as") ? 1U : 0U;
        const bool has_alias =
            next < pieces.size() && !pieces[next].is_sign && !lexicon.keywords.contains(pieces[next].word);
        named.push_back({&*table, has_alias ? pieces[next].word : pieces[i].word});
    }
    return named;
}

/// Gathers words that begin with what is typed, each once.
class Gathered {
  public:
    explicit Gathered(QString begin) : begin_(std::move(begin)) {}

    void add(const QString& word, const QString& about) {
        if (word.startsWith(begin_, Qt::CaseInsensitive) && !seen_.contains(word)) {
            seen_.insert(word);
            words_.push_back({word, about});
        }
    }
    void addColumns(const tables::Table& table) {
        for (const tables::Column& column : table.columns) {
            add(text(column.name), text(column.meaning));
        }
    }
    void addTables(const std::vector<tables::Table>& all) {
        for (const tables::Table& table : all) {
            add(text(table.name), text(table.meaning));
        }
    }
    void addSorted(const QSet<QString>& all, const QString& about, bool capitals) {
        QStringList sorted = all.values();
        sorted.sort();
        for (const QString& word : std::as_const(sorted)) {
            add(capitals ? word.toUpper() : word, about);
        }
    }
    /// Without a word that is complete already, if it is the only one.
    [[nodiscard]] std::vector<SqlWord> take() {
        if (words_.size() == 1 && words_.front().word.compare(begin_, Qt::CaseInsensitive) == 0) {
            words_.clear();
        }
        return std::move(words_);
    }

  private:
    QString begin_;
    QSet<QString> seen_;
    std::vector<SqlWord> words_;
};

/// Where the word before a position begins; nothing in a text or a comment.
std::optional<qsizetype> wordBefore(const QString& text, qsizetype position) {
    SqlOpen open = SqlOpen::Nothing;
    const std::vector<SqlToken> tokens = sqlTokens(text.left(position), open);
    if (open != SqlOpen::Nothing) {
        return std::nullopt;
    }
    if (tokens.empty() || tokens.back().from + tokens.back().length < position) {
        return position;
    }
    switch (tokens.back().kind) {
        case SqlKind::Word: return tokens.back().from;
        case SqlKind::Sign: return position;
        default: return std::nullopt;
    }
}

}  // namespace

std::shared_ptr<const SqlLexicon> makeSqlLexicon() {
    auto lexicon = std::make_shared<SqlLexicon>();
    const query::Vocabulary words = query::vocabulary();
    for (const std::string& word : words.keywords) {
        lexicon->keywords.insert(text(word).toLower());
    }
    for (const std::string& word : words.functions) {
        lexicon->functions.insert(text(word));
    }
    lexicon->tables = query::Database({}, {}, {tables::selectionTable([] { return std::nullopt; })}).tables();
    return lexicon;
}

SqlCompletion completionAt(const SqlLexicon& lexicon, const QString& text, qsizetype position) {
    const std::optional<qsizetype> from = wordBefore(text, position);
    if (!from) {
        return {position, {}};
    }
    Gathered gathered(text.mid(*from, position - *from));
    const std::vector<NamedTable> named = namedTables(lexicon, piecesOf(text));
    const std::vector<Piece> before = piecesOf(text.left(*from));
    const bool is_qualified = !before.empty() && before.back().word == QLatin1String(".") && before.back().end == *from;
    if (is_qualified) {
        for (const NamedTable& one : named) {
            if (before.size() > 1 && one.alias == before[before.size() - 2].word) {
                gathered.addColumns(*one.table);
            }
        }
    } else if (!before.empty() && beginsTable(before.back().word)) {
        gathered.addTables(lexicon.tables);
    } else {
        for (const NamedTable& one : named) {
            gathered.addColumns(*one.table);
        }
        gathered.addTables(lexicon.tables);
        for (const tables::Table& table : lexicon.tables) {
            if (named.empty()) {
                gathered.addColumns(table);
            }
        }
        gathered.addSorted(lexicon.functions, Words::tr("function"), false);
        gathered.addSorted(lexicon.keywords, Words::tr("keyword"), true);
    }
    return {*from, gathered.take()};
}

}  // namespace rankscope::ui
