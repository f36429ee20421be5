// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>
#include <memory>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::ui {

/// The words that questions can use.
struct SqlLexicon {
    QSet<QString> keywords;   ///< in lower case
    QSet<QString> functions;  ///< in lower case
    std::vector<tables::Table> tables;
};

/// What core/query knows, with the table of the marked area. Cost: some milliseconds, so not for the GUI thread.
[[nodiscard]] std::shared_ptr<const SqlLexicon> makeSqlLexicon();

/// A word that may be meant.
struct SqlWord {
    QString word;
    QString about;  ///< what it is, for people: the meaning of a column or table
};

/// What can be typed at a position of a question.
struct SqlCompletion {
    qsizetype from = 0;          ///< where the word begins that is being typed
    std::vector<SqlWord> words;  ///< those that begin like it, most likely ones first: columns of the tables that the
                                 ///< question names, tables, functions, keywords
};

/// The completion at a position of `text`. Behind "slice." or an alias there are only columns, behind FROM and JOIN
/// only tables; in texts and comments there is nothing. O(letters + words).
[[nodiscard]] SqlCompletion completionAt(const SqlLexicon& lexicon, const QString& text, qsizetype position);

}  // namespace rankscope::ui
